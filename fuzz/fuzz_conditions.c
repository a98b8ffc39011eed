/* SPDX-License-Identifier: MIT */
/*
 * Any text must be a condition or an error, and any JSON must have figures or none. The input
 * is a condition, a NUL, and the JSON of a view, which is compared with itself and with a fixed
 * one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/condition.h"
#include "analyze/figure_diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char fixed[] =
	"{\"view\":\"cpu\",\"available\":true,\"complete\":true,\"samples\":100,\"cpu_ns\":1000,"
	"\"summary\":{\"pause_percent\":2,\"bytes\":5000},"
	"\"methods\":[{\"name\":\"MyApp.A(int)\",\"module\":\"m\",\"exclusive_ns\":100},"
	"{\"name\":\"MyApp.B\",\"module\":\"m\",\"exclusive_ns\":7}]}";

/* Each pair must be of a figure that one of the rows has. */
static void check_diff(const struct figures *before, const struct figures *after)
{
	struct figure_diff diff = figure_diff_of(before, after);
	struct figure_pair pair;

	if (before == after && diff.count)
		abort();
	for (size_t i = 0; i < diff.count; i++)
		for (size_t at = 0; figure_change_pair(&diff.rows[i], at, &pair); at++)
			if (!figure_of(diff.rows[i].before, pair.name) &&
			    !figure_of(diff.rows[i].after, pair.name))
				abort();
	figure_diff_release(&diff);
}

static void check_condition(const char *text, const struct figures *before,
			    const struct figures *after)
{
	struct arena arena = { 0 };
	struct pp_error err = { 0 };
	struct condition condition;
	struct condition_result result;

	if (condition_parse(&condition, text, &arena, &err) ||
	    condition_test(&condition, before, after, &result, &err)) {
		if (err.code != PP_ERROR_USAGE || !*err.text)
			abort();
	} else if (!*condition.view || !*condition.what || !result.figure) {
		abort();
	}
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	const size_t text_size = zero ? (size_t)(zero - data) : size;
	char *text = strndup((const char *)data, text_size);
	struct figures before = { 0 };
	struct figures after = { 0 };

	if (figures_read(&before, fixed, strlen(fixed)))
		abort();
	if (zero)
		figures_read(&after, zero + 1, size - text_size - 1);
	check_condition(text, &before, &after);
	check_condition(text, &after, &before);
	check_diff(&before, &after);
	check_diff(&before, &before);
	check_diff(&after, &after);
	figures_release(&before);
	figures_release(&after);
	free(text);
	return 0;
}
