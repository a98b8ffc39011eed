/* SPDX-License-Identifier: MIT */
/*
 * The texts that .NET's own library makes of an event's fields: "EventData: port=40,379". Numbers
 * have commas, unless they are unsigned or in an array; 64 bits without a sign are addresses.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/wall_activities.h"
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/guid.h"
#include "base/intern.h"
#include "base/time.h"
#include "clr/event_name.h"
#include "clr/providers.h"
#include "payload/plan.h"

#define SHOWN_BYTES 16

/*
 * Nearly every event may have values of its own. Beyond these, new values are not told apart, and
 * then fields are left out, so that memory does not grow with the trace.
 */
#define LABELS_MOST (1u << 16)
#define NOTES_MOST  (1u << 18)
#define NO_FIELD    UINT32_MAX
#define UNREADABLE  "<<<EXCEPTION_DURING_VALUE_LOOKUP ArgumentOutOfRangeException>>>"

static void put_bytes(struct buffer *b, const struct value *value)
{
	const size_t shown = value->size < SHOWN_BYTES ? value->size : SHOWN_BYTES;

	for (size_t i = 0; i < shown; i++) {
		buffer_u8(b, (uint8_t) "0123456789ABCDEF"[value->bytes[i] >> 4]);
		buffer_u8(b, (uint8_t) "0123456789ABCDEF"[value->bytes[i] & 15]);
	}
	if (shown < value->size)
		buffer_text(b, "...");
}

static void put_guid(struct buffer *b, const struct value *value)
{
	char text[GUID_TEXT_SIZE];

	guid_text(value->bytes, text);
	buffer_text(b, text);
}

/* "02/29/2024 12:34:56" */
static void put_date(struct buffer *b, const struct value *value)
{
	char text[TIME_TEXT_SIZE];

	time_text_100ns(value->number, text);
	buffer_bytes(b, text + 5, 2);
	buffer_u8(b, '/');
	buffer_bytes(b, text + 8, 2);
	buffer_u8(b, '/');
	buffer_bytes(b, text, 4);
	buffer_u8(b, ' ');
	buffer_bytes(b, text + 11, 8);
}

/* As .NET's ToString() writes it. */
static void put_plain(struct buffer *b, const struct value *value)
{
	char digits[32];

	switch (value->kind) {
	case VALUE_BOOL:
		buffer_text(b, value->unsigned_number ? "True" : "False");
		break;
	case VALUE_SIGNED:
		snprintf(digits, sizeof(digits), "%lld", (long long)value->number);
		buffer_text(b, digits);
		break;
	case VALUE_UNSIGNED:
	case VALUE_ADDRESS:
		snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)value->unsigned_number);
		buffer_text(b, digits);
		break;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		buffer_real(b, value->real, value->kind == VALUE_FLOAT);
		break;
	case VALUE_TEXT:
		buffer_bytes(b, value->text, value->size);
		break;
	case VALUE_BYTES:
		put_bytes(b, value);
		break;
	case VALUE_GUID:
		put_guid(b, value);
		break;
	case VALUE_TIME:
		put_date(b, value);
		break;
	default:
		break;
	}
}

/* "-1234.500" with a comma between thousands. */
static void put_grouped(struct buffer *b, const char *number)
{
	size_t whole;

	if (*number == '-')
		buffer_u8(b, (uint8_t)*number++);
	whole = strspn(number, "0123456789");
	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			buffer_u8(b, ',');
		buffer_u8(b, (uint8_t)number[i]);
	}
	buffer_text(b, number + whole);
}

/* "03:24:35.296023 (1,065.023 MSec)", since the recording began; before that, as a date. */
static void put_time(struct buffer *b, const struct value *value, int64_t start_ns)
{
	const double ms = ((double)value->number - (double)start_ns / 100) / 1e4;
	char text[TIME_TEXT_SIZE];
	char digits[64];

	if (ms < 0) {
		put_date(b, value);
		return;
	}
	time_text_100ns(value->number, text);
	buffer_bytes(b, text + 11, 15);
	buffer_text(b, " (");
	snprintf(digits, sizeof(digits), "%.3f", ms);
	put_grouped(b, digits);
	buffer_text(b, " MSec)");
}

static void put_scalar(struct buffer *b, const struct value *value, uint8_t type, int64_t start_ns)
{
	char digits[400];

	if (value->kind == VALUE_NULL) {
		buffer_text(b, value->error ? UNREADABLE : "");
	} else if (value->kind == VALUE_SIGNED) {
		snprintf(digits, sizeof(digits), "%lld", (long long)value->number);
		put_grouped(b, digits);
	} else if (value->kind == VALUE_DOUBLE && isfinite(value->real)) {
		snprintf(digits, sizeof(digits), "%.3f", value->real);
		put_grouped(b, digits);
	} else if (value->kind == VALUE_TIME) {
		put_time(b, value, start_ns);
	} else if (value->kind == VALUE_ADDRESS || type == PLAN_U64) {
		buffer_text(b, "0x");
		buffer_hex(b, value->unsigned_number, 8);
	} else {
		put_plain(b, value);
	}
}

