/* SPDX-License-Identifier: MIT */
#include "export/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/alloc.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"

#include "analyze/thread_time.h"
#include "base/alloc.h"
#include "base/error.h"

#include "export/source.h"

static bool has_kind(const struct export_part *part, bool (*is)(const struct model_sample *))
{
	for (size_t i = 0; i < part->model.sample_count; i++)
		if (is(&part->model.samples[i]))
			return true;
	return false;
}

static bool is_sample(const struct model_sample *sample)
{
	return !sample_is_event(sample);
}

static bool is_kernel_sample(const struct model_sample *sample)
{
	return sample->kind == SAMPLE_CPU;
}

static bool has_cpu(const struct export_part *part)
{
	return has_kind(part, sample_is_cpu);
}

static bool has_samples(const struct export_part *part)
{
	return has_kind(part, is_sample);
}

static void weigh_cpu(const struct export_source *source, struct export_part *part)
{
	const struct sample_query *query = &source->samples;

	for (size_t i = 0; i < part->sample_count; i++) {
		struct model_sample *sample = &part->samples[i];
		const bool passes =
			sample_is_cpu(sample) && sample_query_passes(query, &part->model, sample);
		const int64_t weight = passes ? sample_query_weight(query, sample) : -1;

		sample->weight_ns = passes && weight < 0 ? 0 : weight;
	}
}

static void weigh_thread_time(const struct export_source *source, struct export_part *part)
{
	struct thread_time time = thread_time_of(&part->model, &source->samples, true);

	for (size_t i = 0; i < part->sample_count; i++)
		part->samples[i].weight_ns = time.weights[i];
	thread_time_release(&time);
}

static void *alloc_begin(void)
{
	struct alloc_stats *stats = xcalloc(1, sizeof(*stats));

	alloc_init(stats);
	return stats;
}

static void alloc_end(void *analysis)
{
	alloc_release(analysis);
	free(analysis);
}

/* Ticks are what everybody counts by; samples only where there are none, as in the report. */
static void alloc_event(struct export_source *source, struct export_told *told,
			const struct pp_event *event)
{
	struct export_part *part = source->parts[source->part_count - 1];
	struct alloc_stats *stats = told->analysis;
	const uint64_t before = stats->tables[ALLOC_TICKS].all.count;

	if (!alloc_takes(stats, event))
		return;
	alloc_add(stats, fill_header(part->fill), event, STACK_EMPTY);
	if (!stats->last.type || stats->last.source == ALLOC_OBJECTS ||
	    (stats->last.source == ALLOC_SAMPLES && stats->tables[ALLOC_TICKS].all.count))
		return;
	if (!before && stats->last.source == ALLOC_TICKS)
		told->count = 0;
	export_tell(source, told,
		    &(const struct export_tale){ .time_ns = export_time(part, event),
						 .weight = stats->last.bytes,
						 .place = export_place(source, event),
						 .leaf = stats->last.type->name });
}

static void *moments_begin(void)
{
	struct moments *moments = xcalloc(1, sizeof(*moments));

	*moments = (struct moments)MOMENTS_NONE;
	return moments;
}

static void moments_end(void *analysis)
{
	moments_release(analysis);
	free(analysis);
}

static void tell_moment(struct export_source *source, struct export_told *told,
			const struct moment *moment)
{
	export_tell(source, told,
		    &(const struct export_tale){
			    .time_ns = moment->start_ns,
			    .weight = moment->kind == MOMENT_WAIT ? moment->length_ns : 1,
			    .place = moment->place,
			    .leaf = moment->type });
}

static void moments_event(struct export_source *source, struct export_told *told,
			  const struct pp_event *event, enum moment_kind kind)
{
	struct export_part *part = source->parts[source->part_count - 1];
	struct moments *moments = told->analysis;

	if (moments_wants(moments, event)) {
		const struct moment_place place = export_place(source, event);

		if (moments_take(moments, fill_header(part->fill), event, &place) &&
		    moments->told.kind == kind)
			tell_moment(source, told, &moments->told);
	}
}

static void contention_event(struct export_source *source, struct export_told *told,
			     const struct pp_event *event)
{
	moments_event(source, told, event, MOMENT_WAIT);
}

/* As the report has it, who still waits does so until the end. */
static void contention_stop(struct export_source *source, struct export_told *told)
{
	const struct export_part *part = source->parts[source->part_count - 1];
	struct moments *moments = told->analysis;

	while (moments_unfinished(moments, part->model.last_ns))
		tell_moment(source, told, &moments->told);
}

static void exceptions_event(struct export_source *source, struct export_told *told,
			     const struct pp_event *event)
{
	moments_event(source, told, event, MOMENT_EXCEPTION);
}

const struct export_view export_views[EXPORT_VIEWS_MOST] = {
	{
		.name = "cpu",
		.missing = "no CPU samples",
		.remedy = "--profile dotnet-sampled-thread-time",
		.type = "cpu",
		.count = "samples",
		.available = has_cpu,
		.weigh = weigh_cpu,
	},
	{
		.name = "threadtime",
		.missing = "no samples",
		.remedy = "--profile dotnet-sampled-thread-time",
		.type = "wall",
		.count = "samples",
		.marks = true,
		.available = has_samples,
		.weigh = weigh_thread_time,
	},
	{
		.name = "alloc",
		.missing = "no allocations",
		.remedy = "--profile gc-verbose",
		.unit = EXPORT_BYTES,
		.type = "alloc_space",
		.count = "alloc_samples",
		.begin = alloc_begin,
		.event = alloc_event,
		.end = alloc_end,
	},
	{
		.name = "contention",
		.missing = "no waits for locks",
		.remedy = "--profile contention",
		.type = "delay",
		.count = "contentions",
		.fold = CONTENTION_FRAMES,

		.begin = moments_begin,
		.event = contention_event,
		.stop = contention_stop,

		.end = moments_end,
	},
	{
		.name = "exceptions",
		.missing = "no exceptions",
		.remedy = "--profile exceptions",
		.unit = EXPORT_COUNT,
		.type = "exceptions",
		.fold = EXCEPTION_FRAMES,
		.begin = moments_begin,
		.event = exceptions_event,
		.end = moments_end,
	},
	{ 0 },
};

const struct export_view *export_view_find(const char *name, struct pp_error *err)
{
	char names[80] = "";

	for (const struct export_view *view = export_views; view->name; view++) {
		const size_t used = strlen(names);

		if (!strcasecmp(view->name, name))
			return view;
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", view->name);
	}
	error_set(err, PP_ERROR_USAGE, "there is no view '%.40s' to convert; there are %s", name,
		  names);
	return NULL;
}

bool export_view_is_there(const struct export_view *view, const struct export_part *part)
{
	if (view->available)
		return view->available(part);
	return part->told[view - export_views].count > 0;
}

const struct export_view *export_view_for(const struct export_part *part)
{
	const struct export_view *cpu = &export_views[0];
	const struct export_view *thread_time = &export_views[1];

	if (has_samples(part))
		return has_kind(part, is_kernel_sample) ? cpu : thread_time;
	for (const struct export_view *view = export_views; view->name; view++)
		if (export_view_is_there(view, part))
			return view;
	return NULL;
}
