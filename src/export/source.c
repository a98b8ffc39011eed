/* SPDX-License-Identifier: MIT */
#include "export/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "analyze/join_tasks.h"
#include "base/alloc.h"
#include "export/format.h"
#include "export/spans_kept.h"
#include "model/frame_text.h"

struct export_source *export_source_new(const struct export_query *query,
					const struct export_format *format)
{
	struct export_source *source = xcalloc(1, sizeof(*source));

	source->query = query;
	source->format = format;
	source->view = query->view;
	source->spool.budget = query->budget;
	source->strings.arena = &source->arena;
	return source;
}

static void free_part(struct export_part *part)
{
	pass_release(&part->pass);
	if (part->has_tree)
		calltree_release(&part->tree);
	for (size_t i = 0; i < EXPORT_VIEWS_MOST; i++)
		derived_samples_release(&part->derived[i]);
	export_awaits_release(&part->awaits);
	export_spans_free(part->spans);
	model_release(&part->model);
	xfree(part->processes);
	xfree(part->frames);
	xfree(part->leaves);
	sample_query_release(&part->query);
	xfree(part);
}

void export_source_free(struct export_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->part_count; i++)
		free_part(source->parts[i]);
	xfree(source->parts);
	xfree(source->frames);
	xfree(source->processes);
	xfree(source->threads);
	for (size_t i = 0; i < source->counter_count; i++)
		reel_release(&source->counters[i].points, &source->spool);
	xfree(source->counters);
	export_links_release(&source->links);
	strings_release(&source->strings);
	map_release(&source->frames_by_name);
	arena_release(&source->arena);
	pattern_list_release(&source->fold);
	spool_release(&source->spool);
	xfree(source);
}

/* The number of the frame with this full name, which is added if it is new. */
static uint32_t frame_number(struct export_source *source, const struct export_frame *frame)
{
	struct interned *known = intern_add(&source->frames_by_name, &source->arena, frame->full,
					    strlen(frame->full));
	struct export_frame *added;

	if (!known->value) {
		source->frames = xgrow(source->frames, source->frame_count, &source->frame_capacity,
				       sizeof(*source->frames));
		added = &source->frames[source->frame_count++];
		*added = *frame;
		added->full = known->bytes;
		added->plain = frame->plain ? frame->plain : known->bytes;
		added->name = frame->name ? frame->name : known->bytes;
		known->value = (void *)(uintptr_t)source->frame_count;
	}
	return (uint32_t)((uintptr_t)known->value - 1);
}

