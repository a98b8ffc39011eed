/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the threads of a trace, and which of their events are lost.
 *
 * Every thread numbers what it writes. A gap in the numbers is events lost, and
 * a sequence point says which number each thread had reached. Versions 4 and 5
 * know threads by their id and need not announce them; version 6 gives each an
 * index that must be defined first.
 */
#ifndef NETTRACE_THREADS_H
#define NETTRACE_THREADS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "perfpipe/event.h"

/* A thread under the id or index that events call it by. */
struct thread_state {
	struct pp_thread *thread;
	uint32_t sequence; /* of the last event it is known to have written */
	bool seen;	   /* `sequence` means something */
	bool removed;	   /* version 6: its index may not be used any more */
	struct thread_state *next;
};

struct threads {
	struct arena *arena;
	bool announced;	    /* version 6 */
	int64_t process_id; /* of threads that do not say */
	uint64_t lost;
	struct map by_key;	   /* id or index -> struct thread_state */
	struct map by_content;	   /* rows of version 6 -> their threads */
	struct thread_state *live; /* all that by_key holds */
	struct thread_state *spare;
	struct pp_thread **list; /* by index */
	size_t count;
	size_t capacity;
};

void threads_release(struct threads *threads);

/* The thread of that id or index. NULL in version 6 if it is not defined, or removed. */
struct thread_state *threads_find(struct threads *threads, uint64_t key);

/* The thread wrote the event of this number; what is missing before it is lost. */
void threads_wrote(struct threads *threads, struct thread_state *state, uint32_t sequence);

/* The thread had reached this number; what is missing up to it is lost. */
void threads_reached(struct threads *threads, struct thread_state *state, uint32_t sequence);

/* Version 6: one row of a thread block, a whole block of removals, the end of all. */
int threads_define(struct threads *threads, struct cursor row, struct pp_error *err);
int threads_remove(struct threads *threads, struct cursor c, struct pp_error *err);
void threads_forget(struct threads *threads);

#endif
