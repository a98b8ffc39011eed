/* SPDX-License-Identifier: MIT */
/*
 * tracks.h - the threads of a timeline: those with samples or spans, and one for a process without
 * either, so that spans of the process have a place.
 *
 *	struct tracks tracks;
 *	tracks_init(&tracks, source);
 *	for (size_t i = 0; i < tracks.count; i++) {
 *		struct track_reader reader = { .source = source, .track = &tracks.list[i] };
 *		while ((span = track_next(&reader)))	(in order of time)
 *			...
 *		reel_reader_release(&reader.reel);
 *	}
 *	tracks_release(&tracks);
 */
#ifndef EXPORT_TRACKS_H
#define EXPORT_TRACKS_H

#include "base/hash.h"
#include "export/source.h"

struct track {
	uint32_t process; /* of the source */
	int64_t id;
	const char *name;		    /* or NULL */
	const struct export_thread *thread; /* NULL: it has no samples */
	struct reel spans; /* copies; those of the process are on its main thread */
	size_t span_count;
};

struct tracks {
	struct export_source *source;
	struct track *list;
	size_t count, capacity;
	uint32_t *main; /* by process: its first thread */
	struct map by_id;
};

struct track_reader {
	const struct export_source *source;
	const struct track *track;
	struct reel_reader reel;
	struct shown_span shown;
};

void tracks_init(struct tracks *tracks, struct export_source *source);
void tracks_release(struct tracks *tracks); /* before its source */

const struct export_span *track_next(struct track_reader *reader); /* NULL at the end */

/* The id of a process, or of a thread of it, to show: unique also if several traces are of the same
   process, not 0, which is a kernel thread for Perfetto, and of at most 31 bits. */
uint32_t tracks_shown_id(const struct export_source *source, uint32_t process, int64_t id);
uint32_t tracks_shown_process(const struct export_source *source, uint32_t process);

/* For a map of threads. A collision cannot be brought about: see hash.h. */
static inline uint64_t tracks_key(uint32_t process, int64_t id)
{
	return hash_u64(hash_u64((uint64_t)id) + process);
}

#endif
