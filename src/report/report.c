/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "analyze/join_tasks.h"
#include "base/error.h"
#include "base/option_set.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/figure_text.h"
#include "report/thread_sites.h"
#include "report/report_files.h"
#include "report/time_steps.h"

struct report_tree {
	struct report_tree *next;
	struct calltree tree;
};

const struct option_spec view_process_options[] = {
	PROCESS_OPTIONS(struct view_args, query),
	OPTION_LAST,
};

const struct option_spec view_query_options[] = {
	QUERY_OPTIONS(struct view_args, query),
	OPTION_LAST,
};

void *report_default_args(const struct report_view *view, struct arena *arena)
{
	const size_t size = view->args_size ? view->args_size : sizeof(struct view_args);
	struct view_args *args = arena_alloc(arena, size);

	memset(args, 0, size);
	args->query = (struct query_args)QUERY_DEFAULTS;
	return args;
}

static void choose_fold(struct report *report, const struct view_args *args)
{
	struct pp_error never = { 0 };

	if (report->view->fold && !args->stacks.fold && !args->stacks.no_fold)
		pattern_list_parse(&report->calls.fold_frames, report->view->fold, &never);
}

/* Views without stacks need no names. */
static int read_symbols(struct report *report, const struct symbol_args *args, struct pp_error *err)
{
	if (!option_find(report->view->options, "symbols"))
		return 0;
	return symbol_args_read(args, &report->fill_options.symbols, err);
}

int report_open(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err)
{
	const struct view_args *common = args;

	*report = (struct report){ .view = view, .args = args, .setup = *setup, .err = err };
	report->samples.activity = common->stacks.activity;
	if (query_args_read(&common->query, &report->samples.events, err) ||
	    stack_args_read(&common->stacks, &report->calls, err))
		return -1;
	choose_fold(report, common);
	pass_init(&report->pass, &report->samples.events);
	report->fill_options = view->fill;
	report->fill_options.model = &report->model;
	report->fill_options.activities |= common->stacks.activity != NULL;
	report->fill_options.sample_activities |= common->stacks.activity != NULL;
	report->fill_options.raw_names = common->stacks.raw_names;
	report->fill_options.tiers = common->stacks.tiers;
	report->analyses = view->analyses;
	if (read_symbols(report, &common->stacks.symbols, err) ||
	    (view->prepare && view->prepare(report)))
		return -1;
	report->fill =
		pass_want(&report->pass, &fill_analysis,
			  &(const struct analysis_setup){ .options = &report->fill_options });
	for (size_t i = 0; report->analyses && report->analyses[i]; i++)
		pass_want(&report->pass, report->analyses[i], NULL);
	if (report->thread_sites)
		thread_sites_begin(report->thread_sites);
	return 0;
}

void report_drop_trees(struct report *report, const struct report_tree *until)
{
	while (report->trees && report->trees != until) {
		struct report_tree *tree = report->trees;

		report->trees = tree->next;
		calltree_release(&tree->tree);
	}
}

void report_close(struct report *report)
{
	report_drop_trees(report, NULL);
	pass_release(&report->pass);
	thread_sites_free(report->thread_sites);
	call_query_release(&report->calls);
	sample_query_release(&report->samples);
	if (report->fill)
		model_release(&report->model);
	arena_release(&report->arena);
}

#define ROW struct report_file

static const struct result_field file_fields[] = {
	FIELD(ROW, number, "number", "#", UNIT_ID),
	FIELD(ROW, start_ns, "start_ns", "Start", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, length_ns, "length_ns", "Length", UNIT_TIME),
	FIELD(ROW, events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT, .flags = SHOWN_IF_ANY),
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(ROW, process_name, "process_name", "Name", UNIT_TEXT),
	FIELD(ROW, complete, "complete", NULL, UNIT_FLAG),
	FIELD(ROW, error, "error", NULL, UNIT_TEXT),
	FIELD(ROW, name, "file", "File", UNIT_TEXT, .flags = PATH),
	FIELD_END,
};

#undef ROW
#define HEAD struct report_head

