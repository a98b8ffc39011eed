/* SPDX-License-Identifier: MIT */
/*
 * pass.h - one pass over the events of a trace, for any set of analyses.
 *
 * Which analyses want a kind of event is found once and kept by kind->index, so that an event that
 * none of them wants costs one lookup. Time, whether the query asks for the event, and its stack
 * are found once for all of them. A pass is for one reader: its tables use that reader's indexes.
 *
 *	struct pass pass;
 *	struct gc_stats *gc;
 *
 *	pass_init(&pass, &query);
 *	gc = pass_want(&pass, &gc_analysis, NULL);
 *	if (pass_file(&pass, file, &err) == PP_NEXT_END) ...	(or pass_event() for a live stream)
 *	pass_finish(&pass, file->trace);
 *	use(gc);
 *	pass_release(&pass);
 */
#ifndef PASS_PASS_H
#define PASS_PASS_H

#include "base/recorded_stack.h"
#include "base/strings.h"
#include "pass/analysis.h"
#include "pass/event_query.h"

/* Times are clamped to this, so that the difference of two fits their type. */
#define PASS_FARTHEST_NS (INT64_C(1) << 60)

#define PASS_PROGRESS_EVENTS (1u << 16) /* between two calls of `progress` */

struct trace_file;

/* An analysis in a pass. */
struct pass_member {
	const struct analysis *analysis;
	void *self;
	bool shared; /* it keeps its items: wanted again, it is the same one */
};

struct pass_handler {
	void *self;
	event_handler *handle;
	const struct payload_plan *plan; /* of the kind */
	struct field_reader fields;
};

/* The handlers of one kind of events, and how many there were. */
struct pass_kind {
	const struct pp_kind *kind; /* NULL: no event so far */
	uint64_t events;
	bool wanted;
	uint32_t handler_count;
	struct pass_handler *handlers;
};

/* Finds the number of an event's stack. */
struct pass_stacks {
	struct recorded_stack (*find)(void *object, const struct event_context *at);
	void *object;
};

/* Finds the number of the span of distributed tracing that an event is in. */
struct pass_links {
	uint32_t (*find)(void *object, const struct event_context *at);
	void *object;
};

/* Of all events, whether or not any analysis wants them. */
struct pass_tally {
	uint64_t events;
	int64_t last_ticks;		      /* of the event read last */
	int64_t earliest_ticks, latest_ticks; /* which may be others: files are not sorted */
};

struct pass {
	struct event_query query;
	bool all;     /* the query asks for everything */
	bool cut;     /* the file was read to its end, but is truncated or damaged */
	bool many;    /* its events are those of several traces: pass_sequence.h */
	bool stopped; /* set by a consumer that has seen enough; ends the caller's loop */

	struct pass_member *members;
	size_t member_count, member_capacity;
	struct pass_handler *every;
	size_t every_count, every_capacity;
	struct pass_kind *kinds; /* by kind->index */
	size_t kind_count;
	struct plans plans;
	struct arena arena;			      /* for all analyses */
	struct text_pool texts;			      /* the same; see event_string() */
	struct event_context at;		      /* the current event */
	struct field_value values[FIELD_READER_MOST]; /* of its fields, for one handler at a time */

	struct pass_stacks stacks;
	struct pass_links links;

	const struct pp_nettrace *trace; /* for `end_trace` and `finish` of analyses; or NULL */
	struct pass_tally tally;

	void (*progress)(void *to, uint64_t done, uint64_t total); /* of pass_file(); or NULL */
	void *progress_to;
};

void pass_init(struct pass *pass, const struct event_query *query); /* NULL asks for all */
void pass_release(struct pass *pass);

/*
 * Adds the analysis, before the first event, and returns its state, which the pass owns. One that
 * keeps its items is added once, however often it is wanted, as it was set up first. `setup` may be
 * NULL.
 */
void *pass_want(struct pass *pass, const struct analysis *analysis,
		const struct analysis_setup *setup);

/* Adds a consumer of all events that is not an analysis, such as one that prints them. */
void pass_want_every(struct pass *pass, event_handler *every, void *self);

/* The state of an analysis that was wanted and keeps its items, or NULL. */
void *pass_find(const struct pass *pass, const struct analysis *analysis);

/* One event of a live stream; pass_file() does the same for all events of a file. */
void pass_event(struct pass *pass, const struct pp_trace_header *header,
		const struct pp_event *event);

/* The trace is over, but the events of another one follow. */
void pass_end_trace(struct pass *pass, const struct pp_nettrace *trace); /* or NULL */

/* The last trace is over: all analyses finish, in the order in which they were wanted. */
void pass_finish(struct pass *pass, const struct pp_nettrace *trace); /* or NULL */

/* All events of the file, as far as it can be read or until `stopped`. Does not finish. */
enum pp_next pass_file(struct pass *pass, struct trace_file *file, struct pp_error *err);

/* Nanoseconds since the trace's clock reading, within PASS_FARTHEST_NS. */
int64_t pass_time_ns(const struct pp_trace_header *header, int64_t ticks);

/* The time of the event read last; 0 if there was none. */
int64_t pass_last_ns(const struct pass *pass);

/* The text of a field of the row, kept by the pass; "" if the event has none. */
const char *event_string(const struct event_context *at, size_t field);

/* The number of the event's stack in the model, until that is built; 0 without a model. */
static inline struct recorded_stack event_stack(const struct event_context *at)
{
	const struct pass_stacks *stacks = &at->pass->stacks;

	return at->event->stack && stacks->find ? stacks->find(stacks->object, at)
						: NO_RECORDED_STACK;
}

/* The number of the span of distributed tracing that the event belongs to; 0: none. */
static inline uint32_t event_link(const struct event_context *at)
{
	const struct pass_links *links = &at->pass->links;

	return links->find ? links->find(links->object, at) : 0;
}

/* Times of a hostile trace may exceed any type: then these are the largest or the smallest. */
static inline int64_t ns_between(int64_t from_ns, int64_t to_ns)
{
	int64_t ns;

	if (!__builtin_sub_overflow(to_ns, from_ns, &ns))
		return ns;
	return to_ns > from_ns ? INT64_MAX : INT64_MIN;
}

static inline int64_t ns_plus(int64_t a_ns, int64_t b_ns)
{
	int64_t ns;

	if (!__builtin_add_overflow(a_ns, b_ns, &ns))
		return ns;
	return a_ns > 0 ? INT64_MAX : INT64_MIN;
}

/* A time that was computed; NaN is 0. */
static inline int64_t ns_rounded(double ns)
{
	if (ns >= 0x1p63 || ns <= -0x1p63)
		return ns > 0 ? INT64_MAX : INT64_MIN;
	return ns == ns ? (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5) : 0;
}

#endif
