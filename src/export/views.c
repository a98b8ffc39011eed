/* SPDX-License-Identifier: MIT */
#include "export/view.h"

#include <limits.h>
#include <strings.h>

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "base/suggest.h"
#include "export/source.h"
#include "fill/fill.h"

#define ALL_KINDS UINT_MAX
#define CPU_KINDS (1u << SAMPLE_MANAGED | 1u << SAMPLE_CPU)
#define SAMPLED	  (ALL_KINDS & ~(1u << SAMPLE_MARK | 1u << SAMPLE_NOTE))

/* After the end of those with names: nobody can ask for it. */
#define OF_FLAMES (EXPORT_VIEWS_MOST - 1)

#define WEIGHT_MOST (UINT64_C(1) << 60) /* of one sample, in any unit: sums must fit, too */

const char *const export_unit_names[] = {
	[EXPORT_NANOSECONDS] = "nanoseconds",
	[EXPORT_BYTES] = "bytes",
	[EXPORT_COUNT] = "count",
};

struct derived_sample {
	int64_t time_ns;
	uint64_t weight; /* nanoseconds, bytes or a count */
	const struct pp_thread *thread;
	struct recorded_stack stack;
	uint32_t link;
	const char *leaf; /* or NULL */
};

static void add_sample(struct derived_samples *derived, const struct derived_sample *sample)
{
	samples_add_recorded(
		&derived->samples, sample->stack,
		&(struct model_sample){
			.time_ns = sample->time_ns,
			.weight = (int64_t)(sample->weight < WEIGHT_MOST ? sample->weight
									 : WEIGHT_MOST),
			.thread = fill_thread(derived->fill, sample->thread),
			.leaf = string_table_number(&derived->leaves, sample->leaf),
			.link = sample->link,
			.kind = SAMPLE_NOTE,
		});
}

void derived_samples_release(struct derived_samples *derived)
{
	samples_release(&derived->samples);
	string_table_release(&derived->leaves);
}

/* Ticks count, as in the report; samples only where there are none. */
static void take_allocation(void *to, const void *data)
{
	const struct alloc_item *item = data;
	struct derived_samples *derived = to;

	if (item->source == ALLOC_OBJECTS || (item->source == ALLOC_SAMPLES && derived->from_ticks))
		return;
	if (item->first && item->source == ALLOC_TICKS) {
		derived->from_ticks = true;
		derived_samples_release(derived);
		string_table_init(&derived->leaves);
	}
	add_sample(derived, &(const struct derived_sample){ .time_ns = item->at->time_ns,
							    .weight = item->bytes,
							    .thread = item->at->event->thread,
							    .stack = event_stack(item->at),
							    .link = event_link(item->at),
							    .leaf = item->type->name });
}

static void take_wait(void *to, const void *data)
{
	const struct contention_wait *wait = data;

	if (wait->kind == CONTENTION_LOCKS)
		add_sample(to, &(const struct derived_sample){ .time_ns = wait->start_ns,
							       .weight = wait->length_ns,
							       .thread = wait->thread,
							       .stack = wait->stack,
							       .link = wait->link });
}

static void take_exception(void *to, const void *data)
{
	const struct exception_thrown *thrown = data;

	add_sample(to, &(const struct derived_sample){ .time_ns = thrown->time_ns,
						       .weight = 1,
						       .thread = thrown->thread,
						       .stack = thrown->stack,
						       .link = thrown->link,
						       .leaf = thrown->type });
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
		.states = true,
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
		.analysis = &alloc_analysis,
		.take = take_allocation,
	},
	{
		.name = "contention",
		.missing = "no lock contention",
		.remedy = "--profile contention",
		.type = "delay",
		.count = "contentions",
		.fold = CONTENTION_FRAMES,
		.kinds = ALL_KINDS,
		.analysis = &contention_analysis,
		.take = take_wait,
	},
	{
		.name = "exceptions",
		.missing = "no exceptions",
		.remedy = "--profile exceptions",
		.unit = EXPORT_COUNT,
		.type = "exceptions",
		.fold = EXCEPTION_FRAMES,
		.kinds = ALL_KINDS,
		.analysis = &exception_analysis,
		.take = take_exception,
	},
	{ 0 },
	/* CPU time is the same as in the view cpu, and waiting is there to be chosen. */
	[OF_FLAMES] = {
		.name = "cpu",
		.missing = "no samples",
		.remedy = "--profile dotnet-sampled-thread-time",
		.type = "wall",
		.count = "samples",
		.states = true,
		.available = samples_has_any,
		.kinds = SAMPLED,
		.until = UNTIL_SAMPLE,
	},
};

const struct export_view *export_view_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (const struct export_view *view = export_views; view->name; view++) {
		if (!strcasecmp(view->name, name))
			return view;
		suggest_offer(&suggest, view->name);
	}
	suggest_error(&suggest, "view", "use cpu, threadtime, alloc, contention or exceptions",
		      err);
	return NULL;
}

bool export_view_is_available(const struct export_view *view, const struct export_part *part)
{
	if (view->available)
		return view->available(&part->model.samples);
	return samples_count(&part->derived[view - export_views].samples) > 0;
}

const struct export_view *export_view_for_flames(const struct export_part *part)
{
	return samples_has_any(&part->model.samples) ? &export_views[OF_FLAMES]
						     : export_view_for(part);
}

const struct export_view *export_view_for(const struct export_part *part)
{
	const struct export_view *cpu = &export_views[0];
	const struct export_view *thread_time = &export_views[1];

	if (samples_has_any(&part->model.samples))
		return part->model.samples.counts[SAMPLE_CPU] &&
				       !samples_count(&part->model.readings)
			       ? cpu
			       : thread_time;
	for (const struct export_view *view = export_views; view->name; view++)
		if (export_view_is_available(view, part))
			return view;
	return NULL;
}
