/* SPDX-License-Identifier: MIT */
/*
 * event.h - an event of a trace, and what it refers to.
 *
 * Kinds, threads and stacks are unique, so comparing pointers compares them; their `index`
 * counts from 0 and can index an array. They live as long as the reader. All text is valid
 * UTF-8, but may contain any character.
 */
#ifndef PERFPIPE_EVENT_H
#define PERFPIPE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pp_pair {
	const char *key;
	const char *value;
};

/* Field types, by their codes in the format. */
enum pp_type_code {
	PP_TYPE_OBJECT = 1,
	PP_TYPE_BOOL32 = 3,
	PP_TYPE_UTF16_UNIT = 4,
	PP_TYPE_I8 = 5,
	PP_TYPE_U8 = 6,
	PP_TYPE_I16 = 7,
	PP_TYPE_U16 = 8,
	PP_TYPE_I32 = 9,
	PP_TYPE_U32 = 10,
	PP_TYPE_I64 = 11,
	PP_TYPE_U64 = 12,
	PP_TYPE_F32 = 13,
	PP_TYPE_F64 = 14,
	PP_TYPE_DECIMAL = 15,
	PP_TYPE_DATE_TIME = 16,
	PP_TYPE_GUID = 17,
	PP_TYPE_UTF16Z = 18,
	PP_TYPE_ARRAY = 19,
	PP_TYPE_VARINT = 20,
	PP_TYPE_VARUINT = 21,
	PP_TYPE_FIXED_ARRAY = 22,
	PP_TYPE_UTF8_UNIT = 23,
	PP_TYPE_REL_LOC = 24,
	PP_TYPE_DATA_LOC = 25,
	PP_TYPE_BOOL8 = 26,
};

struct pp_fields {
	const struct pp_field *list;
	size_t count;
};

struct pp_type {
	enum pp_type_code code;
	const struct pp_type *element; /* of arrays and locations */
	uint32_t count;		       /* of a fixed array */
	struct pp_fields fields;       /* of an object */
};

struct pp_field {
	const char *name;
	struct pp_type type;
};

/* Providers of machine-wide traces; see nettrace_universal.h for their events. */
#define PP_UNIVERSAL_SYSTEM "Universal.System"
#define PP_UNIVERSAL_EVENTS "Universal.Events"

/* What the metadata records about all events of a kind. */
struct pp_kind {
	size_t index;
	const char *provider;
	const char *name; /* "" for the runtime's own events */
	uint32_t id;
	uint32_t version;
	uint32_t level;
	int opcode; /* -1: not recorded */
	uint64_t keywords;
	const uint8_t *provider_guid; /* 16 bytes, in .NET's order, or NULL */
	const char *message;	      /* template, or NULL */
	const char *description;      /* or NULL */
	const struct pp_pair *pairs;
	size_t pair_count;
	struct pp_fields fields;
	bool fields_unreadable; /* the field list was malformed and is left out */
};

struct pp_thread {
	size_t index;
	int64_t id; /* of the operating system; -1: unknown */
	int64_t process_id;
	const char *name; /* or NULL */
	const struct pp_pair *pairs;
	size_t pair_count;
	uint64_t events; /* events of the thread read so far */
	uint64_t lost;	 /* lost events that it wrote */
};

struct pp_stack {
	size_t index;
	size_t count;
	const uint64_t *addresses; /* leaf first */
};

enum pp_label_bits {
	PP_LABEL_ACTIVITY = 1 << 0,
	PP_LABEL_RELATED = 1 << 1,
	PP_LABEL_TRACE = 1 << 2,
	PP_LABEL_SPAN = 1 << 3,
	PP_LABEL_OPCODE = 1 << 4, /* this and the next three override the kind */
	PP_LABEL_KEYWORDS = 1 << 5,
	PP_LABEL_LEVEL = 1 << 6,
	PP_LABEL_VERSION = 1 << 7,
};

struct pp_label_pair {
	const char *key;
	const char *text; /* NULL: `number` is the value */
	int64_t number;
};

/* What an event carries besides its payload; `present` has a bit for each fixed label. */
struct pp_labels {
	unsigned present; /* enum pp_label_bits */
	uint8_t opcode;
	uint8_t level;
	uint8_t version;
	uint8_t activity_id[16];
	uint8_t related_activity_id[16];
	uint8_t trace_id[16];
	uint64_t span_id;
	uint64_t keywords;
	const struct pp_label_pair *pairs;
	size_t pair_count;
};

struct pp_event {
	int64_t ticks; /* of the trace's clock */
	const uint8_t *payload;
	uint32_t payload_size;
	int32_t cpu; /* -1: unknown */
	const struct pp_kind *kind;
	const struct pp_thread *thread;
	const struct pp_stack *stack;	/* NULL: none */
	const struct pp_labels *labels; /* NULL: none; valid until the next event */
};

#ifdef __cplusplus
}
#endif

#endif
