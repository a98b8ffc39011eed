/* SPDX-License-Identifier: MIT */
/* Names of events and their fields, by the public API. */
#include "perfpipe/fields.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "places.h"
#include "trace_builder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct pp_trace *open_data(const char *name)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(place_of_data(name), NULL, &err);

	assert_string_equal(err.text, "");
	return trace;
}

/* The next event of this name. */
static const struct pp_event *find(struct pp_trace *trace, const char *name)
{
	const struct pp_event *event;
	struct pp_error err = { 0 };

	while (pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM)
		if (!strcmp(pp_event_name(trace, event), name))
			return event;
	fail_msg("there is no %s: %s", name, err.text);
	return NULL;
}

/* A trace whose current event stands for one that a test makes up. */
static struct pp_trace *any_trace(void)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");

	find(trace, "GC/Start");
	return trace;
}

static void names_events_as_the_tools_do(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	const struct pp_event *event;
	struct pp_error err = { 0 };
	int starts = 0;
	int orders = 0;

	(void)state;
	while (pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM) {
		const char *name = pp_event_name(trace, event);

		assert_ptr_equal(name, pp_event_name(trace, event));
		starts += !strcmp(name, "GC/Start");
		orders += !strcmp(name, "Order/Start") && !strcmp(event->kind->provider, "Orders");
	}
	assert_int_equal(starts, 7);
	assert_int_equal(orders, 240);
	pp_trace_close(trace);
}

static void an_events_own_opcode_is_in_its_name(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	const struct pp_labels labels = { .present = PP_LABEL_OPCODE, .opcode = 8 };
	struct pp_event event = *find(trace, "GC/Start");

	(void)state;
	event.labels = &labels;
	assert_string_equal(pp_event_name(trace, &event), "GC/Suspend");
	assert_ptr_equal(pp_event_name(trace, &event), pp_event_name(trace, &event));
	event.labels = NULL;
	assert_string_equal(pp_event_name(trace, &event), "GC/Start");
	pp_trace_close(trace);
}

static void reads_the_fields_of_the_runtimes_events(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	const struct pp_event *event = find(trace, "GC/Start");
	struct pp_value value;

	(void)state;
	assert_int_equal(pp_event_number(trace, event, "Count", -1), 1);
	assert_true(pp_event_field(trace, event, "Reason", &value));
	assert_int_equal(value.kind, PP_VALUE_UNSIGNED);
	assert_string_equal(value.name, "Reason");
	assert_int_equal(value.number, 0);
	assert_string_equal(value.symbol, "AllocSmall");
	event = find(trace, "GC/Start");
	assert_int_equal(pp_event_number(trace, event, "Count", -1), 2);
	assert_true(pp_event_real(trace, event, "Depth") == 1.0);
	pp_trace_close(trace);
}

static void reads_the_fields_of_an_event_source(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	const struct pp_event *event = find(trace, "Order/Start");

	(void)state;
	assert_int_equal(pp_event_number(trace, event, "id", -1), 2);
	assert_true(fabs(pp_event_real(trace, event, "amount") - 309.52) < 1e-9);
	assert_int_equal(pp_event_number(trace, event, "amount", -1), -1); /* not a whole number */
	pp_trace_close(trace);
}

static void a_field_that_does_not_exist_is_nothing(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	const struct pp_event *event = find(trace, "GC/Start");
	static const char *const names[] = {
		"", ".", "count", "Counts", "Coun", "Count.", "Count.x"
	};
	struct pp_value value = { .kind = PP_VALUE_TEXT };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_false(pp_event_field(trace, event, names[i], &value));
		assert_int_equal(pp_event_number(trace, event, "none", 5), 5);
	}
	assert_int_equal(value.kind, PP_VALUE_NULL);
	assert_true(isnan(pp_event_real(trace, event, "none")));
	assert_null(pp_event_text(trace, event, "none"));
	assert_null(pp_event_text(trace, event, "Count"));
	pp_trace_close(trace);
}

static void texts_live_as_long_as_their_event(void **state)
{
	struct pp_trace *trace = open_data("orders-counters.nettrace.zst");
	const struct pp_event *event = find(trace, "BeginInstrumentReporting");
	const char *meter = pp_event_text(trace, event, "meterName");
	const char *session = pp_event_text(trace, event, "sessionId");
	struct pp_value value;

	(void)state;
	pp_fields_begin(trace, event);
	while (pp_fields_next(trace, &value))
		assert_non_null(pp_event_text(trace, event, "unit"));
	assert_string_equal(meter, "System.Runtime");
	assert_string_equal(session, "SHARED");
	pp_trace_close(trace);
}

