/* SPDX-License-Identifier: MIT */
/*
 * proto_json.h - messages written as Protocol Buffers or as their JSON, by the same code.
 *
 * A field has a number for the one and a name for the other. Defaults are left out, except by
 * functions called _always. Nested messages are opened and closed, and so are lists of them; the
 * items of a list have no field.
 *
 *	struct proto_json t = { .proto.out = &bytes, .json.out = &bytes, .as_json = true };
 *	proto_json_open(&t, (struct tag){ 0 });
 *	proto_json_list(&t, (struct tag){ 1, "samples" });
 *	proto_json_item(&t);
 *	proto_json_i32(&t, (struct tag){ 1, "stackIndex" }, 7);
 *	proto_json_close(&t);
 *	proto_json_close(&t);
 *	proto_json_close(&t);
 */
#ifndef EXPORT_PROTO_JSON_H
#define EXPORT_PROTO_JSON_H

#include "base/json.h"
#include "base/protobuf.h"

#define PROTO_JSON_DEPTH 16

struct tag {
	uint32_t number; /* 0: none; of the outermost message */
	const char *name;
};

struct proto_json_level {
	uint32_t items;	 /* of a list: the field of each item */
	bool is_message; /* in Protocol Buffers, too */
};

struct proto_json {
	struct proto proto;
	struct json json; /* into the same buffer */
	bool as_json;
	struct proto_json_level levels[PROTO_JSON_DEPTH];
	unsigned depth;
};

void proto_json_open(struct proto_json *t, struct tag tag); /* a message */
void proto_json_list(struct proto_json *t, struct tag tag); /* repeated messages or texts */
void proto_json_item(struct proto_json *t);		    /* a message of the list */
void proto_json_text_item(struct proto_json *t, const char *text);
void proto_json_close(struct proto_json *t); /* the innermost of any of these */

/* Numbers of 32 bits are numbers in JSON, those of 64 bits are texts, as in its specification. */
void proto_json_i32(struct proto_json *t, struct tag tag, uint32_t value);
void proto_json_i64(struct proto_json *t, struct tag tag, int64_t value);
void proto_json_i64_always(struct proto_json *t, struct tag tag, int64_t value);
void proto_json_fixed64(struct proto_json *t, struct tag tag, uint64_t value);
void proto_json_text(struct proto_json *t, struct tag tag, const char *text);
void proto_json_text_always(struct proto_json *t, struct tag tag, const char *text);
void proto_json_id(struct proto_json *t, struct tag tag, const uint8_t *bytes,
		   size_t size); /* JSON: hex */

/* A list of numbers: between these, one proto_json_index() or proto_json_value() for each. */
void proto_json_numbers(struct proto_json *t, struct tag tag);
void proto_json_index(struct proto_json *t, uint32_t value);
void proto_json_value(struct proto_json *t, int64_t value);

#endif
