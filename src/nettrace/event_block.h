/* SPDX-License-Identifier: MIT */
/*
 * event_block.h - decodes the event blocks of versions 4 to 6.
 *
 * Events are decoded a batch at a time, so that a block of any size needs a fixed amount of memory.
 * Metadata blocks of versions 4 and 5 have the same form.
 */
#ifndef NETTRACE_EVENT_BLOCK_H
#define NETTRACE_EVENT_BLOCK_H

#include "base/cursor.h"
#include "base/error.h"
#include "nettrace/batch.h"
#include "nettrace/container.h"
#include "nettrace/labels.h"
#include "nettrace/metadata.h"
#include "nettrace/stacks.h"
#include "nettrace/threads.h"

/* Tables that events refer to. */
struct tables {
	struct kinds kinds;
	struct threads threads;
	struct stacks stacks;
	struct labels labels;
};

/* An event's header: a field keeps its value until an event changes it. */
struct blob {
	uint32_t metadata_id;
	uint32_t sequence;
	uint32_t cpu;
	uint32_t stack_id;
	uint32_t label_list;
	uint32_t payload_size;
	uint64_t thread;
	uint64_t capture_thread;
	uint64_t ticks;
	uint8_t activity_id[16];
	uint8_t related_activity_id[16];
	bool sorted; /* no later event in the file is older */
};

struct event_block {
	struct tables *tables;
	bool v6;

	struct cursor c;
	const uint8_t *start; /* of the block, at `offset` in the trace */
	uint64_t offset;
	bool compressed;
	bool cut; /* the trace ends inside, so a truncated event is not an error */

	struct blob blob;
	bool has_context; /* `blob` agrees with the batch's last context */
	struct thread_state *thread;
	struct thread_state *capture_thread;
	uint32_t counted; /* events of the batch already counted for their threads */
	int64_t sorted_ticks;
};

int event_block_begin(struct event_block *b, const struct block *block, struct pp_error *err);

/* Fills `batch` with the next events; the caller closes it. */
int event_block_decode(struct event_block *b, struct batch *batch, struct pp_error *err);

static inline bool event_block_done(const struct event_block *b)
{
	return !cursor_left(&b->c);
}

#endif
