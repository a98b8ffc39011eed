/* SPDX-License-Identifier: MIT */
/*
 * write_splice.h - events of ours for a NetTrace 4 stream that passes through.
 *
 * Blocks are made that fit between any two blocks of the stream, without changing those:
 *
 *   - their size is a multiple of four, so that the contents of later blocks, which a runtime
 *     has aligned to four bytes of the file, stay aligned;
 *   - definitions have ids that no runtime gets to, and events a capture thread of their own,
 *     whose sequence numbers nobody else counts;
 *   - there is no sequence point, which would end the life of the runtime's stack ids;
 *   - an event is as old as the newest one before it, whatever its own time: a runtime may
 *     still have older ones to write, but none from before the last sequence point.
 *
 *	struct splice splice = { 0 };
 *
 *	splice_event(&splice, &event, offset, &bytes);
 *	write(fd, bytes.bytes, bytes.size);
 *	splice_release(&splice);
 */
#ifndef NETTRACE_WRITE_SPLICE_H
#define NETTRACE_WRITE_SPLICE_H

#include "base/buffer.h"
#include "perfpipe/event.h"

struct splice {
	bool defined; /* the kind of the events is in the stream */
	uint32_t sequence;
	struct buffer contents; /* of the block that is being made */
};

struct splice_event {
	const struct pp_kind *kind; /* the same for all events of a stream */
	int64_t ticks;		    /* of the newest event before it in the stream */
	int64_t thread_id;
	const void *payload;
	size_t payload_size;
};

/* Appends the event to `out`, whose first byte goes at `offset` of the file, between two blocks. */
void splice_event(struct splice *splice, const struct splice_event *event, uint64_t offset,
		  struct buffer *out);

void splice_release(struct splice *splice);

#endif