const char *export_title(const struct export_source *source)
{
	const char *name = source->parts[0]->name;
	const char *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

uint32_t export_source_label(struct export_source *source, const char *format, ...)
{
	struct arena arena = { 0 };
	uint32_t number;
	const char *text;
	va_list args;

	va_start(args, format);
	text = arena_vprintf(&arena, format, args);
	va_end(args);
	number = frame_number(source, &(const struct export_frame){ .full = text });
	arena_release(&arena);
	return number;
}

static uint32_t find_link(void *links, const struct event_context *at)
{
	return export_link_of(links, at->event);
}

/* Activities are only needed where spans are. */
static void want_model(struct export_source *source, struct export_part *part)
{
	const struct export_query *query = source->query;
	const bool marks = source->view ? source->view->marks : !query->flames;
	const struct fill_options options = {
		.model = &part->model,
		.spool = &source->spool,
		.marks = marks,
		.tasks = marks,
		.sample_tasks = marks,
		.activities = (marks && part->spans) || query->samples.activity,
		.sample_activities = query->samples.activity,
		.raw_names = query->raw_names,
		.tiers = query->tiers,
		.symbols = query->symbols,
	};

	part->fill = pass_want(&part->pass, &fill_analysis,
			       &(const struct analysis_setup){ .options = &options });
}

static void want_derived(struct export_source *source, struct export_part *part)
{
	for (size_t i = 0; export_views[i].name; i++) {
		const struct export_view *view = &export_views[i];
		struct derived_samples *derived = &part->derived[i];

		derived->samples.shared = &source->spool;
		derived->fill = part->fill;
		string_table_init(&derived->leaves);
		if (view->analysis && (!source->view || source->view == view))
			pass_want(&part->pass, view->analysis,
				  &(const struct analysis_setup){ .take = view->take,
								  .to = derived });
	}
}

struct pass *export_source_begin(struct export_source *source, const char *name)
{
	struct export_part *part = xcalloc(1, sizeof(*part));

	source->parts = xgrow(source->parts, source->part_count, &source->part_capacity,
			      sizeof(*source->parts));
	source->parts[source->part_count++] = part;
	part->name = name;
	part->awaits.samples.shared = &source->spool;
	pass_init(&part->pass, NULL);
	if (source->format->spans)
		part->spans = export_spans_new(source);
	if (source->format->details)
		part->pass.links =
			(struct pass_links){ .find = find_link, .object = &source->links };
	want_model(source, part);
	want_derived(source, part);
	if (part->spans)
		export_spans_want(part->spans, &part->pass);
	return &part->pass;
}

/* `view` is NULL if none was asked for. */
static int lacks(const struct export_part *part, const struct export_view *view,
		 struct pp_error *err)
{
	const struct export_view *other = export_view_for(part);

	if (!view)
		return error_set(err, PP_ERROR_FORMAT,
				 "%s has no samples, allocations, lock contention or exceptions; "
				 "record samples with perfpipe collect -p PID %s",
				 part->name, export_views[0].remedy);
	if (other)
		return error_set(err, PP_ERROR_FORMAT, "%s has %s; try --view %s", part->name,
				 view->missing, other->name);
	return error_set(err, PP_ERROR_FORMAT, "%s has %s; record with perfpipe collect -p PID %s",
			 part->name, view->missing, view->remedy);
}

static void choose_samples(struct export_source *source, struct export_part *part)
{
	struct derived_samples *derived = &part->derived[source->view - export_views];

	/* events that prove a thread to run do so only among samples */
	if (source->view->available && export_view_is_available(source->view, part)) {
		part->samples = &part->model.samples;
		return;
	}
	samples_sort(&derived->samples);
	derived->samples.stacks_now = part->model.renumbered;
	part->samples = &derived->samples;
	part->leaves = xcalloc(derived->leaves.count + 1, sizeof(*part->leaves));
	for (size_t i = 1; i < derived->leaves.count; i++)
		part->leaves[i] = export_source_label(source, "%s", derived->leaves.list[i]);
}

static bool changes_frames(const struct call_query *calls)
{
	return calls->group.patterns.count || calls->fold.count || calls->include.count ||
	       calls->exclude.count || calls->fold_percent > 0;
}

static void add_awaits(struct calltree *tree, const struct export_part *part)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &part->awaits.samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		calltree_add_time(tree, &sample, (uint64_t)sample.weight);
	sample_walk_end(&walk);
}

/* A label is not code, so it has no module. */
static const char *module_or_none(const char *module)
{
	return module && *module ? module : NULL;
}

static const char *keep_text(struct export_source *source, const struct buffer *text)
{
	return strings_intern(&source->strings, (const char *)text->bytes, text->size);
}

/* What tells its lines apart, and inlined calls from others. */
static void set_place(struct export_source *source, struct export_frame *to,
		      const struct model_frame *from)
{
	struct model_frame nowhere = *from;
	struct buffer text = { 0 };

	if (!from->line && !from->inlined && !from->of_module)
		return;
	nowhere.line = 0;
	frame_put_full(&text, from->module, &nowhere);
	to->plain = keep_text(source, &text);
	buffer_rewind(&text, 0);
	frame_put_name(&text, from);
	to->name = from->of_module ? to->plain : keep_text(source, &text);
	to->file = from->line ? from->file : NULL;
	to->line = from->file ? from->line : 0;
	to->inlined = from->inlined;
	buffer_release(&text);
}

/* The part's frame for a name of its tree. */
static uint32_t number_of_name(struct export_source *source, const struct export_part *part,
			       const struct call_name *name)
{
	struct export_frame frame = { .full = name->full,
				      .name = name->name,
				      .space = export_frame_space(&part->model, name->frame),
				      .module = module_or_none(name->module) };

	if (name->frame != MODEL_NONE)
		set_place(source, &frame, &part->model.frames[name->frame]);
	return frame_number(source, &frame);
}

