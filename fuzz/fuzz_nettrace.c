/* SPDX-License-Identifier: MIT */
/*
 * Any bytes must give events, then the end or a one-sentence error. The first two bytes of
 * the input choose how the others are fed:
 *
 *	byte 0: bits 0-1 feed, taken or room | bit 2 file order | bit 3 hold little back
 *	        bit 4 signal the end with the last piece
 *	byte 1: size of a piece; 0: all at once
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "perfpipe/nettrace.h"

#define MOST_EVENTS 100000u /* a few KB of input may contain very many empty ones */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
	struct pp_nettrace *trace;
	const uint8_t *at;
	const uint8_t *end;
	size_t piece;
	unsigned mode;
	bool end_at_once;
	uint8_t *lent;
};

static volatile uint64_t touched; /* keeps the compiler from dropping the reads */

static uint64_t touch_bytes(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += at[i];
	return sum;
}

static uint64_t touch_text(const char *text)
{
	return text ? touch_bytes(text, strlen(text) + 1) : 0;
}

static uint64_t touch_pairs(const struct pp_pair *pairs, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += touch_text(pairs[i].key) + touch_text(pairs[i].value);
	return sum;
}

static uint64_t touch_type(const struct pp_type *type);

static uint64_t touch_fields(struct pp_fields fields)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < fields.count; i++)
		sum += touch_text(fields.list[i].name) + touch_type(&fields.list[i].type);
	return sum;
}

static uint64_t touch_type(const struct pp_type *type)
{
	return type->code + type->count + touch_fields(type->fields) +
	       (type->element ? touch_type(type->element) : 0);
}

static uint64_t touch_labels(const struct pp_labels *labels)
{
	uint64_t sum = touch_bytes(labels, sizeof(*labels));

	for (size_t i = 0; i < labels->pair_count; i++)
		sum += touch_text(labels->pairs[i].key) + touch_text(labels->pairs[i].text) +
		       (uint64_t)labels->pairs[i].number;
	return sum;
}

static uint64_t touch_event(const struct pp_event *e)
{
	return (uint64_t)e->ticks + touch_bytes(e->payload, e->payload_size) + e->kind->index +
	       e->thread->index +
	       (e->stack ? touch_bytes(e->stack->addresses, 8 * e->stack->count) : 0) +
	       (e->labels ? touch_labels(e->labels) : 0);
}

static uint64_t touch_tables(const struct pp_nettrace *trace)
{
	const struct pp_trace_header *header = pp_nettrace_header(trace);
	const struct pp_thread *thread;
	const struct pp_kind *kind;
	uint64_t sum = header ? touch_pairs(header->properties, header->property_count) +
					(uint64_t)pp_trace_time_ns(header, INT64_MAX)
			      : 0;

	for (size_t i = 0; (kind = pp_nettrace_kind(trace, i)); i++)
		sum += touch_text(kind->provider) + touch_text(kind->name) +
		       touch_text(kind->message) + touch_text(kind->description) +
		       touch_bytes(kind->provider_guid, kind->provider_guid ? 16 : 0) +
		       touch_pairs(kind->pairs, kind->pair_count) + touch_fields(kind->fields);
	for (size_t i = 0; (thread = pp_nettrace_thread(trace, i)); i++)
		sum += touch_text(thread->name) + touch_pairs(thread->pairs, thread->pair_count);
	return sum;
}

/* Overwritten first, so that a later use shows even without a sanitizer. */
static void give_back(void *bytes, size_t size)
{
	memset(bytes, 0xdd, size);
	xfree(bytes);
}

/* Fed from memory of exactly this size, which is freed as soon as allowed. */
static void feed_piece(struct run *run, size_t size)
{
	uint8_t *copy = xcalloc(1, size);
	size_t room;

	if (!copy)
		abort();
	memcpy(copy, run->at, size);
	run->at += size;
	if (run->mode == 1) {
		pp_nettrace_feed_taken(run->trace, copy, size, give_back);
	} else if (run->mode == 2) {
		void *to = pp_nettrace_room(run->trace, &room);

		if (room < size)
			abort(); /* at least 64 KiB are promised */
		memcpy(to, copy, size);
		pp_nettrace_filled(run->trace, size);
		xfree(copy);
	} else {
		run->lent = copy;
		pp_nettrace_feed(run->trace, copy, size);
	}
}

static void feed(struct run *run)
{
	const size_t left = (size_t)(run->end - run->at);
	const size_t size = run->piece && run->piece < left ? run->piece : left;

	xfree(run->lent);
	run->lent = NULL;
	if (size)
		feed_piece(run, size);
	if (!size || (run->end_at_once && run->at == run->end))
		pp_nettrace_end(run->trace);
}

static void read_all(struct run *run)
{
	struct pp_error err = { 0 };
	const struct pp_event *e;
	unsigned events = 0;
	enum pp_next next;

	while ((next = pp_nettrace_next(run->trace, &e, &err)) > PP_NEXT_END) {
		if (next == PP_NEXT_MORE)
			feed(run);
		else if (++events < MOST_EVENTS)
			touched += touch_event(e);
		else
			break;
	}
	if ((next == PP_NEXT_ERROR) != (err.code != PP_ERROR_NONE) ||
	    (next == PP_NEXT_ERROR && strncmp(err.text, "byte ", 5)))
		abort();
	touched += touch_tables(run->trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t how = size > 0 ? data[0] : 0;
	const struct pp_nettrace_options options = { .size = sizeof(options),
						     .file_order = how & 4,
						     .held_at_most = how & 8 ? 64 : 0 };
	struct run run = { .trace = pp_nettrace_new(&options, &(struct pp_error){ 0 }),
			   .at = data,
			   .end = data + size,
			   .mode = how % 4 % 3,
			   .end_at_once = how & 16 };

	if (size > 2 && size < 65536) {
		run.piece = data[1];
		run.at += 2;
		read_all(&run);
	}
	xfree(run.lent);
	pp_nettrace_free(run.trace);
	return 0;
}
