/* SPDX-License-Identifier: MIT */
/*
 * open_activities.h - activities that have started and not stopped, by id.
 *
 * An event's activity id is that of the activity it was written in, and the path in the id
 * (clr/activity_path.h) lists those around it. So what an event belongs to is found by its own
 * key, or by that of an activity around it. Memory grows with the activities open at one time.
 *
 *	struct open_activities spans = { 0 };
 *	struct activity_key key = activity_key_of(event);
 *
 *	span = open_activities_open(&spans, &key, REQUEST, request);
 *	while ((around = open_activities_next(&spans, &key, 1u << REQUEST)))
 *		use(around->owner);
 *	open_activities_close(&spans, span);
 *	open_activities_release(&spans);
 */
#ifndef ANALYZE_OPEN_ACTIVITIES_H
#define ANALYZE_OPEN_ACTIVITIES_H

#include "base/arena.h"
#include "base/map.h"
#include "clr/activity_path.h"
#include "perfpipe/event.h"

/* Zero size: the event has none. */
struct activity_key {
	int64_t process_id;
	size_t size;
	char text[ACTIVITY_PATH_SIZE];
};

struct open_activity {
	struct open_activity *next; /* an older one of the same hash, or a free one */
	uint64_t hash;
	unsigned type; /* 0 to 31 */
	void *owner;
	struct activity_key key;
};

struct open_activities {
	struct map newest; /* by hash of the key */
	size_t count;
	struct open_activity *free;
	struct arena arena;
};

struct activity_key activity_key_of(const struct pp_event *event);

/* A key made of a text, of which the end counts if it is too long. */
struct activity_key activity_key_text(const struct pp_event *event, const char *text);

/* Changes to the activity around it; false if none is known. */
bool activity_key_up(struct activity_key *key);

struct open_activity *open_activities_open(struct open_activities *spans,
					   const struct activity_key *key, unsigned type,
					   void *owner);
void open_activities_close(struct open_activities *spans, struct open_activity *span);

/* The newest with exactly this key and a type among the bits; NULL if there is none. */
struct open_activity *open_activities_find(const struct open_activities *spans,
					   const struct activity_key *key, unsigned types);

/* The same for the key or the nearest around it; `key` moves on, for the next call. */
struct open_activity *open_activities_next(const struct open_activities *spans,
					   struct activity_key *key, unsigned types);

/* The nearest around the event, by its activity or else by the related one. */
struct open_activity *open_activities_around(const struct open_activities *spans,
					     const struct pp_event *event, unsigned types);

void open_activities_release(struct open_activities *spans);

#endif
