/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unwind/unwind.h"

#define CODE   0x400000
#define STACK  0x7000
#define WORDS  64
#define FRAMES 16

/*
 * A module at CODE with functions of 0x100 bytes each, by what their frame looks like, and beside
 * it code without unwind information.
 */
enum function {
	LEAF = CODE,		      /* the CFA is rsp + 8 */
	PUSHED = CODE + 0x100,	      /* rsp + 32, rbp at CFA-16, rbx at CFA-24 */
	FRAMED = CODE + 0x200,	      /* rbp + 16, rbp at CFA-16 */
	START = CODE + 0x300,	      /* the outermost */
	SIGNAL = CODE + 0x400,	      /* rsp + 64, exact; rip and rsp in memory */
	BY_RBX = CODE + 0x500,	      /* rbx + 16 */
	NOWHERE = CODE + 0x600,	      /* the CFA is rsp - 8 */
	WITHOUT_RULE = CODE + 0x1000, /* in a module of its own */
	STUB = CODE + 0x2000,	      /* of the CLR */
};

struct fixture {
	struct address_space space;
	struct unwind_registers registers;
	uint64_t words[WORDS];
	size_t word_count;
	struct unwound_frame frames[FRAMES];
	size_t count;
	struct unwind_end end;
};

static void add_function(struct table_builder *builder, uint64_t start, struct unwind_rule rule)
{
	table_builder_function(builder, start - CODE, start - CODE + 0x100);
	table_builder_row(builder, start - CODE, &rule);
}

static struct unwind_rule rule_with(unsigned cfa_register, int32_t cfa_offset, int16_t rbp,
				    int16_t rbx)
{
	struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, cfa_register, cfa_offset);

	rule.saved[1] = rbp;
	rule.saved[2] = rbx;
	return rule;
}

static struct unwind_rule signal_rule(struct table_builder *builder)
{
	static const struct unwind_other others[] = { { X86_64_RSP, OTHER_AT_OFFSET, -16 } };
	struct unwind_rule rule = rule_with(X86_64_RSP, 64, SAVED_SAME, SAVED_SAME);

	rule.flags = UNWIND_SIGNAL_FRAME;
	rule.other_count = 1;
	rule.first_other = table_builder_others(builder, others, 1);
	return rule;
}

static struct unwind_table functions(void)
{
	struct table_builder builder = { .machine = &unwind_x86_64 };

	add_function(&builder, LEAF, rule_with(X86_64_RSP, 8, SAVED_SAME, SAVED_SAME));
	add_function(&builder, PUSHED, rule_with(X86_64_RSP, 32, -2, -3));
	add_function(&builder, FRAMED, rule_with(X86_64_RBP, 16, -2, SAVED_SAME));
	add_function(&builder, START, (struct unwind_rule){ .kind = UNWIND_OUTERMOST });
	add_function(&builder, SIGNAL, signal_rule(&builder));
	add_function(&builder, BY_RBX, rule_with(X86_64_RBX, 16, SAVED_SAME, SAVED_SAME));
	add_function(&builder, NOWHERE, rule_with(X86_64_RSP, -8, SAVED_SAME, SAVED_SAME));
	return table_builder_seal(&builder);
}

static void map_module(struct fixture *f, uint64_t start, const char *name, bool is_managed)
{
	struct unwind_module *module = unwind_module_new(name);

	if (start == CODE)
		module->table = functions();
	module->is_managed = is_managed;
	address_space_map(&f->space, start, start + 0x1000, module, 0);
	unwind_module_unref(module);
}

/* Interrupted at `ip`, with rsp at the first word. */
static struct fixture begin(uint64_t ip)
{
	struct fixture f = { .space = { .machine = &unwind_x86_64 } };

	map_module(&f, CODE, "app", false);
	map_module(&f, WITHOUT_RULE, "bare", false);
	map_module(&f, STUB, "heap", true);
	for (unsigned i = 0; i < X86_64_RIP; i++)
		register_set(&f.registers, i, 0xdead);
	register_set(&f.registers, X86_64_RSP, STACK);
	register_set(&f.registers, X86_64_RIP, ip);
	return f;
}

static void push(struct fixture *f, uint64_t word)
{
	f->words[f->word_count++] = word;
}

static void unwind_with(struct fixture *f, size_t most)
{
	const struct captured_stack stack = { STACK, (const uint8_t *)f->words,
					      f->word_count * sizeof(f->words[0]) };
	const struct unwound to = { f->frames, most };

	f->count = unwind_stack(&f->space, &f->registers, &stack, &to, &f->end);
}

static void run(struct fixture *f)
{
	unwind_with(f, FRAMES);
}

static void end(struct fixture *f)
{
	address_space_release(&f->space);
}