static void group_frames(struct export_source *source, struct export_part *part)
{
	struct calltree *tree = &part->tree;
	struct sample_walk walk;
	struct model_sample sample;
	uint32_t node;

	calltree_init(tree, &part->model, &source->calls);
	part->has_tree = true;
	sample_walk_begin(&walk, part->samples, source->view->until);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t weight = export_weigh(part, source->view, &sample, &node);

		if (weight >= 0)
			calltree_add(tree, &sample, (uint64_t)weight);
	}
	sample_walk_end(&walk);
	add_awaits(tree, part);
	calltree_finish(tree);
	part->frames = xcalloc(tree->name_count + 1, sizeof(*part->frames));
	for (size_t i = 0; i < tree->name_count; i++)
		part->frames[i] = number_of_name(source, part, &tree->names[i]);
	part->stacks = (struct export_stacks){ .nodes = tree->nodes.nodes,
					       .count = tree->nodes.count,
					       .frames = part->frames };
}

static void take_frames(struct export_source *source, struct export_part *part)
{
	const struct model *model = &part->model;
	struct buffer text = { 0 };

	part->frames = xcalloc(model->frame_count + 1, sizeof(*part->frames));
	for (size_t i = 0; i < model->frame_count; i++) {
		const struct model_frame *from = &model->frames[i];
		struct export_frame frame = { .full = export_full_name(&text, from),
					      .name = from->name,
					      .space = export_frame_space(model, (uint32_t)i),
					      .module = module_or_none(from->module) };

		set_place(source, &frame, from);
		part->frames[i] = frame_number(source, &frame);
	}
	buffer_release(&text);
	part->stacks = (struct export_stacks){ .nodes = model->stacks.nodes,
					       .count = model->stacks.count,
					       .frames = part->frames };
}

/* As the report of the view folds, unless --fold is given. */
static void choose_fold(struct export_source *source)
{
	struct pp_error never = { 0 };

	source->calls = source->query->calls;
	if (source->query->folds || !source->view->fold)
		return;
	if (!source->fold.count)
		pattern_list_parse(&source->fold, source->view->fold, &never);
	source->calls.fold = source->fold;
}

/* The current part has something for a timeline, and no view was asked for. */
static bool has_spans(const struct export_source *source)
{
	const uint32_t number = (uint32_t)source->part_count - 1;
	bool any = source->parts[number]->spans && source->parts[number]->spans->kept.count;

	for (size_t i = 0; i < source->counter_count && !any; i++)
		any = source->counters[i].part == number;
	return any && !source->query->view;
}

/* Tasks first, since stacks that say what time was used for are not code of a task. */
static void weigh_samples(const struct export_source *source, struct export_part *part)
{
	if (source->view && source->view->marks)
		join_tasks(&part->model);
	if (!source->query->as_sampled)
		account_time(&part->model);
}

static int choose_view(struct export_source *source, struct export_part *part, struct pp_error *err)
{
	if (!source->view)
		source->view = source->query->flames ? export_view_for_flames(part)
						     : export_view_for(part);
	weigh_samples(source, part);
	if (source->view && export_view_is_available(source->view, part))
		return 0;
	if (!has_spans(source))
		return lacks(part, source->view, err);
	if (!source->view)
		source->view = &export_views[0];
	return 0;
}

/* Once its model is complete: chooses its view, samples and frames. */
static int take_part(struct export_source *source, struct export_part *part, struct pp_error *err)
{
	if (choose_view(source, part, err))
		return -1;

	part->query = source->query->samples;
	if (part->query.activity && !sample_query_find_activities(&part->query, &part->model))
		return error_set(err, PP_ERROR_USAGE,
				 "%s has no activity '%s'; perfpipe events shows their ids",
				 part->name, part->query.activity);
	choose_samples(source, part);
	if (source->view->marks)
		export_awaits_take(part);
	choose_fold(source);
	if (changes_frames(&source->calls))
		group_frames(source, part);
	else
		take_frames(source, part);
	if (source->format->details)
		export_describe_frames(source, part);
	return 0;
}

void export_source_stop(struct export_source *source, const struct pp_nettrace *trace)
{
	struct export_part *part = source->parts[source->part_count - 1];

	if (trace && part->pass.tally.events)
		part->start_unix_ns = pp_nettrace_header(trace)->start_ns;
	pass_finish(&part->pass, trace);
}

int export_source_end(struct export_source *source, struct pp_error *err)
{
	struct export_part *part = source->parts[source->part_count - 1];

	fill_build(part->fill);
	if (part->spans)
		export_spans_end(part->spans);
	pass_release(&part->pass);
	part->fill = NULL;
	return take_part(source, part, err);
}
