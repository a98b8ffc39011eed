/* SPDX-License-Identifier: MIT */
/*
 * Activities: from a start event to the stop event with the same activity id, and the activity
 * that each thread is in.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_name.h"
#include "clr/providers.h"
#include "fill/fill_rows.h"

uint32_t fill_current_activity(const struct fill *fill, uint32_t thread)
{
	return thread < fill->current_count && fill->current[thread] ? fill->current[thread] - 1
								     : MODEL_NONE;
}

/* "Request/Start" is called Request. */
static const char *span_name(struct fill *fill, const struct pp_kind *kind)
{
	struct arena scratch = { 0 };
	const char *name = event_kind_name(kind, &scratch);
	const char *slash = strrchr(name, '/');
	const char *kept = strings_intern(&fill->model->strings, name,
					  slash ? (size_t)(slash - name) : strlen(name));

	arena_release(&scratch);
	return kept;
}

static bool has_activity(const struct event_context *at)
{
	return at->event->labels && at->event->labels->present & PP_LABEL_ACTIVITY;
}

/*
 * The sampler's events are written by another thread. Any other event shows the activity of its
 * thread at that time, or that there is none.
 */
void fill_note_activity(struct fill *fill, const struct event_context *at)
{
	const struct pp_kind *kind = at->event->kind;
	uint32_t *current;

	if (!strcmp(kind->provider, SAMPLE_PROFILER_PROVIDER) ||
	    !strncmp(kind->provider, "Universal.", 10))
		return;
	fill->current =
		xroom(fill->current, &fill->current_count, fill->thread, sizeof(*fill->current));
	current = &fill->current[fill->thread];
	*current = 0;
	if (has_activity(at))
		*current = model_activity(fill->model, at->event->labels->activity_id) + 1;
}

/* The thread continues in the activity around it. */
static void leave_activity(struct fill *fill, const struct model_span *span)
{
	static const uint8_t none[16];

	if (fill->thread >= fill->current_count)
		return;
	fill->current[fill->thread] = 0;
	if (span && memcmp(span->parent, none, 16) != 0)
		fill->current[fill->thread] = model_activity(fill->model, span->parent) + 1;
}

/* The model keeps activities unless they are only items. */
static bool keeps_spans(const struct fill *fill)
{
	return !fill->setup.take || fill->options.sample_activities;
}

void fill_span_start(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_span span = {
		.name = span_name(fill, at->event->kind),
		.provider = model_text(fill->model, at->event->kind->provider),
		.thread = fill->thread,
		.start_ns = at->time_ns,
		.stop_ns = INT64_MIN,
	};

	if (!has_activity(at))
		return;
	memcpy(span.activity, at->event->labels->activity_id, 16);
	if (at->event->labels->present & PP_LABEL_RELATED)
		memcpy(span.parent, at->event->labels->related_activity_id, 16);
	if (fill->setup.take)
		setup_take(&fill->setup,
			   &(const struct fill_item){ .kind = FILL_ACTIVITY_START, .span = &span });
	if (!keeps_spans(fill))
		return;
	model_add_span(fill->model, &span);
	map_put(&fill->open_spans, hash_bytes(span.activity, 16),
		(void *)(uintptr_t)fill->model->span_count);
}

void fill_span_stop(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_span *span;
	const void *value;

	if (!has_activity(at))
		return;
	if (fill->setup.take)
		setup_take(&fill->setup, &(const struct fill_item){
						 .kind = FILL_ACTIVITY_STOP,
						 .activity = at->event->labels->activity_id,
						 .time_ns = at->time_ns,
					 });
	if (!keeps_spans(fill))
		return;
	value = map_find(&fill->open_spans, hash_bytes(at->event->labels->activity_id, 16));
	span = value ? &fill->model->spans[(uintptr_t)value - 1] : NULL;
	if (span && span->stop_ns == INT64_MIN)
		span->stop_ns = at->time_ns;
	leave_activity(fill, span);
}