/* An event of a kind that no trace has, with these fields. */
#define NEW_KIND(...)                                                                              \
	{                                                                                          \
		.index = 4000, .provider = "Test", .name = "Made", .id = 1, .opcode = -1,          \
		.fields = { __VA_ARGS__ },                                                         \
	}

static const struct pp_type i32 = { .code = PP_TYPE_I32 };
static const struct pp_field inner_fields[] = {
	{ "x", { .code = PP_TYPE_I32 } },
	{ "name", { .code = PP_TYPE_UTF16Z } },
};
static const struct pp_type object = { .code = PP_TYPE_OBJECT, .fields = { inner_fields, 2 } };
static const struct pp_field all_fields[] = {
	{ "flag", { .code = PP_TYPE_BOOL32 } },
	{ "small", { .code = PP_TYPE_I8 } },
	{ "large", { .code = PP_TYPE_U64 } },
	{ "single", { .code = PP_TYPE_F32 } },
	{ "real", { .code = PP_TYPE_F64 } },
	{ "text", { .code = PP_TYPE_UTF16Z } },
	{ "guid", { .code = PP_TYPE_GUID } },
	{ "when", { .code = PP_TYPE_DATE_TIME } },
	{ "price", { .code = PP_TYPE_DECIMAL } },
	{ "inner", { .code = PP_TYPE_OBJECT, .fields = { inner_fields, 2 } } },
	{ "numbers", { .code = PP_TYPE_ARRAY, .element = &i32 } },
	{ "pairs", { .code = PP_TYPE_ARRAY, .element = &object } },
	{ "dotted.name", { .code = PP_TYPE_I32 } },
	{ "missing", { .code = PP_TYPE_I32 } },
};
static const struct pp_kind all_kind = NEW_KIND(all_fields, COUNT(all_fields));

static void put_object(struct builder *b, uint32_t number, const char *name)
{
	put_u32(b, number);
	put_utf16z(b, name);
}

static struct builder all_values(void)
{
	struct builder b = { 0 };

	put_u32(&b, 1);
	put_u8(&b, 0xfe);
	put_u64(&b, UINT64_MAX);
	put_bytes(&b, BYTES("\0\0\xc0\xbf"));		    /* -1.5 */
	put_bytes(&b, BYTES("\0\0\0\0\0\0\x19\x40"));	    /* 6.25 */
	put_bytes(&b, BYTES("\xe9\0\x3d\xd8\x00\xde\0\0")); /* U+E9, U+1F600 */
	put_bytes(&b, BYTES("0123456789abcdef"));
	put_u64(&b, UINT64_C(116444736000000000) + 70);			/* 7 us after 1970 */
	put_bytes(&b, BYTES("\0\0\x02\0\0\0\0\0\xd2\x04\0\0\0\0\0\0")); /* 12.34 */
	put_object(&b, 7, "in");
	put_u16(&b, 2);
	put_u32(&b, 10);
	put_u32(&b, 20);
	put_u16(&b, 2);
	put_object(&b, 1, "one");
	put_object(&b, 2, "two");
	put_u32(&b, 42);
	return b;
}

static struct pp_event event_of(const struct pp_kind *kind, const struct builder *b)
{
	return (struct pp_event){ .kind = kind,
				  .payload = b->bytes,
				  .payload_size = (uint32_t)b->size };
}

static void returns_values_of_every_kind(void **state)
{
	static const enum pp_value_kind expected[] = {
		PP_VALUE_BOOL, PP_VALUE_SIGNED, PP_VALUE_UNSIGNED, PP_VALUE_REAL,
		PP_VALUE_REAL, PP_VALUE_TEXT,	PP_VALUE_GUID,	   PP_VALUE_TIME,
		PP_VALUE_TEXT, PP_VALUE_OBJECT, PP_VALUE_SIGNED,   PP_VALUE_TEXT,
		PP_VALUE_END,  PP_VALUE_ARRAY,	PP_VALUE_SIGNED,   PP_VALUE_SIGNED,
		PP_VALUE_END,  PP_VALUE_ARRAY,	PP_VALUE_OBJECT,   PP_VALUE_SIGNED,
		PP_VALUE_TEXT, PP_VALUE_END,	PP_VALUE_OBJECT,   PP_VALUE_SIGNED,
		PP_VALUE_TEXT, PP_VALUE_END,	PP_VALUE_END,	   PP_VALUE_SIGNED,
		PP_VALUE_NULL,
	};
	struct pp_trace *trace = any_trace();
	struct builder b = all_values();
	const struct pp_event event = event_of(&all_kind, &b);
	struct pp_value value;
	size_t count = 0;

	(void)state;
	pp_fields_begin(trace, &event);
	for (; pp_fields_next(trace, &value); count++) {
		assert_true(count < COUNT(expected));
		assert_int_equal(value.kind, expected[count]);
		assert_null(value.error);
	}
	assert_int_equal(count, COUNT(expected));
	assert_false(pp_fields_next(trace, &value));
	builder_release(&b);
	pp_trace_close(trace);
}

