/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "small_pe.h"
#include "unwind/pe_frames.h"

enum { RIP, RBP, RBX, R12, R13, R14, R15 }; /* places in rule->saved */

static struct unwind_module *module;

static const struct unwind_rule *rule_at(uint32_t rva)
{
	return unwind_table_find(&module->table, rva);
}

static void assert_rule(uint32_t rva, unsigned cfa_register, int cfa_offset)
{
	const struct unwind_rule *rule = rule_at(rva);

	assert_int_equal(rule->kind, UNWIND_BY_REGISTER);
	assert_int_equal(rule->cfa_register, cfa_register);
	assert_int_equal(rule->cfa_offset, cfa_offset);
	assert_int_equal(rule->saved[RIP], -1);
}

static void read_pe(const struct small_pe *pe)
{
	struct pp_error err = { 0 };

	unwind_module_unref(module);
	module = unwind_module_new("a.dll");
	assert_int_equal(pe_frames_read(pe->bytes, sizeof(pe->bytes), module, &err), 0);
}

/* One function with this code and this unwind information; its RVA. */
static uint32_t read_function(const void *code, size_t size, const void *unwind, size_t unwind_size)
{
	struct small_pe pe = small_pe();
	const uint32_t start = small_pe_code(&pe, code, size);

	small_pe_function(&pe, start, start + (uint32_t)size,
			  small_pe_unwind(&pe, unwind, unwind_size));
	read_pe(&pe);
	return start;
}

static void gives_each_instruction_of_a_prologue_a_row(void **state)
{
	(void)state;
	/* push rbp; push rbx; sub rsp, 0x18; lea rbp, [rsp+0x20]; nop; nop */
	const uint32_t start =
		read_function(BYTES("\x55\x53\x48\x83\xec\x18\x48\x8d\x6c\x24\x20\x90\x90"),
			      BYTES("\x01\x06\x03\x00\x06\x22\x02\x30\x01\x50"));

	assert_rule(start, X86_64_RSP, 8);
	assert_int_equal(rule_at(start)->saved[RBP], SAVED_SAME);
	assert_rule(start + 1, X86_64_RSP, 16);
	assert_int_equal(rule_at(start + 1)->saved[RBP], -2);
	assert_rule(start + 2, X86_64_RSP, 24);
	assert_int_equal(rule_at(start + 2)->saved[RBX], -3);
	assert_rule(start + 6, X86_64_RSP, 48);
	assert_rule(start + 12, X86_64_RSP, 48);
	assert_int_equal(rule_at(start + 13)->kind, UNWIND_NO_RULE);
}

static void follows_an_epilogue_to_its_return(void **state)
{
	(void)state;
	/* push rbx; sub rsp, 0x10; nop; add rsp, 0x10; pop rbx; ret; nop */
	const uint32_t start =
		read_function(BYTES("\x53\x48\x83\xec\x10\x90\x48\x83\xc4\x10\x5b\xc3\x90"),
			      BYTES("\x01\x05\x02\x00\x05\x12\x01\x30"));

	assert_rule(start + 5, X86_64_RSP, 32);
	assert_rule(start + 6, X86_64_RSP, 32); /* not yet executed */
	assert_rule(start + 10, X86_64_RSP, 16);
	assert_int_equal(rule_at(start + 10)->saved[RBX], -2);
	assert_rule(start + 11, X86_64_RSP, 8);
	assert_int_equal(rule_at(start + 11)->saved[RBX], SAVED_SAME);
	assert_rule(start + 12, X86_64_RSP, 32); /* another part of the body */
}

static void follows_an_epilogue_to_a_jump_to_another_function(void **state)
{
	(void)state;
	/* push rax; nop; add rsp, 8; jmp [rax+0x18] with REX.W */
	const uint32_t start = read_function(BYTES("\x50\x90\x48\x83\xc4\x08\x48\xff\x60\x18"),
					     BYTES("\x01\x01\x01\x00\x01\x02\0\0"));

	assert_rule(start + 1, X86_64_RSP, 16);
	assert_rule(start + 6, X86_64_RSP, 8);
}

