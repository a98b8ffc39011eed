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
	const char *name = event_kind_name(kind, &fill->scratch);
	const char *slash = strrchr(name, '/');
	const char *kept = strings_intern(&fill->model->strings, name,
					  slash ? (size_t)(slash - name) : strlen(name));

	arena_clear(&fill->scratch);
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

/* Remembers the activity around one that starts, for when it stops. */
static void enter_activity(struct fill *fill, const struct model_span *span)
{
	static const uint8_t none[16];
	uint32_t activity;

	if (!fill->options.sample_activities)
		return;
	activity = model_activity(fill->model, span->activity);
	fill->around = xroom(fill->around, &fill->around_count, activity, sizeof(*fill->around));
	fill->around[activity] = memcmp(span->parent, none, 16) != 0
					 ? model_activity(fill->model, span->parent) + 1
					 : 0;
}

/* The thread continues in the activity around it. */
static void leave_activity(struct fill *fill, const uint8_t id[static 16])
{
	uint32_t activity;

	if (fill->thread >= fill->current_count)
		return;
	activity = model_activity(fill->model, id);
	fill->current[fill->thread] = activity < fill->around_count ? fill->around[activity] : 0;
}

void fill_span_start(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_span span = { .thread = fill->thread, .start_ns = at->time_ns };

	if (!has_activity(at))
		return;
	span.name = span_name(fill, at->event->kind);
	span.provider = model_text(fill->model, at->event->kind->provider);
	memcpy(span.activity, at->event->labels->activity_id, 16);
	if (at->event->labels->present & PP_LABEL_RELATED)
		memcpy(span.parent, at->event->labels->related_activity_id, 16);
	enter_activity(fill, &span);
	span_list_start(&fill->model->spans, &span);
}

void fill_span_stop(void *self, const struct event_context *at)
{
	struct fill *fill = self;

	if (!has_activity(at))
		return;
	span_list_stop(&fill->model->spans, at->event->labels->activity_id, at->time_ns);
	leave_activity(fill, at->event->labels->activity_id);
}
