/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "small_pe.h"
#include "unwind/clr_stub.h"

struct stub {
	enum clr_stub_kind kind;
	const char *bytes;
	size_t size;
};

/* As they are in a process of .NET 10. */
static const struct stub stubs[] = {
	{ CLR_STUB_PRECODE, BYTES("\xff\x25\xfa\x3f\x00\x00\x4c\x8b\x15\xfb\x3f\x00\x00"
				  "\xff\x25\xfd\x3f\x00\x00") },
	{ CLR_STUB_PRECODE, BYTES("\x4c\x8b\x15\xf9\x3f\x00\x00\xff\x25\xfb\x3f\x00\x00") },
	{ CLR_STUB_CALL_COUNTING, BYTES("\x48\x8b\x05\xf9\x3f\x00\x00\x66\xff\x08\x74\x06"
					"\xff\x25\xf6\x3f\x00\x00\xff\x25\xf8\x3f\x00\x00") },
	{ CLR_STUB_DISPATCH, BYTES("\x48\xb8\x70\x45\x13\xa9\x5b\x7f\x00\x00\x48\x39\x07\x90"
				   "\x48\xb8\x10\x96\x3f\xa8\x5b\x7f\x00\x00"
				   "\x0f\x85\x17\xfc\xff\xff\xff\xe0") },
	{ CLR_STUB_RESOLVE,
	  BYTES("\x48\x8b\x07\x52\x49\xba\x08\x81\xc2\x85\xc3\x55\x00\x00\x48\x8b\xd0"
		"\x48\xc1\xe8\x0c\x48\x03\xc2\x48\x35\xb8\x39\x00\x00\x48\x25\xf8\x7f\x00\x00"
		"\x4a\x8b\x04\x10\x49\xba\x01\x00\x00\x00\x02\x00\x00\x00\x48\x3b\x50\x00"
		"\x75\x2b\x4c\x3b\x50\x08\x75\x25\x48\x8b\x40\x10\x5a\xff\xe0"
		"\x48\xb8\x2c\x9b\xbe\x85\xc3\x55\x00\x00\x83\x00\xff\x7d\xac\x49\x83\xcb\x01\x52"
		"\x49\xba\x01\x00\x00\x00\x02\x00\x00\x00\x50"
		"\x48\xb8\x30\xc8\x5f\x27\x5c\x7f\x00\x00\xff\xe0") },
	{ CLR_STUB_LOOKUP, BYTES("\x90\x48\xb8\x01\x00\x00\x00\x02\x00\x00\x00\x50"
				 "\x48\xb8\x70\xc7\x5f\x27\x5c\x7f\x00\x00\xff\xe0") },
	{ CLR_STUB_VTABLE, BYTES("\x48\x8b\x07\x48\x8b\x40\x40\xff\x60\x38") },
	{ CLR_STUB_VTABLE, BYTES("\x48\x8b\x07\x48\x8b\x80\xe8\x00\x00\x00\xff\x60\x20") },
	{ CLR_STUB_WRITE_BARRIER,
	  BYTES("\x48\x89\x37\x49\x89\xf8\x48\xb8\x00\x82\x4a\x0d\x1b\x7f\x00\x00"
		"\x48\xc1\xef\x16\x80\x3c\x07\x00\x75\x04\xf3\xc3\x66\x90\xf3\xc3"
		"\x41\xc6\x04\x00\xff\xc3") },
	{ CLR_STUB_DELEGATE, BYTES("\x48\x8b\xc4\x49\x89\xfb\x48\x89\xf7\x48\x89\xd6"
				   "\x4d\x8b\x53\x20\x49\x83\xc3\x20\x41\xff\xe2") },
	{ CLR_STUB_INSTANTIATING, BYTES("\x48\xbe\x00\xd2\x5c\xab\x5b\x7f\x00\x00"
					"\x48\xb8\x90\x36\x59\xab\x5b\x7f\x00\x00\xff\xe0") },
	{ CLR_STUB_INSTANTIATING,
	  BYTES("\x48\x89\xd1\x48\x89\xf2\x48\xbe\x08\xc7\x8d\x43\xf9\x7f"
		"\x00\x00\x48\xb8\x00\x06\x8e\x43\xf9\x7f\x00\x00\xff\xe0") },
	{ CLR_STUB_UNBOXING, BYTES("\x48\x8b\x37\x48\x83\xc7\x08\x48\xb8\xc0\x80\x9b\xab\x5b\x7f"
				   "\x00\x00\xff\xe0") },
	{ CLR_STUB_HELPER, BYTES("\x48\xbf\x10\xa9\x09\xa9\x5b\x7f\x00\x00\xe9\x59\xc8\x55\x7e") },
	{ CLR_STUB_HELPER, BYTES("\x48\x8b\x47\x30\x48\x8b\x40\x00\x48\x8b\x40\x28\x48\x85\xc0\x74"
				 "\x01\xc3\x48\xbe\x00\x93\x4d\x40\xf9\x7f\x00\x00"
				 "\xe9\x6f\x88\xf7\xff") },
};

