/* SPDX-License-Identifier: MIT */
/*
 * top_methods - the methods in which a trace spent most CPU time.
 *
 *	cc top_methods.c $(pkg-config --cflags --libs perfpipe-trace) -o top_methods
 *	top_methods app.nettrace
 */
#include <perfpipe/samples.h>

#include <stdio.h>
#include <stdlib.h>

struct method {
	const char *name;
	int64_t own_ns;
};

static int by_time(const void *left, const void *right)
{
	const struct method *a = left, *b = right;

	return (a->own_ns < b->own_ns) - (a->own_ns > b->own_ns);
}

static void print_top(struct pp_samples *samples, struct pp_error *err)
{
	const uint32_t count = pp_frame_count(samples);
	struct method *methods = calloc(count + 1, sizeof(*methods));
	struct pp_sample sample;

	for (uint32_t i = 0; i < count; i++)
		methods[i].name = pp_frame_at(samples, i)->name;
	while (pp_samples_next(samples, &sample, err))
		if (sample.stack)
			methods[pp_stack_frame_number(samples, sample.stack)].own_ns +=
				sample.weight_ns;
	qsort(methods, count, sizeof(*methods), by_time);
	for (uint32_t i = 0; i < count && i < 10 && methods[i].own_ns; i++)
		printf("%10.1f ms  %s\n", (double)methods[i].own_ns / 1e6, methods[i].name);
	free(methods);
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_samples *samples = pp_samples_open(argc > 1 ? argv[1] : "-", NULL, &err);

	if (samples)
		print_top(samples, &err);
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_samples_close(samples);
	return err.code != PP_ERROR_NONE;
}
