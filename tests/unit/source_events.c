/* SPDX-License-Identifier: MIT */
#include "source_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"

#define FIELDS 12

struct source_kind {
	struct pp_kind kind;
	char *text; /* provider, name and field names, each NUL-terminated */
	struct pp_field fields[FIELDS];
};

static const struct pp_field pair_fields[] = {
	{ "Key", { .code = PP_TYPE_UTF16Z } },
	{ "Value", { .code = PP_TYPE_UTF16Z } },
};
static const struct pp_type pair = { .code = PP_TYPE_OBJECT, .fields = { pair_fields, 2 } };

static struct pp_type type_of(char mark)
{
	switch (mark) {
	case '#':
		return (struct pp_type){ .code = PP_TYPE_I32 };
	case '%':
		return (struct pp_type){ .code = PP_TYPE_F64 };
	case '[':
		return (struct pp_type){ .code = PP_TYPE_ARRAY, .element = &pair };
	default:
		return (struct pp_type){ .code = PP_TYPE_UTF16Z };
	}
}

static void put_text(struct buffer *payload, const char *text, size_t size)
{
	char *copy = xstrndup(text, size);

	buffer_utf16z(payload, copy);
	xfree(copy);
}

static void put_pairs(struct buffer *payload, const char *at, const char *end)
{
	uint16_t count = 0;

	for (const char *c = at; c < end; c++)
		count = (uint16_t)(count + (*c == '='));
	buffer_u16(payload, count);
	while (at < end) {
		const size_t key = strcspn(at, "=");
		const size_t value = strcspn(at + key + 1, ",]");

		put_text(payload, at, key);
		put_text(payload, at + key + 1, value);
		at += key + value + 2;
	}
}

static void put_value(struct buffer *payload, char mark, const char *at, const char *end)
{
	const double real = strtod(at, NULL);

	if (mark == '#')
		buffer_u32(payload, (uint32_t)strtol(at, NULL, 10));
	else if (mark == '%')
		buffer_bytes(payload, &real, sizeof(real));
	else if (mark == '[')
		put_pairs(payload, at, end - 1);
	else
		put_text(payload, at, (size_t)(end - at));
}

/* Sets the kind's fields, and the payload. */
static void take_fields(struct source_kind *kind, char *text, const char *fields,
			struct buffer *payload)
{
	size_t count = 0;

	while (*fields) {
		const size_t name = strcspn(fields, "=#%[");
		const size_t whole = strcspn(fields, ";");

		assert_true(name < whole && count < FIELDS);
		memcpy(text, fields, name);
		kind->fields[count++] =
			(struct pp_field){ .name = text, .type = type_of(fields[name]) };
		text += name + 1;
		put_value(payload, fields[name], fields + name + 1, fields + whole);
		fields += whole + (fields[whole] == ';');
	}
	kind->kind.fields = (struct pp_fields){ kind->fields, count };
}

static bool is_same(const struct source_kind *a, const struct source_kind *b)
{
	bool same = !strcmp(a->kind.provider, b->kind.provider) &&
		    !strcmp(a->kind.name, b->kind.name) && a->kind.id == b->kind.id &&
		    a->kind.version == b->kind.version && a->kind.opcode == b->kind.opcode &&
		    a->kind.fields.count == b->kind.fields.count;

	for (size_t i = 0; same && i < a->kind.fields.count; i++)
		same = !strcmp(a->fields[i].name, b->fields[i].name) &&
		       a->fields[i].type.code == b->fields[i].type.code;
	return same;
}

static struct source_kind *new_kind(const struct source *source, const char *what, size_t room)
{
	const char *slash = strchr(what, '/');
	const uint32_t id = source->id == SOURCE_NO_ID ? 0 : source->id ? source->id : 1;
	struct source_kind *kind = xcalloc(1, sizeof(*kind));

	kind->text = xcalloc(1, strlen(what) + 1 + room);
	strcpy(kind->text, what);
	kind->text[slash - what] = '\0';
	kind->kind = (struct pp_kind){ .provider = kind->text,
				       .name = kind->text + (slash - what) + 1,
				       .id = id,
				       .opcode = source->opcode ? source->opcode : -1 };
	return kind;
}

static void free_kind(struct source_kind *kind)
{
	xfree(kind->text);
	xfree(kind);
}

