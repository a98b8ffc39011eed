/* SPDX-License-Identifier: MIT */
/*
 * tracks.h - the threads of a time line: those with samples, those that only spans are on, and
 * one for a process that has neither, so that what is the process's has a place.
 *
 *	struct tracks tracks;
 *	tracks_init(&tracks, source);
 *	for (size_t i = 0; i < tracks.count; i++)
 *		for (uint32_t s = tracks.list[i].first; s < tracks.list[i].end; s++)
 *			use(&source->spans[tracks.spans[s]]);	(in order of time)
 *	tracks_release(&tracks);
 */
#ifndef EXPORT_TRACKS_H
#define EXPORT_TRACKS_H

#include "export/source.h"

struct track {
	uint32_t process; /* of the source */
	int64_t id;
	const char *name;		    /* or NULL */
	const struct export_thread *thread; /* NULL: it has no samples */
	size_t first, end;		    /* its spans, and where they end */
};

struct tracks {
	struct track *list;
	size_t count, capacity;
	uint32_t *main;	 /* by process: its first thread */
	uint32_t *spans; /* numbers of spans, by track; what is the process's is its main's */
	struct map by_id;
};

void tracks_init(struct tracks *tracks, const struct export_source *source);
void tracks_release(struct tracks *tracks);

/* An id of a process, or of a thread of it, as it is shown: where a process is known by its id
   alone, that of another trace of the same process has to be another one. For Perfetto 0 is one
   thread of the system, and what needs more than 31 bits is no id. */
int64_t tracks_shown_id(const struct export_source *source, uint32_t process, int64_t id);

/* The track of a span. */
uint32_t tracks_of_span(const struct tracks *tracks, const struct export_span *span);

#endif
