/* SPDX-License-Identifier: MIT */
/*
 * Real traces: ../shared/traces, or traces/ of the directory in SHARED. test_payload_golden.c
 * compares with .NET's reader; here are fields that it misreads, and traces without a golden
 * file.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "golden_traces.h"
#include "input/trace_file.h"
#include "payload_text.h"

static struct trace_file *open_trace(const char *name)
{
	struct pp_error err = { 0 };
	struct trace_file *trace;
	static char path[8192];

	snprintf(path, sizeof(path), "%s/%s", golden_folder(), name);
	trace = trace_file_open(path, NULL, &err);
	assert_string_equal(err.text, "");
	return trace;
}

static struct literal payload_of(const struct pp_event *event)
{
	return (struct literal){ event->payload, event->payload_size };
}

struct truth {
	const char *name; /* of the event in the metadata */
	const char *text; /* of its first payload */
};

/* The first event of each name has this payload. */
static void expect_truths(const char *file, const struct truth *truths, size_t count)
{
	struct trace_file *trace = open_trace(file);
	struct pp_error err = { 0 };
	const struct pp_event *event;
	unsigned seen = 0;

	while (trace_file_next(trace, &event, &err) == PP_NEXT_ITEM)
		for (size_t i = 0; i < count; i++)
			if (!(seen & 1u << i) && !strcmp(event->kind->name, truths[i].name)) {
				expect_payload(event->kind, payload_of(event), truths[i].text);
				seen |= 1u << i;
			}
	assert_int_equal(seen, (1u << count) - 1);
	trace_file_close(trace);
}

/* What the program wrote, as in its Events.cs. The bytes were lost in the runtime. */
static void reads_fields_that_dotnet_misreads(void **state)
{
	static const struct truth truths[] = {
		{ "Booleans", "values=[true false true]" },
		{ "Anonymous",
		  "=(Round=0 Name=\"dyn\" Ratio=0.75d Flag=true When=@17092100967890000)" },
		{ "Options", "payload=<c0e1e40000000000507ce6b30b6bda0100000000000000007800>" },
		{ "Deep", "payload=<0000000002000000c03f00002040>" },
		{ "Byte", "value=255u" },
	};

	(void)state;
	expect_truths("dotnet10/events.nettrace.gz", truths, COUNT(truths));
}

static void reads_arrays_of_version_5(void **state)
{
	static const struct truth truths[] = {
		{ "TestEvent1",
		  "arg0=[2032854139u 1608221689u 1470019200u 199494339u 1238846140u 1366609043u] "
		  "arg1=[26494 17115 -7229 18850 27931] arg2=2033417279" },
		{ "TestEvent2", "arg0=-1001479330 arg1=-1397908228 "
				"arg2=[1470938110 172564262 1133558854 -1572049829] "
				"arg3=[2055126903u 593325874u 2130052527u 162795177u]" },
		{ "TestEvent3",
		  "arg0=\"\xee\x9e\xa3\xe3\x8e\xaf\xe9\x9a\x8d\xe1\xb3\xaf\xe8\xaf\xa4\"" },
	};

	(void)state;
	expect_truths("nettrace/eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace.zip", truths,
		      COUNT(truths));
}

static void reads_objects_of_version_3(void **state)
{
	static const struct truth truths[] = {
		{ "TestEventMethod", "i=1 s=\"Hello World!\"" },
		{ "TestEvent", "=(field1=\"Hello\" field2=3 field3=6)" },
		{ "TestNestedStructs", "=(structVal=(field17=\"hello world!\") i=42)" },
	};

	(void)state;
	expect_truths("nettrace/eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf.zip", truths,
		      COUNT(truths));
}

/* All fields of all events are present, except for the bytes that the runtime lost. */
static void check_trace(const char *name)
{
	struct trace_file *trace = open_trace(name);
	struct pp_error err = { 0 };
	struct payload payload = { 0 };
	struct plans plans = { 0 };
	const struct pp_event *event;
	struct value value;

	while (trace_file_next(trace, &event, &err) == PP_NEXT_ITEM) {
		const bool lost = !strcmp(event->kind->provider, "Demo-SelfDescribing") &&
				  !strcmp(event->kind->name, "Bytes");

		payload_begin(&payload, plans_for(&plans, event->kind), event,
			      pp_nettrace_header(trace->trace)->pointer_size);
		while (payload_next(&payload, &value))
			if (value.kind == VALUE_NULL && !lost)
				fail_msg("%s: %s/%s %u: %s", name, event->kind->provider,
					 event->kind->name, event->kind->id, value.name);
		/* the runtime's own events are described to the last byte */
		if (!*event->kind->name)
			assert_int_equal(cursor_left(&payload.bytes), 0);
	}
	payload_release(&payload);
	plans_release(&plans);
	trace_file_close(trace);
}

static void check_all(const char *pattern)
{
	char path[8192];
	glob_t found;

	snprintf(path, sizeof(path), "%s/%s", golden_folder(), pattern);
	assert_int_equal(glob(path, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_trace(found.gl_pathv[i] + strlen(golden_folder()) + 1);
	globfree(&found);
}

static void reads_every_field_of_dotnet_10(void **state)
{
	(void)state;
	check_all("dotnet10/*.nettrace.gz");
}

static void reads_every_field_of_other_runtimes(void **state)
{
	(void)state;
	check_all("runtimes/*.nettrace.gz");
}

/* Versions 3 and 4, pointers of four bytes, .NET Core 2.1 to 6. */
static void reads_every_field_of_older_ones(void **state)
{
	(void)state;
	check_all("nettrace/*.zip");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_fields_that_dotnet_misreads),
		cmocka_unit_test(reads_arrays_of_version_5),
		cmocka_unit_test(reads_objects_of_version_3),
		cmocka_unit_test(reads_every_field_of_dotnet_10),
		cmocka_unit_test(reads_every_field_of_other_runtimes),
		cmocka_unit_test(reads_every_field_of_older_ones),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
