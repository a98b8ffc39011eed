/* SPDX-License-Identifier: MIT */
/*
 * How much a run varies within itself: its view of equal parts of the time, which says how far the
 * whole may be off by chance. Sums of ten parts that differ a lot, since the machine was busy or
 * pauses are rare, are not to be trusted as those of ten equal parts are. A rundown, which comes
 * after what was recorded, is in none of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "input/trace_file.h"
#include "report/diff.h"

#define SLICES	10
#define LARGEST (UINT64_C(256) << 20) /* bytes of a file that is read once more for each slice */

/* A pipe can be read once. */
static bool can_be_read_again(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       (uint64_t)status.st_size <= LARGEST;
}

static bool read_slice(struct report *slice, const struct report *whole, const void *args)
{
	struct pp_error err = { 0 };
	struct trace_file *file;

	if (report_open(slice, whole->view, args, &whole->setup, &err))
		return false;
	file = trace_file_open(whole->setup.file, NULL, &err);
	if (!file)
		return false;
	pass_file(&slice->pass, file, &err); /* as far as it goes, as the whole was */
	pass_finish(&slice->pass, file->trace);
	trace_file_close(file);
	err = (struct pp_error){ 0 };
	return !report_build(slice, &err);
}

/* The arguments of the view, but for a part of its time. */
static void *slice_args(const struct report *whole, int64_t from_ns, int64_t to_ns,
			struct arena *arena)
{
	const size_t size =
		whole->view->args_size ? whole->view->args_size : sizeof(struct view_args);
	struct view_args *args = arena_alloc(arena, size);

	memcpy(args, whole->args, size);
	args->query.from = arena_printf(arena, "%lldns", (long long)from_ns);
	args->query.to = arena_printf(arena, "%lldns", (long long)to_ns);
	return args;
}

/* Of a view that is made of the model alone, which is there: nothing is read again. */
static bool build_slice(struct metric_run *run, struct report *whole, int64_t from_ns,
			int64_t to_ns)
{
	const struct event_query query = whole->samples.events;
	const struct report_tree *trees = whole->trees;
	struct result part = whole->result;
	struct pp_error err = { 0 };

	whole->err = &err;
	whole->samples.events.from_ns = from_ns;
	whole->samples.events.to_ns = to_ns;
	part.data = whole->view->build(whole);
	whole->samples.events = query;
	if (part.data)
		run->slices[run->slice_count++] = metrics_of(&part);
	report_drop_trees(whole, trees);
	return part.data;
}

static bool is_made_of_model(const struct report *report)
{
	return !report->analyses;
}

static bool add_slice(struct metric_run *run, struct report *whole, int64_t from_ns, int64_t to_ns)
{
	struct arena arena = { 0 };
	struct report slice;
	bool read;

	if (is_made_of_model(whole))
		return build_slice(run, whole, from_ns, to_ns);
	read = read_slice(&slice, whole, slice_args(whole, from_ns, to_ns, &arena));
	if (read)
		run->slices[run->slice_count++] = metrics_of(&slice.result);
	report_close(&slice);
	arena_release(&arena);
	return read;
}

void metric_run_slice(struct metric_run *run, struct report *whole)
{
	const struct event_query *query = &whole->samples.events;
	const int64_t from_ns = event_query_from(query, whole->model.first_ns);
	const int64_t to_ns = event_query_to(query, whole->model.recorded_ns + 1);
	const int64_t step = (to_ns - from_ns) / SLICES;
	bool read = step > 0 && run->metrics.available &&
		    (is_made_of_model(whole) || can_be_read_again(whole->setup.file));

	run->slices = xcalloc(SLICES, sizeof(*run->slices));
	for (int i = 0; i < SLICES && read; i++)
		read = add_slice(run, whole, from_ns + i * step,
				 i == SLICES - 1 ? to_ns : from_ns + (i + 1) * step);
	if (!read)
		metric_run_drop_slices(run);
}

void metric_run_drop_slices(struct metric_run *run)
{
	for (size_t i = 0; i < run->slice_count; i++)
		metrics_release(&run->slices[i]);
	xfree(run->slices);
	run->slices = NULL;
	run->slice_count = 0;
}
