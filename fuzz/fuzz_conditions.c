/* SPDX-License-Identifier: MIT */
/*
 * Any text must be a condition or an error, whatever the names of a result's rows. The input is the
 * condition, a NUL, and rows of the newer trace: 8 bytes of a value, a name, and a NUL each.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "report/condition.h"
#include "report/metric_diff.h"

#define ROWS_MOST 50

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct method {
	const char *name;
	int64_t time_ns;
};

static const struct result_field method_fields[] = {
	FIELD(struct method, name, "name", "Name", UNIT_TEXT, .flags = KEY | METHOD),
	FIELD(struct method, time_ns, "exclusive_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD_END,
};
static const struct result_shape method_shape = { method_fields, NULL };

struct cpu {
	uint64_t samples;
	double percent;
	struct result_rows methods;
};

static const struct result_field fields[] = {
	FIELD(struct cpu, samples, "samples", NULL, UNIT_COUNT),
	FIELD(struct cpu, percent, "cpu_percent", NULL, UNIT_PERCENT),
	LIST(struct cpu, methods, "methods", NULL, &method_shape),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };
static const struct result_kind kind = { .shape = &shape };

static struct metric_run run_of_rows(const struct method *methods, size_t count)
{
	const struct cpu cpu = { count, 1.5, ROWS_OF(methods, count) };

	return (struct metric_run){
		.metrics = metrics_of(&(const struct result){ .kind = &kind, .data = &cpu }),
		.scale = 1,
	};
}

/* Each pair must be a metric of its row, and have changed. */
static void check_diff(const struct metric_side *before, const struct metric_side *after)
{
	struct metric_diff diff = metric_diff_of(before, after, "inclusive");

	if (before == after && diff.count)
		abort();
	for (size_t i = 0; i < diff.count; i++)
		for (size_t j = 0; j < diff.rows[i].pair_count; j++)
			if (!metric_find(diff.rows[i].row, diff.rows[i].pairs[j].name) ||
			    diff.rows[i].pairs[j].change.value == 0)
				abort();
	metric_diff_release(&diff);
}

static void check_condition(const char *text, const struct metric_side *before,
			    const struct metric_side *after)
{
	struct arena arena = { 0 };
	struct pp_error err = { 0 };
	struct condition condition;
	struct condition_result result;

	if (condition_parse(&condition, text, &arena, &err) ||
	    condition_test(&condition, before, after, &result, &err)) {
		if (err.code != PP_ERROR_USAGE || !*err.text)
			abort();
	} else if (!*condition.view || !*condition.what || !result.metric) {
		abort();
	}
	arena_release(&arena);
}

static const char *read_name(struct cursor *c, struct arena *arena)
{
	struct buffer name = { 0 };
	const char *text;

	for (uint8_t byte; cursor_left(c) && (byte = cursor_u8(c));)
		buffer_u8(&name, byte);
	text = arena_text(arena, name.size ? (const char *)name.bytes : "", name.size);
	buffer_release(&name);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct method fixed[] = { { "MyApp.A(int)", 100 }, { "MyApp.B", 7 } };
	struct cursor c = cursor_over(data, size);
	struct arena arena = { 0 };
	const char *text = read_name(&c, &arena);
	struct method methods[ROWS_MOST];
	struct metric_run runs[3];
	struct metric_side before, after;
	size_t count = 0;

	for (; cursor_left(&c) && count < ROWS_MOST; count++) {
		methods[count].time_ns = (int64_t)cursor_u64(&c);
		methods[count].name = read_name(&c, &arena);
	}
	runs[0] = run_of_rows(fixed, ARRAY_COUNT(fixed));
	runs[1] = run_of_rows(methods, count);
	runs[2] = run_of_rows(methods, count / 2);
	before = (struct metric_side){ runs, 1 };
	after = (struct metric_side){ runs + 1, 1 + count % 2 };
	check_condition(text, &before, &after);
	check_condition(text, &after, &before);
	check_diff(&before, &after);
	check_diff(&before, &before);
	check_diff(&after, &after);
	for (size_t i = 0; i < ARRAY_COUNT(runs); i++)
		metrics_release(&runs[i].metrics);
	arena_release(&arena);
	return 0;
}
