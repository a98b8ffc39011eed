/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unwind/cfi_program.h"

/* A CIE as gcc writes it: "zR", code 1, data -8, the return address at CFA-8, the CFA at rsp+8. */
#define CIE                                                                                        \
	"\x14\0\0\0"                                                                               \
	"\0\0\0\0"                                                                                 \
	"\x01"                                                                                     \
	"zR\0"                                                                                     \
	"\x01"                                                                                     \
	"\x78"                                                                                     \
	"\x10"                                                                                     \
	"\x01"                                                                                     \
	"\x03"                                                                                     \
	"\x0c\x07\x08"                                                                             \
	"\x90\x01"                                                                                 \
	"\0\0"
/* An FDE of 0x1000 to 0x1100, whose CIE is the first entry, with 8 bytes of instructions. */
#define FDE(instructions)                                                                          \
	"\x15\0\0\0"                                                                               \
	"\x1c\0\0\0"                                                                               \
	"\0\x10\0\0"                                                                               \
	"\0\x01\0\0"                                                                               \
	"\0" instructions

static struct cfi_section section_of(const char *bytes, size_t size)
{
	return (struct cfi_section){ .machine = &unwind_x86_64,
				     .bytes = (const uint8_t *)bytes,
				     .size = size,
				     .address = 0x8000 };
}

static struct unwind_table compile(const struct cfi_section *section)
{
	struct table_builder builder = { .machine = section->machine };
	size_t offset = 0, at;
	struct cfi_fde fde;

	while (cfi_next(section, &offset, &at))
		if (cfi_read_fde(section, at, &fde))
			cfi_compile(&builder, section, &fde);
	return table_builder_seal(&builder);
}

static struct unwind_table compiled(const char *bytes, size_t size)
{
	const struct cfi_section section = section_of(bytes, size);

	return compile(&section);
}

#define COMPILED(bytes) compiled((bytes), sizeof(bytes) - 1)

static struct unwind_rule rule_at(const struct unwind_table *table, uint64_t address)
{
	return *unwind_table_find(table, address);
}

