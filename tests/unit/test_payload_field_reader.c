/* SPDX-License-Identifier: MIT */
/* Fields read by name: missing in the version, truncated, signed. */
#include "payload/field_reader.h"
#include "trace_reading.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"

static struct field_value values[FIELD_READER_MOST];

/* Reads from a payload of one of the runtime's events. */
static void pick(uint32_t id, uint32_t version, const char *names, struct literal payload)
{
	const struct pp_kind kind = {
		.provider = RUNTIME, .name = "", .id = id, .version = version
	};
	const struct pp_event event = { .kind = &kind,
					.payload = payload.at,
					.payload_size = (uint32_t)payload.size };
	struct plans plans = { 0 };
	struct arena arena = { 0 };
	struct field_reader pick;

	memset(values, 0xEE, sizeof(values));
	field_reader_make(&pick, plans_for(&plans, &kind), names, &arena);
	field_reader_read(&pick, &event, 8, values);
	arena_release(&arena);
	plans_release(&plans);
}

static void reads_fields_in_the_requested_order(void **state)
{
	static const char names[] = "Type Count Nonsense ClientSequenceNumber";

	(void)state;
	pick(1, 2, names,
	     BYTES("\x07\0\0\0" /* Count */ "\x02\0\0\0" /* Depth */ "\x01\0\0\0" /* Reason */
		   "\x02\0\0\0" /* Type */ "\0\0"
		   "\x09\0\0\0\0\0\0\x01"));
	assert_true(values[0].known);
	assert_int_equal(values[0].number, 2);
	assert_int_equal(values[1].number, 7);
	assert_false(values[2].known);
	assert_int_equal(values[2].number, 0);
	assert_int_equal(values[3].number, 0x0100000000000009);
}

static void marks_missing_fields_as_unknown(void **state)
{
	static const char names[] = "Count Depth Type";

	(void)state;
	pick(1, 2, names, BYTES("\x07\0\0\0\x02\0\0"));
	assert_true(values[0].known);
	assert_false(values[1].known);
	assert_false(values[2].known);
	pick(1, 0, names, BYTES("\x07\0\0\0\x01\0\0\0")); /* Count and Reason are its only fields */
	assert_true(values[0].known);
	assert_false(values[1].known);
	pick(1, 2, names, BYTES(""));
	assert_false(values[0].known);
}

static void leaves_texts_in_utf16(void **state)
{
	static const char names[] = "TypeName HeapIndex ObjectSize";
	const struct literal payload = BYTES("\1\0\0\0"
					     "\0\0\0\0"
					     "\0\0"
					     "\1\0\0\0\0\0\0\0"
					     "\2\0\0\0\0\0\0\0" /* TypeID */ "A\0b\0\0\0"
					     "\3\0\0\0"
					     "\4\0\0\0\0\0\0\0"
					     "\5\0\0\0\0\0\0\0");

	(void)state;
	pick(10, 4, names, payload);
	assert_int_equal(values[0].size, 4);
	assert_memory_equal(values[0].text, "A\0b\0", 4);
	assert_int_equal(values[1].number, 3);
	assert_int_equal(values[2].number, 5);
	/* fields after a text without a terminator are unknown */
	pick(10, 4, names, (struct literal){ payload.at, 30 });
	assert_false(values[0].known);
	assert_false(values[1].known);
}

static void keeps_signs(void **state)
{
	static const char names[] = "NumHeaps";

	(void)state;
	pick(205, 2, names,
	     BYTES("\0\0\0\0\0\0\0\0"
		   "\xfe\xff\xff\xff"));
	assert_int_equal((int64_t)values[0].number, -2);
}

static void reads_nothing_after_an_array(void **state)
{
	static const char names[] = "Count TypeID";

	(void)state;
	pick(15, 0, names, BYTES("\0\0\0\0\0\0"));
	assert_true(values[0].known);
	assert_false(values[1].known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_fields_in_the_requested_order),
		cmocka_unit_test(marks_missing_fields_as_unknown),
		cmocka_unit_test(leaves_texts_in_utf16),
		cmocka_unit_test(keeps_signs),
		cmocka_unit_test(reads_nothing_after_an_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
