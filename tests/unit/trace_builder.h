/* SPDX-License-Identifier: MIT */
/*
 * trace_builder.h - traces of every version, byte by byte.
 *
 * The contents are those of the tests of .NET's own reader, unless a test changes them:
 * provider "TestProvider", event "TestEvent1" with id 15. A test may add any bytes between the
 * calls.
 *
 *	struct builder b = build_start(4);
 *	build_metadata(&b);
 *	const uint32_t id = kind(&b, .id = 1, .name = "Ping");
 *	build_close(&b);
 *	build_events(&b, COMPRESSED);
 *	event(&b, .kind = id, .thread = 7, .ticks = 10, .payload = BYTES("\x01\x02"));
 *	build_close(&b);
 *	build_end(&b);
 *	builder_release(&b);
 */
#ifndef TRACE_BUILDER_H
#define TRACE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct literal {
	const void *at;
	size_t size;
};

#define BYTES(text) ((struct literal){ (text), sizeof(text) - 1 })

/* Blocks by their number in version 6; versions 4 and 5 have the first four, by name. */
enum part {
	PART_END = 0,
	PART_TRACE = 1,
	PART_EVENTS = 2,
	PART_METADATA = 3,
	PART_SEQUENCE_POINT = 4,
	PART_STACKS = 5,
	PART_THREADS = 6,
	PART_REMOVALS = 7,
	PART_LABELS = 8,
};

enum packing {
	PLAIN = 0,
	COMPRESSED = 1,
};

struct event_spec {
	uint32_t kind;	   /* what kind() returned */
	uint32_t sequence; /* 0: the next of its capture thread */
	uint64_t thread;
	uint64_t capture; /* 0: the thread */
	uint32_t cpu;
	uint32_t stack;
	int64_t ticks;
	bool sorted;
	uint32_t labels;      /* version 6 */
	const char *activity; /* versions 1 to 5: 16 bytes; NULL is zeros */
	const char *related;
	struct literal payload;
	struct literal addresses; /* versions 1 to 3: the stack's bytes */
};

struct kind_spec {
	uint32_t id;		 /* versions 1 and 2 use the record's offset instead */
	const char *provider;	 /* NULL: TestProvider; in version 1 the 16 bytes of a GUID */
	const char *name;	 /* NULL: TestEvent1 */
	uint32_t event_id;	 /* 0: 15 */
	uint64_t keywords;	 /* not in version 6, like the next two */
	uint32_t version;	 /* 0: 1 */
	uint32_t level;		 /* 0: 5 */
	struct literal fields;	 /* the list with its count, in versions 3 to 5 followed by tags */
	struct literal optional; /* version 6 */
	struct literal tail;	 /* version 6: bytes unknown to readers */
};

struct builder {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	int version;
	enum part part; /* the open one */
	size_t size_at; /* where its size is */
	size_t part_at; /* where its contents are */
	enum packing packing;
	struct event_spec last; /* in a compressed block */
	struct {
		uint64_t thread;
		uint32_t sequence;
	} numbers[16];
	size_t event_ends[16]; /* where the first events end */
	size_t event_count;
	size_t complete_at; /* from here on the trace is complete */
};

void builder_release(struct builder *b);

void put_bytes(struct builder *b, struct literal bytes);
void put_u8(struct builder *b, unsigned value);
void put_u16(struct builder *b, unsigned value);
void put_u32(struct builder *b, uint32_t value);
void put_u64(struct builder *b, uint64_t value);
void put_zeros(struct builder *b, size_t count);
void put_varint(struct builder *b, uint64_t value);
void put_zigzag(struct builder *b, int64_t value);
void put_string(struct builder *b, const char *text); /* varint size, UTF-8 */
void put_utf16z(struct builder *b, const char *ascii);
void put_date(struct builder *b); /* 2025-02-03 04:05:06.007 */

/* Appends the contents of another builder, which is released. */
void put_built(struct builder *b, struct builder *taken);
struct literal built(const struct builder *b);

/* Starts a trace, including its header; `version` is 1, 2, 3, 4 or 6. */
struct builder build_start(int version);
struct builder build_magic(int version); /* without the trace object or block */
void build_end(struct builder *b);

/* An object of the container of versions 1 to 5, up to its contents. */
void build_type(struct builder *b, const char *name, uint32_t version, uint32_t least_reader);

void build_block(struct builder *b, enum part part);
void build_events(struct builder *b, enum packing packing); /* with the block's header */
void build_metadata(struct builder *b);
void build_close(struct builder *b);

uint32_t build_kind(struct builder *b, const struct kind_spec *spec);
void build_event(struct builder *b, const struct event_spec *spec);
#define kind(b, ...)  build_kind((b), &(const struct kind_spec){ __VA_ARGS__ })
#define event(b, ...) build_event((b), &(const struct event_spec){ __VA_ARGS__ })

/* Each in a block of its own. */
void build_stacks(struct builder *b, uint32_t first, uint32_t count); /* to be closed */
void build_stack(struct builder *b, size_t count, const uint64_t *addresses);
#define stack(b, ...)                                                                              \
	build_stack((b), sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t),                   \
		    (const uint64_t[]){ __VA_ARGS__ })

enum point_flags {
	KEEP_ALL = 0,
	FORGET_THREADS_FLAG = 1,
	FORGET_METADATA_FLAG = 2,
};

void build_point(struct builder *b, enum point_flags flags);
void build_point_of(struct builder *b, enum point_flags flags, uint64_t thread, uint32_t sequence);

/* Version 6: a thread block of one row, and a removal of one. */
void build_thread(struct builder *b, uint64_t index, uint64_t thread_id, uint64_t process_id);
void build_removal(struct builder *b, uint64_t index, uint32_t sequence);

/*
 * Rows, fields and other parts preceded by a size, which covers what is added between the two
 * calls.
 */
size_t open_u16(struct builder *b);
void close_u16(struct builder *b, size_t at);
size_t open_u32(struct builder *b);
void close_u32(struct builder *b, size_t at);

/* Fields of version 6 and of a version 5 tag: name, type, bytes unknown to readers. */
void field_v6(struct builder *b, const char *name, struct literal type);
void field_v5(struct builder *b, const char *name, struct literal type);
void field_v1(struct builder *b, const char *name, uint32_t code);

/*
 * Header, one kind with id 1, and in version 6 thread 999; then an open block of uncompressed
 * events.
 */
struct builder build_ready(int version);

#endif