static void put_quoted(struct buffer *b, const struct value *value)
{
	buffer_u8(b, '"');
	for (size_t i = 0; value->kind == VALUE_TEXT && i < value->size; i++) {
		if (value->text[i] == '"' || value->text[i] == '\\')
			buffer_u8(b, '\\');
		buffer_u8(b, (uint8_t)value->text[i]);
	}
	if (value->kind != VALUE_TEXT)
		put_plain(b, value);
	buffer_u8(b, '"');
}

static void put_json(struct buffer *b, struct payload *payload, const struct value *value);

/* Members up to the end of their object or array; the first may have been read. */
static void put_members(struct buffer *b, struct payload *payload, const struct value *first,
			const char *brackets)
{
	struct value value;
	bool more = true;
	const char *before = " ";

	buffer_u8(b, (uint8_t)brackets[0]);
	if (first)
		value = *first;
	else
		more = payload_next(payload, &value);
	for (; more && value.kind != VALUE_END; more = payload_next(payload, &value)) {
		buffer_text(b, before);
		before = ", ";
		if (value.name) {
			buffer_u8(b, '"');
			buffer_text(b, value.name);
			buffer_text(b, "\":");
		}
		put_json(b, payload, &value);
	}
	buffer_u8(b, ' ');
	buffer_u8(b, (uint8_t)brackets[1]);
}

static void put_json(struct buffer *b, struct payload *payload, const struct value *value)
{
	switch (value->kind) {
	case VALUE_OBJECT:
		put_members(b, payload, NULL, "{}");
		break;
	case VALUE_ARRAY:
		put_members(b, payload, NULL, "[]");
		break;
	case VALUE_NULL:
		buffer_text(b, "null");
		break;
	case VALUE_BOOL:
	case VALUE_SIGNED:
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		put_plain(b, value);
		break;
	default:
		put_quoted(b, value);
		break;
	}
}

/* key->"value" */
static void put_pair(struct buffer *b, struct payload *payload, const struct value *key)
{
	struct value value;

	put_plain(b, key);
	buffer_text(b, "->\"");
	while (payload_next(payload, &value) && value.kind != VALUE_END)
		put_plain(b, &value);
	buffer_u8(b, '"');
}

static void put_element(struct buffer *b, struct payload *payload, const struct value *value)
{
	struct value first = { .kind = VALUE_END };

	if (value->kind == VALUE_ARRAY)
		put_members(b, payload, NULL, "[]");
	else if (value->kind != VALUE_OBJECT)
		put_plain(b, value);
	else if (payload_next(payload, &first) && first.kind == VALUE_TEXT && first.name &&
		 !strcmp(first.name, "Key"))
		put_pair(b, payload, &first);
	else
		put_members(b, payload, &first, "{}");
}

static void put_array(struct buffer *b, struct payload *payload)
{
	struct value value;
	bool any = false;

	buffer_u8(b, '[');
	while (payload_next(payload, &value) && value.kind != VALUE_END) {
		if (any)
			buffer_u8(b, ',');
		any = true;
		put_element(b, payload, &value);
	}
	buffer_u8(b, ']');
}

static void put_field(struct wall_tasks *w, const struct event_context *at,
		      const struct value *value, uint8_t type)
{
	if (value->kind == VALUE_ARRAY)
		put_array(&w->text, &w->payload);
	else if (value->kind == VALUE_OBJECT)
		put_members(&w->text, &w->payload, NULL, "{}");
	else
		put_scalar(&w->text, value, type, at->header->start_ns);
}

/* Makes what was put the next frame after a node. */
static uint32_t add_label(struct wall_tasks *w, uint32_t node)
{
	const char *text = strings_intern(&w->strings, (const char *)w->text.bytes, w->text.size);
	const void *known = map_find(&w->label_numbers, (uintptr_t)text);

	if (known)
		return stack_tree_child(&w->notes, node, (uint32_t)((uintptr_t)known - 1));
	w->labels = xgrow(w->labels, w->label_count, &w->label_capacity, sizeof(*w->labels));
	w->labels[w->label_count++] = text;
	map_put(&w->label_numbers, (uintptr_t)text, (void *)(uintptr_t)w->label_count);
	return stack_tree_child(&w->notes, node, (uint32_t)w->label_count - 1);
}

static uint32_t add_event_name(struct wall_tasks *w, const struct event_context *at, uint32_t node)
{
	const struct pp_labels *labels = at->event->labels;
	const int opcode = labels && labels->present & PP_LABEL_OPCODE ? labels->opcode : -1;
	struct arena scratch = { 0 };

	buffer_rewind(&w->text, 0);
	buffer_text(&w->text, "EventName: ");
	buffer_text(&w->text, at->event->kind->provider);
	buffer_u8(&w->text, '/');
	buffer_text(&w->text, event_labelled_name(at->event->kind, opcode, &scratch));
	arena_release(&scratch);
	return add_label(w, node);
}

