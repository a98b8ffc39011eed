/* SPDX-License-Identifier: MIT */
/*
 * write_group.h - what a writer keeps: one group of events and its tables.
 *
 * A group is a row of blocks and the sequence point that ends it. Each block is
 * built where it will be written from, with room for its header in front. The
 * one rule: a group is flushed before something is added, never after, so that
 * what was just added refers to tables of the same group.
 */
#ifndef NETTRACE_WRITE_GROUP_H
#define NETTRACE_WRITE_GROUP_H

#include "base/error.h"
#include "nettrace/write_header.h"
#include "nettrace/write_id_table.h"
#include "perfpipe/nettrace_writer.h"

#define BLOCK_HEADER	4u	  /* of every block: size and kind */
#define EVENT_HEAD	20u	  /* of an event block: header size, flags, two times */
#define EVENTS_KIND	2u	  /* number of an event block */
#define MOST_BLOCK	0xFFFFFFu /* bytes behind the header */
#define UNIVERSAL_KINDS 8u

/* The blocks of a group in the order they go out. */
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
 * A thread. The caller's handle has its serial number in the high half and this slot's
 * index in the low one, so that an old handle does not mean the slot's next thread.
 */
struct thread_slot {
	uint32_t serial;   /* what the trace calls it; 0: free */
	uint32_t sequence; /* of the last event it wrote, */
	uint32_t before;   /* and of the last one of the groups before */
	uint32_t lost;	   /* events after that */
	uint32_t group;	   /* the last in which it wrote */
	uint32_t next;	   /* slot that is free, or is to be */
	bool ended;	   /* free, or will be when this group is out: no handle means it */
};

struct pp_writer {
	/* what every event needs */
	struct event_header last;
	struct buffer out[OUTS];
	struct thread_slot *threads;
	uint32_t thread_count;
	uint32_t kind_count; /* 0 once the writer has failed: no event is let through */
	uint32_t group;	     /* its number, from 1 */
	bool unordered;	     /* time goes back somewhere in it */
	uint64_t group_events;
	size_t event_limit; /* where a payload must end; there is room for a header behind it */
	int64_t oldest;	    /* of the group */
	int64_t newest;	    /* of all groups before */
	struct pp_writer_totals totals;

	struct pp_sink sink;
	struct pp_error failure; /* the sink's, or no memory: nothing goes out any more */
	size_t group_size;
	int64_t start_ticks;
	int pointer_size;

	struct id_table stacks;
	struct id_table labels;
	struct buffer scratch; /* a label list, narrow addresses */

	uint32_t serial;       /* of the last thread */
	uint32_t kind_handles; /* kinds defined, whatever happened since */
	size_t thread_capacity;
	uint32_t free_slot; /* index + 1 of the first; 0: none */
	uint32_t *active;   /* slots of the threads that wrote in this group */
	size_t active_count;
	size_t active_capacity;

	uint32_t universal[UNIVERSAL_KINDS]; /* handles of their kinds; 0: not defined yet */
	struct buffer payload;		     /* of a universal event */
};

/* Every block empty, but for the heads that come first. */
void group_begin(struct pp_writer *w);

/* Write all of the group and begin the next. */
int group_flush(struct pp_writer *w, struct pp_error *err);

/* Make room for `size` bytes in a block of a table, flushing if it has grown too large. */
int group_make_room(struct pp_writer *w, enum out out, size_t size, struct pp_error *err);

/* Bytes to the sink, and a block whose header, the first bytes of `b`, is still to be filled in. */
void group_put(struct pp_writer *w, const void *bytes, size_t size);
void group_write(struct pp_writer *w, struct buffer *b, unsigned kind);

/* Remember why nothing goes out any more; returns -1 with that in `err`. */
int writer_fail(struct pp_writer *w, struct pp_error *err);
int writer_no_memory(struct pp_writer *w, struct pp_error *err);

/* If a row did not fit: the block as it was, and a sentence that names `what`. */
int writer_take_back(struct pp_writer *w, struct buffer *b, size_t size, const char *what,
		     struct pp_error *err);

/* The slot of a handle; NULL if it is none, or its thread has ended. */
static inline struct thread_slot *thread_find(const struct pp_writer *w, uint64_t handle)
{
	const uint32_t index = (uint32_t)handle;
	struct thread_slot *slot = index < w->thread_count ? &w->threads[index] : NULL;

	return slot && slot->serial == handle >> 32 && !slot->ended ? slot : NULL;
}

/* The slot writes for the first time in this group. */
int thread_enter(struct pp_writer *w, struct thread_slot *slot, struct pp_error *err);

/* Threads whose end went out with the group: their slots are free. */
void threads_flushed(struct pp_writer *w);

/* The head of an event block over the events in `b`. */
void event_block_head(struct buffer *b, int64_t oldest, int64_t newest);

/* The events of the group by time, into one or more blocks, which go out. */
void group_write_ordered(struct pp_writer *w);

/* The bytes of a label list at the end of `b`; none if there are no labels. */
void labels_put(struct buffer *b, const struct pp_labels *labels);

/* Whether version 6 can say it; then one row of a metadata block, for the kind of this handle. */
int kind_check(const struct pp_kind *kind, struct pp_error *err);
void kind_put(struct buffer *b, uint32_t handle, const struct pp_kind *kind);

#endif
