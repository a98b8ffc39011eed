/* SPDX-License-Identifier: MIT */
#include "record/recount.h"

#include <sys/stat.h>

#include "input/trace_file.h"
#include "nettrace/thread_times.h"
#include "record/segment.h"

/* Files that others have removed or replaced by now count for nothing. */
static bool is_file(const struct recording *r, size_t index)
{
	struct stat status;

	return !lstat(r->files[index], &status) && file_is_same(&status, &r->made[index]);
}

static bool writes_directly(const struct recording *r)
{
	for (size_t i = 0; i < r->file_count; i++)
		if (!r->made[i].st_ino)
			return true;
	return false;
}

static uint64_t size_on_disk(const struct recording *r)
{
	uint64_t size = 0;
	struct stat status;

	for (size_t i = 0; i < r->file_count; i++)
		if (is_file(r, i) && !lstat(r->files[i], &status))
			size += (uint64_t)status.st_size;
	return size;
}

/* Up to where it can be read, within the same memory as while it was recorded. */
static void count_file(struct recording *r, const char *path)
{
	const struct pp_nettrace_options options = { .size = sizeof(options),
						     .file_order = true,
						     .held_at_most = SEGMENT_HELD_MOST,
						     .tables_at_most = SEGMENT_TABLES_MOST,
						     .no_stacks = true };
	struct pp_error ignored = { 0 };
	struct trace_file *file = trace_file_open(path, &options, &ignored);
	const struct pp_event *event;
	struct pp_trace_totals totals;
	uint64_t own = 0;
	bool ended = false;

	if (!file) {
		r->incomplete = true;
		return;
	}
	while (trace_file_next(file, &event, &ignored) == PP_NEXT_ITEM) {
		own += is_thread_times(event->kind);
		ended |= is_recording_end(event->kind);
	}
	totals = pp_nettrace_totals(file->trace);
	r->events += totals.events - own;
	r->lost += totals.lost;
	r->incomplete |= !totals.complete || ended;
	trace_file_close(file);
}

void recording_recount(struct recording *r)
{
	if (r->options->no_file || writes_directly(r))
		return;
	r->bytes = size_on_disk(r);
	r->incomplete |= !r->file_count;
	if (!r->err.code && r->file_count)
		return;
	r->events = r->lost = 0;
	for (size_t i = 0; i < r->file_count; i++)
		if (is_file(r, i))
			count_file(r, r->files[i]);
		else
			r->incomplete = true;
}
