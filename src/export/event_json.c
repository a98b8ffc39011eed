/* SPDX-License-Identifier: MIT */
/*
 * One object per line. The text that all events of a kind share is made once and copied; the rest
 * is written straight into the buffer, since a large trace becomes gigabytes.
 */
#include "export/event_format.h"

#include <math.h>
#include <string.h>

#include "base/distinct_names.h"
#include "base/decimal.h"
#include "base/guid.h"
#include "base/json.h"
#include "base/time.h"
#include "report/result.h"

#define PUT_AT(at, text) put_at(at, text, sizeof(text) - 1)

/* The caller has made sure that it fits. */
static inline uint8_t *put_at(uint8_t *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

static void put_key(struct buffer *out, const char *key)
{
	buffer_u8(out, ',');
	json_quote(out, key, strlen(key));
	buffer_u8(out, ':');
}

static void put_text(struct buffer *out, const char *key, const char *text)
{
	put_key(out, key);
	json_quote(out, text, strlen(text));
}

static void put_number(struct buffer *out, const char *key, uint64_t number)
{
	put_key(out, key);
	buffer_decimal(out, number);
}

static void put_guid(struct buffer *out, const char *key, const uint8_t *guid)
{
	char text[GUID_TEXT_SIZE];

	guid_text(guid, text);
	put_text(out, key, text);
}

/* From provider to opcode, with the labels of this event applied. */
static void put_kind(struct event_output *output, const struct pp_event *event, struct buffer *out)
{
	const int opcode = event_opcode(output, event);

	put_text(out, "provider", event->kind->provider);
	put_text(out, "name", event_name(output, event));
	put_number(out, "id", event->kind->id);
	put_number(out, "version", event_version(event));
	put_number(out, "level", event_level(event));
	put_key(out, "keywords");
	buffer_text(out, "\"0x");
	buffer_hex(out, event_keywords(event), 1);
	buffer_u8(out, '"');
	if (opcode >= 0)
		put_number(out, "opcode", (uint64_t)opcode);
}

static void put_kind_once(struct event_output *output, const struct pp_event *event)
{
	struct kind_text *text = (struct kind_text *)event_kind_text(output, event->kind);

	if (!text->json) {
		const struct pp_event plain = { .kind = event->kind };
		struct buffer made = { 0 };

		put_kind(output, &plain, &made);
		text->json_size = made.size;
		text->json = arena_text(&output->arena, (const char *)made.bytes, made.size);
		buffer_release(&made);
	}
	buffer_bytes(&output->out, text->json, text->json_size);
}

static void put_pairs(struct buffer *out, const struct pp_labels *labels)
{
	struct json json = { .out = out };
	struct arena arena = { 0 };
	const char **keys;

	if (!labels->pair_count)
		return;
	put_key(out, "labels");
	json.depth = 1; /* inside the event: the object ends no line */
	json.filled[0] = false;
	json_open_object(&json, NULL);
	keys = arena_array(&arena, const char *, labels->pair_count);
	for (size_t i = 0; i < labels->pair_count; i++)
		keys[i] = labels->pairs[i].key;
	distinct_names(keys, labels->pair_count, &arena);
	for (size_t i = 0; i < labels->pair_count; i++)
		if (labels->pairs[i].text)
			json_put_text(&json, keys[i], labels->pairs[i].text);
		else
			json_put_i64(&json, keys[i], labels->pairs[i].number);
	json_close(&json);
	arena_release(&arena);
}

static void put_labels(struct buffer *out, const struct pp_labels *labels)
{
	if (labels->present & PP_LABEL_ACTIVITY)
		put_guid(out, "activity_id", labels->activity_id);
	if (labels->present & PP_LABEL_RELATED)
		put_guid(out, "related_activity_id", labels->related_activity_id);
	if (labels->present & PP_LABEL_TRACE) {
		buffer_text(out, ",\"trace_id\":\"");
		buffer_hex_bytes(out, labels->trace_id, 16);
		buffer_u8(out, '"');
	}
	if (labels->present & PP_LABEL_SPAN) {
		buffer_text(out, ",\"span_id\":\"");
		buffer_hex(out, labels->span_id, 16);
		buffer_u8(out, '"');
	}
	put_pairs(out, labels);
}

static void put_real(struct buffer *out, const struct value *value)
{
	const char *quote = isfinite(value->real) ? "" : "\"";

	buffer_text(out, quote);
	buffer_real(out, value->real, value->kind == VALUE_FLOAT);
	buffer_text(out, quote);
}

static void put_time(struct buffer *out, int64_t unix_100ns)
{
	char text[TIME_TEXT_SIZE];

	time_text_100ns(unix_100ns, text);
	json_quote(out, text, strlen(text));
}

static void put_bytes(struct buffer *out, const struct value *value)
{
	char guid[GUID_TEXT_SIZE];

	buffer_u8(out, '"');
	if (value->kind == VALUE_GUID) {
		guid_text(value->bytes, guid);
		buffer_bytes(out, guid, GUID_TEXT_SIZE - 1);
	} else {
		buffer_hex_bytes(out, value->bytes, value->size);
	}
	buffer_u8(out, '"');
}

void event_put_json_value(struct buffer *out, const struct value *value)
{
	switch (value->kind) {
	case VALUE_BOOL:
		buffer_bytes(out, value->unsigned_number ? "true" : "false",
			     value->unsigned_number ? 4 : 5);
		break;
	case VALUE_SIGNED:
		buffer_signed(out, value->number);
		break;
	case VALUE_UNSIGNED:
	case VALUE_ADDRESS:
		buffer_decimal(out, value->unsigned_number);
		break;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		put_real(out, value);
		break;
	case VALUE_TEXT:
		json_quote(out, value->text, value->size);
		break;
	case VALUE_BYTES:
	case VALUE_GUID:
		put_bytes(out, value);
		break;
	case VALUE_TIME:
		put_time(out, value->number);
		break;
	default:
		buffer_text(out, "null");
	}
}

static void make_key_text(struct key_text *key, const char *name)
{
	struct buffer made = { 0 };

	put_key(&made, name);
	key->name = name;
	key->size = made.size < KEY_LONGEST ? made.size : 0;
	memcpy(key->text, made.bytes, key->size);
	buffer_release(&made);
}

/* The slow path of key_text_for(): others may have its place, then it has one of the next. */
static const struct key_text *find_key_text(struct event_output *output, size_t place,
					    const char *name)
{
	struct key_text *key;

	for (size_t i = 0; i < KEY_PLACES; i++) {
		key = &output->keys[(place + i) & (KEY_TEXTS - 1)];
		if (key->name == name)
			return key;
		if (!key->name)
			break;
	}
	make_key_text(key, name);
	return key;
}

static inline const struct key_text *key_text_for(struct event_output *output, const char *name)
{
	const uint64_t mixed = (uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15);
	const size_t place = mixed >> 32 & (KEY_TEXTS - 1);

	return output->keys[place].name == name ? &output->keys[place]
						: find_key_text(output, place, name);
}

/* The name of a member, with a comma if one is due, at a place with room for KEY_LONGEST. */
static inline uint8_t *put_name_at(const struct key_text *key, bool comma, uint8_t *at)
{
	memcpy(at, key->text + !comma, KEY_LONGEST - 1); /* the excess is overwritten */
	return at + key->size - !comma;
}

static void put_long_name(struct event_output *output, const char *name, bool comma)
{
	if (comma)
		buffer_u8(&output->out, ',');
	json_quote(&output->out, name, strlen(name));
	buffer_u8(&output->out, ':');
}

/* The common case, a short name and a number; false: it is something else. */
static inline bool put_number_member(struct event_output *output, const struct value *value,
				     bool comma)
{
	const struct key_text *key = value->name ? key_text_for(output, value->name) : NULL;
	uint8_t *at;

	if (!key || !key->size || value->kind < VALUE_SIGNED || value->kind > VALUE_ADDRESS)
		return false;
	at = buffer_room(&output->out, KEY_LONGEST + DECIMAL_ROOM);
	if (!at)
		return true;
	at = put_name_at(key, comma, at);
	if (value->kind == VALUE_SIGNED)
		at = decimal_put_signed(at, value->number);
	else
		at = decimal_put(at, value->unsigned_number);
	buffer_wrote(&output->out, at);
	return true;
}

static void put_name(struct event_output *output, const char *name, bool comma)
{
	const struct key_text *key = name ? key_text_for(output, name) : NULL;
	uint8_t *at;

	if (key && !key->size) {
		put_long_name(output, name, comma);
	} else if (key) {
		at = buffer_room(&output->out, KEY_LONGEST);
		if (at)
			buffer_wrote(&output->out, put_name_at(key, comma, at));
	} else if (comma) {
		buffer_u8(&output->out, ',');
	}
}

bool event_put_bracket(struct event_output *output, const struct value *value)
{
	struct nesting *nesting = &output->nesting;

	if (value->kind == VALUE_OBJECT || value->kind == VALUE_ARRAY) {
		buffer_u8(&output->out, value->kind == VALUE_OBJECT ? '{' : '[');
		nesting->closers[nesting->depth++] = value->kind == VALUE_OBJECT ? '}' : ']';
		return true;
	}
	if (value->kind != VALUE_END)
		return false;
	buffer_u8(&output->out, (uint8_t)nesting->closers[--nesting->depth]);
	return true;
}

bool event_put_payload(struct event_output *output, const struct pp_event *event,
		       struct buffer *errors)
{
	struct buffer *out = &output->out;
	const struct value *value;
	bool comma = false;
	bool any = false;

	event_values_begin(output, event);
	for (; (value = event_values_step(output)); any = true) {
		if (!any)
			buffer_u8(out, '{');
		if (put_number_member(output, value, comma)) {
			comma = true;
			continue;
		}
		put_name(output, value->name, comma && value->kind != VALUE_END);
		comma = value->kind != VALUE_OBJECT && value->kind != VALUE_ARRAY;
		if (!event_put_bracket(output, value))
			event_put_json_value(out, value);
		if (value->error)
			put_text(errors, value->name ? value->name : "payload", value->error);
	}
	if (any)
		buffer_u8(out, '}');
	if (plans_for(&output->plans, event->kind)->newer_than_known)
		put_text(errors, "payload",
			 "this version is newer than the table: only known fields");
	return any;
}

static void put_payload(struct event_output *output, const struct pp_event *event)
{
	const size_t start = output->out.size;
	struct buffer errors = { 0 };

	buffer_text(&output->out, ",\"payload\":");
	if (!event_put_payload(output, event, &errors))
		buffer_rewind(&output->out, start);
	if (errors.size) {
		buffer_text(&output->out, ",\"errors\":{");
		buffer_bytes(&output->out, errors.bytes + 1, errors.size - 1); /* not the comma */
		buffer_u8(&output->out, '}');
		buffer_release(&errors);
	}
}

static void put_stack(struct buffer *out, const struct pp_stack *stack)
{
	buffer_text(out, ",\"stack\":[");
	for (size_t i = 0; i < stack->count; i++) {
		buffer_bytes(out, i ? ",\"0x" : "\"0x", i ? 4 : 3);
		buffer_hex(out, stack->addresses[i], 1);
		buffer_u8(out, '"');
	}
	buffer_u8(out, ']');
}

static bool overrides(const struct pp_event *event)
{
	return event_has_label(event, PP_LABEL_OPCODE | PP_LABEL_KEYWORDS | PP_LABEL_LEVEL |
					      PP_LABEL_VERSION);
}

static void make_thread_text(struct thread_text *text, const struct pp_thread *thread)
{
	uint8_t *at = text->text;

	if (thread->process_id >= 0)
		at = decimal_put_signed(PUT_AT(at, ",\"process_id\":"), thread->process_id);
	if (thread->id >= 0)
		at = decimal_put_signed(PUT_AT(at, ",\"thread_id\":"), thread->id);
	text->process_id = thread->process_id;
	text->id = thread->id;
	text->size = (size_t)(at - text->text);
}

/* Most events are on the same thread as the one before. */
static void put_thread(struct event_output *output, const struct pp_thread *thread)
{
	struct thread_text *text = &output->thread;

	if (!text->size || text->id != thread->id || text->process_id != thread->process_id)
		make_thread_text(text, thread);
	buffer_bytes(&output->out, text->text, text->size);
}

static void put_times(struct event_output *output, const struct pp_event *event)
{
	const int64_t time_ns = pp_trace_time_ns(output->header, event->ticks);
	uint8_t *at = buffer_room(&output->out, 4 * DECIMAL_ROOM + EVENT_TIMESTAMP);

	if (!at)
		return;
	at = decimal_put_signed(PUT_AT(at, "{\"time_ns\":"), time_ns);
	at = event_timestamp(output, time_ns, PUT_AT(at, ",\"timestamp\":\""));
	*at++ = '"';
	buffer_wrote(&output->out, at);
}

static void event(struct event_output *output, const struct pp_event *event)
{
	struct buffer *out = &output->out;

	put_times(output, event);
	if (overrides(event))
		put_kind(output, event, out);
	else
		put_kind_once(output, event);
	put_thread(output, event->thread);
	if (event->cpu >= 0) {
		buffer_text(out, ",\"cpu\":");
		buffer_signed(out, event->cpu);
	}
	if (event->labels)
		put_labels(out, event->labels);
	put_payload(output, event);
	if (output->stacks && event->stack) {
		put_stack(out, event->stack);
		if (output->frames)
			event_put_frames(out, output->frames, event->stack);
	}
	buffer_text(out, "}\n");
}

/* The keys that are written above, for the schema. */
static const struct result_field inlined_fields[] = {
	COMPUTED("name", NULL, UNIT_TEXT),
	COMPUTED("file", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("line", NULL, UNIT_ID, .flags = OPTIONAL),
	FIELD_END,
};
static const struct result_shape inlined_shape = { inlined_fields, NULL };

static const struct result_field frame_fields[] = {
	COMPUTED("name", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("module", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("offset", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	COMPUTED("file", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("line", NULL, UNIT_ID, .flags = OPTIONAL),
	COMPUTED_LIST("inlined", NULL, &inlined_shape, .flags = OPTIONAL),
	FIELD_END,
};
static const struct result_shape frame_shape = { frame_fields, NULL };

/* clang-format off */
static const struct result_field line_fields[] = {
	COMPUTED("time_ns", NULL, UNIT_TIME, .flags = WHEN),
	COMPUTED("timestamp", NULL, UNIT_TEXT),
	COMPUTED("provider", NULL, UNIT_TEXT),
	COMPUTED("name", NULL, UNIT_TEXT),
	COMPUTED("id", NULL, UNIT_ID),
	COMPUTED("version", NULL, UNIT_ID),
	COMPUTED("level", NULL, UNIT_ID),
	COMPUTED("keywords", NULL, UNIT_TEXT),
	COMPUTED("opcode", NULL, UNIT_ID, .flags = OPTIONAL),
	COMPUTED("process_id", NULL, UNIT_ID, .flags = OPTIONAL),
	COMPUTED("thread_id", NULL, UNIT_ID, .flags = OPTIONAL),
	COMPUTED("cpu", NULL, UNIT_ID, .flags = OPTIONAL),
	COMPUTED("activity_id", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("related_activity_id", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("trace_id", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("span_id", NULL, UNIT_TEXT, .flags = OPTIONAL),
	COMPUTED("labels", NULL, UNIT_MAP, .flags = OPTIONAL),
	COMPUTED("payload", NULL, UNIT_MAP, .flags = OPTIONAL),
	COMPUTED("errors", NULL, UNIT_MAP, .flags = OPTIONAL),
	COMPUTED("stack", NULL, UNIT_TEXTS, .flags = OPTIONAL),
	COMPUTED_LIST("frames", NULL, &frame_shape, .flags = OPTIONAL),
	FIELD_END,
};
/* clang-format on */

const struct result_kind event_line_kind = {
	.name = "events",
	.version = 1,
	.summary = "a line of perfpipe events --json: one event",
	.shape = &(const struct result_shape){ line_fields, NULL },
	.bare = true,
};

const struct event_format event_json = {
	.name = "json",
	.event = event,
};