static void does_not_take_bytes_within_an_instruction_for_an_epilogue(void **state)
{
	(void)state;
	/* push rbp; mov eax, 0x9090c35d; mov eax, 0x9090c35d */
	const uint32_t start = read_function(BYTES("\x55\xb8\x5d\xc3\x90\x90\xb8\x5d\xc3\x90\x90"),
					     BYTES("\x01\x01\x01\x00\x01\x50\0\0"));

	for (uint32_t i = 1; i < 11; i++)
		assert_rule(start + i, X86_64_RSP, 16);
}

static void uses_the_frame_register_where_there_is_one(void **state)
{
	(void)state;
	/* push rbp; sub rsp, 0x40; lea rbp, [rsp+0x40]; nop; lea rsp, [rbp]; pop rbp; ret */
	const uint32_t start = read_function(
		BYTES("\x55\x48\x83\xec\x40\x48\x8d\x6c\x24\x40\x90\x48\x8d\x65\x00\x5d\xc3"),
		BYTES("\x01\x0a\x03\x45\x0a\x03\x05\x72\x01\x50\0\0"));

	assert_rule(start + 5, X86_64_RSP, 80);
	assert_rule(start + 10, X86_64_RBP, 16);
	assert_int_equal(rule_at(start + 10)->saved[RBP], -2);
	assert_rule(start + 15, X86_64_RSP, 16);
	assert_rule(start + 16, X86_64_RSP, 8);
}

static void knows_the_large_frame_offset_of_the_clr(void **state)
{
	(void)state;
	/* push rbp; sub rsp, 0x1000; lea rbp, [rsp+0x800]; nop; operation 11: 0x80 * 16 */
	const uint32_t start = read_function(
		BYTES("\x55\x48\x81\xec\x00\x10\x00\x00\x48\x8d\xac\x24\x00\x08\x00\x00\x90"),
		BYTES("\x01\x10\x06\xf5\x10\x0b\x80\x00\x00\x00\x08\x01\x00\x02\x01\x50"));

	assert_rule(start + 8, X86_64_RSP, 0x1010);
	assert_rule(start + 16, X86_64_RBP, 0x810);
}

static void knows_allocations_of_more_than_half_a_megabyte(void **state)
{
	(void)state;
	const uint32_t start = read_function(BYTES("\x90\x90\x90\x90\x90\x90\x90\x90"),
					     BYTES("\x01\x07\x03\x00\x07\x11\x00\x00\x10\x00\0\0"));

	assert_rule(start + 7, X86_64_RSP, 0x100008);
}

static void finds_registers_that_were_moved_to_the_stack(void **state)
{
	(void)state;
	/* sub rsp, 0x28, and r12 at [rsp+0x10] */
	const uint32_t start = read_function(BYTES("\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"),
					     BYTES("\x01\x09\x03\x00\x09\xc4\x02\x00\x04\x42\0\0"));

	assert_rule(start + 9, X86_64_RSP, 48);
	assert_int_equal(rule_at(start + 9)->saved[R12], -4);
}

static void adds_what_the_function_did_that_this_is_a_part_of(void **state)
{
	(void)state;
	struct small_pe pe = small_pe();
	const uint32_t whole = small_pe_code(&pe, BYTES("\x55\x90\x90\x90"));
	const uint32_t part = small_pe_code(&pe, BYTES("\x53\x90\x90\x90"));
	const uint32_t unwind = small_pe_unwind(&pe, BYTES("\x01\x01\x01\x00\x01\x50\0\0"));
	uint8_t chained[] = "\x21\x01\x01\x00\x01\x30\0\0"
			    "\0\x16\0\0\x04\x16\0\0\0\x14\0\0";

	small_pe_function(&pe, whole, whole + 4, unwind);
	small_pe_function(&pe, part, part + 4, small_pe_unwind(&pe, chained, 20));
	read_pe(&pe);
	assert_rule(part, X86_64_RSP, 16);
	assert_rule(part + 1, X86_64_RSP, 24);
	assert_int_equal(rule_at(part + 1)->saved[RBP], -2);
	assert_int_equal(rule_at(part + 1)->saved[RBX], -3);
}