static void a_function_begins_as_its_cie_says(void **state)
{
	struct unwind_table table = COMPILED(CIE FDE("\0\0\0\0\0\0\0\0"));
	const struct unwind_rule rule = rule_at(&table, 0x1000);

	(void)state;
	assert_int_equal(rule.kind, UNWIND_BY_REGISTER);
	assert_int_equal(rule.cfa_register, X86_64_RSP);
	assert_int_equal(rule.cfa_offset, 8);
	assert_int_equal(rule.saved[0], -1);
	assert_int_equal(rule.saved[1], SAVED_SAME);
	assert_int_equal(rule_at(&table, 0xfff).kind, UNWIND_NO_RULE);
	assert_int_equal(rule_at(&table, 0x1100).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

static void a_pushed_frame_pointer_becomes_the_cfa(void **state)
{
	/* advance 1, CFA offset 16, rbp at CFA-16; advance 3, CFA register rbp */
	struct unwind_table table = COMPILED(CIE FDE("\x41\x0e\x10\x86\x02\x43\x0d\x06"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1001).cfa_offset, 16);
	assert_int_equal(rule_at(&table, 0x1001).cfa_register, X86_64_RSP);
	assert_int_equal(rule_at(&table, 0x1003).saved[1], -2);
	assert_int_equal(rule_at(&table, 0x1004).cfa_register, X86_64_RBP);
	assert_int_equal(rule_at(&table, 0x10ff).cfa_offset, 16);
	unwind_table_release(&table);
}

static void states_are_remembered_and_restored(void **state)
{
	/* remember; advance 2, CFA offset 64; advance 2, restore */
	struct unwind_table table = COMPILED(CIE FDE("\x0a\x42\x0e\x40\x42\x0b\0\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1001).cfa_offset, 8);
	assert_int_equal(rule_at(&table, 0x1003).cfa_offset, 64);
	assert_int_equal(rule_at(&table, 0x1004).cfa_offset, 8);
	unwind_table_release(&table);
}

static void a_restored_register_is_as_at_the_beginning(void **state)
{
	/* rbx at CFA-24; advance 2, restore rbx; restore the return address */
	struct unwind_table table = COMPILED(CIE FDE("\x83\x03\x42\xc3\xd0\0\0\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1001).saved[2], -3);
	assert_int_equal(rule_at(&table, 0x1002).saved[2], SAVED_SAME);
	assert_int_equal(rule_at(&table, 0x1002).saved[0], -1);
	unwind_table_release(&table);
}

static void an_undefined_return_address_is_the_outermost_frame(void **state)
{
	struct unwind_table table = COMPILED(CIE FDE("\x42\x07\x10\0\0\0\0\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1001).kind, UNWIND_BY_REGISTER);
	assert_int_equal(rule_at(&table, 0x1002).kind, UNWIND_OUTERMOST);
	unwind_table_release(&table);
}

static void expressions_are_kept(void **state)
{
	/* the CFA is *(rbp - 8): DW_OP_breg6 -8, DW_OP_deref */
	struct unwind_table table = COMPILED(CIE FDE("\x0f\x03\x76\x78\x06\0\0\0"));
	const struct unwind_rule rule = rule_at(&table, 0x1000);

	(void)state;
	assert_int_equal(rule.kind, UNWIND_BY_EXPRESSION);
	assert_memory_equal(table.expressions + rule.cfa_offset, "\x03\0\0\0\x76\x78\x06", 7);
	unwind_table_release(&table);
}

static void other_registers_have_a_list(void **state)
{
	/* rax at CFA-16; rbx is in r12 */
	struct unwind_table table = COMPILED(CIE FDE("\x80\x02\x09\x03\x0c\0\0\0"));
	const struct unwind_rule rule = rule_at(&table, 0x1000);

	(void)state;
	assert_int_equal(rule.other_count, 2);
	assert_int_equal(table.others[rule.first_other].number, X86_64_RAX);
	assert_int_equal(table.others[rule.first_other].kind, OTHER_AT_OFFSET);
	assert_int_equal(table.others[rule.first_other].offset, -16);
	assert_int_equal(table.others[rule.first_other + 1].number, X86_64_RBX);
	assert_int_equal(table.others[rule.first_other + 1].kind, OTHER_IN_REGISTER);
	assert_int_equal(table.others[rule.first_other + 1].offset, X86_64_R12);
	assert_int_equal(rule.saved[2], SAVED_ELSEWHERE);
	unwind_table_release(&table);
}

static void from_an_unknown_instruction_on_there_is_no_rule(void **state)
{
	struct unwind_table table = COMPILED(CIE FDE("\x44\x0e\x10\x44\x3f\x44\0\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1004).cfa_offset, 16);
	assert_int_equal(rule_at(&table, 0x1008).kind, UNWIND_NO_RULE);
	assert_int_equal(rule_at(&table, 0x100c).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

static void states_that_were_never_remembered_are_wrong(void **state)
{
	struct unwind_table table = COMPILED(CIE FDE("\x44\x0b\0\0\0\0\0\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x1000).cfa_offset, 8);
	assert_int_equal(rule_at(&table, 0x1004).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

/* The first instructions of a CIE have nothing before them that a register could be restored to. */
static void a_cie_that_restores_a_register_is_wrong(void **state)
{
	/* clang-format off */
	struct unwind_table table = COMPILED(
		"\x14\0\0\0" "\0\0\0\0" "\x01" "zR\0" "\x01" "\x78" "\x10" "\x01" "\x03"
		"\x0c\x07\x08" "\x90\x01" "\xc3\0"
		FDE("\0\0\0\0\0\0\0\0"));
	/* clang-format on */

	(void)state;
	assert_int_equal(rule_at(&table, 0x1000).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

static void advancing_beyond_the_end_ends_there(void **state)
{
	struct unwind_table table = COMPILED(CIE FDE("\x04\xff\xff\xff\xff\x0e\x20\0"));

	(void)state;
	assert_int_equal(rule_at(&table, 0x10ff).cfa_offset, 8);
	assert_int_equal(rule_at(&table, 0x1100).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

static void functions_of_debug_frame_refer_to_their_cie_by_its_offset(void **state)
{
	static const char bytes[] = "\x14\0\0\0"
				    "\xff\xff\xff\xff"
				    "\x04"
				    "\0"
				    "\x08\0"
				    "\x01"
				    "\x78"
				    "\x10"
				    "\x0c\x07\x08"
				    "\x90\x01"
				    "\0\0\0\0"
				    "\x14\0\0\0"
				    "\0\0\0\0"
				    "\0\x20\0\0\0\0\0\0"
				    "\x40\0\0\0\0\0\0\0";
	struct cfi_section section = section_of(bytes, sizeof(bytes) - 1);
	struct unwind_table table;

	(void)state;
	section.is_debug_frame = true;
	table = compile(&section);
	assert_int_equal(rule_at(&table, 0x203f).cfa_offset, 8);
	assert_int_equal(rule_at(&table, 0x2040).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

static void addresses_may_be_relative_to_where_they_are(void **state)
{
	/* "zRS": of a signal; encoding 0x1b, a signed offset from here */
	static const char bytes[] = "\x14\0\0\0"
				    "\0\0\0\0"
				    "\x01"
				    "zRS\0"
				    "\x01"
				    "\x78"
				    "\x10"
				    "\x01"
				    "\x1b"
				    "\x0c\x07\x08"
				    "\x90\x01"
				    "\0"
				    "\x0d\0\0\0"
				    "\x1c\0\0\0"
				    "\xe0\xff\xff\xff"
				    "\x40\0\0\0"
				    "\0";
	struct unwind_table table = compiled(bytes, sizeof(bytes) - 1);

	(void)state;
	assert_int_equal(rule_at(&table, 0x8000).kind, UNWIND_BY_REGISTER);
	assert_int_equal(rule_at(&table, 0x8000).flags, UNWIND_SIGNAL_FRAME);
	assert_int_equal(rule_at(&table, 0x7fff).kind, UNWIND_NO_RULE);
	unwind_table_release(&table);
}

/* Whatever is missing, nothing is read beyond it. */
static void a_section_may_end_anywhere(void **state)
{
	static const char bytes[] = CIE FDE("\x41\x0e\x10\x86\x02\x43\x0d\x06");

	(void)state;
	for (size_t size = 0; size < sizeof(bytes); size++) {
		char *cut = test_malloc(size + 1);
		struct unwind_table table;

		memcpy(cut, bytes, size);
		table = compiled(cut, size);
		assert_true(size == sizeof(bytes) - 1 || !table.row_count);
		unwind_table_release(&table);
		test_free(cut);
	}
}

static void a_cie_that_is_elsewhere_is_not_followed(void **state)
{
	struct unwind_table table = COMPILED("\x15\0\0\0"
					     "\xff\0\0\0"
					     "\0\x10\0\0"
					     "\0\x01\0\0"
					     "\0"
					     "\0\0\0\0\0\0\0\0");

	(void)state;
	assert_int_equal(table.row_count, 0);
	unwind_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_begins_as_its_cie_says),
		cmocka_unit_test(a_pushed_frame_pointer_becomes_the_cfa),
		cmocka_unit_test(states_are_remembered_and_restored),
		cmocka_unit_test(a_restored_register_is_as_at_the_beginning),
		cmocka_unit_test(an_undefined_return_address_is_the_outermost_frame),
		cmocka_unit_test(expressions_are_kept),
		cmocka_unit_test(other_registers_have_a_list),
		cmocka_unit_test(from_an_unknown_instruction_on_there_is_no_rule),
		cmocka_unit_test(states_that_were_never_remembered_are_wrong),
		cmocka_unit_test(a_cie_that_restores_a_register_is_wrong),
		cmocka_unit_test(advancing_beyond_the_end_ends_there),
		cmocka_unit_test(functions_of_debug_frame_refer_to_their_cie_by_its_offset),
		cmocka_unit_test(addresses_may_be_relative_to_where_they_are),
		cmocka_unit_test(a_section_may_end_anywhere),
		cmocka_unit_test(a_cie_that_is_elsewhere_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
