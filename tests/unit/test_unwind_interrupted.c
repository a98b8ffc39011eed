/* SPDX-License-Identifier: MIT */
/* Where a sample interrupts a function in a state that its rule describes only in part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unwind/table_builder.h"
#include "unwind/unwind.h"

#define CODE	 UINT64_C(0x400000) /* where the module is mapped, from its address 0 on */
#define STACK	 UINT64_C(0x7fff0000)
#define FUNCTION 0x1000u
#define CALLER	 0x2000u

static struct table_builder builder;
static struct address_space space;
static struct unwind_registers registers;
static uint64_t words[64];
static struct unwound_frame frames[8];
static struct unwind_end end;

static int set_up(void **state)
{
	(void)state;
	builder = (struct table_builder){ .machine = &unwind_x86_64 };
	space = (struct address_space){ .machine = &unwind_x86_64 };
	registers = (struct unwind_registers){ 0 };
	for (unsigned i = 0; i <= X86_64_RIP; i++)
		register_set(&registers, i, 0);
	registers.value[X86_64_RSP] = STACK;
	registers.value[X86_64_RIP] = CODE + FUNCTION + 4;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	address_space_release(&space);
	return 0;
}

static void describe(uint64_t start, uint64_t size, const struct unwind_rule *rule)
{
	table_builder_function(&builder, start, start + size);
	table_builder_row(&builder, start, rule);
}

static size_t unwind(void)
{
	const struct captured_stack stack = { STACK, (const uint8_t *)words, sizeof(words) };
	struct unwind_module *module = unwind_module_new("module");

	module->table = table_builder_seal(&builder);
	address_space_map(&space, CODE, CODE + 0x10000, module, 0);
	unwind_module_unref(module);
	return unwind_stack(&space, &registers, &stack, &(struct unwound){ frames, 8 }, &end);
}

/* RBP is `saved` words from the CFA, and the caller's frame begins 16 bytes above it. */
static void describe_rbp_caller(int16_t saved)
{
	struct unwind_rule function = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 8);
	struct unwind_rule caller = unwind_rule_at(&unwind_x86_64, X86_64_RBP, 16);

	function.saved[1] = saved;
	caller.saved[1] = -2;
	describe(FUNCTION, 16, &function);
	describe(CALLER, 16, &caller);
	words[0] = CODE + CALLER + 5;
	registers.value[X86_64_RBP] = STACK + 80;
}

static void what_is_saved_below_the_stack_pointer_has_been_popped(void **state)
{
	(void)state;
	describe_rbp_caller(
		-2); /* after "pop %rbp", with the CFA 8 bytes above the stack pointer */
	assert_int_equal(unwind(), 2);
	assert_int_equal(frames[1].ip, CODE + CALLER + 5);
	assert_int_equal(frames[1].by, UNWOUND_RULE);
	assert_int_equal(end.reason, UNWIND_END_START); /* whose return address is 0 */
}

static void unless_it_is_the_return_address(void **state)
{
	struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 8);

	(void)state;
	rule.saved[0] = -2;
	describe(FUNCTION, 16, &rule);
	assert_int_equal(unwind(), 1);
	assert_int_not_equal(end.reason, UNWIND_END_START);
}

static void the_frame_of_a_signal_is_known_behind_its_last_instruction(void **state)
{
	struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 64);

	(void)state;
	rule.flags = UNWIND_SIGNAL_FRAME;
	describe(FUNCTION, 9, &rule);
	registers.value[X86_64_RIP] = CODE + FUNCTION + 9;
	words[7] = CODE + CALLER;
	assert_int_equal(unwind(), 2);
	assert_int_equal(frames[1].ip, CODE + CALLER);
	assert_int_equal(frames[1].by, UNWOUND_RULE);
	assert_true(frames[1].exact);
}

static void but_not_another_function(void **state)
{
	const struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 64);

	(void)state;
	describe(FUNCTION, 9, &rule);
	registers.value[X86_64_RIP] = CODE + FUNCTION + 9;
	words[7] = CODE + CALLER;
	assert_int_equal(unwind(), 1);
}

/* As in that of vfork, which pops it before the system call, since the child would overwrite it. */
static void a_return_address_may_be_in_a_register(void **state)
{
	const struct unwind_other in_rdi = { X86_64_RIP, OTHER_IN_REGISTER, X86_64_RDI };
	struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 0);

	(void)state;
	rule.saved[0] = SAVED_ELSEWHERE;
	rule.first_other = table_builder_others(&builder, &in_rdi, 1);
	rule.other_count = 1;
	describe(FUNCTION, 16, &rule);
	registers.value[X86_64_RDI] = CODE + CALLER + 5;
	assert_int_equal(unwind(), 2);
	assert_int_equal(frames[1].ip, CODE + CALLER + 5);
	assert_int_equal(frames[1].by, UNWOUND_RULE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_is_saved_below_the_stack_pointer_has_been_popped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unless_it_is_the_return_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			the_frame_of_a_signal_is_known_behind_its_last_instruction, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(but_not_another_function, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_return_address_may_be_in_a_register, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
