/* SPDX-License-Identifier: MIT */
/*
 * open_activities.h - activities that have begun and not ended, found by id and by what is inside
 *them.
 *
 * An event's activity id says in which activity it was written, and its path in which others
 * that one is (clr/activity_path.h). So what belongs to an event is found by its own key, or
 * by that of something around it. Memory grows with what is open at one time.
 *
 *	struct open_activities spans = { 0 };
 *	struct activity_key key = activity_key_of(event);
 *
 *	open_activities_open(&spans, &key, REQUEST, request);
 *	...
 *	do
 *		span = open_activities_find(&spans, &key, 1u << REQUEST);
 *	while (!span && activity_key_up(&key));
 *	open_activities_close(&spans, span);
 *	open_activities_release(&spans);
 */
#ifndef ANALYZE_OPEN_ACTIVITIES_H
#define ANALYZE_OPEN_ACTIVITIES_H

#include "base/arena.h"
#include "clr/activity_path.h"
#include "perfpipe/event.h"

/* Zero size: the event says nothing of an activity. */
struct activity_key {
	int64_t process_id;
	size_t size;
	char text[ACTIVITY_PATH_SIZE];
};

struct open_activity {
	struct open_activity *next; /* in its bucket, or among those that can be used again */
	uint64_t hash;
	unsigned type; /* 0 to 31 */
	void *owner;
	struct activity_key key;
};

struct open_activities {
	struct open_activity **buckets;
	size_t bucket_count; /* 0 or a power of two */
	size_t count;
	struct open_activity *free;
	struct arena arena;
};

struct activity_key activity_key_of(const struct pp_event *event);
struct activity_key activity_key_related(const struct pp_event *event);

/* Of something that has a text of its own for it; of a longer text its end. */
struct activity_key activity_key_text(const struct pp_event *event, const char *text);

/* To the activity around it; false if none is known. */
bool activity_key_up(struct activity_key *key);

struct open_activity *open_activities_open(struct open_activities *spans,
					   const struct activity_key *key, unsigned type,
					   void *owner);
void open_activities_close(struct open_activities *spans, struct open_activity *span);

/* The newest with that very key whose type is among the bits; NULL if there is none. */
struct open_activity *open_activities_find(const struct open_activities *spans,
					   const struct activity_key *key, unsigned types);

/* The same for the event's activity or the nearest around it. */
struct open_activity *open_activities_around(const struct open_activities *spans,
					     const struct pp_event *event, unsigned types);

void open_activities_release(struct open_activities *spans);

#endif