static void knows_each_kind_from_its_first_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(stubs) / sizeof(stubs[0]); i++)
		assert_int_equal(clr_stub_find(stubs[i].bytes, stubs[i].size, 0), stubs[i].kind);
}

static void knows_a_stub_that_is_under_way(void **state)
{
	(void)state;
	const struct stub *resolve = &stubs[4];
	const struct stub *dispatch = &stubs[3];

	assert_int_equal(clr_stub_find(resolve->bytes, resolve->size, 17), CLR_STUB_RESOLVE);
	assert_int_equal(clr_stub_find(resolve->bytes, resolve->size, resolve->size - 2),
			 CLR_STUB_RESOLVE);
	assert_int_equal(clr_stub_find(dispatch->bytes, dispatch->size, 13), CLR_STUB_DISPATCH);
}

static void does_not_give_a_stub_what_is_behind_it(void **state)
{
	(void)state;
	assert_int_equal(clr_stub_find(BYTES("\x48\x8b\x07\x48\x8b\x40\x40\xff\x60\x38\x90"), 10),
			 CLR_STUB_OTHER);
	assert_int_equal(clr_stub_find("\xff\x25", 2, 2), CLR_STUB_OTHER);
	assert_int_equal(clr_stub_find(NULL, 0, 0), CLR_STUB_OTHER);
}

static void unwinds_a_stub_by_what_it_has_pushed(void **state)
{
	(void)state;
	static const struct {
		uint32_t offset, depth;
	} rows[] = { { 0, 8 },	{ 3, 8 },   { 4, 16 },	{ 66, 16 },  { 67, 8 },	 { 69, 8 },
		     { 88, 8 }, { 89, 16 }, { 99, 16 }, { 100, 24 }, { 110, 24 } };
	const struct stub *resolve = &stubs[4];
	struct method_frames methods = { 0 };

	assert_int_equal(clr_stub_add(&methods, 0x7000, resolve->bytes, resolve->size, 20),
			 CLR_STUB_RESOLVE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct unwind_rule *rule =
			method_frames_find(&methods, 0x7000 + rows[i].offset);

		assert_non_null(rule);
		assert_int_equal(rule->cfa_offset, rows[i].depth);
	}
	assert_null(method_frames_find(&methods, 0x7000 + resolve->size));
	assert_int_equal(clr_stub_add(&methods, 0x9000, "\x90\x90", 2, 0), CLR_STUB_OTHER);
	assert_null(method_frames_find(&methods, 0x9000));
	method_frames_release(&methods);
}

static void has_a_label_for_each_kind(void **state)
{
	(void)state;
	assert_string_equal(clr_stub_label(CLR_STUB_OTHER), "[clr stub]");
	for (int kind = 0; kind < CLR_STUB_KINDS; kind++)
		assert_int_equal(clr_stub_label((enum clr_stub_kind)kind)[0], '[');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_each_kind_from_its_first_byte),
		cmocka_unit_test(knows_a_stub_that_is_under_way),
		cmocka_unit_test(does_not_give_a_stub_what_is_behind_it),
		cmocka_unit_test(unwinds_a_stub_by_what_it_has_pushed),
		cmocka_unit_test(has_a_label_for_each_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
