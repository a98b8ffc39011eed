/* SPDX-License-Identifier: MIT */
#include "export/tagged.h"

#include <assert.h>
#include <string.h>

#include "base/decimal.h"
#include "base/protobuf.h"

void tagged_init(struct tagged *t, struct buffer *out, bool as_json)
{
	*t = (struct tagged){ .out = out, .as_json = as_json, .json = { .out = out } };
}

static struct tagged_level *push(struct tagged *t)
{
	assert(t->depth < TAGGED_DEPTH);
	t->levels[t->depth] = (struct tagged_level){ .plain = true };
	return &t->levels[t->depth++];
}

void tagged_open(struct tagged *t, struct tag tag)
{
	struct tagged_level *level = push(t);

	if (t->as_json) {
		json_open_object(&t->json, tag.name);
	} else if (tag.number) {
		level->plain = false;
		level->opened = proto_open(t->out, tag.number);
	}
}

void tagged_list(struct tagged *t, struct tag tag)
{
	push(t)->number = tag.number;
	if (t->as_json)
		json_open_array(&t->json, tag.name);
}

void tagged_item(struct tagged *t)
{
	tagged_open(t, (struct tag){ .number = t->levels[t->depth - 1].number });
}

void tagged_text_item(struct tagged *t, const char *text)
{
	tagged_text_always(t, (struct tag){ .number = t->levels[t->depth - 1].number }, text);
}

void tagged_close(struct tagged *t)
{
	const struct tagged_level *level = &t->levels[--t->depth];

	if (t->as_json)
		json_close(&t->json);
	else if (!level->plain)
		proto_close(t->out, level->opened);
}

void tagged_i32(struct tagged *t, struct tag tag, uint32_t value)
{
	if (!value)
		return;
	if (t->as_json)
		json_put_u64(&t->json, tag.name, value);
	else
		proto_u64(t->out, tag.number, value);
}

static void put_text_number(struct tagged *t, const char *name, int64_t value)
{
	json_begin_value(&t->json, name);
	buffer_u8(t->out, '"');
	buffer_signed(t->out, value);
	buffer_u8(t->out, '"');
}

void tagged_i64_always(struct tagged *t, struct tag tag, int64_t value)
{
	if (t->as_json)
		put_text_number(t, tag.name, value);
	else
		proto_always(t->out, tag.number, (uint64_t)value);
}

void tagged_i64(struct tagged *t, struct tag tag, int64_t value)
{
	if (value)
		tagged_i64_always(t, tag, value);
}

void tagged_fixed64(struct tagged *t, struct tag tag, uint64_t value)
{
	if (!value)
		return;
	if (t->as_json)
		put_text_number(t, tag.name, (int64_t)value);
	else
		proto_fixed64(t->out, tag.number, value);
}

void tagged_text_always(struct tagged *t, struct tag tag, const char *text)
{
	if (t->as_json)
		json_put_text(&t->json, tag.name, text ? text : "");
	else
		proto_text_always(t->out, tag.number, text);
}

void tagged_text(struct tagged *t, struct tag tag, const char *text)
{
	if (text && *text)
		tagged_text_always(t, tag, text);
}

void tagged_id(struct tagged *t, struct tag tag, const uint8_t *bytes, size_t size)
{
	if (!t->as_json) {
		proto_bytes(t->out, tag.number, bytes, size);
		return;
	}
	json_begin_value(&t->json, tag.name);
	buffer_u8(t->out, '"');
	buffer_hex_bytes(t->out, bytes, size);
	buffer_u8(t->out, '"');
}

void tagged_numbers(struct tagged *t, struct tag tag)
{
	struct tagged_level *level = push(t);

	if (t->as_json) {
		json_open_array(&t->json, tag.name);
		return;
	}
	level->plain = false;
	level->opened = proto_open(t->out, tag.number);
}

void tagged_index(struct tagged *t, uint32_t value)
{
	if (t->as_json)
		json_put_u64(&t->json, NULL, value);
	else
		buffer_varint(t->out, value);
}

void tagged_value(struct tagged *t, int64_t value)
{
	if (t->as_json)
		put_text_number(t, NULL, value);
	else
		buffer_varint(t->out, (uint64_t)value);
}
