/* SPDX-License-Identifier: MIT */
/*
 * An activity begins with an event and ends with another, of the same id, maybe much later. Both
 * are kept, sorted by id, so that they meet at the end, however many are open at a time.
 */
#include <string.h>

#include "export/spans_kept.h"

struct half_span {
	uint8_t activity[16];
	uint64_t order; /* in which they came */
	int64_t time_ns;
	const char *name; /* NULL: a stop */
	const char *provider;
	uint32_t thread;
};

static int by_activity(const void *left, const void *right)
{
	const struct half_span *a = left;
	const struct half_span *b = right;
	const int order = memcmp(a->activity, b->activity, sizeof(a->activity));

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

void spans_init_halves(struct export_spans *spans)
{
	spans->halves.size = sizeof(struct half_span);
	spans->halves.compare = by_activity;
}

static void add(struct export_spans *spans, const uint8_t activity[static 16],
		struct half_span half)
{
	memcpy(half.activity, activity, sizeof(half.activity));
	half.order = spans->order++;
	external_sort_add(&spans->halves, &half);
}

void spans_take_start(struct export_spans *spans, const struct model_span *span)
{
	spans_meet(&spans->acting, spans->part->model.threads[span->thread].process);
	add(spans, span->activity,
	    (struct half_span){ .time_ns = span->start_ns,
				.name = span->name,
				.provider = span->provider,
				.thread = span->thread });
}

void spans_take_stop(struct export_spans *spans, const uint8_t activity[static 16], int64_t time_ns)
{
	add(spans, activity, (struct half_span){ .time_ns = time_ns });
}

/* From a start to its stop, or NULL. */
static void keep(struct export_spans *spans, const struct half_span *start,
		 const struct half_span *stop)
{
	struct kept_span span = {
		.kind = EXPORT_ACTIVITY,
		.who = start->thread,
		.order = start->order,
		.start_ns = start->time_ns,
		.end_ns = stop ? stop->time_ns : spans->part->model.last_ns,
		.unfinished = !stop,
		.other = { .name = start->name, .text = start->provider },
	};

	memcpy(span.other.activity, start->activity, sizeof(span.other.activity));
	spans_keep(spans, &span);
}

static bool is_end_of(const struct half_span *start, const struct half_span *half)
{
	return !half->name && !memcmp(start->activity, half->activity, sizeof(start->activity));
}

/* A stop ends the start just before it; one that another start follows has no end. */
void spans_join_halves(struct export_spans *spans)
{
	struct external_sort_reader reader = { .sorted = &spans->halves };
	struct half_span start = { 0 };
	const struct half_span *half;

	external_sort_seal(&spans->halves);
	while ((half = external_sort_next(&reader))) {
		if (start.name)
			keep(spans, &start, is_end_of(&start, half) ? half : NULL);
		start = *half;
	}
	if (start.name)
		keep(spans, &start, NULL);
	external_sort_reader_release(&reader);
}
