/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "small_pe.h"
#include "unwind/clr_method.h"

#define START UINT64_C(0x7f0000001000)

enum { RIP, RBP, RBX, R12, R13, R14, R15 }; /* places in rule->saved */

static struct method_frames methods;

static void read_method(const void *code, size_t size)
{
	method_frames_release(&methods);
	clr_method_add(&methods, START, code, size);
}

static const struct unwind_rule *rule_at(uint32_t offset)
{
	const struct unwind_rule *rule = method_frames_find(&methods, START + offset);

	assert_non_null(rule);
	return rule;
}

static void assert_rule(uint32_t offset, unsigned cfa_register, int cfa_offset)
{
	const struct unwind_rule *rule = rule_at(offset);

	assert_int_equal(rule->kind, UNWIND_BY_REGISTER);
	assert_int_equal(rule->cfa_register, cfa_register);
	assert_int_equal(rule->cfa_offset, cfa_offset);
	assert_int_equal(rule->saved[RIP], -1);
}

static void takes_a_method_without_a_frame_for_what_it_is(void **state)
{
	(void)state;
	read_method(BYTES("\x8b\x47\x08\xc3")); /* mov eax, [rdi+8]; ret */
	assert_rule(0, X86_64_RSP, 8);
	assert_rule(3, X86_64_RSP, 8);
	assert_null(method_frames_find(&methods, START + 4));
}

static void unwinds_by_the_stack_pointer_where_an_epilogue_shows_that_it_is_fixed(void **state)
{
	(void)state;
	/* push rbp; push r15; push rbx; sub rsp, 0x10; lea rbp, [rsp+0x20]; nop;
	 * add rsp, 0x10; pop rbx; pop r15; pop rbp; ret */
	read_method(BYTES("\x55\x41\x57\x53\x48\x83\xec\x10\x48\x8d\x6c\x24\x20\x90"
			  "\x48\x83\xc4\x10\x5b\x41\x5f\x5d\xc3"));
	assert_rule(0, X86_64_RSP, 8);
	assert_rule(1, X86_64_RSP, 16);
	assert_rule(3, X86_64_RSP, 24);
	assert_rule(4, X86_64_RSP, 32);
	assert_rule(8, X86_64_RSP, 48);
	assert_rule(13, X86_64_RSP, 48);
	assert_int_equal(rule_at(13)->saved[RBP], -2);
	assert_int_equal(rule_at(13)->saved[R15], -3);
	assert_int_equal(rule_at(13)->saved[RBX], -4);
	assert_rule(18, X86_64_RSP, 32);
	assert_rule(19, X86_64_RSP, 24);
	assert_rule(21, X86_64_RSP, 16);
	assert_rule(22, X86_64_RSP, 8);
	assert_int_equal(rule_at(22)->saved[RBP], SAVED_SAME);
}

static void unwinds_by_the_frame_pointer_what_allocates_as_it_runs(void **state)
{
	(void)state;
	/* push rbp; sub rsp, 0x10; lea rbp, [rsp+0x10]; push 0; lea rsp, [rbp]; pop rbp; ret */
	read_method(BYTES("\x55\x48\x83\xec\x10\x48\x8d\x6c\x24\x10\x6a\x00"
			  "\x48\x8d\x65\x00\x5d\xc3"));
	assert_rule(5, X86_64_RSP, 32);
	assert_rule(10, X86_64_RBP, 16);
	assert_rule(12, X86_64_RBP, 16);
	assert_rule(16, X86_64_RSP, 16);
	assert_rule(17, X86_64_RSP, 8);
}

static void reads_frames_of_more_than_a_page(void **state)
{
	(void)state;
	/* push rbp; lea r11, [rsp-0x2000]; call; mov rsp, r11; lea rbp, [rsp+0x2000]; nop; int3 */
	read_method(BYTES("\x55\x4c\x8d\x9c\x24\x00\xe0\xff\xff\xe8\x00\x00\x00\x00\x49\x8b\xe3"
			  "\x48\x8d\xac\x24\x00\x20\x00\x00\x90\xcc"));
	assert_rule(9, X86_64_RSP, 16);
	assert_rule(14, X86_64_RSP, 16);
	assert_rule(17, X86_64_RSP, 0x2010);
	assert_rule(25, X86_64_RBP, 16);
}

