/* SPDX-License-Identifier: MIT */
/*
 * moments.h - exceptions and waits for locks one by one, as they happen.
 *
 * The analyses of these count; here each is told, with its time and stack. A wait is told when
 * it ends, with the stack of its begin. Memory grows with the threads.
 *
 *	struct moments moments = MOMENTS_NONE;
 *	if (moments_take(&moments, header, event, stack_number))
 *		use(&moments.told);
 *	moments_release(&moments);
 */
#ifndef EXPORT_MOMENTS_H
#define EXPORT_MOMENTS_H

#include "analyze/text_pool.h"
#include "analyze/watch.h"

enum moment_kind {
	MOMENT_NONE,
	MOMENT_EXCEPTION,
	MOMENT_WAIT,
};

struct moment {
	enum moment_kind kind;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t length_ns; /* as the runtime tells it, if it does */
	uint32_t stack;
	const char *type;    /* of an exception; "": not recorded */
	const char *message; /* the same */
};

struct moment_wait {
	bool open;
	int64_t start_ns;
	uint32_t stack;
};

struct moments {
	struct watch watch;
	struct text_pool texts;
	struct moment_wait *waits; /* by thread->index */
	size_t wait_count;
	uint32_t stack; /* of the event at hand */
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
		  const struct pp_event *event, uint32_t stack);
void moments_release(struct moments *moments);

#endif