static void has_no_rule_for_codes_it_does_not_know(void **state)
{
	(void)state;
	const uint32_t start =
		read_function(BYTES("\x90\x90"), BYTES("\x01\x01\x01\x00\x01\x0a\0\0"));

	assert_int_equal(rule_at(start)->kind, UNWIND_NO_RULE);
}

static void ends_a_chain_that_goes_in_circles(void **state)
{
	(void)state;
	struct small_pe pe = small_pe();
	const uint32_t start = small_pe_code(&pe, BYTES("\x90\x90\x90\x90"));

	small_pe_function(&pe, start, start + 4,
			  small_pe_unwind(&pe, BYTES("\x21\x00\x00\x00"
						     "\0\x16\0\0\x04\x16\0\0\0\x14\0\0")));
	small_pe_function(&pe, start + 4, start + 8, SMALL_PE_FUNCTIONS + 12 + 1);
	read_pe(&pe);
	assert_int_equal(rule_at(start)->kind, UNWIND_NO_RULE);
	assert_int_equal(rule_at(start + 4)->kind, UNWIND_NO_RULE);
}

static void maps_pages_that_begin_before_a_section(void **state)
{
	(void)state;
	struct small_pe pe = small_pe();
	uint64_t address;

	read_pe(&pe);
	assert_true(module->is_managed);
	assert_true(unwind_module_address(module, 0, &address));
	assert_int_equal(address, 0x1000);
	assert_true(unwind_module_address(module, 0x200, &address));
	assert_int_equal(address, 0x1200);
	assert_false(unwind_module_address(module, 0x800, &address));
}

static void says_what_is_no_image_for_linux(void **state)
{
	(void)state;
	struct small_pe pe = small_pe();
	struct pp_error err = { 0 };

	unwind_module_unref(module);
	module = unwind_module_new("a.dll");
	assert_int_equal(pe_frames_read("MZ", 2, module, &err), -1);
	assert_string_equal(err.text, "a.dll is not a PE file");
	err = (struct pp_error){ 0 };
	pe.bytes[0x44] = 0x64; /* the machine of Windows */
	pe.bytes[0x45] = 0x86;
	assert_int_equal(pe_frames_read(pe.bytes, sizeof(pe.bytes), module, &err), -1);
	assert_string_equal(err.text,
			    "a.dll has no compiled code for Linux on x64 (machine 0x8664)");
}

static int release(void **state)
{
	(void)state;
	unwind_module_unref(module);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_each_instruction_of_a_prologue_a_row),
		cmocka_unit_test(follows_an_epilogue_to_its_return),
		cmocka_unit_test(follows_an_epilogue_to_a_jump_to_another_function),
		cmocka_unit_test(does_not_take_bytes_within_an_instruction_for_an_epilogue),
		cmocka_unit_test(uses_the_frame_register_where_there_is_one),
		cmocka_unit_test(knows_the_large_frame_offset_of_the_clr),
		cmocka_unit_test(knows_allocations_of_more_than_half_a_megabyte),
		cmocka_unit_test(finds_registers_that_were_moved_to_the_stack),
		cmocka_unit_test(adds_what_the_function_did_that_this_is_a_part_of),
		cmocka_unit_test(has_no_rule_for_codes_it_does_not_know),
		cmocka_unit_test(ends_a_chain_that_goes_in_circles),
		cmocka_unit_test(maps_pages_that_begin_before_a_section),
		cmocka_unit_test(says_what_is_no_image_for_linux),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