/* What was put from here on is a value, unless there are too many and it is a new one. */
static bool cut_value(struct wall_tasks *w, size_t start)
{
	if (w->label_count < LABELS_MOST ||
	    intern_find(&w->strings.by_content, w->text.bytes, w->text.size))
		return false;
	buffer_rewind(&w->text, start);
	buffer_text(&w->text, "...");
	return true;
}

static void begin_fields(struct wall_tasks *w, const struct event_context *at)
{
	payload_begin(&w->payload, at->plan, at->event, at->header->pointer_size);
}

/* Below the fields before it; `cut` if its value is not told apart. */
static uint32_t add_field(struct wall_tasks *w, const struct event_context *at, uint32_t node,
			  bool *cut)
{
	const uint8_t type = w->payload.next->type;
	struct value value;
	size_t start;

	if (type == PLAN_REST || !payload_next(&w->payload, &value))
		return NO_FIELD; /* bytes that nobody describes are not a field */
	buffer_rewind(&w->text, 0);
	buffer_text(&w->text, "EventData: ");
	buffer_text(&w->text, value.name ? value.name : "");
	buffer_u8(&w->text, '=');
	start = w->text.size;
	put_field(w, at, &value, type);
	*cut |= cut_value(w, start);
	return add_label(w, node);
}

uint32_t wall_note(struct wall_tasks *w, const struct event_context *at)
{
	bool cut = w->notes.count >= NOTES_MOST;
	uint32_t node = 0, next;

	begin_fields(w, at);
	while (w->notes.count < NOTES_MOST && (next = add_field(w, at, node, &cut)) != NO_FIELD)
		node = next;
	w->cut_notes += cut;
	return add_event_name(w, at, node);
}

/* "/method=GET" if that is the first field. */
static const char *first_text(struct wall_tasks *w, const struct event_context *at)
{
	struct value value;

	begin_fields(w, at);
	if (!payload_next(&w->payload, &value) || value.kind != VALUE_TEXT)
		return NULL;
	buffer_rewind(&w->text, 0);
	buffer_u8(&w->text, '/');
	buffer_text(&w->text, value.name ? value.name : "");
	buffer_u8(&w->text, '=');
	buffer_bytes(&w->text, value.text, value.size);
	return strings_intern(&w->strings, (const char *)w->text.bytes, w->text.size);
}

static const char *task_name(struct wall_tasks *w, const struct event_context *at)
{
	struct arena scratch = { 0 };
	const char *name = event_kind_name(at->event->kind, &scratch);
	const char *slash = strrchr(name, '/');
	const char *kept =
		strings_intern(&w->strings, name, slash ? (size_t)(slash - name) : strlen(name));

	arena_release(&scratch);
	return kept;
}

/* Sql="select 1"; nothing if the value is empty. A value may overwrite the text of its key. */
static void put_argument(struct wall_tasks *w, const char *before)
{
	struct buffer *b = &w->text;
	const size_t start = b->size;
	struct value value = { .kind = VALUE_END };

	buffer_text(b, before);
	if (payload_next(&w->payload, &value) && value.kind == VALUE_TEXT)
		put_plain(b, &value);
	if (payload_next(&w->payload, &value) && value.kind == VALUE_TEXT && value.size) {
		buffer_text(b, "=\"");
		put_plain(b, &value);
		buffer_u8(b, '"');
	} else {
		buffer_rewind(b, start);
	}
	while (value.kind != VALUE_END && payload_next(&w->payload, &value))
		continue;
}

/* Of pairs, with a blank after each, even one that is left out. */
static const char *arguments(struct wall_tasks *w)
{
	const char *before = "";
	struct value value;

	buffer_rewind(&w->text, 0);
	while (payload_next(&w->payload, &value) && value.kind == VALUE_OBJECT) {
		put_argument(w, before);
		before = " ";
	}
	return strings_intern(&w->strings, (const char *)w->text.bytes, w->text.size);
}

/* Events of a DiagnosticSource have the name and the arguments of what they pass on. */
static const char *passed_on(struct wall_tasks *w, const struct event_context *at,
			     const char **extra)
{
	const char *name = NULL;
	struct value value;

	begin_fields(w, at);
	while (payload_next(&w->payload, &value)) {
		if (value.name && !strcmp(value.name, "EventName") && value.kind == VALUE_TEXT)
			name = strings_intern(&w->strings, value.text, value.size);
		if (value.name && !strcmp(value.name, "Arguments") && value.kind == VALUE_ARRAY)
			*extra = arguments(w);
	}
	return name;
}

const char *wall_start_name(struct wall_tasks *w, const struct event_context *at,
			    const char **extra)
{
	const char *name = NULL;

	*extra = NULL;
	if (!strcmp(at->event->kind->provider, DIAGNOSTIC_SOURCE_PROVIDER))
		name = passed_on(w, at, extra);
	if (name)
		return name;
	*extra = first_text(w, at);
	return task_name(w, at);
}
