/* SPDX-License-Identifier: MIT */
/*
 * Versions 1 to 5, FastSerialization: BEGIN is tag 4 in NetPerf and 5 in NetTrace.
 *
 *	BEGIN BEGIN 1 | i32 version | i32 least reader | i32 n, n bytes of name | 6
 *	    Trace:      36 or 48 bytes of header
 *	    others:     i32 size | 0 to 3 zeros up to a file offset of 4n | size bytes
 *	6
 *
 * and a 1 in place of BEGIN ends the trace. Version 6:
 *
 *	u32 size (24 bits) and kind (8 bits) | size bytes
 */
#include "nettrace/container.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/cursor.h"
#include "nettrace/header.h"

#define MAGIC	      "Nettrace"
#define MAGIC_SIZE    8u
#define STREAM	      "\x14\0\0\0!FastSerialization.1"
#define STREAM_SIZE   24u
#define V6_START_SIZE 12u

enum tag {
	TAG_NULL = 1,
	TAG_BEGIN_OBJECT = 4,
	TAG_BEGIN_PRIVATE_OBJECT = 5,
	TAG_END_OBJECT = 6,
};

#define OBJECT_PREFIX  15u /* BEGIN BEGIN NULL, two versions, the name's length */
#define MOST_NAME      38u /* the longest known type name */
#define MOST_V6_BLOCK  0xFFFFFFu
#define MOST_OBJECT    ((uint32_t)64 * 1024 * 1024) /* runtimes stay near 100 KiB */
#define NEWEST_OBJECT  2
#define NEWEST_VERSION 6

static const struct {
	const char *name;
	enum block_kind kind;
} object_types[] = {
	{ "Trace", BLOCK_TRACE },	{ "Microsoft.DotNet.Runtime.EventPipeFile", BLOCK_TRACE },
	{ "EventBlock", BLOCK_EVENTS }, { "MetadataBlock", BLOCK_METADATA },
	{ "StackBlock", BLOCK_STACKS }, { "SPBlock", BLOCK_SEQUENCE_POINT },
};

/* Block kinds of version 6 by their number; others are skipped. */
static const enum block_kind v6_kinds[] = {
	BLOCK_END,    BLOCK_TRACE,   BLOCK_EVENTS,	   BLOCK_METADATA, BLOCK_SEQUENCE_POINT,
	BLOCK_STACKS, BLOCK_THREADS, BLOCK_REMOVE_THREADS, BLOCK_LABELS,
};

static enum container_result bad(const struct bytes *b, struct pp_error *err, const char *what)
{
	error_set(err, PP_ERROR_FORMAT, "byte %" PRIu64 ": %s", b->offset, what);
	return CONTAINER_ERROR;
}

/* The trace ended inside a block: returns the part that exists. */
static enum container_result cut_block(struct container *container, struct bytes *b,
				       struct block *block, enum block_kind kind)
{
	container->state = CONTAINER_DONE;
	*block = (struct block){ kind, b->at, bytes_left(b), b->offset, true };
	bytes_take(b, block->size);
	return CONTAINER_FOUND;
}

static enum container_result whole_block(struct bytes *b, struct block *block, enum block_kind kind,
					 size_t size)
{
	*block = (struct block){ kind, b->at, size, b->offset, false };
	bytes_take(b, size);
	return CONTAINER_FOUND;
}

/* More bytes are needed. If none will come, the trace ends here, without its end mark. */
static enum container_result more(struct container *container, struct bytes *b, struct block *block)
{
	return b->ended ? cut_block(container, b, block, BLOCK_END) : CONTAINER_MORE;
}

/*
 * The end mark has `size` bytes, of which those after the first say nothing and may be missing.
 * What follows it is not part of the trace.
 */
static enum container_result end_of_trace(struct container *container, struct bytes *b,
					  struct block *block, size_t size)
{
	if (!bytes_want(b, size) && !b->ended)
		return CONTAINER_MORE;
	container->state = CONTAINER_DONE;
	container->complete = true;
	return whole_block(b, block, BLOCK_END, size < bytes_left(b) ? size : bytes_left(b));
}

/* Whether the window has these bytes at `from`, as far as it reaches. */
static bool starts_with(const struct bytes *b, size_t from, const char *bytes, size_t size)
{
	const size_t left = bytes_left(b);
	const size_t seen = left < from ? 0 : left - from;

	return !seen || !memcmp(b->at + from, bytes, seen < size ? seen : size);
}

/* The stream header of versions 1 to 5, after `before` bytes. Fails at the first wrong byte. */
static enum container_result start_objects(struct container *container, struct bytes *b,
					   struct block *block, size_t before, struct pp_error *err)
{
	const bool whole = bytes_want(b, before + STREAM_SIZE);

