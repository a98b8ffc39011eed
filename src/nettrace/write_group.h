/* SPDX-License-Identifier: MIT */
/*
 * write_group.h - the state of a writer: one group of events and its tables.
 *
 * A group is a sequence of blocks and the sequence point that ends it. Each block is built in
 * place, with space for its header in front. The one rule: a group is flushed before something is
 * added, never after, so that events refer to tables of their group.
 */
#ifndef NETTRACE_WRITE_GROUP_H
#define NETTRACE_WRITE_GROUP_H

#include "base/error.h"
#include "nettrace/universal_fields.h"
#include "nettrace/write_header.h"
#include "nettrace/write_id_table.h"
#include "perfpipe/nettrace_writer.h"

#define BLOCK_HEADER 4u	       /* of every block: size and kind */
#define EVENT_HEAD   20u       /* of an event block: header size, flags, two times */
#define EVENTS_KIND  2u	       /* number of an event block */
#define MOST_BLOCK   0xFFFFFFu /* bytes after the header */

/* The blocks of a group, in the order they are written. */
enum out {
	OUT_METADATA,
	OUT_THREADS,
	OUT_STACKS,
	OUT_LABELS,
	OUT_EVENTS,
	OUT_REMOVALS,
	OUT_POINT,
	OUTS,
};

/*
 * A thread. A handle has its serial number in the upper half and the slot's index in the lower, so
 * that an old handle does not refer to the slot's next thread.
 */
struct thread_slot {
	uint32_t serial;   /* index of the thread in the trace; 0: free */
	uint32_t sequence; /* of its last event */
	uint32_t before;   /* of its last event in earlier groups */
	uint32_t lost;	   /* events lost after `sequence` */
	uint32_t group;	   /* the last one in which it wrote */
	uint32_t next;	   /* next free slot */
	bool ended;	   /* free, or about to be: no handle refers to it */
};

struct pp_writer {
	/* what every event needs */
	struct event_header last;
	struct buffer out[OUTS];
	struct thread_slot *threads;
	uint32_t thread_count;
	uint32_t kind_count; /* 0 once the writer has failed, which rejects every event */
	uint32_t group;	     /* number of the group, from 1 */
	bool unordered;	     /* time goes back in the group */
	uint64_t group_events;
	size_t event_limit; /* where a payload must end, with space for a header after it */
	int64_t oldest;	    /* in the group */
	int64_t newest;	    /* in all earlier groups */
	struct pp_writer_totals totals;

	struct pp_sink sink;
	struct pp_error failure; /* of the sink, or out of memory: nothing more is written */
	size_t group_size;
	int64_t start_ticks;
	int pointer_size;

	struct id_table stacks;
	struct id_table labels;
	struct buffer scratch; /* a label list, or 32-bit addresses */

	uint32_t serial;       /* of the last thread */
	uint32_t kind_handles; /* kinds defined, also after a failure */
	size_t thread_capacity;
	uint32_t free_slot; /* index + 1 of the first; 0: none */
	uint32_t *active;   /* slots of threads that wrote in this group */
	size_t active_count;
	size_t active_capacity;

	uint32_t universal[UNIVERSAL_KINDS]; /* handles of the kinds; 0: not yet defined */
	struct buffer payload;		     /* of a universal event */
};

/* Empties all blocks, except for their heads. */
void group_begin(struct pp_writer *w);

/* Writes the group and begins the next one. */
int group_flush(struct pp_writer *w, struct pp_error *err);

/* Reserves `size` bytes in the block of a table; flushes first if it would grow too large. */
int group_make_room(struct pp_writer *w, enum out out, size_t size, struct pp_error *err);

/* Writes bytes; writes the block in `b`, whose header is still to be filled in. */
void group_put(struct pp_writer *w, const void *bytes, size_t size);
void group_write(struct pp_writer *w, struct buffer *b, unsigned kind);

/* Records why nothing more is written; returns -1, with the reason in `err`. */
int writer_fail(struct pp_writer *w, struct pp_error *err);
int writer_no_memory(struct pp_writer *w, struct pp_error *err);

/* If the last row did not fit, removes it and fails with a message that names `what`. */
int writer_take_back(struct pp_writer *w, struct buffer *b, size_t size, const char *what,
		     struct pp_error *err);

/* The slot of a handle; NULL if it is invalid or its thread has ended. */
static inline struct thread_slot *thread_find(const struct pp_writer *w, uint64_t handle)
{
	const uint32_t index = (uint32_t)handle;
	struct thread_slot *slot = index < w->thread_count ? &w->threads[index] : NULL;

	return slot && slot->serial == handle >> 32 && !slot->ended ? slot : NULL;
}

/* Called when a slot is first used in a group. */
int thread_enter(struct pp_writer *w, struct thread_slot *slot, struct pp_error *err);

/* After a flush: frees the slots of threads that have ended. */
void threads_flushed(struct pp_writer *w);

/* Fills in the head of the event block in `b`. */
void event_block_head(struct buffer *b, int64_t oldest, int64_t newest);

/* Writes the events of the group in order of time, as one or more blocks. */
void group_write_ordered(struct pp_writer *w);

/* Appends a label list to `b`; nothing if there are no labels. */
void labels_put(struct buffer *b, const struct pp_labels *labels);

/* Whether version 6 can express the kind; then a row of a metadata block. */
int kind_check(const struct pp_kind *kind, struct pp_error *err);
void kind_put(struct buffer *b, uint32_t handle, const struct pp_kind *kind);

#endif