static void reads_each_kind_by_name(void **state)
{
	struct pp_trace *trace = any_trace();
	struct builder b = all_values();
	const struct pp_event event = event_of(&all_kind, &b);
	struct pp_value value;

	(void)state;
	assert_int_equal(pp_event_number(trace, &event, "flag", -1), 1);
	assert_int_equal(pp_event_number(trace, &event, "small", -1), -2);
	assert_true(pp_event_real(trace, &event, "large") == 0x1p64);
	assert_true(pp_event_real(trace, &event, "single") == -1.5);
	assert_true(pp_event_real(trace, &event, "real") == 6.25);
	assert_string_equal(pp_event_text(trace, &event, "text"), "\xc3\xa9\xf0\x9f\x98\x80");
	assert_true(pp_event_field(trace, &event, "guid", &value));
	assert_int_equal(value.size, 16);
	assert_memory_equal(value.bytes, "0123456789abcdef", 16);
	assert_int_equal(pp_event_number(trace, &event, "when", -1), 70);
	assert_string_equal(pp_event_text(trace, &event, "price"), "12.34");
	assert_true(pp_event_field(trace, &event, "missing", &value));
	assert_int_equal(value.kind, PP_VALUE_NULL);
	builder_release(&b);
	pp_trace_close(trace);
}

static void finds_fields_inside_objects_and_arrays(void **state)
{
	struct pp_trace *trace = any_trace();
	struct builder b = all_values();
	const struct pp_event event = event_of(&all_kind, &b);
	struct pp_value value;

	(void)state;
	assert_int_equal(pp_event_number(trace, &event, "inner.x", -1), 7);
	assert_string_equal(pp_event_text(trace, &event, "inner.name"), "in");
	assert_string_equal(pp_event_text(trace, &event, "pairs.name"), "one");
	assert_int_equal(pp_event_number(trace, &event, "dotted.name", -1), 42);
	assert_null(pp_event_text(trace, &event, "name"));
	assert_null(pp_event_text(trace, &event, "inner.y"));
	assert_null(pp_event_text(trace, &event, "text.name"));
	assert_true(pp_event_field(trace, &event, "numbers", &value));
	assert_int_equal(value.kind, PP_VALUE_ARRAY);
	builder_release(&b);
	pp_trace_close(trace);
}

static void an_event_without_a_description_has_its_bytes(void **state)
{
	static const struct pp_kind kind = NEW_KIND(NULL, 0);
	struct pp_trace *trace = any_trace();
	const struct pp_event event = { .kind = &kind,
					.payload = (const uint8_t *)"abc",
					.payload_size = 3 };
	struct pp_value value;

	(void)state;
	pp_fields_begin(trace, &event);
	assert_true(pp_fields_next(trace, &value));
	assert_int_equal(value.kind, PP_VALUE_BYTES);
	assert_int_equal(value.size, 3);
	assert_memory_equal(value.bytes, "abc", 3);
	assert_false(pp_fields_next(trace, &value));
	pp_trace_close(trace);
}

static void single_fields_do_not_disturb_a_walk_over_all(void **state)
{
	struct pp_trace *trace = any_trace();
	struct builder b = all_values();
	const struct pp_event event = event_of(&all_kind, &b);
	struct pp_value value;
	int count = 0;

	(void)state;
	pp_fields_begin(trace, &event);
	for (; pp_fields_next(trace, &value); count++)
		assert_int_equal(pp_event_number(trace, &event, "inner.x", -1), 7);
	assert_int_equal(count, 29);
	builder_release(&b);
	pp_trace_close(trace);
}

static void a_walk_ends_with_its_event(void **state)
{
	struct pp_trace *trace = open_data("orders.nettrace.zst");
	struct pp_error err = { 0 };
	const struct pp_event *event = find(trace, "GC/Start");
	struct pp_value value;

	(void)state;
	assert_false(pp_fields_next(trace, &value)); /* nothing was begun */
	pp_fields_begin(trace, event);
	assert_true(pp_fields_next(trace, &value));
	assert_int_equal(pp_trace_next(trace, &event, &err), PP_NEXT_ITEM);
	assert_false(pp_fields_next(trace, &value));
	pp_trace_close(trace);
}

