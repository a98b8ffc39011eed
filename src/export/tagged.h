/* SPDX-License-Identifier: MIT */
/*
 * tagged.h - messages that are written as Protocol Buffers or as their JSON, by one code.
 *
 * A field has a number for the one and a name for the other. What has its default is left out,
 * but for what is said to be always there. Messages inside others are opened and closed, and so
 * are lists of them; the items of a list have no field.
 *
 *	struct tagged t = { .out = &bytes, .as_json = json };
 *	tagged_open(&t, NULL_FIELD);
 *	tagged_list(&t, (struct tag){ 1, "samples" });
 *	tagged_item(&t);
 *	tagged_i32(&t, (struct tag){ 1, "stackIndex" }, 7);
 *	tagged_close(&t);
 *	tagged_close(&t);
 *	tagged_close(&t);
 */
#ifndef EXPORT_TAGGED_H
#define EXPORT_TAGGED_H

#include "base/json.h"

#define TAGGED_DEPTH 16

struct tag {
	uint32_t number; /* 0: none; of the outermost message */
	const char *name;
};

struct tagged_level {
	size_t opened;	 /* what proto_close() takes */
	uint32_t number; /* of the items of a list */
	bool plain;	 /* nothing to close in Protocol Buffers */
};

struct tagged {
	struct buffer *out; /* borrowed */
	bool as_json;
	struct json json;
	struct tagged_level levels[TAGGED_DEPTH];
	unsigned depth;
};

void tagged_init(struct tagged *t, struct buffer *out, bool as_json);

void tagged_open(struct tagged *t, struct tag tag); /* a message */
void tagged_list(struct tagged *t, struct tag tag); /* repeated messages or texts */
void tagged_item(struct tagged *t);		    /* a message of the list */
void tagged_text_item(struct tagged *t, const char *text);
void tagged_close(struct tagged *t); /* the innermost of any of these */

/* Numbers of 32 bits are numbers in JSON, those of 64 bits are texts, as protobuf has it. */
void tagged_i32(struct tagged *t, struct tag tag, uint32_t value);
void tagged_i64(struct tagged *t, struct tag tag, int64_t value);
void tagged_i64_always(struct tagged *t, struct tag tag, int64_t value);
void tagged_fixed64(struct tagged *t, struct tag tag, uint64_t value);
void tagged_text(struct tagged *t, struct tag tag, const char *text);
void tagged_text_always(struct tagged *t, struct tag tag, const char *text);
void tagged_id(struct tagged *t, struct tag tag, const uint8_t *bytes, size_t size); /* JSON: hex */

/* A list of numbers: between these, one tagged_index() or tagged_value() for each. */
void tagged_numbers(struct tagged *t, struct tag tag);
void tagged_index(struct tagged *t, uint32_t value);
void tagged_value(struct tagged *t, int64_t value);

#endif
