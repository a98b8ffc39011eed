/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the threads of a trace, and how many of their events are lost.
 *
 * Each thread numbers the events it writes in a session, from 1. A gap in the numbers means lost
 * events, and a sequence point records the number that each thread had reached. A thread that never
 * got a buffer from the runtime is in neither, so a loss is a lower bound. Versions 4 and 5
 * identify threads by their id, without definitions; version 6 by an index that must be defined
 * first.
 */
#ifndef NETTRACE_THREADS_H
#define NETTRACE_THREADS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "nettrace/table_limit.h"
#include "perfpipe/event.h"

/* The current meaning of a thread id or index. */
struct thread_state {
	struct pp_thread *thread;
	uint32_t sequence; /* of the last event it has written, as far as known; 0: none yet */
	bool removed;	   /* version 6: its index must not be used */
	struct thread_state *next;
};

struct threads {
	struct arena *arena;
	struct table_limit *limit; /* or NULL */
	bool announced;		   /* version 6 */
	int64_t process_id;	   /* for threads that do not record it */
	uint64_t lost;
	uint64_t lost_before;	   /* of them, before the first event of their thread */
	struct map by_key;	   /* id or index -> struct thread_state */
	struct map by_content;	   /* row of version 6 -> thread */
	struct thread_state *live; /* all in `by_key` */
	struct thread_state *spare;
	struct pp_thread **list; /* by index */
	size_t count;
	size_t capacity;
};

/*
 * The thread with this id or index. In version 6, NULL if it is not defined or was removed; in
 * others, if it is new and there are too many.
 */
struct thread_state *threads_find(struct threads *threads, uint64_t key);

/* The thread wrote the event with this number; those missing before it are lost. */
void threads_wrote(struct threads *threads, struct thread_state *state, uint32_t sequence);

/* The thread had reached this number; those missing up to it are lost. */
void threads_reached(struct threads *threads, struct thread_state *state, uint32_t sequence);

/* Version 6: a row of a thread block, a whole block of removals, and the removal of all. */
int threads_define(struct threads *threads, struct cursor row, struct pp_error *err);
int threads_remove(struct threads *threads, struct cursor c, struct pp_error *err);
void threads_forget(struct threads *threads);

#endif
