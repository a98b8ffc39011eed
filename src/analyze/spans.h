/* SPDX-License-Identifier: MIT */
/*
 * spans.h - activities that have begun and not ended, found by id and by what is inside them.
 *
 * An event's activity id says in which activity it was written, and its path in which others
 * that one is (clr/activity_path.h). So what belongs to an event is found by its own key, or
 * by that of something around it. Memory grows with what is open at one time.
 *
 *	struct spans spans = { 0 };
 *	struct span_key key = span_key_of(event);
 *
 *	spans_open(&spans, &key, REQUEST, request);
 *	...
 *	do
 *		span = spans_find(&spans, &key, 1u << REQUEST);
 *	while (!span && span_key_up(&key));
 *	spans_close(&spans, span);
 *	spans_release(&spans);
 */
#ifndef ANALYZE_SPANS_H
#define ANALYZE_SPANS_H

#include "base/arena.h"
#include "clr/activity_path.h"
#include "perfpipe/event.h"

/* Zero size: the event says nothing of an activity. */
struct span_key {
	int64_t process_id;
	size_t size;
	char text[ACTIVITY_PATH_SIZE];
};

struct span {
	struct span *next; /* in its bucket, or among those that can be used again */
	uint64_t hash;
	unsigned type; /* 0 to 31 */
	void *owner;
	struct span_key key;
};

struct spans {
	struct span **buckets;
	size_t bucket_count; /* 0 or a power of two */
	size_t count;
	struct span *free;
	struct arena arena;
};

struct span_key span_key_of(const struct pp_event *event);
struct span_key span_key_related(const struct pp_event *event);

/* Of something that has a text of its own for it; of a longer text its end. */
struct span_key span_key_text(const struct pp_event *event, const char *text);

/* To the activity around it; false if none is known. */
bool span_key_up(struct span_key *key);

struct span *spans_open(struct spans *spans, const struct span_key *key, unsigned type,
			void *owner);
void spans_close(struct spans *spans, struct span *span);

/* The newest with that very key whose type is among the bits; NULL if there is none. */
struct span *spans_find(const struct spans *spans, const struct span_key *key, unsigned types);

/* The same for the event's activity or the nearest around it. */
struct span *spans_around(const struct spans *spans, const struct pp_event *event, unsigned types);

void spans_release(struct spans *spans);

#endif