static void follows_rules_to_the_start_of_the_thread(void **state)
{
	struct fixture f = begin(LEAF + 4);

	(void)state;
	push(&f, PUSHED + 0x10);
	push(&f, 0); /* a local variable */
	push(&f, 0xbb);
	push(&f, STACK + 8 * 8); /* rbp of the caller */
	push(&f, FRAMED + 0x20);
	while (f.word_count < 8)
		push(&f, 0x1234);
	push(&f, 0);
	push(&f, START + 8);
	run(&f);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.frames[0].ip, LEAF + 4);
	assert_int_equal(f.frames[0].by, UNWOUND_SAMPLE);
	assert_true(f.frames[0].exact);
	assert_int_equal(f.frames[1].ip, PUSHED + 0x10);
	assert_int_equal(f.frames[1].by, UNWOUND_RULE);
	assert_false(f.frames[1].exact);
	assert_int_equal(f.frames[2].ip, FRAMED + 0x20);
	assert_int_equal(f.frames[3].ip, START + 8);
	assert_int_equal(f.end.reason, UNWIND_END_START);
	end(&f);
}

/* A call may be the last instruction of a function: its return address is in the next one. */
static void looks_up_a_return_address_by_the_call_before_it(void **state)
{
	struct fixture f = begin(LEAF);

	(void)state;
	push(&f, START + 0x100); /* where SIGNAL begins */
	run(&f);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.end.reason, UNWIND_END_START);
	end(&f);
}

static void recovers_other_registers_for_later_frames(void **state)
{
	struct fixture f = begin(PUSHED);

	(void)state;
	push(&f, 0);
	push(&f, STACK + 8 * 5); /* rbx */
	push(&f, 0);
	push(&f, BY_RBX + 1); /* whose CFA is rbx + 16 */
	push(&f, 0);
	push(&f, 0);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.frames[2].ip, START + 1);
	end(&f);
}

static void a_caller_of_a_signal_was_interrupted(void **state)
{
	struct fixture f = begin(LEAF);

	(void)state;
	push(&f, SIGNAL + 1);
	while (f.word_count < 7)
		push(&f, 0);
	push(&f, STACK + 8 * 10); /* rsp of what was interrupted, at CFA-16 */
	push(&f, LEAF);		  /* and its rip, at its very first instruction */
	push(&f, 0);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.frames[2].ip, LEAF);
	assert_true(f.frames[2].exact);
	assert_int_equal(f.frames[3].ip, START + 1);
	assert_false(f.frames[3].exact);
	end(&f);
}

static void says_that_the_captured_stack_is_used_up(void **state)
{
	struct fixture f = begin(PUSHED);

	(void)state;
	push(&f, 0);
	push(&f, 0);
	push(&f, 0);
	run(&f);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.end.reason, UNWIND_END_CAPTURED);
	assert_string_equal(f.end.module->name, "app");
	assert_int_equal(f.end.address, PUSHED);
	end(&f);
}

static void follows_frame_pointers_where_there_is_no_rule(void **state)
{
	struct fixture f = begin(WITHOUT_RULE);

	(void)state;
	register_set(&f.registers, X86_64_RBP, STACK + 16);
	push(&f, 0);
	push(&f, 0);
	push(&f, 0x9999);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.frames[1].by, UNWOUND_FRAME_POINTER);
	assert_int_equal(f.end.reason, UNWIND_END_START);
	end(&f);
}

static void a_frame_pointer_of_zero_is_the_start_of_the_thread(void **state)
{
	struct fixture f = begin(WITHOUT_RULE);

	(void)state;
	register_set(&f.registers, X86_64_RBP, 0);
	run(&f);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.end.reason, UNWIND_END_START);
	end(&f);
}

static void names_the_module_without_unwind_information(void **state)
{
	struct fixture f = begin(WITHOUT_RULE + 8);

	(void)state;
	register_set(&f.registers, X86_64_RBP, 1);
	push(&f, 0);
	run(&f);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.end.reason, UNWIND_END_NO_RULE);
	assert_string_equal(f.end.module->name, "bare");
	assert_string_equal(unwind_reason_text(f.end.reason), "no unwind information");
	end(&f);
}

static void guesses_last_and_says_so(void **state)
{
	struct fixture f = begin(WITHOUT_RULE + 8);

	(void)state;
	push(&f, 0x1234);
	push(&f, WITHOUT_RULE + 0x10); /* could not be unwound either */
	push(&f, LEAF + 0x10);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.frames[1].ip, LEAF + 0x10);
	assert_int_equal(f.frames[1].by, UNWOUND_GUESS);
	assert_int_equal(f.frames[2].by, UNWOUND_RULE);
	end(&f);
}

