/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record/stopping_event.h"
#include "trace_reading.h"

static void expect_expression(const char *filter, const char *expression)
{
	struct pp_error err = { 0 };
	struct buffer out = { 0 };

	assert_int_equal(stopping_filter_expression(filter, &out, &err), 0);
	assert_string_equal((const char *)out.bytes, expression);
	buffer_release(&out);
}

static void expect_refused(struct stopping_event event, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(stopping_event_check(&event, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, sentence);
}

static void joins_pairs_with_and(void **state)
{
	(void)state;
	expect_expression("id:5", "\"id\" == \"5\"");
	expect_expression("id:5,Name:a b", "\"id\" == \"5\" and \"Name\" == \"a b\"");
}

static void accepts_colons_and_commas_in_quotes(void **state)
{
	(void)state;
	expect_expression("Url:http://a/b", "\"Url\" == \"http://a/b\"");
	expect_expression("Name:\"a,b:c\",id:1", "\"Name\" == \"a,b:c\" and \"id\" == \"1\"");
	expect_expression("Name:", "\"Name\" == \"\"");
	expect_expression("Path:C:\\x", "\"Path\" == \"C:\\\\x\"");
}

static void rejects_text_that_is_not_a_pair(void **state)
{
	const struct stopping_event event = { .provider = "P", .name = "E" };
	struct stopping_event wrong = event;

	(void)state;
	wrong.filter = "id";
	expect_refused(wrong, "a payload filter is field:value,field:value, not 'id'");
	wrong.filter = "id:5,";
	expect_refused(wrong, "a payload filter is field:value,field:value, not ''");
	wrong.filter = ":5";
	expect_refused(wrong, "a payload filter is field:value,field:value, not ':5'");
	wrong.filter = "id:\"5";
	expect_refused(wrong, "the payload filter does not close the quote before 5");
}

static void requires_a_provider_and_a_name(void **state)
{
	(void)state;
	expect_refused((struct stopping_event){ .name = "E" },
		       "the stopping event has a name and no provider; give both");
	expect_refused((struct stopping_event){ .provider = "P", .filter = "a:1" },
		       "the payload filter of a stopping event needs its provider and name");
}

/* The last note. */
static char noted[256];

static void note(void *context, const char *sentence)
{
	(void)context;
	assert_string_equal(noted, "");
	strncpy(noted, sentence, sizeof(noted) - 1);
}

/* The number of events until one stops the recording; all if none does. */
static size_t events_until_stop(const struct stopping_event *event, struct builder *b)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	const struct pp_event *next;
	struct pp_error err = { 0 };
	struct pass pass;
	size_t count;

	pass_init(&pass, NULL);
	pass_want(&pass, &stopping_event_analysis,
		  &(const struct analysis_setup){ .options = event });
	pp_nettrace_feed(trace, b->bytes, b->size);
	while (!pass.stopped && pp_nettrace_next(trace, &next, &err) == PP_NEXT_ITEM)
		pass_event(&pass, pp_nettrace_header(trace), next);
	count = (size_t)pass.tally.events;
	pass_release(&pass);
	pp_nettrace_free(trace);
	return count;
}

#define INT_FIELD "\x01\0\0\0\x09\0\0\0i\0d\0\0\0" /* one field, an int, called id */

static struct builder three_jobs(void)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	kind(&b, .id = 1, .provider = "Demo", .name = "JobStart", .fields = BYTES(INT_FIELD));
	kind(&b, .id = 2, .provider = "Demo", .name = "JobStop", .fields = BYTES(INT_FIELD));
	build_close(&b);
	build_events(&b, PLAIN);
	for (int i = 1; i <= 3; i++) {
		const char payload[] = { (char)i, 0, 0, 0 };

		event(&b, .kind = 1, .thread = 1, .ticks = 10 * i,
		      .payload = (struct literal){ payload, 4 });
		event(&b, .kind = 2, .thread = 1, .ticks = 10 * i + 5,
		      .payload = (struct literal){ payload, 4 });
	}
	build_close(&b);
	build_end(&b);
	return b;
}

static void finds_its_event(void **state)
{
	static const struct {
		struct stopping_event event;
		size_t count;
	} cases[] = {
		{ { .provider = "Demo", .name = NULL, .filter = NULL }, 1 },
		{ { .provider = "demo", .name = "JobStop", .filter = NULL }, 2 },
		{ { .provider = "Demo", .name = "Job/Stop", .filter = NULL }, 2 },
		{ { .provider = "Demo", .name = "Job/Stop", .filter = "id:2" }, 4 },
		{ { .provider = "Demo", .name = "JobStart", .filter = "ID:3" }, 5 },
		{ { .provider = "Demo", .name = "JobStart", .filter = "id:\"3\"" }, 5 },
		{ { .provider = "Demo", .name = "Job/Stop", .filter = "id:4" }, 6 },
		{ { .provider = "Demo", .name = "Job", .filter = NULL }, 6 },
		{ { .provider = "Other", .name = "Job/Stop", .filter = NULL }, 6 },
		{ { .provider = "Demo", .name = "Job/Stop", .filter = "missing:1" }, 6 },
		{ { .provider = "Demo", .name = "Job/Stop", .filter = "id:2,id:3" }, 6 },
	};
	struct builder b = three_jobs();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(events_until_stop(&cases[i].event, &b), cases[i].count);
	builder_release(&b);
}

#define BOOL_FIELD "\x01\0\0\0\x03\0\0\0c\0a\0r\0d\0\0\0" /* a boolean called card */

static struct builder two_payments(void)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	kind(&b, .id = 1, .provider = "Demo", .name = "Pay", .fields = BYTES(BOOL_FIELD));
	build_close(&b);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 1, .ticks = 10, .payload = BYTES("\0\0\0\0"));
	event(&b, .kind = 1, .thread = 1, .ticks = 20, .payload = BYTES("\x01\0\0\0"));
	event(&b, .kind = 1, .thread = 1, .ticks = 30, .payload = BYTES("\0\0\0\0"));
	build_close(&b);
	build_end(&b);
	return b;
}

static void finds_booleans_by_any_of_their_names(void **state)
{
	static const struct {
		const char *filter;
		size_t count;
	} cases[] = {
		{ "card:true", 2 },	{ "card:True", 2 },  { "card:TRUE", 2 }, { "card:1", 2 },
		{ "card:\"true\"", 2 }, { "card:false", 1 }, { "card:0", 1 },	 { "card:yes", 3 },
	};
	struct builder b = two_payments();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stopping_event event = { "Demo", "Pay", cases[i].filter, NULL, NULL };

		assert_int_equal(events_until_stop(&event, &b), cases[i].count);
	}
	builder_release(&b);
}

static void reports_missing_fields_once(void **state)
{
	const struct stopping_event event = { "Demo", "Job/Stop", "missing:1", note, NULL };
	struct builder b = three_jobs();

	(void)state;
	assert_int_equal(events_until_stop(&event, &b), 6);
	assert_string_equal(noted, "the stopping event Job/Stop has none of the fields of its "
				   "filter; it has: id");
	builder_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_pairs_with_and),
		cmocka_unit_test(accepts_colons_and_commas_in_quotes),
		cmocka_unit_test(rejects_text_that_is_not_a_pair),
		cmocka_unit_test(requires_a_provider_and_a_name),
		cmocka_unit_test(finds_its_event),
		cmocka_unit_test(finds_booleans_by_any_of_their_names),
		cmocka_unit_test(reports_missing_fields_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
