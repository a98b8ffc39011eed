/* SPDX-License-Identifier: MIT */
/*
 * watch.h - the few kinds of events that an analysis is made from.
 *
 * An analysis is a table of rows, each an event of the runtime, the fields wanted from it
 * and the function that takes them; events of an EventSource are found by name in a second
 * table. All other events cost one look at their kind.
 *
 *	static const struct watch_row rows[] = {
 *		{ WATCH_RUNTIME, 1, gc_start_fields, take_start },
 *		{ 0 },
 *	};
 *	struct watch watch = { .rows = rows };
 *
 *	watch_event(&watch, header, event, self);
 *	watch_release(&watch);
 */
#ifndef ANALYZE_WATCH_H
#define ANALYZE_WATCH_H

#include "payload/field_reader.h"
#include "perfpipe/nettrace.h"

#define WATCH_RUNTIME "Microsoft-Windows-DotNETRuntime"
#define WATCH_RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"
#define WATCH_PRIVATE "Microsoft-Windows-DotNETRuntimePrivate"

/* One event, and what was picked from it. */
struct watched {
	const struct pp_event *event;
	const struct payload_plan *plan;
	int pointer_size;
	int64_t time_ns; /* since the trace's clock reading */
	const struct field_value *values;
};

/* From one time to another; what no clock can have read wraps around. */
static inline int64_t watch_ns_between(int64_t from_ns, int64_t to_ns)
{
	return (int64_t)((uint64_t)to_ns - (uint64_t)from_ns);
}

static inline int64_t watch_ns_plus(int64_t a_ns, int64_t b_ns)
{
	return (int64_t)((uint64_t)a_ns + (uint64_t)b_ns);
}

typedef void watch_take(void *self, const struct watched *watched);

struct watch_row {
	const char *provider; /* NULL ends the rows */
	uint32_t id;
	const char *const *fields; /* NULL: none; otherwise NULL ends them */
	watch_take *take;
};

/* An event of an EventSource: its id may differ from one version of the source to the next. */
struct watch_named {
	const char *name; /* in the metadata, such as "RequestStart"; NULL ends the rows */
	struct watch_row row;
};

struct watch_kind {
	const struct watch_row *row; /* NULL: nobody wants it */
	const struct payload_plan *plan;
	struct field_reader pick;
	bool met;
};

struct watch {
	const struct watch_row *rows;
	const struct watch_named *named; /* or NULL */
	struct watch_kind *kinds;	 /* by kind->index */
	size_t kind_count;
	struct plans plans;
	struct arena arena;
};

void watch_release(struct watch *watch);

/* Finds the row for a kind that is met for the first time. */
const struct watch_kind *watch_meet(struct watch *watch, const struct pp_kind *kind);

/* What is known of the kind; its row is NULL if nobody wants it. */
static inline const struct watch_kind *watch_kind_of(struct watch *watch,
						     const struct pp_kind *kind)
{
	if (kind->index < watch->kind_count && watch->kinds[kind->index].met)
		return &watch->kinds[kind->index];
	return watch_meet(watch, kind);
}

/* Picks the fields, and hands them to the row's function. */
void watch_hand_out(const struct watch_kind *kind, const struct pp_trace_header *header,
		    const struct pp_event *event, void *self);

static inline void watch_event(struct watch *watch, const struct pp_trace_header *header,
			       const struct pp_event *event, void *self)
{
	const struct watch_kind *kind = watch_kind_of(watch, event->kind);

	if (kind->row)
		watch_hand_out(kind, header, event, self);
}

#endif