static void takes_push_rax_for_eight_bytes(void **state)
{
	(void)state;
	/* push rax; vzeroupper; call; add rsp, 8; ret */
	read_method(BYTES("\x50\xc5\xf8\x77\xe8\x00\x00\x00\x00\x48\x83\xc4\x08\xc3"));
	assert_rule(1, X86_64_RSP, 16);
	assert_rule(9, X86_64_RSP, 16);
	assert_rule(13, X86_64_RSP, 8);
}

static void gives_funclets_behind_a_method_their_own_frames(void **state)
{
	(void)state;
	/* push rbp; sub rsp, 0x10; lea rbp, [rsp+0x10]; add rsp, 0x10; pop rbp; ret;
	 * push rax; nop; add rsp, 8; ret; sub rsp, 0x18; nop; int3 */
	read_method(BYTES("\x55\x48\x83\xec\x10\x48\x8d\x6c\x24\x10\x48\x83\xc4\x10\x5d\xc3"
			  "\x50\x90\x48\x83\xc4\x08\xc3"
			  "\x48\x83\xec\x18\x90\xcc"));
	assert_rule(10, X86_64_RSP, 32);
	assert_rule(16, X86_64_RSP, 8);
	assert_rule(17, X86_64_RSP, 16);
	assert_int_equal(rule_at(17)->saved[RBP], SAVED_SAME);
	assert_rule(22, X86_64_RSP, 8);
	assert_rule(23, X86_64_RSP, 8);
	assert_rule(27, X86_64_RSP, 32);
}

static void adds_the_frame_that_a_replacing_body_takes_over(void **state)
{
	(void)state;
	/* mov rax, [rbp]; push rax; sub rsp, 0x20; mov [rsp+0x98], rbx; lea rbp, [rsp+0x20]; nop;
	 * add rsp, 0x98; pop rbx; pop rbp; ret */
	read_method(BYTES("\x48\x8b\x45\x00\x50\x48\x83\xec\x20\x48\x89\x9c\x24\x98\x00\x00\x00"
			  "\x48\x8d\x6c\x24\x20\x90"
			  "\x48\x81\xc4\x98\x00\x00\x00\x5b\x5d\xc3"));
	assert_rule(0, X86_64_RSP, 0xb0 - 0x28);
	assert_rule(5, X86_64_RSP, 0xb0 - 0x20);
	assert_rule(9, X86_64_RSP, 0xb0);
	assert_rule(22, X86_64_RSP, 0xb0);
	assert_int_equal(rule_at(22)->saved[RBP], -2);
	assert_int_equal(rule_at(22)->saved[RBX], -3);
	assert_rule(30, X86_64_RSP, 24);
	assert_rule(32, X86_64_RSP, 8);
}

static void has_no_rule_for_a_replacing_body_without_an_epilogue(void **state)
{
	(void)state;
	read_method(BYTES("\x48\x8b\x45\x00\x50\x48\x83\xec\x20\x48\x8d\x6c\x24\x20\x90\xcc"));
	assert_int_equal(rule_at(14)->kind, UNWIND_NO_RULE);
}

static void has_no_rule_for_what_is_not_code(void **state)
{
	(void)state;
	read_method(BYTES("\x06\x06\x06"));
	assert_int_equal(rule_at(0)->kind, UNWIND_NO_RULE);
}

static void keeps_what_the_prologue_said_if_it_understands_no_more(void **state)
{
	(void)state;
	/* push rbp; mov rbp, rsp; a byte that is no instruction */
	read_method(BYTES("\x55\x48\x8b\xec\x06"));
	assert_rule(1, X86_64_RSP, 16);
	assert_rule(4, X86_64_RBP, 16);
}

static int release(void **state)
{
	(void)state;
	method_frames_release(&methods);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_method_without_a_frame_for_what_it_is),
		cmocka_unit_test(
			unwinds_by_the_stack_pointer_where_an_epilogue_shows_that_it_is_fixed),
		cmocka_unit_test(unwinds_by_the_frame_pointer_what_allocates_as_it_runs),
		cmocka_unit_test(reads_frames_of_more_than_a_page),
		cmocka_unit_test(takes_push_rax_for_eight_bytes),
		cmocka_unit_test(gives_funclets_behind_a_method_their_own_frames),
		cmocka_unit_test(adds_the_frame_that_a_replacing_body_takes_over),
		cmocka_unit_test(has_no_rule_for_a_replacing_body_without_an_epilogue),
		cmocka_unit_test(has_no_rule_for_what_is_not_code),
		cmocka_unit_test(keeps_what_the_prologue_said_if_it_understands_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
