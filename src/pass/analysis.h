/* SPDX-License-Identifier: MIT */
/*
 * analysis.h - the interface of all consumers of events, for files and live streams alike.
 *
 * An analysis is a const struct with its functions and a table of rows, each an event, the fields
 * it needs and their handler; other events cost it nothing. Its state is a struct of `size` bytes
 * that the pass owns. It neither reads nor prints.
 *
 *	enum { START_COUNT, START_REASON };
 *	static const char start_fields[] = "Count Reason";
 *
 *	static void take_start(void *self, const struct event_context *at)
 *	{
 *		struct gc_stats *stats = self;
 *
 *		if (at->wanted && at->values[START_COUNT].known)
 *			stats->count++;
 *	}
 *
 *	static const struct event_row rows[] = {
 *		{ CLR_RUNTIME_PROVIDER, CLR_GC_START, NULL, start_fields, take_start },
 *		{ 0 },
 *	};
 *
 *	const struct analysis gc_analysis = {
 *		.name = "gc",
 *		.size = sizeof(struct gc_stats),
 *		.rows = rows,
 *	};
 *
 * Items. An analysis that assembles items (a collection, a lock wait) passes each one that the
 * pass's query asks for to `setup->take`, if that is set, once no event can change it any more. It
 * keeps no list of them then, so that memory does not grow with the trace.
 */
#ifndef PASS_ANALYSIS_H
#define PASS_ANALYSIS_H

#include "payload/field_reader.h"
#include "perfpipe/nettrace.h"

struct pass;

/* An event as every analysis sees it. */
struct event_context {
	const struct pp_trace_header *header;
	const struct pp_event *event;
	int64_t time_ns; /* since the trace's clock reading; within PASS_FARTHEST_NS */
	bool wanted;	 /* the pass's query asks for it */
	struct pass *pass;

	/* for handlers of rows */
	const struct field_value *values; /* of the row's fields, in their order */
	const struct payload_plan *plan;  /* to read all fields; see payload.h */
};

typedef void event_handler(void *self, const struct event_context *at);

struct event_row {
	const char *provider; /* NULL ends the rows */
	uint32_t id;	      /* 0 with a name: any */
	const char *name;     /* in the metadata, where ids differ by version; NULL: any */
	const char *fields;   /* separated by blanks; NULL: none */
	event_handler *handle;
};

/* NULL if no row lists the kind. */
const struct event_row *event_row_find(const struct event_row *rows, const struct pp_kind *kind);

struct analysis_setup {
	const void *options; /* the analysis's own struct, or NULL */
	void (*take)(void *to, const void *item);
	void *to;
};

static inline void setup_take(const struct analysis_setup *setup, const void *item)
{
	setup->take(setup->to, item);
}

struct analysis {
	const char *name;
	size_t size;	     /* of its state */
	const void *initial; /* its first state; NULL: zeros */
	bool has_items;	     /* its state begins with a struct analysis_setup, which is filled in */

	/* Each may be NULL; `setup` never is. `choose` is for kinds that `rows` do not list. */
	const struct event_row *rows;
	const struct event_row *(*choose)(const void *self, const struct pp_kind *kind);
	event_handler *every; /* for all events, before the handlers of rows */
	void (*begin)(void *self, struct pass *pass, const struct analysis_setup *setup);
	/* the trace is over, and another may follow: whatever is open ends here */
	void (*end_trace)(void *self, const struct pass *pass);
	void (*finish)(void *self, const struct pass *pass); /* no more events come */
	void (*release)(void *self);
};

#endif
