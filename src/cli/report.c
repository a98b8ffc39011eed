/* SPDX-License-Identifier: MIT */
#include "cli/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/cut_warning.h"
#include "cli/duration.h"
#include "cli/progress.h"
#include "base/suggest.h"
#include "cli/text.h"

/* A line each: clang-format would fill the lines. */
/* clang-format off */
extern const struct report_view
	report_summary,
	report_cpu,
	report_topn,
	report_threadtime,
	report_tasks,
	report_gc,
	report_jit,
	report_alloc,
	report_exceptions,
	report_contention,
	report_threadpool,
	report_requests,
	report_loader,
	report_eventstats,
	report_processes,
	report_threads,
	report_modules,
	report_counters;

const struct report_view *const report_views[] = {
	&report_summary,
	&report_cpu,
	&report_topn,
	&report_threadtime,
	&report_tasks,
	&report_gc,
	&report_jit,
	&report_alloc,
	&report_exceptions,
	&report_contention,
	&report_threadpool,
	&report_requests,
	&report_loader,
	&report_eventstats,
	&report_processes,
	&report_threads,
	&report_modules,
	&report_counters,
	NULL,
};
/* clang-format on */

const struct report_view *report_view_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; report_views[i]; i++) {
		if (!strcasecmp(report_views[i]->name, name))
			return report_views[i];
		suggest_offer(&suggest, report_views[i]->name);
	}
	if (suggest.best)
		error_set(err, PP_ERROR_USAGE, "there is no view '%s'; did you mean %s?", name,
			  suggest.best);
	else
		error_set(err, PP_ERROR_USAGE,
			  "there is no view '%s'; perfpipe help report lists those there are",
			  name);
	return NULL;
}

static int read_percent(const char *text, double *percent, struct pp_error *err)
{
	char *end;

	errno = 0;
	*percent = strtod(text, &end);
	if (end == text || *end || errno || !(*percent >= 0 && *percent <= 100))
		return error_set(err, PP_ERROR_USAGE,
				 "--fold-percent takes a number from 0 to 100, not '%s'", text);
	return 0;
}

int report_query(const struct report_args *args, struct sample_query *samples,
		 struct call_query *calls, struct pp_error *err)
{
	*samples = (struct sample_query){
		.events = { .has_process = args->process != REPORT_NOT_SAID,
			    .has_thread = args->thread != REPORT_NOT_SAID,
			    .process_id = (int64_t)args->process,
			    .thread_id = (int64_t)args->thread,
			    .from_ns = INT64_MIN,
			    .to_ns = INT64_MAX },
		.activity = args->activity,
	};
	if (args->from && duration_parse(args->from, "from", &samples->events.from_ns, err))
		return -1;
	if (args->to && duration_parse(args->to, "to", &samples->events.to_ns, err))
		return -1;
	if (samples->events.from_ns >= samples->events.to_ns)
		return error_set(err, PP_ERROR_USAGE, "--from %s is not before --to %s", args->from,
				 args->to);

	if (args->fold_percent && read_percent(args->fold_percent, &calls->fold_percent, err))
		return -1;
	return grouping_parse(&calls->group, args->group, err) ||
			       pattern_list_parse(&calls->fold, args->fold, err) ||
			       pattern_list_parse(&calls->include, args->include, err) ||
			       pattern_list_parse(&calls->exclude, args->exclude, err)
		       ? -1
		       : 0;
}

static int read_query(struct report *report, struct pp_error *err)
{
	const struct report_args *args = report->args;

	report->over_ns = -1;
	if (args->over && duration_parse_positive(args->over, "over", &report->over_ns, err))
		return -1;
	if (args->json && args->csv)
		return error_set(err, PP_ERROR_USAGE, "--json and --csv exclude each other");
	return report_query(args, &report->samples, &report->calls, err);
}

static void show_progress(void *to, uint64_t done, uint64_t total)
{
	struct progress *progress = to;

	progress->total = total;
	progress_update(progress, done);
}

static int read_events(struct report *report, struct trace_file *file, struct pp_error *err)
{
	struct progress progress = { .what = "reading" };
	enum pp_next next;

	report->pass.progress = show_progress;
	report->pass.progress_to = &progress;
	next = pass_file(&report->pass, file, err);
	progress_end(&progress);
	if (next != PP_NEXT_END && !pp_nettrace_header(file->trace))
		return -1;
	pass_finish(&report->pass, file->trace);
	if (next == PP_NEXT_END)
		warn_if_cut(file);
	return next == PP_NEXT_END ? 0 : 1;
}

static struct fill *want_all(struct report *report)
{
	const bool marks = report->view->marks || report->args->wall;
	const bool activities = report->args->activity || report->view->tasks;
	const struct fill_options options = { .model = &report->model,
					      .marks = marks,
					      .tasks = marks,
					      .join_tasks = report->view->tasks,
					      .notes = report->args->wall,
					      .activities = marks || activities,
					      .sample_activities = activities,
					      .raw_names = report->args->raw_names,
					      .tiers = report->args->tiers };
	struct fill *fill = pass_want(&report->pass, &fill_analysis,
				      &(const struct analysis_setup){ .options = &options });

	if (report->view->analysis)
		report->analysis = pass_want(&report->pass, report->view->analysis, NULL);
	if (report->view->want)
		report->view->want(report);
	return fill;
}

int report_read(struct report *report, struct pp_error *err)
{
	struct pp_error never = { 0 };
	struct trace_file *file;
	struct fill *fill;
	int failed;

	if (read_query(report, err))
		return -1;
	if (report->view->fold && !report->args->fold)
		pattern_list_parse(&report->calls.fold, report->view->fold, &never);
	file = trace_file_open(report->path, NULL, err);
	if (!file)
		return -1;
	pass_init(&report->pass, &report->samples.events);
	fill = want_all(report);
	failed = read_events(report, file, err);
	trace_file_close(file);
	if (failed < 0)
		return -1;
	fill_build(fill);
	if (report->args->activity &&
	    !sample_query_find_activities(&report->samples, &report->model))
		return error_set(err, PP_ERROR_USAGE,
				 "the trace has no activity '%s'; perfpipe events shows their ids",
				 report->args->activity);
	return failed;
}

void report_release(struct report *report)
{
	pass_release(&report->pass);
	call_query_release(&report->calls);
	sample_query_release(&report->samples);
	model_release(&report->model);
	buffer_release(&report->text);
}

bool report_has_samples(const struct report *report)
{
	return samples_has_any(&report->model.samples);
}

bool report_always(const struct report *report)
{
	(void)report;
	return true;
}

size_t report_rows(const struct report *report, size_t default_for_people)
{
	if (report->args->rows != REPORT_ROWS_UNSET)
		return report->args->rows;
	return report->args->json || report->args->csv ? SIZE_MAX : default_for_people;
}

uint32_t report_process(const struct report *report)
{
	return sample_query_process(&report->samples, &report->model);
}

void report_calltree(struct report *report, struct calltree *tree, bool all)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	report->calls.by_process = report_process(report) == MODEL_NONE && model->process_count > 1;
	calltree_init(tree, model, &report->calls);
	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = sample_query_weight(&report->samples, model, &sample);

		if (ns >= 0 && !sample_is_event(&sample) && (all || sample_is_cpu(&sample)))
			calltree_add(tree, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
	calltree_finish(tree);
}
