/* SPDX-License-Identifier: MIT */
#include "payload_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/guid.h"

static void write_bytes(FILE *out, const uint8_t *bytes, size_t size)
{
	fputc('<', out);
	for (size_t i = 0; i < size; i++)
		fprintf(out, "%02x", bytes[i]);
	fputc('>', out);
}

static void write_guid(FILE *out, const uint8_t *bytes)
{
	char text[GUID_TEXT_SIZE];

	guid_text(bytes, text);
	fprintf(out, "{%s}", text);
}

static void write_value(FILE *out, const struct value *value)
{
	switch (value->kind) {
	case VALUE_NULL:
		fprintf(out, value->error ? "!%s" : "null", value->error);
		break;
	case VALUE_BOOL:
		fputs(value->unsigned_number ? "true" : "false", out);
		break;
	case VALUE_SIGNED:
		fprintf(out, "%lld", (long long)value->number);
		break;
	case VALUE_UNSIGNED:
		fprintf(out, "%lluu", (unsigned long long)value->unsigned_number);
		break;
	case VALUE_ADDRESS:
		fprintf(out, "0x%llx", (unsigned long long)value->unsigned_number);
		break;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		fprintf(out, "%g%c", value->real, value->kind == VALUE_FLOAT ? 'f' : 'd');
		break;
	case VALUE_TEXT:
		fprintf(out, "\"%.*s\"", (int)value->size, value->text);
		break;
	case VALUE_BYTES:
		write_bytes(out, value->bytes, value->size);
		break;
	case VALUE_GUID:
		write_guid(out, value->bytes);
		break;
	case VALUE_TIME:
		fprintf(out, "@%lld", (long long)value->number);
		break;
	default:
		break;
	}
}

static void write_values(FILE *out, struct payload *p)
{
	char closers[PLAN_DEEPEST] = "";
	unsigned depth = 0;
	bool first = true;
	struct value value;

	while (payload_next(p, &value)) {
		if (value.kind == VALUE_END) {
			assert_int_not_equal(depth, 0);
			fputc(closers[--depth], out);
			first = false;
			continue;
		}
		fputs(first ? "" : " ", out);
		if (value.name)
			fprintf(out, "%s=", value.name);
		first = value.kind == VALUE_OBJECT || value.kind == VALUE_ARRAY;
		if (first) {
			fputc(value.kind == VALUE_OBJECT ? '(' : '[', out);
			closers[depth++] = value.kind == VALUE_OBJECT ? ')' : ']';
		}
		write_value(out, &value);
	}
	assert_int_equal(depth, 0);
}

char *payload_text(const struct payload_plan *plan, struct literal bytes, int pointer_size)
{
	uint8_t *copy = malloc(bytes.size ? bytes.size : 1);
	const struct pp_event event = { .payload = copy, .payload_size = (uint32_t)bytes.size };
	struct payload payload = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	memcpy(copy, bytes.at, bytes.size);
	payload_begin(&payload, plan, &event, pointer_size);
	write_values(out, &payload);
	fclose(out);
	payload_release(&payload);
	free(copy);
	return text;
}

void expect_payload_of(const struct pp_kind *kind, struct literal bytes, int pointer_size,
		       const char *text)
{
	struct plans plans = { 0 };
	char *ours = payload_text(plans_for(&plans, kind), bytes, pointer_size);

	assert_string_equal(ours, text);
	free(ours);
	plans_release(&plans);
}

void expect_payload(const struct pp_kind *kind, struct literal bytes, const char *text)
{
	expect_payload_of(kind, bytes, 8, text);
}

static void expect_read(int version, struct builder *fields, struct literal bytes, const char *text)
{
	struct builder b = build_start(version);
	struct reading r;

	build_metadata(&b);
	kind(&b, .id = 1, .fields = built(fields));
	build_close(&b);
	if (version == 6)
		build_thread(&b, 999, 0, 0);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 999, .ticks = 1, .payload = bytes);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 1);
	expect_payload(r.events[0].kind,
		       (struct literal){ r.events[0].payload, r.events[0].payload_size }, text);
	reading_release(&r);
	builder_release(fields);
}

void expect_v6(struct builder *fields, struct literal bytes, const char *text)
{
	expect_read(6, fields, bytes, text);
}

void expect_v5(struct builder *fields, struct literal bytes, const char *text)
{
	expect_read(4, fields, bytes, text);
}

void expect_type(struct literal type, struct literal bytes, const char *text)
{
	struct builder fields = { 0 };

	put_u16(&fields, 1);
	field_v6(&fields, "f", type);
	expect_v6(&fields, bytes, text);
}
