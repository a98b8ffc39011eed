/* SPDX-License-Identifier: MIT */
/*
 * An event: i32 bytes that follow | i32 metadata id (0: this is a definition) | i32 thread | i64
 * time | activity id | related activity id | i32 n | n bytes of payload | i32 m | m bytes of stack
 * | in version 3, padding to 4 bytes. doc/formats/nettrace.md, "NetPerf events".
 */
#include "nettrace/netperf.h"

#include <inttypes.h>

#include "nettrace/metadata.h"

#define LEAST_EVENT 56u /* header and stack size, without the first field */

struct netperf_record {
	uint32_t metadata_id;
	uint32_t thread;
	int64_t ticks;
	struct pp_labels labels;
	struct cursor payload;
	struct cursor stack;
};

static bool is_set(const uint8_t *guid)
{
	uint8_t sum = 0;

	for (int i = 0; i < 16; i++)
		sum |= guid[i];
	return sum;
}

static struct netperf_record read_record(struct cursor c)
{
	struct netperf_record r = { .metadata_id = cursor_u32(&c), .thread = cursor_u32(&c) };

	r.ticks = cursor_i64(&c);
	cursor_copy(&c, r.labels.activity_id, 16);
	cursor_copy(&c, r.labels.related_activity_id, 16);
	r.payload = cursor_within(&c, cursor_u32(&c));
	r.stack = cursor_within(&c, cursor_u32(&c));
	if (is_set(r.labels.activity_id))
		r.labels.present |= PP_LABEL_ACTIVITY;
	if (is_set(r.labels.related_activity_id))
		r.labels.present |= PP_LABEL_RELATED;
	return r;
}

static int define_kind(struct netperf *n, const struct netperf_record *r, uint64_t offset,
		       struct pp_error *err)
{
	if (n->version == 1)
		return metadata_v1(&n->tables->kinds, offset, r->payload, err);
	if (n->version == 2)
		return metadata_v2(&n->tables->kinds, offset, r->payload, err);
	return metadata_v3(&n->tables->kinds, r->payload, err);
}

static const struct pp_labels *keep_labels(struct batch *batch, const struct pp_labels *labels)
{
	struct pp_labels *kept;

	if (!labels->present)
		return NULL;
	kept = arena_new(&batch->labels, struct pp_labels);
	*kept = *labels;
	return kept;
}

static int add_event(struct netperf *n, const struct netperf_record *r, struct batch *batch,
		     struct pp_error *err)
{
	const struct pp_kind *kind = map_find(&n->tables->kinds.by_id, r->metadata_id);
	const struct thread_state *state = threads_find(&n->tables->threads, r->thread);

	if (!kind || !state)
		return error_set(err, PP_ERROR_FORMAT, "an event of a kind that is not defined");
	state->thread->events++;
	*batch_context(batch) = (struct pp_event){
		.payload_size = (uint32_t)cursor_left(&r->payload),
		.cpu = -1,
		.kind = kind,
		.thread = state->thread,
		.stack = stacks_intern(&n->tables->stacks, r->stack),
		.labels = keep_labels(batch, &r->labels),
	};
	batch_add(batch, r->ticks, (uint32_t)(r->payload.at - batch->base));
	return 0;
}

static int decode_one(struct netperf *n, struct cursor body, uint64_t offset, struct batch *batch,
		      struct pp_error *err)
{
	const struct netperf_record r = read_record(body);
	struct pp_error inner = { 0 };

	if (r.stack.failed)
		error_set(&inner, PP_ERROR_FORMAT, "an event's parts do not fit into it");
	else if (r.metadata_id)
		add_event(n, &r, batch, &inner);
	else
		define_kind(n, &r, offset, &inner);
	if (inner.code)
		return error_set(err, inner.code, "byte %" PRIu64 ": %s", offset, inner.text);
	return 0;
}

/* The next event after its size field; the cursor over it fails if it is truncated. */
static int next_body(struct cursor *c, struct cursor *body, uint64_t offset, struct pp_error *err)
{
	const uint32_t size = cursor_u32(c);

	if (!c->failed && (size < LEAST_EVENT || size > INT32_MAX - 4)) {
		error_set(err, PP_ERROR_FORMAT, "byte %" PRIu64 ": an event of %" PRId32 " bytes",
			  offset, (int32_t)size);
		return -1;
	}
	*body = cursor_within(c, size);
	return 0;
}

int netperf_decode(struct netperf *n, const struct block *block, struct batch *batch, size_t *used,
		   struct pp_error *err)
{
	const bool may_be_cut = block->cut || block->kind == BLOCK_RAW_EVENTS;
	const size_t start = *used;
	struct cursor c = cursor_over(block->bytes + start, block->size - start);

	/* offsets in a batch have 32 bits, and one event can take 31 of them */
	while (batch->count < BATCH_EVENTS && cursor_left(&c) && *used - start <= INT32_MAX) {
		const uint64_t offset = block->offset + *used;
		struct cursor body;

		if (next_body(&c, &body, offset, err))
			return -1;
		if (body.failed)
			return may_be_cut ? 0
					  : error_set(err, PP_ERROR_FORMAT,
						      "byte %" PRIu64
						      ": an event runs past the end of its block",
						      offset);
		if (decode_one(n, body, offset, batch, err))
			return -1;
		*used = block->size - cursor_left(&c);
	}
	return 0;
}
