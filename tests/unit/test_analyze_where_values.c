/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "clr/enums.h"
#include "test_where.h"

static void fails_every_comparison_with_null_but_null(void **state)
{
	const struct value null = { .kind = VALUE_NULL, .name = "x", .error = "it is cut short" };
	static const struct row rows[] = {
		{ "x == null", true },	   { "x == NULL", true }, { "x != null", false },
		{ "x != 1", false },	   { "x == 0", false },	  { "x == 'null'", false },
		{ "x contains l", false }, { "x ~ .", false },	  { "x >= null", true },
		{ "x < null", false },
	};
	static const struct row others[] = {
		{ "y == null", false },
		{ "y != null", true },
		{ "y > null", false },
	};

	(void)state;
	CHECK_ONE(rows, null);
	CHECK_ONE(others, u64("y", 0));
}

static void compares_integers_exactly(void **state)
{
	const struct value row[] = {
		u64("most", UINT64_MAX), i64("least", INT64_MIN),
		i64("minus", -1),	 u64("odd", (UINT64_C(1) << 53) + 1),
		u64("zero", 0),
	};
	static const struct row rows[] = {
		{ "most == 18446744073709551615", true },
		{ "most == 0xFFFFFFFFFFFFFFFF", true },
		{ "most == 18446744073709551616", false },
		{ "most < 18446744073709551616", true },
		{ "most == 18446744073709551614", false },
		{ "most == -1", false },
		{ "most > -1", true },
		{ "least == -9223372036854775808", true },
		{ "least < -9223372036854775807", true },
		{ "least < 0", true },
		{ "least == 9223372036854775808", false },
		{ "minus == -1", true },
		{ "minus < 18446744073709551615", true },
		{ "minus == -0x1", true },
		{ "minus == 18446744073709551615", false },
		{ "odd == 9007199254740993", true },
		{ "odd == 9007199254740992", false },
		{ "odd == 9007199254740992.0", false },
		{ "odd > 9007199254740992.0", true },
		{ "zero == -0", true },
		{ "zero == 0.0", true },
		{ "zero > -0.5", true },
		{ "zero < 0.5", true },
		{ "zero == 0x", false },
		{ "minus > -1.5", true },
		{ "minus < -.5", true },
		{ "minus == -1.0", true },
		{ "most < 1e20", true },
		{ "least > -1e300", true },
		{ "odd == 9,007,199,254,740,993", true },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

static void compares_fractions(void **state)
{
	const struct value row[] = {
		f64("half", 0.5),	  f64("five", 5),
		f64("huge", 1e300),	  { .kind = VALUE_FLOAT, .name = "tenth", .real = 0.1f },
		f64("endless", INFINITY),
	};
	static const struct row rows[] = {
		{ "half == 0.5", true },
		{ "half == .5", true },
		{ "half == 5e-1", true },
		{ "half > 0", true },
		{ "half < 1", true },
		{ "half == 0", false },
		{ "five == 5", true },
		{ "five == 0x5", true },
		{ "five != 5", false },
		{ "five >= 5.0000001", false },
		{ "huge > 18446744073709551615", true },
		{ "tenth == 0.1", true },
		{ "tenth <= 0.1", true },
		{ "tenth < 1e300", true },
		{ "endless == Infinity", true },
		{ "endless > 1e308", true },
		{ "half == Infinity", false },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

static void does_not_order_nan(void **state)
{
	static const struct row rows[] = {
		{ "Mean == 0", false },	  { "Mean < 0", false },   { "Mean >= 0", false },
		{ "Mean <= 1.5", false }, { "Mean > -1", false },  { "Mean != 0", true },
		{ "Mean == NaN", true },  { "Mean <= NaN", true }, { "Mean > NaN", false },
	};

	(void)state;
	CHECK_ONE(rows, f64("Mean", NAN));
}

static void compares_a_number_with_a_word_by_its_text(void **state)
{
	static const struct row rows[] = {
		{ "Count == five", false },	{ "Count != five", true },
		{ "Count < five", false },	{ "Count > five", false },
		{ "Count == '1234'", true },	{ "Count contains 23", true },
		{ "Count match ^1.*4$", true }, { "Count startswith 2", false },
	};

	(void)state;
	CHECK_ONE(rows, u64("Count", 1234));
}

static void compares_texts_ignoring_case(void **state)
{
	static const struct row rows[] = {
		{ "Name == system.io.FILE", true },
		{ "Name == 'System.IO.File'", true },
		{ "Name == \"system.io.file\"", true },
		{ "Name == System.IO", false },
		{ "Name != System.IO", true },
		{ "Name > System.IO", true },
		{ "Name < system.net", true },
		{ "Name contains .io.", true },
		{ "Name contains ''", true },
		{ "Name contains System.IO.File.Open", false },
		{ "Name startswith system", true },
		{ "Name startswith IO", false },
		{ "Name endswith file", true },
		{ "Name endswith System", false },
		{ "Name == 5", false },
		{ "Name < 5", false },
	};

	(void)state;
	CHECK_ONE(rows, utf8("Name", "System.IO.File"));
}

static void compares_texts_as_numbers_unless_quoted(void **state)
{
	static const struct row rows[] = {
		{ "Text == 7", true },	 { "Text == '7'", false }, { "Text == '007'", true },
		{ "Text == 0x7", true }, { "Text < 10", true },	   { "Text > '10'", false },
		{ "Text == 7.0", true },
	};

	(void)state;
	CHECK_ONE(rows, utf8("Text", "007"));
	assert_false(matches_one("Text < 10", utf8("Text", "9 lives")));
	assert_false(matches_one("Text == 1", utf8("Text", "1,")));
	assert_false(matches_one("Text == 1", utf8("Text", ",1")));
	assert_true(matches_one("Text == ''", utf8("Text", "")));
	assert_false(matches_one("Text == 0", utf8("Text", "")));
}

/* The text fills its memory, so that ASan notices a read past the end. */
static void does_not_read_past_a_text(void **state)
{
	static const struct row rows[] = {
		{ "x == 12", true },	       { "x == 123", false },	 { "x contains 2", true },
		{ "x contains 23", false },    { "x match ^12$", true }, { "x endswith 2", true },
		{ "x startswith 123", false },
	};
	char *text = malloc(2);
	const struct value value = { .kind = VALUE_TEXT, .name = "x", .text = text, .size = 2 };

	(void)state;
	memcpy(text, "12", 2);
	CHECK_ONE(rows, value);
	free(text);
}

static void finds_patterns_anywhere(void **state)
{
	static const struct row rows[] = {
		{ "Name match IO", true },
		{ "Name ~ io", true },
		{ "Name~^System", true },
		{ "Name ~ ^IO", false },
		{ "Name match \"^System[.](IO|Net)[.]\"", true },
		{ "Name match '[[:alpha:]]{6}\\.io'", true },
		{ "Name match 'e$'", true },
		{ "Name match 'x?'", true },
		{ "Name match ''", true },
		{ "Name match '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}'", false },
	};

	(void)state;
	CHECK_ONE(rows, utf8("Name", "System.IO.File"));
}

static void compares_named_numbers_by_name_and_number(void **state)
{
	struct value reason = u64("Reason", 1);
	static const struct row rows[] = {
		{ "Reason == Induced", true },	  { "Reason == induced", true },
		{ "Reason == 1", true },	  { "Reason == 0x1", true },
		{ "Reason != Induced", false },	  { "Reason != LowMemory", true },
		{ "Reason == LowMemory", false }, { "Reason < 2", true },
		{ "Reason contains duc", true },  { "Reason match ^I", true },
		{ "Reason < LowMemory", false },
	};

	(void)state;
	reason.map = value_map_find("GCReason");
	assert_non_null(reason.map);
	CHECK_ONE(rows, reason);
	reason.unsigned_number = 4711;
	assert_true(matches_one("Reason == 4711 and Reason contains 71", reason));
}

static void finds_flags_among_the_names_of_bits(void **state)
{
	struct value flags = u64("MethodFlags", 0xA);
	char all[64];
	static const struct row rows[] = {
		{ "MethodFlags contains generic", true },
		{ "MethodFlags contains Jitted", true },
		{ "MethodFlags contains Dynamic", false },
		{ "MethodFlags == 10", true },
	};
	char text[VALUE_MAP_TEXT];

	(void)state;
	flags.map = value_map_find("MethodFlags");
	assert_non_null(flags.map);
	CHECK_ONE(rows, flags);
	snprintf(all, sizeof(all), "MethodFlags == %.40s",
		 value_map_name(flags.map, flags.unsigned_number, text));
	assert_true(matches_one(all, flags));
}

static void compares_booleans_with_words_and_numbers(void **state)
{
	const struct value yes = { .kind = VALUE_BOOL, .name = "x", .unsigned_number = 1 };
	static const struct row rows[] = {
		{ "x == true", true },	     { "x == True", true },	 { "x == 1", true },
		{ "x == false", false },     { "x != 0", true },	 { "x == 0", false },
		{ "x == yes", false },	     { "x != yes", true },	 { "x contains tru", true },
		{ "x == \"true\"", true },   { "x == 'TRUE'", true },	 { "x == \"1\"", true },
		{ "x == \"false\"", false }, { "x != \"False\"", true }, { "x == \"yes\"", false },
	};
	const struct value no = { .kind = VALUE_BOOL, .name = "x" };

	(void)state;
	CHECK_ONE(rows, yes);
	assert_true(matches_one("x == \"False\"", no));
	assert_false(matches_one("x == \"true\"", no));
	assert_true(matches_one("x == \"true\"", utf8("x", "True")));
	assert_false(matches_one("x == true", u64("x", 1)));
}

static void compares_guids_addresses_and_bytes_by_their_text(void **state)
{
	static const uint8_t runtime[16] = { 0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc, 0x12, 0x4e,
					     0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4 };
	const struct value row[] = {
		{ .kind = VALUE_GUID, .name = "Id", .bytes = runtime, .size = 16 },
		{ .kind = VALUE_ADDRESS, .name = "At", .unsigned_number = 0x7f12ab34c0de },
		{ .kind = VALUE_BYTES, .name = "Data", .bytes = runtime, .size = 4 },
		{ .kind = VALUE_BYTES, .name = "Nothing" },
	};
	static const struct row rows[] = {
		{ "Id == e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", true },
		{ "Id == {E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4}", true },
		{ "Id != e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", false },
		{ "Id startswith E13C0D23", true },
		{ "Id == 5", false },
		{ "At == 0x7F12AB34C0DE", true },
		{ "At == 0x00007f12ab34c0de", true },
		{ "At > 0x7f0000000000", true },
		{ "At contains ab34", true },
		{ "At startswith 0x7f12", true },
		{ "Data == 230d3ce1", true },
		{ "Data == 0x230D3CE1", true },
		{ "Data contains 0d3c", true },
		{ "Data == 230d3c", false },
		{ "Nothing == ''", true },
		{ "Nothing contains 0", false },
		{ "Nothing match ^$", true },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

/* 2026-11-15T03:25:46.5440000Z */
static void compares_times_to_the_precision_of_the_value(void **state)
{
	const struct value when = { .kind = VALUE_TIME,
				    .name = "When",
				    .number = INT64_C(17947131465440000) };
	static const struct row rows[] = {
		{ "When == 2026-11-15", true },
		{ "When == 2026", true },
		{ "When == 2026-11-15T03:25:46.5440000Z", true },
		{ "When == 2026-11-15T03:25:46Z", true },
		{ "When == '2026-11-15 03:25'", true },
		{ "When == 2026-11-16", false },
		{ "When != 2026-11-15", false },
		{ "When <= 2026-11-15", true },
		{ "When > 2026-11-15", false },
		{ "When > 2026-11-14", true },
		{ "When >= 2026-11-15T03:25:46.545", false },
		{ "When < 2026-11-15T04", true },
		{ "When == ''", false },
		{ "When < tomorrow", false },
		{ "When contains T03:25", true },
	};

	(void)state;
	CHECK_ONE(rows, when);
}

/* The limits of .NET's times, and of 64 bits. */
static void shows_times_far_from_now(void **state)
{
	struct value when = { .kind = VALUE_TIME, .name = "When" };

	(void)state;
	when.number = INT64_C(-621355968000000000);
	assert_true(matches_one("When == 0001-01-01T00:00:00.0000000Z", when));
	when.number = INT64_C(253402300799) * 10000000 + 9999999;
	assert_true(matches_one("When == 9999-12-31T23:59:59.9999999Z", when));
	when.number = -1;
	assert_true(matches_one("When == 1969-12-31T23:59:59.9999999Z", when));
	when.number = INT64_MIN;
	assert_true(matches_one("When match Z$", when));
}

/*
 * Count, Payload { Name, Mean, Inner { Deep } }, Values [ 1, 2, 3 ],
 * Arguments [ { Key, Value } twice ], Nested [ [ 7 ], [] ], Empty [], http.route, Last
 */
static const struct value *nested(size_t *count)
{
	static struct value row[40];
	const struct value made[] = {
		u64("Count", 5),
		bracket("Payload", VALUE_OBJECT),
		utf8("Name", "cpu-usage"),
		f64("Mean", 12.5),
		bracket("Inner", VALUE_OBJECT),
		u64("Deep", 1),
		bracket(NULL, VALUE_END),
		bracket(NULL, VALUE_END),
		bracket("Values", VALUE_ARRAY),
		u64(NULL, 1),
		u64(NULL, 2),
		u64(NULL, 3),
		bracket(NULL, VALUE_END),
		bracket("Arguments", VALUE_ARRAY),
		bracket(NULL, VALUE_OBJECT),
		utf8("Key", "Host"),
		utf8("Value", "example.org"),
		bracket(NULL, VALUE_END),
		bracket(NULL, VALUE_OBJECT),
		utf8("Key", "Path"),
		utf8("Value", "/index"),
		bracket(NULL, VALUE_END),
		bracket(NULL, VALUE_END),
		bracket("Nested", VALUE_ARRAY),
		bracket(NULL, VALUE_ARRAY),
		u64(NULL, 7),
		bracket(NULL, VALUE_END),
		bracket(NULL, VALUE_ARRAY),
		bracket(NULL, VALUE_END),
		bracket(NULL, VALUE_END),
		bracket("Empty", VALUE_ARRAY),
		bracket(NULL, VALUE_END),
		utf8("http.route", "/home"),
		u64("Last", 9),
	};

	_Static_assert(sizeof(made) <= sizeof(row), "all of it fits");
	memcpy(row, made, sizeof(made));
	*count = COUNT(made);
	return row;
}

static void looks_into_objects_and_arrays(void **state)
{
	static const struct row rows[] = {
		{ "Payload.Name == cpu-usage", true },
		{ "payload.mean > 12", true },
		{ "Payload.Inner.Deep == 1", true },
		{ "Name == cpu-usage", false },
		{ "Mean > 12", false },
		{ "Payload == cpu-usage", false },
		{ "Payload.Inner == 1", false },
		{ "Payload.Deep == 1", false },
		{ "Count.Name == 5", false },
		{ "Values == 2", true },
		{ "Values == 4", false },
		{ "Values > 2", true },
		{ "Values != 1", true },
		{ "Values contains 3", true },
		{ "Values.x == 1", false },
		{ "Arguments.Key == Host", true },
		{ "Arguments.Key == Path", true },
		{ "Arguments.Value startswith /", true },
		{ "Arguments.Value == Host", false },
		{ "Arguments == Host", false },
		{ "Nested == 7", true },
		{ "Empty == 1", false },
		{ "Empty != 1", false },
		{ "Empty == null", false },
		{ "http.route == /home", true },
		{ "http == /home", false },
		{ "Last == 9", true },
	};
	size_t count;
	const struct value *row = nested(&count);

	(void)state;
	check_rows(rows, COUNT(rows), row, count);
}

static void stops_at_the_end_of_the_fields(void **state)
{
	size_t count;
	const struct value *row = nested(&count);

	(void)state;
	for (size_t cut = 0; cut <= count; cut++) {
		struct value *copy = calloc(cut + 1, sizeof(*copy));

		memcpy(copy + 1, row, cut * sizeof(*copy));
		assert_int_equal(matches("Last == 9", copy + 1, cut), cut == count);
		assert_int_equal(matches("Nested == 7", copy + 1, cut), cut > 25);
		free(copy);
	}
}

static void matches_any_of_several_fields_of_a_name(void **state)
{
	const struct value row[] = { u64("Id", 1), u64("ID", 2) };
	static const struct row rows[] = {
		{ "Id == 1", true },
		{ "Id == 2", true },
		{ "Id == 3", false },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fails_every_comparison_with_null_but_null),
		cmocka_unit_test(compares_integers_exactly),
		cmocka_unit_test(compares_fractions),
		cmocka_unit_test(does_not_order_nan),
		cmocka_unit_test(compares_a_number_with_a_word_by_its_text),
		cmocka_unit_test(compares_texts_ignoring_case),
		cmocka_unit_test(compares_texts_as_numbers_unless_quoted),
		cmocka_unit_test(does_not_read_past_a_text),
		cmocka_unit_test(finds_patterns_anywhere),
		cmocka_unit_test(compares_named_numbers_by_name_and_number),
		cmocka_unit_test(finds_flags_among_the_names_of_bits),
		cmocka_unit_test(compares_booleans_with_words_and_numbers),
		cmocka_unit_test(compares_guids_addresses_and_bytes_by_their_text),
		cmocka_unit_test(compares_times_to_the_precision_of_the_value),
		cmocka_unit_test(shows_times_far_from_now),
		cmocka_unit_test(looks_into_objects_and_arrays),
		cmocka_unit_test(stops_at_the_end_of_the_fields),
		cmocka_unit_test(matches_any_of_several_fields_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
