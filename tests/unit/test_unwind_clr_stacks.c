/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "small_pe.h"
#include "unwind/clr_method.h"
#include "unwind/pe_frames.h"
#include "unwind/unwind.h"

#define JITTED UINT64_C(0x7f0000000000) /* a method at its start, stubs behind it */
#define STUB   (JITTED + 0x800)
#define IMAGE  UINT64_C(0x7f0000010000)
#define R2R    (IMAGE + SMALL_PE_CODE)
#define NATIVE UINT64_C(0x7f0000020000) /* a function that is called, and the start */
#define STACK  UINT64_C(0x7ffd00000000)
#define FRAMES 8

static struct address_space space;
static struct unwound_frame frames[FRAMES];
static struct unwind_end end;

static struct unwind_module *native_module(void)
{
	struct unwind_module *module = unwind_module_new("libcoreclr.so");
	struct table_builder builder = { .machine = &unwind_x86_64 };
	struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 8);

	table_builder_function(&builder, 0, 0x100);
	table_builder_row(&builder, 0, &rule);
	rule.kind = UNWIND_OUTERMOST;
	table_builder_function(&builder, 0x200, 0x300);
	table_builder_row(&builder, 0x200, &rule);
	module->table = table_builder_seal(&builder);
	return module;
}

/* push rbx; sub rsp, 0x10; a call; add rsp, 0x10; pop rbx; ret */
#define METHOD "\x53\x48\x83\xec\x10\xe8\0\0\0\0\x48\x83\xc4\x10\x5b\xc3"

static int map_code(void **state)
{
	(void)state;
	struct small_pe pe = small_pe();
	struct unwind_module *native = native_module();
	struct unwind_module *jitted = unwind_module_new("[jitted]");
	struct unwind_module *image = unwind_module_new("a.dll");
	struct pp_error err = { 0 };

	space = (struct address_space){ .machine = &unwind_x86_64 };
	jitted->is_managed = true;
	small_pe_code(&pe, METHOD, 16);
	small_pe_function(&pe, SMALL_PE_CODE, SMALL_PE_CODE + 16,
			  small_pe_unwind(&pe, BYTES("\x01\x05\x02\x00\x05\x12\x01\x30")));
	assert_int_equal(pe_frames_read(pe.bytes, sizeof(pe.bytes), image, &err), 0);
	address_space_map(&space, JITTED, JITTED + 0x1000, jitted, 0);
	address_space_map(&space, IMAGE + 0x1000, IMAGE + 0x2000, image, 0x1000);
	address_space_map(&space, NATIVE, NATIVE + 0x1000, native, 0);
	clr_method_add(&space.methods, JITTED, METHOD, 16);
	unwind_module_unref(native);
	unwind_module_unref(jitted);
	unwind_module_unref(image);
	return 0;
}

static int release(void **state)
{
	(void)state;
	address_space_release(&space);
	return 0;
}

/* The frames of a thread at `ip`, with these words on its stack. */
static size_t unwind(uint64_t ip, const uint64_t *words, size_t size)
{
	const struct captured_stack stack = { STACK, (const uint8_t *)words, size };
	struct unwind_registers registers = { .known = 0 };

	for (unsigned i = 0; i <= X86_64_RIP; i++)
		register_set(&registers, i, 1);
	register_set(&registers, X86_64_RSP, STACK);
	register_set(&registers, X86_64_RIP, ip);
	return unwind_stack(&space, &registers, &stack, &(struct unwound){ frames, FRAMES }, &end);
}

static void assert_frame(size_t index, uint64_t ip, enum unwound_by by)
{
	assert_int_equal(frames[index].ip, ip);
	assert_int_equal(frames[index].by, by);
}

static void goes_through_methods_without_frame_pointers(void **state)
{
	(void)state;
	const uint64_t words[] = { R2R + 10, 0, 0, 0, JITTED + 10, 0, 0, 0, NATIVE + 0x210 };

	assert_int_equal(unwind(JITTED, words, sizeof(words)), 4);
	assert_frame(1, R2R + 10, UNWOUND_RULE);
	assert_frame(2, JITTED + 10, UNWOUND_RULE);
	assert_frame(3, NATIVE + 0x210, UNWOUND_RULE);
	assert_int_equal(end.reason, UNWIND_END_START);
}

static void goes_on_from_a_prologue_and_from_a_return(void **state)
{
	(void)state;
	const uint64_t pushed[] = { 0, NATIVE + 0x210 };
	const uint64_t popped[] = { NATIVE + 0x210 };

	assert_int_equal(unwind(JITTED + 1, pushed, sizeof(pushed)), 2);
	assert_int_equal(end.reason, UNWIND_END_START);
	assert_int_equal(unwind(R2R + 15, popped, sizeof(popped)), 2);
	assert_int_equal(end.reason, UNWIND_END_START);
}

static void takes_the_caller_of_a_stub_from_the_top_of_the_stack(void **state)
{
	(void)state;
	const uint64_t words[] = { R2R + 10, 0, 0, 0, NATIVE + 0x210 };

	assert_int_equal(unwind(STUB, words, sizeof(words)), 3);
	assert_frame(1, R2R + 10, UNWOUND_LEAF);
	assert_int_equal(end.reason, UNWIND_END_START);
}

static void finds_the_caller_below_what_a_stub_has_pushed(void **state)
{
	(void)state;
	const uint64_t words[] = { 7, 8, R2R + 10, 0, 0, 0, NATIVE + 0x210 };

	assert_int_equal(unwind(STUB + 4, words, sizeof(words)), 3);
	assert_frame(1, R2R + 10, UNWOUND_LEAF);
}

static void finds_the_caller_of_a_function_that_a_stub_has_jumped_to(void **state)
{
	(void)state;
	const uint64_t words[] = { 7, 8, JITTED + 10, 0, 0, 0, NATIVE + 0x210 };

	assert_int_equal(unwind(NATIVE, words, sizeof(words)), 3);
	assert_frame(1, JITTED + 10, UNWOUND_LEAF);
	assert_int_equal(end.reason, UNWIND_END_START);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_through_methods_without_frame_pointers),
		cmocka_unit_test(goes_on_from_a_prologue_and_from_a_return),
		cmocka_unit_test(takes_the_caller_of_a_stub_from_the_top_of_the_stack),
		cmocka_unit_test(finds_the_caller_below_what_a_stub_has_pushed),
		cmocka_unit_test(finds_the_caller_of_a_function_that_a_stub_has_jumped_to),
	};

	return cmocka_run_group_tests(tests, map_code, release);
}
