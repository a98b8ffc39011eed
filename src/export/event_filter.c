/* SPDX-License-Identifier: MIT */
#include "export/event_filter.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_PASSES,
	VERDICT_FAILS,
};

void event_filter_release(struct event_filter *filter)
{
	where_free(filter->where);
	payload_values_release(&filter->values);
	event_names_release(&filter->names);
	xfree(filter->kinds);
}

bool event_pattern_matches(const char *pattern, const char *text)
{
	return !pattern || !fnmatch(pattern, text, FNM_CASEFOLD | FNM_NOESCAPE);
}

/* A level of 0 means that the event is always written, so it always matters. */
static bool level_passes(const struct event_filter *filter, const struct pp_event *event)
{
	return !filter->has_level || event_level(event) <= filter->level;
}

static bool kind_passes(struct event_filter *filter, struct event_output *output,
			const struct pp_event *event)
{
	const bool passes = event_pattern_matches(filter->provider, event->kind->provider) &&
			    event_pattern_matches(filter->name, event_name(output, event)) &&
			    (!filter->has_id || event->kind->id == filter->id) &&
			    level_passes(filter, event) &&
			    (!filter->keywords || event_keywords(event) & filter->keywords);

	event_names_add(&filter->names, event->kind, event_name(output, event), passes);
	return passes;
}

static char *verdict_on(struct event_filter *filter, const struct pp_kind *kind)
{
	filter->kinds = xroom(filter->kinds, &filter->kind_count, kind->index, 1);
	return &filter->kinds[kind->index];
}

static bool kind_passes_cached(struct event_filter *filter, struct event_output *output,
			       const struct pp_event *event)
{
	char *verdict = verdict_on(filter, event->kind);

	/* labels override the kind */
	if (event_has_label(event, PP_LABEL_OPCODE | PP_LABEL_KEYWORDS | PP_LABEL_LEVEL))
		return kind_passes(filter, output, event);
	if (*verdict == VERDICT_UNKNOWN)
		*verdict = kind_passes(filter, output, event) ? VERDICT_PASSES : VERDICT_FAILS;
	return *verdict == VERDICT_PASSES;
}

static bool payload_passes(struct event_filter *filter, struct event_output *output,
			   const struct pp_event *event)
{
	payload_values_read(&filter->values, plans_for(&output->plans, event->kind), event,
			    output->header->pointer_size);
	where_set_event(filter->where, event->kind->provider, event_name(output, event));
	return where_matches(filter->where, filter->values.list, filter->values.count);
}

bool event_filter_passes(struct event_filter *filter, struct event_output *output,
			 const struct event_context *at)
{
	filter->asked++;
	if (!kind_passes_cached(filter, output, at->event) || !at->wanted ||
	    (filter->where && !payload_passes(filter, output, at->event)))
		return false;
	filter->passed++;
	return true;
}

int event_filter_check(const struct event_filter *filter, struct pp_error *err)
{
	if (!filter->asked || filter->passed)
		return 0;
	return error_set(err, PP_ERROR_USAGE, "no event is left after filtering");
}