static const struct result_field head_fields[] = {
	FIELD(HEAD, file, "file", NULL, UNIT_TEXT),
	LIST(HEAD, files, "files", "", SHAPE(file_fields), .flags = OPTIONAL),
	FIELD(HEAD, process_id, "process_id", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(HEAD, process_name, "process_name", NULL, UNIT_TEXT),
	FIELD(HEAD, process_count, "processes", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE),
	FIELD(HEAD, losses.events, "events_lost", NULL, UNIT_COUNT),
	FIELD(HEAD, losses.events_at_least, "events_lost_at_least", NULL, UNIT_FLAG),
	FIELD(HEAD, lost, "lost", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(HEAD, losses.frames_unresolved, "frames_unresolved", NULL, UNIT_COUNT),
	FIELD(HEAD, losses.samples_unresolved, "samples_unresolved", NULL, UNIT_COUNT),
	FIELD(HEAD, losses.samples, "samples", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE),
	FIELD(HEAD, hint, "hint", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(HEAD, complete, "complete", NULL, UNIT_FLAG),
	FIELD(HEAD, losses.stopped_by, "stopped_by", NULL, UNIT_TEXT),
	FIELD(HEAD, end, "end", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line head_lines[] = {
	{ "Process", "{process_id}[  {process_name}]", NULL, false },
	{ "Processes", "{processes}", "processes", false },
	{ "Lost", "{lost}", NULL, true },
	{ "Unresolved",
	  "{frames_unresolved|frame|frames}[ without a name, in {samples_unresolved} of "
	  "{samples|sample|samples}]",
	  NULL, true },
	{ "", "{hint}", NULL, true },
	{ "Complete", "{end}", NULL, true },
	{ 0 },
};

static const struct result_shape head_shape = { head_fields, head_lines };

struct result_kind report_kind(const struct report_view *view, struct arena *arena)
{
	return (struct result_kind){ .name = arena_printf(arena, "report/%s", view->name),
				     .version = REPORT_SCHEMA_VERSION,
				     .summary = view->summary,
				     .head = &head_shape,
				     .shape = view->shape,
				     .may_be_missing = true,
				     .metrics = view->metrics };
}

static int find_activities(struct report *report, struct pp_error *err)
{
	if (!report->samples.activity ||
	    sample_query_find_activities(&report->samples, &report->model))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "the trace has no activity '%s'; perfpipe events shows their ids",
			 report->samples.activity);
}

static int check_process(const struct report *report, struct pp_error *err)
{
	const struct event_query *query = &report->samples.events;
	bool found = !report->model.process_count;

	for (size_t i = 0; i < report->model.process_count && !found; i++)
		found = event_query_asks_for(query, report->model.processes[i].id);
	if (found)
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "the trace has no process %lld; the view processes lists those it has",
			 (long long)query->process_id);
}

/* Names of native code are missing, and not for a few samples only. */
static bool lacks_symbols(const struct model_losses *losses)
{
	return losses->frames_unresolved_native * 2 > losses->frames_unresolved &&
	       losses->samples_unresolved * 50 > losses->samples;
}

/* As words for a shell. */
static const char *names_of_files(struct report *report)
{
	const struct report_setup *setup = &report->setup;
	const char *path = setup->path ? setup->path : setup->file;

	if (setup->operands)
		return setup->operands;
	return path ? shell_word(&report->arena, path) : "FILE";
}

static void set_head(struct report *report)
{
	const struct model_process *process =
		report->process == MODEL_NONE ? NULL : &report->model.processes[report->process];
	const struct model_losses *losses = &report->model.losses;

	report->head = (struct report_head){
		.file = report->setup.file,
		.files = report->files ? ROWS_OF(report->files->list, report->files->count)
				       : (struct result_rows){ 0 },
		.process_id = process ? process->id : -1,
		.process_name = process ? process->name : NULL,
		.process_count = process ? 0 : report->model.process_count,
		.losses = *losses,
		.complete = !losses->cut,
		.lost = losses_text(losses, &report->arena),
	};
	if (lacks_symbols(losses) && !report->view->explains_names)
		report->head.hint = report_text(report,
						"most of these are native code; perfpipe report "
						"%s symbols shows how to get names",
						names_of_files(report));
	else if (!lacks_symbols(losses) && losses->samples_unresolved * 2 > losses->samples)
		report->head.hint = "most names are missing: the trace was recorded without a "
				    "rundown, or its end is missing";
	if (losses->stopped_by)
		report->head.end = report_text(report, "no, stopped by %s", losses->stopped_by);
	else if (losses->cut)
		report->head.end = losses->damaged ? "no, the file is damaged"
						   : "no, the trace has no end mark";
}

/* What to say if there is no data: not every runtime can record everything. */
static void set_missing(struct report *report)
{
	const struct report_view *view = report->view;
	const bool native_aot = report->native_aot;

	report->result.missing = native_aot && view->native_aot ? view->native_aot : view->missing;
	report->result.remedy = native_aot && view->never_native_aot ? NULL : view->remedy;
}

/* Of several traces, one without samples is as much a part of the report as the others. */
static uint32_t process_of(const struct report *report)
{
	if (report->files && !report->samples.events.has_process && report->model.process_count > 1)
		return MODEL_NONE;
	return sample_query_process(&report->samples, &report->model);
}

int report_build(struct report *report, struct pp_error *err)
{
	const struct report_view *view = report->view;

	fill_build(report->fill);
	if (report->fill_options.sample_tasks)
		join_tasks(&report->model);
	if (!view->as_sampled)
		report->unmarked = !account_time(&report->model);
	report->native_aot = fill_is_native_aot(report->fill);
	report->cpu_measured = !view->as_sampled && cpu_was_measured(&report->model);
	if (check_process(report, err) || find_activities(report, err))
		return -1;
	report->process = process_of(report);
	report->calls.by_process =
		report->process == MODEL_NONE && !report->files && report->model.process_count > 1;
	set_head(report);
	report->kind = report_kind(view, &report->arena);
	report->result = (struct result){
		.kind = &report->kind,
		.title = view->summary,
		.file = report->setup.file,
		.by_process = report->process == MODEL_NONE,
		.head = &report->head,
	};
	set_missing(report);
	report->err = err;
	report->result.data = view->build(report);
	filters_note(report);
	return err->code ? -1 : 0;
}

size_t report_setup_rows(const struct report_setup *setup, size_t for_people)
{
	if (setup->rows != REPORT_ROWS_UNSET)
		return setup->rows;
	if (setup->brief)
		return for_people;
	return setup->most ? setup->most : SIZE_MAX;
}

size_t report_rows(const struct report *report, size_t for_people)
{
	return report_setup_rows(&report->setup, for_people);
}

struct result_rows report_first(const struct report *report, struct result_rows rows,
				size_t for_people)
{
	return result_rows_first(rows, report_rows(report, for_people));
}

double report_recorded_seconds(const struct report *report)
{
	const struct event_query *query = &report->samples.events;
	const int64_t from_ns = event_query_from(query, report->model.first_ns);
	const int64_t to_ns = event_query_to(query, report->model.recorded_ns);

	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

int64_t report_sample_ns(const struct report *report)
{
	const struct model *model = &report->model;
	double sum = 0;
	double squares = 0;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const double ns = (double)sample_query_weight(&report->samples, model, &sample);

		if (ns < 0 || !sample_is_cpu(&sample))
			continue;
		sum += ns;
		squares += ns * ns;
	}
	sample_walk_end(&walk);
	return sum > 0 ? ns_rounded(squares / sum) : 0;
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

double report_processors(const struct report *report, uint64_t cpu_ns)
{
	const struct event_query *query = &report->samples.events;
	const struct model *model = &report->model;
	int64_t from_ns = model->first_ns, to_ns = model->last_ns;

	for (size_t i = 0; i < model->process_count; i++)
		if (model->processes[i].measured) { /* all of them, and nearly at the same time */
			from_ns = model->processes[i].readings_from_ns;
			to_ns = model->processes[i].readings_to_ns;
		}
	from_ns = event_query_from(query, from_ns);
	to_ns = event_query_to(query, to_ns);
	return to_ns > from_ns ? (double)cpu_ns / (double)ns_between(from_ns, to_ns) : 0;
}

double report_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

const char *report_cpu_note(const struct report *report)
{
	if (report->cpu_measured && !samples_has_any(&report->model.samples))
		return report->native_aot ? "threads only: " REPORT_NO_SAMPLER
					  : "threads only: no samples were recorded; "
					    "perfpipe collect --profile "
					    "dotnet-sampled-thread-time adds methods";
	if (report->cpu_measured)
		return NULL;
	if (report->unmarked)
		return "this runtime's sampler does not say what is managed code; methods that are "
		       "known to wait count as waiting, all others as managed";
	return "CPU time was not recorded: a thread in managed code may have had no processor, "
	       "and one in native code may have used one; perfpipe collect records it";
}

struct calltree *report_new_tree(struct report *report)
{
	struct report_tree *tree = arena_new(&report->arena, struct report_tree);

	tree->next = report->trees;
	report->trees = tree;
	calltree_init(&tree->tree, &report->model, &report->calls);
	return &tree->tree;
}

const struct calltree *report_any_tree(const struct report *report)
{
	return report->trees ? &report->trees->tree : NULL;
}

/* What the stack is, if it is nothing but a label. */
static const char *label_of(const struct model *model, uint32_t stack)
{
	const struct stack_node *node = stack ? &model->stacks.nodes[stack] : NULL;

	return node && !node->parent ? model->frames[node->frame].name : "";
}

static void note_label(struct report *report, uint32_t stack, uint64_t ns)
{
	const char *name = label_of(&report->model, stack);

	if (*name != '[')
		return;
	if (!strcmp(name, LABEL_IDLE))
		report->idle_ns += ns;
	else if (!strcmp(name, LABEL_TRACING))
		report->tracing_ns += ns;
}

/* What recording cost is no change of the program. */
static bool is_left_out(const struct report *report, uint32_t stack)
{
	return report->setup.compares && !strcmp(label_of(&report->model, stack), LABEL_TRACING);
}

struct calltree *report_cpu_tree(struct report *report, struct time_steps *steps)
{
	const struct model *model = &report->model;
	struct calltree *tree = report_new_tree(report);
	struct sample_walk walk;
	struct model_sample sample;

	report->idle_ns = report->tracing_ns = 0;
	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = sample_query_weight(&report->samples, model, &sample);

		if (ns < 0 || !sample_is_cpu(&sample) || is_left_out(report, sample.stack) ||
		    !calltree_add(tree, &sample, (uint64_t)ns))
			continue;
		note_label(report, sample.stack, (uint64_t)ns);
		if (steps)
			time_steps_add(steps, 0, sample.time_ns, ns);
	}
	sample_walk_end(&walk);
	calltree_finish(tree);
	return tree;
}
