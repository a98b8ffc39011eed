/* SPDX-License-Identifier: MIT */
#include "export/view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "base/alloc.h"
#include "base/error.h"
#include "export/source.h"

#define ALL_KINDS UINT_MAX
#define CPU_KINDS (1u << SAMPLE_MANAGED | 1u << SAMPLE_CPU)

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
	struct moment_place place;

	if (!alloc_takes(stats, event))
		return;
	place = export_place(source, event);
	alloc_add(stats, fill_header(part->fill), event, place.stack);

	if (!stats->last.type || stats->last.source == ALLOC_OBJECTS ||
	    (stats->last.source == ALLOC_SAMPLES && stats->tables[ALLOC_TICKS].all.count))
		return;
	if (!before && stats->last.source == ALLOC_TICKS)
		export_untell(told);
	export_tell(source, told,
		    &(const struct export_tale){ .time_ns = export_time(part, event),
						 .weight = stats->last.bytes,
						 .place = place,
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
		.available = samples_has_cpu,
		.kinds = CPU_KINDS,
		.until = UNTIL_SAMPLE,
	},
	{
		.name = "threadtime",
		.missing = "no samples",
		.remedy = "--profile dotnet-sampled-thread-time",
		.type = "wall",
		.count = "samples",
		.marks = true,
		.available = samples_has_any,
		.kinds = ALL_KINDS,
		.until = UNTIL_EVENT,
	},
	{
		.name = "alloc",
		.missing = "no allocations",
		.remedy = "--profile gc-verbose",
		.unit = EXPORT_BYTES,
		.type = "alloc_space",
		.count = "alloc_samples",
		.kinds = ALL_KINDS,
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
		.kinds = ALL_KINDS,
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
		.kinds = ALL_KINDS,
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
		return view->available(&part->model.samples);
	return samples_count(&part->told[view - export_views].samples) > 0;
}

const struct export_view *export_view_for(const struct export_part *part)
{
	const struct export_view *cpu = &export_views[0];
	const struct export_view *thread_time = &export_views[1];

	if (samples_has_any(&part->model.samples))
		return part->model.samples.counts[SAMPLE_CPU] ? cpu : thread_time;
	for (const struct export_view *view = export_views; view->name; view++)
		if (export_view_is_there(view, part))
			return view;
	return NULL;
}
