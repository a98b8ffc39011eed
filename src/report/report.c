/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/time_steps.h"
#include "base/text.h"

struct report_tree {
	struct report_tree *next;
	struct calltree tree;
};

static void choose_fold(struct report *report, const struct view_args *args)
{
	struct pp_error never = { 0 };

	if (report->view->fold && !args->stacks.fold)
		pattern_list_parse(&report->calls.fold, report->view->fold, &never);
}

int report_open(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err)
{
	const struct view_args *common = args;

	*report = (struct report){ .view = view, .args = args, .setup = *setup };
	report->samples.activity = common->stacks.activity;
	if (query_args_read(&common->query, &report->samples.events, err) ||
	    stack_args_read(&common->stacks, &report->calls, err))
		return -1;
	choose_fold(report, common);
	pass_init(&report->pass, &report->samples.events);
	report->fill_options = (struct fill_options){
		.model = &report->model,
		.activities = common->stacks.activity,
		.sample_activities = common->stacks.activity,
		.raw_names = common->stacks.raw_names,
		.tiers = common->stacks.tiers,
	};
	if (view->prepare && view->prepare(report, err))
		return -1;
	report->fill =
		pass_want(&report->pass, &fill_analysis,
			  &(const struct analysis_setup){ .options = &report->fill_options });
	for (size_t i = 0; view->analyses && view->analyses[i]; i++)
		pass_want(&report->pass, view->analyses[i], NULL);
	return 0;
}

void report_close(struct report *report)
{
	while (report->trees) {
		struct report_tree *tree = report->trees;

		report->trees = tree->next;
		calltree_release(&tree->tree);
	}
	pass_release(&report->pass);
	call_query_release(&report->calls);
	sample_query_release(&report->samples);
	if (report->fill)
		model_release(&report->model);
	arena_release(&report->arena);
}

static bool has_process(const void *row)
{
	const struct report_head *head = row;

	return head->process && head->process->id >= 0;
}

static void get_process_id(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->number = ((const struct report_head *)row)->process->id;
}

static void get_process_name(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->text = ((const struct report_head *)row)->process->name;
	value->known = value->text != NULL;
}

static bool has_several_processes(const void *row)
{
	return !((const struct report_head *)row)->process;
}

static void get_processes(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->count = ((const struct report_head *)row)->model->process_count;
}

static void get_losses(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->object = &((const struct report_head *)row)->model->losses;
}

static void get_complete(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->flag = !((const struct report_head *)row)->model->losses.cut;
}

static bool is_cut(const void *row)
{
	return ((const struct report_head *)row)->model->losses.cut;
}

static void get_stopped_by(const void *row, struct result_value *value, struct arena *arena)
{
	(void)arena;
	value->text = ((const struct report_head *)row)->model->losses.stopped_by;
	value->known = value->text != NULL;
}

static void get_end(const void *row, struct result_value *value, struct arena *arena)
{
	const char *by = ((const struct report_head *)row)->model->losses.stopped_by;
	const size_t size = by ? strlen(by) + 32 : 0;
	char *text = by ? arena_alloc(arena, size) : NULL;

	if (by)
		snprintf(text, size, "no, stopped by %s", by);
	value->text = by ? text : "no, the trace ends without its end mark";
}

/* How many samples are among the events that were lost cannot be known. */
static bool lost_none(const void *row)
{
	return !((const struct model_losses *)row)->events;
}

static void get_zero(const void *row, struct result_value *value, struct arena *arena)
{
	(void)row;
	(void)arena;
	value->count = 0;
}

static const struct result_field lost_fields[] = {
	FIELD(struct model_losses, events, "events", NULL, UNIT_COUNT),
	COMPUTED("samples", NULL, UNIT_COUNT, .known = lost_none, .get = get_zero),
	FIELD_END,
};
static const struct result_shape lost_shape = { lost_fields, NULL };

static bool most_are_unresolved(const void *row)
{
	const struct model_losses *losses = row;

	return losses->samples && losses->samples_unresolved * 2 > losses->samples;
}

static void get_hint(const void *row, struct result_value *value, struct arena *arena)
{
	(void)row;
	(void)arena;
	value->text = "most names are missing: was it recorded without a rundown, or is the end of "
		      "the trace missing?";
}

static const struct result_field unresolved_fields[] = {
	FIELD(struct model_losses, frames_unresolved, "frames", NULL, UNIT_COUNT),
	FIELD(struct model_losses, samples_unresolved, "samples", NULL, UNIT_COUNT),
	FIELD(struct model_losses, samples, "of", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE),
	COMPUTED("hint", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE, .known = most_are_unresolved,
		 .get = get_hint),
	FIELD_END,
};
static const struct result_shape unresolved_shape = { unresolved_fields, NULL };

