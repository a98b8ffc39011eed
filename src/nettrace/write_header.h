/* SPDX-License-Identifier: MIT */
/*
 * write_header.h - the compressed header of an event: only what has changed.
 *
 * Within a block, fields keep their value until an event changes them, so the writer keeps the last
 * header it wrote. doc/formats/nettrace.md, "Events".
 */
#ifndef NETTRACE_WRITE_HEADER_H
#define NETTRACE_WRITE_HEADER_H

#include "base/buffer.h"

enum header_flags {
	HEADER_KIND = 0x01,
	HEADER_SEQUENCE = 0x02, /* with capture thread and CPU */
	HEADER_THREAD = 0x04,
	HEADER_STACK = 0x08,
	HEADER_LABELS = 0x10,  /* versions 4 and 5: activity id */
	HEADER_RELATED = 0x20, /* versions 4 and 5: related activity id */
	HEADER_SORTED = 0x40,
	HEADER_PAYLOAD_SIZE = 0x80,
};

#define HEADER_MOST 64u /* longest: a flag byte, five varint32 and three varint64 */

struct event_header {
	uint32_t kind;
	uint32_t sequence;
	uint32_t cpu;
	uint32_t stack;
	uint32_t labels;
	uint32_t payload_size;
	uint64_t thread;
	uint64_t capture;
	uint64_t ticks;
};

/* Writes `now`, the header after `last`, which takes up to HEADER_MOST bytes; returns its end. */
static inline uint8_t *header_put(uint8_t *at, const struct event_header *last,
				  const struct event_header *now)
{
	unsigned flags = HEADER_SORTED;
	uint8_t *const first = at++;

	if (now->kind != last->kind) {
		flags |= HEADER_KIND;
		at = varint_put(at, now->kind);
	}
	if (now->sequence != last->sequence + 1 || now->capture != last->capture ||
	    now->cpu != last->cpu) {
		flags |= HEADER_SEQUENCE;
		at = varint_put(at, now->sequence - last->sequence - 1);
		at = varint_put(at, now->capture);
		at = varint_put(at, now->cpu);
	}
	if (now->thread != last->thread) {
		flags |= HEADER_THREAD;
		at = varint_put(at, now->thread);
	}
	if (now->stack != last->stack) {
		flags |= HEADER_STACK;
		at = varint_put(at, now->stack);
	}
	at = varint_put(at, now->ticks - last->ticks);
	if (now->labels != last->labels) {
		flags |= HEADER_LABELS;
		at = varint_put(at, now->labels);
	}
	if (now->payload_size != last->payload_size) {
		flags |= HEADER_PAYLOAD_SIZE;
		at = varint_put(at, now->payload_size);
	}
	*first = (uint8_t)flags;
	return at;
}

#endif