/* Memory of exactly its size, so that a sanitizer sees a read past the end. */
static void read_cut(struct pp_trace *trace, const struct pp_event *event, uint32_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct pp_event cut = *event;
	struct pp_value value;
	int depth = 0;

	if (size)
		memcpy(copy, event->payload, size);
	cut.payload = copy;
	cut.payload_size = size;
	pp_fields_begin(trace, &cut);
	while (pp_fields_next(trace, &value)) {
		depth += value.kind == PP_VALUE_OBJECT || value.kind == PP_VALUE_ARRAY;
		depth -= value.kind == PP_VALUE_END;
		assert_true(value.kind != PP_VALUE_TEXT || !value.text[value.size]);
	}
	assert_int_equal(depth, 0);
	pp_event_field(trace, &cut, "pairs.name", &value);
	pp_event_field(trace, &cut, "missing", &value);
	free(copy);
}

static void any_bytes_are_safe(void **state)
{
	struct pp_trace *trace = any_trace();
	struct builder b = all_values();
	const struct pp_event event = event_of(&all_kind, &b);
	uint32_t random = 1;

	(void)state;
	for (uint32_t size = 0; size <= b.size; size++)
		read_cut(trace, &event, size);
	for (int i = 0; i < 2000; i++) {
		random = random * 1664525 + 1013904223;
		b.bytes[random >> 8 & 127] = (uint8_t)(random >> 24);
		read_cut(trace, &event, (uint32_t)b.size);
	}
	builder_release(&b);
	pp_trace_close(trace);
}

static void every_event_of_a_recording_can_be_cut_anywhere(void **state)
{
	struct pp_trace *trace = open_data("orders-runtime.nettrace.zst");
	struct pp_error err = { 0 };
	const struct pp_event *event;
	int count = 0;

	(void)state;
	while (count++ < 3000 && pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM)
		for (uint32_t size = 0; size <= event->payload_size; size += 1 + size / 16)
			read_cut(trace, event, size);
	assert_string_equal(err.text, "");
	assert_true(count > 500);
	pp_trace_close(trace);
}

/* Names, symbols, texts: all that allocates. */
static int use_fields(void *context, struct pp_error *err)
{
	struct pp_trace *trace = pp_trace_open(context, NULL, err);
	enum pp_next next = PP_NEXT_ERROR;
	const struct pp_event *event;
	struct pp_value value;

	for (int i = 0; trace && i < 400 && (next = pp_trace_next(trace, &event, err)) > 0; i++) {
		assert_non_null(pp_event_name(trace, event));
		pp_fields_begin(trace, event);
		while (pp_fields_next(trace, &value))
			assert_true(value.kind != PP_VALUE_TEXT || value.text);
		pp_event_text(trace, event, "unit");
	}
	if (next > 0)
		next = pp_trace_next(trace, &event, err);
	if (next == PP_NEXT_ERROR && trace)
		assert_int_equal(pp_trace_next(trace, &event, err), PP_NEXT_ERROR);
	pp_trace_close(trace);
	return next == PP_NEXT_ERROR ? -1 : 0;
}

static void the_next_event_says_that_memory_is_gone(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(use_fields,
					     (void *)place_of_data("orders.nettrace.zst")) > 50);
	assert_true(fails_at_each_allocation(
			    use_fields, (void *)place_of_data("orders-counters.nettrace.zst")) >
		    50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_events_as_the_tools_do),
		cmocka_unit_test(an_events_own_opcode_is_in_its_name),
		cmocka_unit_test(reads_the_fields_of_the_runtimes_events),
		cmocka_unit_test(reads_the_fields_of_an_event_source),
		cmocka_unit_test(a_field_that_does_not_exist_is_nothing),
		cmocka_unit_test(texts_live_as_long_as_their_event),
		cmocka_unit_test(returns_values_of_every_kind),
		cmocka_unit_test(reads_each_kind_by_name),
		cmocka_unit_test(finds_fields_inside_objects_and_arrays),
		cmocka_unit_test(an_event_without_a_description_has_its_bytes),
		cmocka_unit_test(single_fields_do_not_disturb_a_walk_over_all),
		cmocka_unit_test(a_walk_ends_with_its_event),
		cmocka_unit_test(any_bytes_are_safe),
		cmocka_unit_test(every_event_of_a_recording_can_be_cut_anywhere),
		cmocka_unit_test(the_next_event_says_that_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
