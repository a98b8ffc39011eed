/* SPDX-License-Identifier: MIT */
/*
 * container.h - the containers: where the blocks of a trace lie.
 *
 * Versions 3 to 5 wrap each block in a FastSerialization object, version 6 in a
 * four-byte header, and versions 1 and 2 have no blocks but one run of events.
 * Whoever asks sees only blocks. doc/formats/nettrace.md, "Containers".
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
	BLOCK_RAW_EVENTS, /* versions 1 and 2: all bytes that are here; the user takes them */
	BLOCK_KINDS,
};

struct block {
	enum block_kind kind;
	const uint8_t *bytes; /* in the window: good until more bytes are asked for */
	size_t size;
	uint64_t offset; /* of the first byte in the trace */
	bool cut;	 /* the trace ends inside it: these are the bytes there are */
};

enum container_state {
	CONTAINER_MAGIC,
	CONTAINER_OBJECT,     /* versions 1 to 5: a tag comes next */
	CONTAINER_OBJECT_END, /* the same: the tag that closes the object */
	CONTAINER_RAW,	      /* versions 1 and 2: events */
	CONTAINER_BLOCK,      /* version 6: a block header comes next */
	CONTAINER_DONE,
};

struct container {
	enum container_state state;
	uint8_t begin_tag;		/* 4 in NetPerf, 5 in NetTrace */
	bool has_trace;			/* the trace object has been seen */
	bool complete;			/* so has the end mark */
	struct pp_trace_header *header; /* receives the version */
};

enum container_result {
	CONTAINER_ERROR = -1,
	CONTAINER_MORE = 0, /* bytes are missing */
	CONTAINER_FOUND = 1,
};

enum container_result container_next(struct container *container, struct bytes *bytes,
				     struct block *block, struct pp_error *err);

#endif