	if (!starts_with(b, before, STREAM, STREAM_SIZE))
		return bad(b, err,
			   before ? "the NetTrace magic is not followed by a stream header"
				  : "this is not a nettrace or netperf file");
	if (!whole)
		return more(container, b, block);
	container->state = CONTAINER_OBJECT;
	container->begin_tag = before ? TAG_BEGIN_PRIVATE_OBJECT : TAG_BEGIN_OBJECT;
	bytes_take(b, before + STREAM_SIZE);
	return CONTAINER_FOUND;
}

static enum container_result start_v6(struct container *container, struct bytes *b,
				      struct pp_error *err)
{
	struct cursor c = cursor_over(b->at + MAGIC_SIZE + 4, 8);
	const uint32_t major = cursor_u32(&c);

	if (major < NEWEST_VERSION)
		return bad(b, err, "this is NetTrace with a version below 6 in a version 6 header");
	if (major > NEWEST_VERSION) {
		error_set(err, PP_ERROR_UNSUPPORTED,
			  "byte 12: this is NetTrace version %u; this perfpipe reads up to %u",
			  major, NEWEST_VERSION);
		return CONTAINER_ERROR;
	}
	container->header->version = (int)major;
	container->header->minor_version = cursor_i32(&c);
	container->state = CONTAINER_BLOCK;
	bytes_take(b, MAGIC_SIZE + V6_START_SIZE);
	return CONTAINER_FOUND;
}

static enum container_result read_magic(struct container *container, struct bytes *b,
					struct block *block, struct pp_error *err)
{
	const bool enough = bytes_want(b, MAGIC_SIZE + 4);

	container->header->netperf = !starts_with(b, 0, MAGIC, MAGIC_SIZE);
	if (container->header->netperf)
		return start_objects(container, b, block, 0, err);
	if (!enough)
		return more(container, b, block);
	if (!starts_with(b, MAGIC_SIZE, "\0\0\0\0", 4))
		return start_objects(container, b, block, MAGIC_SIZE, err);
	if (!bytes_want(b, MAGIC_SIZE + V6_START_SIZE))
		return more(container, b, block);
	return start_v6(container, b, err);
}

static enum block_kind object_kind(const uint8_t *name, size_t size)
{
	for (size_t i = 0; i < ARRAY_COUNT(object_types); i++)
		if (strlen(object_types[i].name) == size &&
		    !memcmp(object_types[i].name, name, size))
			return object_types[i].kind;
	return BLOCK_KINDS;
}

/* The trace object's version must fit the container. */
static int check_version(const struct container *container, const struct bytes *b,
			 struct pp_error *err)
{
	const int version = container->header->version;

	if (version < 1 || version > 4)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "byte %" PRIu64
				 ": this is a trace of version %d; this perfpipe reads 1 to %d",
				 b->offset, version, NEWEST_VERSION);
	if ((version == 4) == container->header->netperf)
		return error_set(
			err, PP_ERROR_FORMAT,
			"byte %" PRIu64 ": a trace of version %d does not belong in a %s file",
			b->offset, version, container->header->netperf ? "NetPerf" : "NetTrace");
	return 0;
}

static enum container_result read_trace_object(struct container *container, struct bytes *b,
					       struct block *block, size_t prefix)
{
	const size_t size = container->header->version < 3 ? HEADER_SIZE_V1 : HEADER_SIZE_V3;

	if (!bytes_want(b, prefix + size))
		return more(container, b, block);
	container->has_trace = true;
	container->state = container->header->version < 3 ? CONTAINER_RAW : CONTAINER_OBJECT_END;
	bytes_take(b, prefix);
	return whole_block(b, block, BLOCK_TRACE, size);
}

/* A block of `block->kind`, after the `prefix` bytes of its type. */
static enum container_result read_sized_object(struct container *container, struct bytes *b,
					       struct block *block, size_t prefix,
					       struct pp_error *err)
{
	uint32_t size;
	size_t start;

	if (!bytes_want(b, prefix + 4))
		return more(container, b, block);
	memcpy(&size, b->at + prefix, 4);
	if (size > MOST_OBJECT)
		return bad(b, err, "a block of more than 64 MiB, or of a negative size");
	start = prefix + 4;
	start += (4 - (b->offset + start) % 4) % 4;
	if (!bytes_want(b, start + size)) {
		if (!b->ended)
			return CONTAINER_MORE;
		bytes_take(b, start < bytes_left(b) ? start : bytes_left(b));
		return cut_block(container, b, block, block->kind);
	}
	container->state = CONTAINER_OBJECT_END;
	bytes_take(b, start);
	return whole_block(b, block, block->kind, size);
}

/* Reads the type, version and name of the object whose BEGIN is next: `prefix` bytes. */
static enum container_result read_object(struct container *container, struct bytes *b,
					 struct block *block, struct pp_error *err)
{
	const uint8_t opening[] = { container->begin_tag, container->begin_tag, TAG_NULL };
	const bool opened = !memcmp(b->at, opening, sizeof(opening));
	struct cursor c = cursor_over(b->at + sizeof(opening), OBJECT_PREFIX - sizeof(opening));
	const int32_t version = cursor_i32(&c);
	const uint32_t name_size = (cursor_u32(&c), cursor_u32(&c));
	const size_t prefix = OBJECT_PREFIX + (size_t)name_size + 1;

