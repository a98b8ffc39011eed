/* SPDX-License-Identifier: MIT */
/*
 * container.h - finds the blocks of a trace in its container.
 *
 * Versions 3 to 5 wrap each block in a FastSerialization object, version 6 in a four-byte header,
 * and versions 1 and 2 have a single run of events instead of blocks. Callers see only blocks.
 * doc/formats/nettrace.md, "Containers".
 */
#ifndef NETTRACE_CONTAINER_H
#define NETTRACE_CONTAINER_H

#include "base/error.h"
#include "nettrace/bytes.h"
#include "perfpipe/nettrace.h"

enum block_kind {
	BLOCK_END,
	BLOCK_TRACE,
	BLOCK_EVENTS,
	BLOCK_METADATA,
	BLOCK_SEQUENCE_POINT,
	BLOCK_STACKS,
	BLOCK_THREADS,
	BLOCK_REMOVE_THREADS,
	BLOCK_LABELS,
	BLOCK_RAW_EVENTS, /* versions 1 and 2: all bytes available; the caller consumes them */
	BLOCK_KINDS,
};

struct block {
	enum block_kind kind;
	const uint8_t *bytes; /* in the window: valid until more bytes are requested */
	size_t size;
	uint64_t offset; /* of the first byte, in the trace */
	bool cut;	 /* the trace ends inside it, and this is what exists */
};

enum container_state {
	CONTAINER_MAGIC,
	CONTAINER_OBJECT,     /* versions 1 to 5: before a tag */
	CONTAINER_OBJECT_END, /* versions 3 to 5: before the tag that closes an object */
	CONTAINER_RAW,
	CONTAINER_BLOCK, /* version 6: before a block header */
	CONTAINER_DONE,
};

struct container {
	enum container_state state;
	uint8_t begin_tag;		/* 4 in NetPerf, 5 in NetTrace */
	bool has_trace;			/* the trace object was seen */
	bool complete;			/* and the end mark */
	struct pp_trace_header *header; /* where the version goes */
};

enum container_result {
	CONTAINER_ERROR = -1,
	CONTAINER_MORE = 0, /* more bytes are needed */
	CONTAINER_FOUND = 1,
};

enum container_result container_next(struct container *container, struct bytes *bytes,
				     struct block *block, struct pp_error *err);

#endif
