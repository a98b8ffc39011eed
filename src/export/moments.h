/* SPDX-License-Identifier: MIT */
/*
 * moments.h - exceptions and waits for locks one by one, as they happen.
 *
 * The analyses of these count; here each is told, with its time and place. A wait is told when
 * it ends, with the place of its begin; one whose end is missing lasts as long as in contention.h.
 * Memory grows with the threads.
 *
 *	struct moments moments = MOMENTS_NONE;
 *	if (moments_take(&moments, header, event, &(struct moment_place){ stack, thread, 0 }))
 *		use(&moments.told);
 *	while (moments_unfinished(&moments, end_ns))	(behind the last event)
 *		use(&moments.told);
 *	moments_release(&moments);
 */
#ifndef EXPORT_MOMENTS_H
#define EXPORT_MOMENTS_H

#include "base/strings.h"
#include "analyze/watch.h"

enum moment_kind {
	MOMENT_NONE,
	MOMENT_EXCEPTION,
	MOMENT_WAIT,
};

/* Where an event was, in the numbers of its caller. */
struct moment_place {
	uint32_t stack;
	uint32_t thread;
	uint32_t link; /* see trace_links.h */
};

struct moment {
	enum moment_kind kind;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t length_ns; /* as the runtime tells it, if it does */
	bool unfinished;    /* it lasts until the end of the trace */
	struct moment_place place;
	const char *type;    /* of an exception; "": not recorded */
	const char *message; /* the same */
};

struct moment_wait {
	bool open;
	int64_t start_ns;
	struct moment_place place;
};

struct moments {
	struct watch watch;
	struct text_pool texts;
	struct moment_wait *waits; /* by thread->index */
	size_t wait_count;
	size_t finished;		  /* of the waits, at the end */
	const struct moment_place *place; /* of the event at hand */
	struct moment told;
};

extern const struct watch_row moments_rows[];

#define MOMENTS_NONE                                                                               \
	{                                                                                          \
		.watch = {.rows = moments_rows }                                                   \
	}

/* Whether the event may tell one: only then need its stack be known. */
static inline bool moments_wants(struct moments *moments, const struct pp_event *event)
{
	return watch_kind_of(&moments->watch, event->kind)->row;
}

/* True if `told` has one. */
bool moments_take(struct moments *moments, const struct pp_trace_header *header,
		  const struct pp_event *event, const struct moment_place *place);

/* The same for one wait after the other that is still open at the end. */
bool moments_unfinished(struct moments *moments, int64_t end_ns);
void moments_release(struct moments *moments);

#endif