static void a_stub_is_left_by_the_top_of_its_stack(void **state)
{
	struct fixture f = begin(STUB + 0x20);

	(void)state;
	register_set(&f.registers, X86_64_RBP, STACK + 8);
	push(&f, FRAMED + 0x10);
	push(&f, 0);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.frames[1].ip, FRAMED + 0x10);
	assert_int_equal(f.frames[1].by, UNWOUND_LEAF);
	assert_int_equal(f.frames[2].ip, START + 1);
	end(&f);
}

static void a_call_to_nowhere_has_a_caller(void **state)
{
	struct fixture f = begin(0);

	(void)state;
	push(&f, LEAF + 0x10);
	push(&f, START + 1);
	run(&f);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.frames[1].by, UNWOUND_LEAF);
	end(&f);
}

static void an_address_outside_all_code_ends_the_stack(void **state)
{
	struct fixture f = begin(LEAF);

	(void)state;
	push(&f, 0x123456);
	push(&f, 0);
	run(&f);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.end.reason, UNWIND_END_NO_CODE);
	assert_null(f.end.module);
	end(&f);
}

static void a_frame_below_its_callee_is_corrupt(void **state)
{
	struct fixture f = begin(NOWHERE);

	(void)state;
	push(&f, 0);
	run(&f);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.end.reason, UNWIND_END_CORRUPT);
	end(&f);
}

static void a_register_that_is_not_known_is_not_used(void **state)
{
	struct fixture f = begin(BY_RBX);

	(void)state;
	f.registers.known &= ~(UINT64_C(1) << X86_64_RBX);
	push(&f, 0);
	run(&f);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.end.reason, UNWIND_END_NO_RULE);
	end(&f);
}

static void stops_at_the_limit(void **state)
{
	struct fixture f = begin(LEAF);

	(void)state;
	for (int i = 0; i < 20; i++)
		push(&f, LEAF + 1);
	unwind_with(&f, 3);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.end.reason, UNWIND_END_MOST);
	end(&f);
}

/* On aarch64 a call leaves the return address in a register, maybe signed. */
static void a_leaf_of_aarch64_returns_to_the_link_register(void **state)
{
	struct fixture f = begin(LEAF);
	struct table_builder builder = { .machine = &unwind_aarch64 };
	struct unwind_rule rule = unwind_rule_at(&unwind_aarch64, AARCH64_SP, 0);
	struct unwind_module *module = unwind_module_new("app");

	(void)state;
	table_builder_function(&builder, 0, 0x100);
	table_builder_row(&builder, 0, &rule);
	rule.saved[0] = -1;
	rule.saved[1] = -2;
	rule.cfa_offset = 16;
	table_builder_function(&builder, 0x100, 0x200);
	table_builder_row(&builder, 0x100, &rule);
	table_builder_function(&builder, 0x200, 0x300);
	table_builder_row(&builder, 0x200, &(struct unwind_rule){ .kind = UNWIND_OUTERMOST });
	module->table = table_builder_seal(&builder);
	f.space.machine = &unwind_aarch64;
	address_space_map(&f.space, CODE, CODE + 0x1000, module, 0);
	unwind_module_unref(module);
	register_set(&f.registers, AARCH64_PC, CODE + 4);
	register_set(&f.registers, AARCH64_SP, STACK);
	register_set(&f.registers, AARCH64_LR, UINT64_C(0x35000000000000) << 8 | (CODE + 0x110));
	push(&f, 0);
	push(&f, CODE + 0x210);
	run(&f);
	assert_int_equal(f.count, 3);
	assert_int_equal(f.frames[1].ip, CODE + 0x110);
	assert_int_equal(f.frames[2].ip, CODE + 0x210);
	assert_int_equal(f.end.reason, UNWIND_END_START);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_rules_to_the_start_of_the_thread),
		cmocka_unit_test(looks_up_a_return_address_by_the_call_before_it),
		cmocka_unit_test(recovers_other_registers_for_later_frames),
		cmocka_unit_test(a_caller_of_a_signal_was_interrupted),
		cmocka_unit_test(says_that_the_captured_stack_is_used_up),
		cmocka_unit_test(follows_frame_pointers_where_there_is_no_rule),
		cmocka_unit_test(a_frame_pointer_of_zero_is_the_start_of_the_thread),
		cmocka_unit_test(names_the_module_without_unwind_information),
		cmocka_unit_test(guesses_last_and_says_so),
		cmocka_unit_test(a_stub_is_left_by_the_top_of_its_stack),
		cmocka_unit_test(a_call_to_nowhere_has_a_caller),
		cmocka_unit_test(an_address_outside_all_code_ends_the_stack),
		cmocka_unit_test(a_frame_below_its_callee_is_corrupt),
		cmocka_unit_test(a_register_that_is_not_known_is_not_used),
		cmocka_unit_test(stops_at_the_limit),
		cmocka_unit_test(a_leaf_of_aarch64_returns_to_the_link_register),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
