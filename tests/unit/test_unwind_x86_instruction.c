/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "small_pe.h"
#include "unwind/x86_instruction.h"

struct instruction {
	const char *bytes;
	size_t size;
};

static void knows_where_instructions_end(void **state)
{
	(void)state;
	static const struct instruction instructions[] = {
		{ BYTES("\xc3") },
		{ BYTES("\x41\x57") },				       /* push r15 */
		{ BYTES("\x48\x83\xec\x28") },			       /* sub rsp, 0x28 */
		{ BYTES("\x48\x81\xec\x00\x01\x00\x00") },	       /* sub rsp, 0x100 */
		{ BYTES("\x66\x81\x38\x34\x12") },		       /* cmp word [rax], 0x1234 */
		{ BYTES("\x48\x8d\xac\x24\xb0\x00\x00\x00") },	       /* lea rbp, [rsp+0xb0] */
		{ BYTES("\x48\x8b\x04\x25\x00\x00\x00\x00") },	       /* mov rax, [0] */
		{ BYTES("\x48\x8b\x05\xf9\x3f\x00\x00") },	       /* mov rax, [rip+0x3ff9] */
		{ BYTES("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08") }, /* mov rax, 64 bits */
		{ BYTES("\xb8\x01\x02\x03\x04") },		       /* mov eax, 32 bits */
		{ BYTES("\x48\xa1\x01\x02\x03\x04\x05\x06\x07\x08") }, /* mov rax, [64 bits] */
		{ BYTES("\xf6\xc1\x01") },			       /* test cl, 1 */
		{ BYTES("\xf7\xd8") },				       /* neg eax */
		{ BYTES("\x48\xf7\xc1\x01\x00\x00\x00") },	       /* test rcx, 1 */
		{ BYTES("\x0f\x85\x17\xfc\xff\xff") },		       /* jne */
		{ BYTES("\xf0\x41\x08\x14\x00") },		       /* lock or [r8+rax], dl */
		{ BYTES("\xc5\xf8\x77") },			       /* vzeroupper */
		{ BYTES("\xc5\x79\x7f\x45\xd0") },     /* vmovdqa [rbp-0x30], xmm8 */
		{ BYTES("\xc4\xe3\x79\x0f\xc1\x08") }, /* vpalignr xmm0, xmm0, xmm1, 8 */
		{ BYTES("\x62\x71\x7e\x48\x7f\x85\xb0\xfe\xff\xff") }, /* vmovdqu32 zmm8 */
		{ BYTES("\x0f\x38\xf0\x07") },			       /* movbe eax, [rdi] */
		{ BYTES("\x66\x0f\x3a\x0f\xc1\x08") },		       /* palignr */
		{ BYTES("\xc8\x10\x00\x01") },			       /* enter 16, 1 */
	};

	for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++) {
		const struct instruction *one = &instructions[i];

		assert_int_equal(x86_length(cursor_over(one->bytes, one->size)), one->size);
		assert_int_equal(x86_length(cursor_over(one->bytes, one->size - 1)), 0);
	}
}

static void refuses_what_does_not_exist_in_64_bit_mode(void **state)
{
	(void)state;
	assert_int_equal(x86_length(cursor_over("\x06\x06", 2)), 0);	     /* push es */
	assert_int_equal(x86_length(cursor_over("\x9a\0\0\0\0\0\0", 7)), 0); /* far call */
	assert_int_equal(x86_length(cursor_over("\xc4\xe0\0\0\0", 5)), 0);   /* VEX map 0 */
}

static void bounds_the_number_of_prefixes(void **state)
{
	(void)state;
	assert_int_equal(x86_length(cursor_over(BYTES("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66"
						      "\x66\x66\x66\x66\x66\x66\x66\x90"))),
			 0);
}

static void knows_what_ends_the_flow(void **state)
{
	(void)state;
	assert_true(x86_ends_flow((const uint8_t *)"\xc3", 1));
	assert_true(x86_ends_flow((const uint8_t *)"\xe9\0\0\0\0", 5));
	assert_true(x86_ends_flow((const uint8_t *)"\x48\xff\x20", 3)); /* jmp [rax] */
	assert_true(x86_ends_flow((const uint8_t *)"\xcc", 1));
	assert_false(x86_ends_flow((const uint8_t *)"\xff\x10", 2)); /* call [rax] */
	assert_false(x86_ends_flow((const uint8_t *)"\x74\x00", 2));
}

static void knows_calls_from_behind(void **state)
{
	(void)state;
	assert_true(x86_follows_call((const uint8_t *)"\x90\xe8\0\0\0\0", 6));
	assert_true(x86_follows_call((const uint8_t *)"\xff\x15\0\0\0\0", 6)); /* call [rip] */
	assert_true(x86_follows_call((const uint8_t *)"\x41\xff\x13", 3));     /* call [r11] */
	assert_true(x86_follows_call((const uint8_t *)"\xff\x50\x18", 3));     /* call [rax+0x18] */
	assert_true(x86_follows_call((const uint8_t *)"\xff\xd0", 2));	       /* call rax */
	assert_false(x86_follows_call((const uint8_t *)"\x90\x90\x90\x90\x90\x90\x90\x90", 8));
	assert_false(x86_follows_call((const uint8_t *)"\xff\xe0", 2)); /* jmp rax */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_where_instructions_end),
		cmocka_unit_test(refuses_what_does_not_exist_in_64_bit_mode),
		cmocka_unit_test(bounds_the_number_of_prefixes),
		cmocka_unit_test(knows_what_ends_the_flow),
		cmocka_unit_test(knows_calls_from_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
