/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/options.h"
#include "library/report_input.h"
#include "library/report_options.h"
#include "library/report_state.h"

bool pp_report_view(size_t index, struct pp_report_view *view)
{
	for (size_t i = 0; report_views[i]; i++)
		if (i == index) {
			*view = (struct pp_report_view){ report_views[i]->name,
							 report_views[i]->summary };
			return true;
		}
	return false;
}

struct making_report {
	const char *view;
	struct pp_report_options options;
};

/* Dropping the heap is what frees a report, half-built ones, too. */
static void *make(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct making_report *making = from;
	const struct pp_report_options *options = &making->options;
	const struct report_view *view = report_view_find(making->view, err);
	struct pp_report *made = xcalloc(1, sizeof(*made));
	struct report_setup setup;
	void *args;

	made->heap = heap;
	made->several = options->several_files;
	made->files.all = &made->report;
	report_input_init(made);
	args = view ? report_default_args(view, &made->arena) : NULL;
	if (!view || report_options_read(options, &setup, err) ||
	    report_options_set(options, view, args, &made->arena, err) ||
	    report_open(&made->report, view, args, &setup, err))
		return NULL;
	return made;
}

struct pp_report *pp_report_new(const char *view, const struct pp_report_options *options,
				struct pp_error *err)
{
	struct making_report making = { .view = view };

	if (argument_check(view, "view", err) ||
	    (options && OPTIONS_READ(&making.options, options, err)))
		return NULL;
	return heap_make(make, &making, err);
}

void pp_report_free(struct pp_report *report)
{
	if (report)
		heap_free(report->heap);
}

int pp_report_add_file(struct pp_report *report, const char *path, struct pp_error *err)
{
	volatile int failed = -1;
	struct guard guard;

	if (guard_enter(&guard, report->heap, err))
		return -1;
	if (!setjmp(guard.out))
		failed = report_input_file(report, path, err);
	guard_leave(&guard);
	return failed;
}

int pp_report_feed(struct pp_report *report, const void *bytes, size_t size, struct pp_error *err)
{
	volatile int failed = -1;
	struct guard guard;

	if (guard_enter(&guard, report->heap, err))
		return -1;
	if (!setjmp(guard.out))
		failed = report_input_bytes(report, bytes, size, err);
	guard_leave(&guard);
	return failed;
}

/* The view's functions look at the error, so that it has to be a new one. */
static const struct pp_result *build(struct pp_report *report, struct pp_error *err)
{
	struct pp_error failed = { 0 };

	if (report_input_end(report, err))
		return NULL;
	if (report->several ? report_files_build(&report->files, &failed)
			    : report_build(&report->report, &failed)) {
		error_set(err, failed.code, "%s", failed.text);
		return NULL;
	}
	result_made_init(&report->made);
	pp_result_init(&report->result, report->heap, &report->report.result, &report->made);
	return &report->result;
}

const struct pp_result *pp_report_build(struct pp_report *report, struct pp_error *err)
{
	const struct pp_result *volatile result = NULL;
	struct guard guard;

	if (guard_enter(&guard, report->heap, err))
		return NULL;
	if (!setjmp(guard.out))
		result = build(report, err);
	guard_leave(&guard);
	return result;
}