	if (!opened || name_size > MOST_NAME)
		return bad(b, err, "an object was expected here");
	if (!bytes_want(b, prefix))
		return more(container, b, block);
	block->kind = object_kind(b->at + OBJECT_PREFIX, name_size);
	if (block->kind == BLOCK_KINDS || b->at[prefix - 1] != TAG_END_OBJECT)
		return bad(b, err, "an object of an unknown type");
	if ((block->kind == BLOCK_TRACE) == container->has_trace)
		return bad(b, err, "the trace object is not the first");
	if (block->kind == BLOCK_TRACE) {
		container->header->version = version;
		return check_version(container, b, err)
			       ? CONTAINER_ERROR
			       : read_trace_object(container, b, block, prefix);
	}
	if (version > NEWEST_OBJECT)
		return bad(b, err, "a block of a newer version than 2");
	return read_sized_object(container, b, block, prefix, err);
}

static enum container_result read_tag(struct container *container, struct bytes *b,
				      struct block *block, struct pp_error *err)
{
	if (!bytes_want(b, 1))
		return more(container, b, block);
	if (*b->at == TAG_NULL && container->has_trace)
		return end_of_trace(container, b, block, 1);
	if (!bytes_want(b, OBJECT_PREFIX))
		return *b->at == container->begin_tag ? more(container, b, block)
						      : bad(b, err, "an object was expected here");
	return read_object(container, b, block, err);
}

static enum container_result read_object_end(struct container *container, struct bytes *b,
					     struct block *block, struct pp_error *err)
{
	if (!bytes_want(b, 1))
		return more(container, b, block);
	if (*b->at != TAG_END_OBJECT)
		return bad(b, err, "the block does not end where its size says");
	container->state = CONTAINER_OBJECT;
	bytes_take(b, 1);
	return CONTAINER_FOUND;
}

#define RAW_END 17 /* bytes, with two labels that say nothing */

/*
 * Versions 1 and 2: the events end with the object's end tag, one forward reference, and as its
 * label the offset of that tag. No event looks like this: its metadata id would be a later offset.
 */
static bool is_raw_end(struct bytes *b)
{
	struct cursor c = cursor_over(b->at, 9);
	const uint8_t tag = cursor_u8(&c);
	const uint32_t references = cursor_u32(&c);

	return tag == TAG_END_OBJECT && references == 1 && cursor_u32(&c) == (uint32_t)b->offset;
}

static enum container_result read_raw(struct container *container, struct bytes *b,
				      struct block *block)
{
	if (!bytes_want(b, 9))
		return more(container, b, block);
	if (is_raw_end(b))
		return end_of_trace(container, b, block, RAW_END);
	*block = (struct block){ BLOCK_RAW_EVENTS, b->at, bytes_left(b), b->offset, b->ended };
	return CONTAINER_FOUND;
}

static enum container_result read_v6_block(struct container *container, struct bytes *b,
					   struct block *block, struct pp_error *err)
{
	uint32_t word;
	uint32_t size;
	enum block_kind kind;

	if (!bytes_want(b, 4))
		return more(container, b, block);
	memcpy(&word, b->at, 4);
	size = word & MOST_V6_BLOCK;
	word >>= 24;
	kind = word < ARRAY_COUNT(v6_kinds) ? v6_kinds[word] : BLOCK_KINDS;
	if ((kind == BLOCK_TRACE) == container->has_trace && kind != BLOCK_KINDS)
		return bad(b, err, "the trace block is not the first");
	if (!bytes_want(b, 4 + (size_t)size)) {
		if (!b->ended)
			return CONTAINER_MORE;
		bytes_take(b, 4);
		return cut_block(container, b, block, kind);
	}
	if (kind == BLOCK_END)
		return end_of_trace(container, b, block, 4 + (size_t)size);
	container->has_trace |= kind == BLOCK_TRACE;
	bytes_take(b, 4);
	return whole_block(b, block, kind, size);
}

enum container_result container_next(struct container *container, struct bytes *bytes,
				     struct block *block, struct pp_error *err)
{
	/* unless set below, a kind that callers skip */
	*block = (struct block){ .kind = BLOCK_KINDS };
	switch (container->state) {
	case CONTAINER_MAGIC:
		return read_magic(container, bytes, block, err);
	case CONTAINER_OBJECT:
		return read_tag(container, bytes, block, err);
	case CONTAINER_OBJECT_END:
		return read_object_end(container, bytes, block, err);
	case CONTAINER_RAW:
		return read_raw(container, bytes, block);
	case CONTAINER_BLOCK:
		return read_v6_block(container, bytes, block, err);
	default:
		return whole_block(bytes, block, BLOCK_END, 0);
	}
}