static const struct result_field head_fields[] = {
	FIELD(struct report_head, file, "file", NULL, UNIT_TEXT),
	COMPUTED("process_id", NULL, UNIT_ID, .known = has_process, .get = get_process_id),
	COMPUTED("process_name", NULL, UNIT_TEXT, .known = has_process, .get = get_process_name),
	COMPUTED("processes", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE,
		 .known = has_several_processes, .get = get_processes),
	COMPUTED("lost", NULL, UNIT_OBJECT, .shape = &lost_shape, .get = get_losses),
	COMPUTED("unresolved", NULL, UNIT_OBJECT, .shape = &unresolved_shape, .get = get_losses),
	COMPUTED("complete", NULL, UNIT_FLAG, .get = get_complete),
	COMPUTED("stopped_by", NULL, UNIT_TEXT, .get = get_stopped_by),
	COMPUTED("end", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE, .known = is_cut, .get = get_end),
	FIELD_END,
};

static const struct result_line head_lines[] = {
	{ "Process", "{process_id}[  {process_name}]", NULL, false },
	{ "Processes", "{processes}", NULL, false },
	{ "Lost", "{lost.events|event|events}", NULL, true },
	{ "Unresolved",
	  "{unresolved.frames|frame|frames}[ without a name, in {unresolved.samples} of "
	  "{unresolved.of} samples]",
	  NULL, true },
	{ "", "{unresolved.hint}", NULL, true },
	{ "Complete", "{end}", NULL, true },
	{ 0 },
};

const struct result_shape report_head_shape = { head_fields, head_lines };

static int find_activities(struct report *report, struct pp_error *err)
{
	if (!report->samples.activity ||
	    sample_query_find_activities(&report->samples, &report->model))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "the trace has no activity '%s'; perfpipe events shows their ids",
			 report->samples.activity);
}

int report_build(struct report *report, struct pp_error *err)
{
	const struct report_view *view = report->view;

	fill_build(report->fill);
	if (find_activities(report, err))
		return -1;
	report->process = sample_query_process(&report->samples, &report->model);
	report->calls.by_process = report->process == MODEL_NONE && report->model.process_count > 1;
	report->head = (struct report_head){
		.model = &report->model,
		.process = report->process == MODEL_NONE
				   ? NULL
				   : &report->model.processes[report->process],
		.file = report->setup.file,
	};
	report->result = (struct result){
		.name = report_text(report, "report/%s", view->name),
		.version = REPORT_SCHEMA_VERSION,
		.title = view->summary,
		.file = report->setup.file,
		.by_process = report->process == MODEL_NONE,
		.head = &report_head_shape,
		.head_data = &report->head,
		.shape = view->shape,
		.missing = view->missing,
		.remedy = view->remedy,
	};
	report->result.data = view->build(report, err);
	return err->code ? -1 : 0;
}

size_t report_rows(const struct report *report, size_t for_people)
{
	if (report->setup.rows != REPORT_ROWS_UNSET)
		return report->setup.rows;
	if (report->setup.brief)
		return for_people;
	return report->setup.most ? report->setup.most : SIZE_MAX;
}

double report_seconds(const struct report *report)
{
	return (double)sample_query_length_ns(&report->samples, &report->model) / 1e9;
}

double report_per_second(const struct report *report, uint64_t count)
{
	const double seconds = report_seconds(report);

	return seconds > 0 ? (double)count / seconds : 0;
}

double report_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

struct calltree *report_new_tree(struct report *report)
{
	struct report_tree *tree = arena_new(&report->arena, struct report_tree);

	tree->next = report->trees;
	report->trees = tree;
	calltree_init(&tree->tree, &report->model, &report->calls);
	return &tree->tree;
}

struct calltree *report_cpu_tree(struct report *report, struct time_steps *steps)
{
	const struct model *model = &report->model;
	struct calltree *tree = report_new_tree(report);
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = sample_query_weight(&report->samples, model, &sample);

		if (ns >= 0 && sample_is_cpu(&sample) &&
		    calltree_add(tree, &sample, (uint64_t)ns) && steps)
			time_steps_add(steps, 0, sample.time_ns, ns);
	}
	sample_walk_end(&walk);
	calltree_finish(tree);
	return tree;
}

const char *report_text(struct report *report, const char *format, ...)
{
	va_list args;
	va_list again;
	char *text;
	int size;

	va_start(args, format);
	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, args);
	text = arena_alloc(&report->arena, (size_t)(size > 0 ? size : 0) + 1);
	if (size > 0)
		vsnprintf(text, (size_t)size + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}
