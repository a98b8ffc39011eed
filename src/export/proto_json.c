/* SPDX-License-Identifier: MIT */
#include "export/proto_json.h"

#include <assert.h>
#include <string.h>

#include "base/decimal.h"

/* A message of this field in Protocol Buffers; 0: nothing, as for lists and the outermost one. */
static struct proto_json_level *push(struct proto_json *t, uint32_t field)
{
	assert(t->depth < PROTO_JSON_DEPTH);
	t->levels[t->depth] = (struct proto_json_level){ .is_message = field };
	if (field && !t->as_json)
		proto_open(&t->proto, field);
	return &t->levels[t->depth++];
}

void proto_json_open(struct proto_json *t, struct tag tag)
{
	push(t, tag.number);
	if (t->as_json)
		json_open_object(&t->json, tag.name);
}

void proto_json_list(struct proto_json *t, struct tag tag)
{
	push(t, 0)->items = tag.number;
	if (t->as_json)
		json_open_array(&t->json, tag.name);
}

void proto_json_item(struct proto_json *t)
{
	proto_json_open(t, (struct tag){ t->levels[t->depth - 1].items, NULL });
}

void proto_json_text_item(struct proto_json *t, const char *text)
{
	proto_json_text_always(t, (struct tag){ t->levels[t->depth - 1].items, NULL }, text);
}

void proto_json_close(struct proto_json *t)
{
	const struct proto_json_level *level = &t->levels[--t->depth];

	if (t->as_json)
		json_close(&t->json);
	else if (level->is_message)
		proto_close(&t->proto);
}

void proto_json_i32(struct proto_json *t, struct tag tag, uint32_t value)
{
	if (!value)
		return;
	if (t->as_json)
		json_put_u64(&t->json, tag.name, value);
	else
		proto_u64(&t->proto, tag.number, value);
}

static void put_text_number(struct proto_json *t, const char *name, int64_t value)
{
	json_begin_value(&t->json, name);
	buffer_u8(t->proto.out, '"');
	buffer_signed(t->proto.out, value);
	buffer_u8(t->proto.out, '"');
}

void proto_json_i64_always(struct proto_json *t, struct tag tag, int64_t value)
{
	if (t->as_json)
		put_text_number(t, tag.name, value);
	else
		proto_always(&t->proto, tag.number, (uint64_t)value);
}

void proto_json_i64(struct proto_json *t, struct tag tag, int64_t value)
{
	if (value)
		proto_json_i64_always(t, tag, value);
}

void proto_json_fixed64(struct proto_json *t, struct tag tag, uint64_t value)
{
	if (!value)
		return;
	if (t->as_json)
		put_text_number(t, tag.name, (int64_t)value);
	else
		proto_fixed64(&t->proto, tag.number, value);
}

void proto_json_text_always(struct proto_json *t, struct tag tag, const char *text)
{
	if (t->as_json)
		json_put_text(&t->json, tag.name, text ? text : "");
	else
		proto_text_always(&t->proto, tag.number, text);
}

void proto_json_text(struct proto_json *t, struct tag tag, const char *text)
{
	if (text && *text)
		proto_json_text_always(t, tag, text);
}

void proto_json_id(struct proto_json *t, struct tag tag, const uint8_t *bytes, size_t size)
{
	if (!t->as_json) {
		proto_bytes(&t->proto, tag.number, bytes, size);
		return;
	}
	json_begin_value(&t->json, tag.name);
	buffer_u8(t->proto.out, '"');
	buffer_hex_bytes(t->proto.out, bytes, size);
	buffer_u8(t->proto.out, '"');
}

void proto_json_numbers(struct proto_json *t, struct tag tag)
{
	push(t, tag.number);
	if (t->as_json)
		json_open_array(&t->json, tag.name);
}

void proto_json_index(struct proto_json *t, uint32_t value)
{
	if (t->as_json)
		json_put_u64(&t->json, NULL, value);
	else
		buffer_varint(t->proto.out, value);
}

void proto_json_value(struct proto_json *t, int64_t value)
{
	if (t->as_json)
		put_text_number(t, NULL, value);
	else
		buffer_varint(t->proto.out, (uint64_t)value);
}
