/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "clr/events.h"
#include "clr/generated.h"
#include "places.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"

static void finds_an_event_by_provider_id_and_version(void **state)
{
	const struct clr_event *event = clr_event_find(RUNTIME, 1, 1);

	(void)state;
	assert_non_null(event);
	assert_int_equal(event->provider, CLR_RUNTIME);
	assert_int_equal(event->id, 1);
	assert_int_equal(event->version, 1);
	assert_string_equal(clr_text(event->name), "GC/Start");
	assert_string_equal(clr_text(event->symbol), "GCStart_V1");
	assert_string_equal(clr_text(event->task), "GarbageCollection");
	assert_int_equal(event->task_number, 1);
	assert_string_equal(clr_text(event->opcode), "Start");
	assert_int_equal(event->opcode_number, 1);
	assert_int_equal(event->level, 4);
	assert_int_equal(event->keywords, 1);
	assert_string_equal(clr_text(event->fields),
			    "Count:u32,Depth:u32,Reason:u32,Type:u32,ClrInstanceID:u16");
	assert_string_equal(clr_text(event->maps), "Reason=GCReason,Type=GCType");
	assert_true(event->named);
	assert_false(event->aot);
}

static void distinguishes_providers(void **state)
{
	(void)state;
	assert_string_equal(clr_text(clr_event_find(RUNTIME "Rundown", 10, 0)->name),
			    "GC/SettingsRundown");
	assert_string_equal(clr_text(clr_event_find(RUNTIME, 10, 0)->name), "GC/AllocationTick");
	assert_string_equal(
		clr_text(clr_event_find("Microsoft-DotNETCore-SampleProfiler", 0, 0)->name),
		"Thread/Sample");
	assert_int_equal(clr_event_find(RUNTIME "Private", 11, 0)->provider, CLR_PRIVATE);
	assert_int_equal(clr_event_find(RUNTIME "Stress", 0, 0)->provider, CLR_STRESS);
}

static void uses_the_newest_layout_for_a_newer_version(void **state)
{
	(void)state;
	assert_int_equal(clr_event_find(RUNTIME, 1, 3)->version, 2);
	assert_int_equal(clr_event_find(RUNTIME, 1, 255)->version, 2);
	assert_int_equal(clr_event_find(RUNTIME, 1, UINT32_MAX)->version, 2);
}

static void does_not_know_a_version_before_the_first(void **state)
{
	(void)state;
	assert_int_equal(clr_event_find(RUNTIME, 204, 3)->version, 3);
	assert_null(clr_event_find(RUNTIME, 204, 2));
}

static void does_not_know_other_events(void **state)
{
	(void)state;
	assert_null(clr_event_find(RUNTIME, 0, 0));
	assert_null(clr_event_find(RUNTIME, 65535, 0));
	assert_null(clr_event_find(RUNTIME, 0x10001, 0));
	assert_null(clr_event_find(RUNTIME, UINT32_MAX, 0));
	assert_null(clr_event_find("Demo-Events", 1, 0));
	assert_null(clr_event_find("", 1, 0));
	assert_null(clr_event_find("GCDynamic", 0, 1)); /* not a provider */
}

static void finds_dynamic_events_by_name(void **state)
{
	(void)state;
	assert_string_equal(clr_text(clr_dynamic_find("CommittedUsage", 1)->name),
			    "GC/CommittedUsage");
	assert_int_equal(clr_dynamic_find("SizeAdaptationSample", 9)->version, 1);
	assert_null(clr_dynamic_find("CommittedUsage", 0));
	assert_null(clr_dynamic_find("GCStart", 1));
}

static void is_in_order(void **state)
{
	(void)state;
	for (size_t i = 1; i < clr_table_count; i++) {
		const struct clr_event *a = &clr_table[i - 1];
		const struct clr_event *b = &clr_table[i];

		assert_true(a->provider < b->provider ||
			    (a->provider == b->provider &&
			     (a->id < b->id || (a->id == b->id && a->version < b->version))));
	}
}

/* One row as in the file. */
static void write_row(const struct clr_event *event, char *out, size_t size)
{
	static const char *const providers[CLR_PROVIDERS] = { "Runtime",	"Rundown",
							      "SampleProfiler", "Private",
							      "Stress",		"GCDynamic" };
	char flags[64] = "";
	size_t used = 0;

	if (event->named)
		used += (size_t)sprintf(flags + used, ",te");
	if (event->seen)
		used += (size_t)sprintf(flags + used, ",seen=%u", event->seen);
	if (event->aot)
		used += (size_t)sprintf(flags + used, ",aot");
	snprintf(out, size, "%s\t%u\t%u\t%s\t%s\t%s\t%u\t%s\t%u\t%u\t0x%llx\t%s\t%s\t%s\n",
		 providers[event->provider], event->id, event->version, clr_text(event->name),
		 clr_text(event->symbol), clr_text(event->task), event->task_number,
		 clr_text(event->opcode), event->opcode_number, event->level,
		 (unsigned long long)event->keywords, clr_text(event->fields),
		 clr_text(event->maps), used ? flags + 1 : "");
}

static void expect_rows_of(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t row = 0;
	char line[2048];
	char ours[2048];

	if (!file)
		skip();
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		assert_true(row < clr_table_count);
		write_row(&clr_table[row++], ours, sizeof(ours));
		assert_string_equal(ours, line);
	}
	assert_int_equal(row, clr_table_count);
	fclose(file);
}

static void matches_the_file_it_was_generated_from(void **state)
{
	(void)state;
	expect_rows_of(place_of("EVENTS", "src/clr", "events.tsv"));
}

static void matches_the_reference_row_by_row(void **state)
{
	(void)state;
	expect_rows_of(place_of("SHARED", "../shared", "reference/clr-events.tsv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_an_event_by_provider_id_and_version),
		cmocka_unit_test(distinguishes_providers),
		cmocka_unit_test(uses_the_newest_layout_for_a_newer_version),
		cmocka_unit_test(does_not_know_a_version_before_the_first),
		cmocka_unit_test(does_not_know_other_events),
		cmocka_unit_test(finds_dynamic_events_by_name),
		cmocka_unit_test(is_in_order),
		cmocka_unit_test(matches_the_file_it_was_generated_from),
		cmocka_unit_test(matches_the_reference_row_by_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