/* This kind, or an equal one that was added before. */
static const struct pp_kind *known_kind(struct source *source, struct source_kind *kind)
{
	for (size_t i = 0; i < source->kind_count; i++)
		if (is_same(source->kinds[i], kind)) {
			free_kind(kind);
			return &source->kinds[i]->kind;
		}
	source->kinds = xgrow(source->kinds, source->kind_count, &source->kind_capacity,
			      sizeof(struct source_kind *));
	kind->kind.index = source->kind_count;
	source->kinds[source->kind_count++] = kind;
	return &kind->kind;
}

/* Encodes the numbers of a path, up to 10, in half bytes, followed by the checksum. */
static void make_activity(uint8_t id[16], const char *path)
{
	uint32_t words[4] = { 0 };
	unsigned at = 0;

	if (*path == '!') {
		memcpy(id, path + 1, 16);
		return;
	}
	for (path += 2; *path; path += strcspn(path, "/") + 1) {
		const long number = strtol(path, NULL, 10);

		assert_in_range(number, 1, 10);
		((uint8_t *)words)[at / 2] |= (uint8_t)(number << (at % 2 ? 0 : 4));
		at++;
	}
	words[3] = words[0] + words[1] + words[2] + UINT32_C(0x599D99AD);
	memcpy(id, words, 16);
}

static const struct pp_thread *thread_of(struct source *source)
{
	const int64_t id = source->thread_id ? source->thread_id : 7;
	const int64_t process_id = source->process_id ? source->process_id : 11;
	size_t i = 0;

	while (i < source->thread_count &&
	       (source->threads[i].id != id || source->threads[i].process_id != process_id))
		i++;
	assert_true(i < SOURCE_THREADS);
	if (i == source->thread_count)
		source->threads[source->thread_count++] = (struct pp_thread){
			.index = i, .id = id, .process_id = process_id, .name = source->thread_name
		};
	return &source->threads[i];
}

static const struct pp_stack *stack_of(struct source *source)
{
	size_t i = 0;

	if (!source->address)
		return NULL;
	while (i < source->stack_count && source->addresses[i] != source->address)
		i++;
	assert_true(i < SOURCE_STACKS);
	if (i == source->stack_count) {
		source->addresses[i] = source->address;
		source->stacks[i] = (struct pp_stack){ i, 1, &source->addresses[i] };
		source->stack_count++;
	}
	return &source->stacks[i];
}

static void hand_out(struct source *source, int64_t time_ns, const struct pp_kind *kind,
		     const char *activity, const struct buffer *payload)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
	struct pp_labels labels = { .present = (activity ? PP_LABEL_ACTIVITY : 0u) |
					       (source->related ? PP_LABEL_RELATED : 0u) };

	if (activity)
		make_activity(labels.activity_id, activity);
	if (source->related)
		make_activity(labels.related_activity_id, source->related);
	pass_event(&source->pass, &header,
		   &(struct pp_event){ .ticks = time_ns,
				       .payload = payload->bytes,
				       .payload_size = (uint32_t)payload->size,
				       .cpu = -1,
				       .kind = kind,
				       .thread = thread_of(source),
				       .stack = stack_of(source),
				       .labels = &labels });
}

void source_event(struct source *source, int64_t time_ns, const char *what, const char *activity,
		  const char *fields)
{
	struct source_kind *kind = new_kind(source, what, strlen(fields) + FIELDS);
	struct buffer payload = { 0 };

	take_fields(kind, kind->text + strlen(what) + 1, fields, &payload);
	hand_out(source, time_ns, known_kind(source, kind), activity, &payload);
	buffer_release(&payload);
}

void source_runtime(struct source *source, int64_t time_ns, uint32_t id, uint32_t version,
		    const char *activity, const void *payload, size_t size)
{
	struct source_kind *kind = new_kind(source, "Microsoft-Windows-DotNETRuntime/", 1);
	const struct buffer bytes = { .bytes = (uint8_t *)payload, .size = size };

	kind->kind.id = id;
	kind->kind.version = version;
	hand_out(source, time_ns, known_kind(source, kind), activity, &bytes);
}

void source_init(struct source *source, const struct event_query *query)
{
	*source = (struct source){ 0 };
	pass_init(&source->pass, query);
}

void *source_begin(struct source *source, const struct analysis *analysis,
		   const struct event_query *query)
{
	source_init(source, query);
	return pass_want(&source->pass, analysis, NULL);
}

void source_release(struct source *source)
{
	pass_release(&source->pass);
	for (size_t i = 0; i < source->kind_count; i++)
		free_kind(source->kinds[i]);
	xfree(source->kinds);
	source->kinds = NULL;
	source->kind_count = 0;
}
