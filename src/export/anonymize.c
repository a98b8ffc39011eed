/* SPDX-License-Identifier: MIT */
#include "export/anonymize.h"

#include <string.h>

#include "base/sha256.h"
#include "clr/events.h"
#include "nettrace/recording_end.h"

enum verdict {
	KEEP,
	HIDE,
	HIDE_FOLDERS, /* all up to the last slash */
	HIDE_COMMAND, /* the program's folders and all its arguments */
};

struct rule {
	const char *field; /* part of its name; NULL ends the rules and matches all others */
	enum verdict verdict;
};

static const struct rule runtime_rules[] = {
	{ "CommandLine", HIDE_COMMAND },
	{ "Path", HIDE_FOLDERS },
	{ "FileName", HIDE_FOLDERS },
	{ "AssemblyLoadContext", HIDE_FOLDERS },
	{ "Message", HIDE },
	{ "Uri", HIDE },
	{ NULL, KEEP },
};

static const struct rule pipe_rules[] = {
	{ "CommandLine", HIDE_COMMAND },
	{ "Information", KEEP }, /* of the system and its architecture */
	{ NULL, HIDE },
};

static const struct rule system_rules[] = {
	{ "FileName", HIDE_FOLDERS },
	{ "Name", KEEP }, /* of processes, and of symbols */
	{ NULL, HIDE },
};

static const struct rule counter_rules[] = {
	{ "Name", KEEP },   { "name", KEEP }, { "CounterType", KEEP }, { "DisplayUnits", KEEP },
	{ "Series", KEEP }, { "unit", KEEP }, { NULL, HIDE },
};

/* Texts of our own: what ended a recording. */
static const struct rule own_rules[] = {
	{ NULL, KEEP },
};

static const struct rule other_rules[] = {
	{ NULL, HIDE },
};

static const struct rule *rules_for(const struct pp_kind *kind)
{
	if (clr_event_find(kind->provider, kind->id, kind->version))
		return runtime_rules;
	if (!strcmp(kind->provider, "Microsoft-DotNETCore-EventPipe"))
		return pipe_rules;
	if (!strcmp(kind->provider, "Universal.System"))
		return system_rules;
	if (!strcmp(kind->name, "EventCounters") ||
	    !strcmp(kind->provider, "System.Diagnostics.Metrics"))
		return counter_rules;
	return is_recording_end(kind) ? own_rules : other_rules;
}

static enum verdict verdict_on(const struct rule *rules, const char *field)
{
	while (rules->field && !(field && strstr(field, rules->field)))
		rules++;
	return rules->verdict;
}

/* Characters of `width` bytes; those outside ASCII are not told apart. */
struct letters {
	uint8_t *at;
	size_t count;
	size_t width;
};

static uint8_t letter(const struct letters *text, size_t i)
{
	const uint8_t *at = text->at + i * text->width;

	return text->width == 2 && at[1] ? 0x80 : at[0];
}

/* The first `count` letters become digits of their checksum. */
static void hide(struct letters *text, size_t count)
{
	struct sha256 sum = sha256_start();
	char digits[SHA256_TEXT_SIZE];

	sha256_add(&sum, text->at, count * text->width);
	sha256_text(&sum, digits);
	for (size_t i = 0; i < count; i++) {
		text->at[i * text->width] = (uint8_t)digits[i % (SHA256_TEXT_SIZE - 1)];
		if (text->width == 2)
			text->at[i * 2 + 1] = 0;
	}
}

static void hide_folders(struct letters *text)
{
	size_t end = text->count;

	while (end && letter(text, end - 1) != '/' && letter(text, end - 1) != '\\')
		end--;
	if (end)
		hide(text, end - 1); /* the slash stays */
}

static void hide_command(struct letters *text)
{
	struct letters program = *text;
	struct letters rest = *text;

	program.count = 0;
	while (program.count < text->count && letter(text, program.count) != ' ')
		program.count++;
	rest.at += program.count * text->width;
	rest.count -= program.count;
	if (rest.count) { /* the blank stays */
		rest.at += text->width;
		rest.count--;
	}
	hide(&rest, rest.count);
	hide_folders(&program);
}

static void apply(struct letters *text, enum verdict verdict)
{
	if (verdict == HIDE)
		hide(text, text->count);
	else if (verdict == HIDE_FOLDERS)
		hide_folders(text);
	else if (verdict == HIDE_COMMAND)
		hide_command(text);
}

/* The same place in our copy; NULL if it is outside the payload. */
static uint8_t *our_copy(struct anonymizer *a, const struct pp_event *event, const uint8_t *at,
			 size_t size)
{
	if (!at || at < event->payload || size > event->payload_size ||
	    (size_t)(at - event->payload) > event->payload_size - size)
		return NULL;
	return a->bytes.bytes + (at - event->payload);
}

static void change_value(struct anonymizer *a, const struct pp_event *event,
			 const struct value *value, enum verdict verdict)
{
	const bool text = value->kind == VALUE_TEXT;
	const uint8_t *at = text ? a->payload.text : value->bytes;
	const size_t size = text ? a->payload.text_size : value->size;
	uint8_t *ours;

	if (verdict == KEEP || (!text && value->kind != VALUE_BYTES))
		return;
	ours = our_copy(a, event, at, size);
	if (ours && text)
		apply(&(struct letters){ ours, size / a->payload.text_width,
					 a->payload.text_width },
		      verdict);
	else if (ours)
		memset(ours, 0, size);
}

const struct buffer *anonymize_payload(struct anonymizer *a, const struct pp_trace_header *header,
				       const struct pp_event *event)
{
	const struct rule *rules = rules_for(event->kind);
	struct value value;

	buffer_rewind(&a->bytes, 0);
	buffer_bytes(&a->bytes, event->payload, event->payload_size);
	if (a->bytes.failed || !event->payload_size)
		return &a->bytes;
	payload_begin(&a->payload, plans_for(&a->plans, event->kind), event, header->pointer_size);
	a->payload.text = NULL;
	while (payload_next(&a->payload, &value)) {
		if (value.error) { /* the rest cannot be decoded */
			memset(a->bytes.bytes, 0, a->bytes.size);
			break;
		}
		change_value(a, event, &value, verdict_on(rules, value.name));
		a->payload.text = NULL;
	}
	return &a->bytes;
}

static const char *hidden_text(struct arena *arena, const char *text)
{
	struct letters letters;

	if (!text)
		return NULL;
	letters = (struct letters){ (uint8_t *)arena_text(arena, text, strlen(text)), strlen(text),
				    1 };
	hide(&letters, letters.count);
	return (const char *)letters.at;
}

const struct pp_labels *anonymize_labels(struct anonymizer *a, const struct pp_labels *labels)
{
	struct pp_labels *changed;
	struct pp_label_pair *pairs;

	if (!labels || !labels->pair_count)
		return labels;
	arena_release(&a->passing);
	changed = arena_new(&a->passing, struct pp_labels);
	pairs = arena_array(&a->passing, struct pp_label_pair, labels->pair_count);
	*changed = *labels;
	changed->pairs = pairs;
	for (size_t i = 0; i < labels->pair_count; i++) {
		pairs[i] = labels->pairs[i];
		pairs[i].text = hidden_text(&a->passing, pairs[i].text);
	}
	return changed;
}

static const struct pp_pair *hidden_pairs(struct anonymizer *a, const struct pp_pair *from,
					  size_t count)
{
	struct pp_pair *pairs = count ? arena_array(&a->arena, struct pp_pair, count) : NULL;

	for (size_t i = 0; i < count; i++)
		pairs[i] = (struct pp_pair){ from[i].key, hidden_text(&a->arena, from[i].value) };
	return pairs;
}

struct pp_thread anonymize_thread(struct anonymizer *a, const struct pp_thread *thread)
{
	struct pp_thread changed = *thread;

	if (thread->name && strncmp(thread->name, ".NET", 4) != 0)
		changed.name = hidden_text(&a->arena, thread->name);
	changed.pairs = hidden_pairs(a, thread->pairs, thread->pair_count);
	return changed;
}

/* Numbers stay. */
const struct pp_pair *anonymize_properties(struct anonymizer *a,
					   const struct pp_trace_header *header)
{
	const size_t count = header->property_count;
	struct pp_pair *pairs = count ? arena_array(&a->arena, struct pp_pair, count) : NULL;

	for (size_t i = 0; i < count; i++) {
		pairs[i] = header->properties[i];
		if (pairs[i].value && pairs[i].value[strspn(pairs[i].value, "0123456789.-")])
			pairs[i].value = hidden_text(&a->arena, pairs[i].value);
	}
	return pairs;
}

void anonymizer_release(struct anonymizer *a)
{
	plans_release(&a->plans);
	payload_release(&a->payload);
	buffer_release(&a->bytes);
	arena_release(&a->arena);
	arena_release(&a->passing);
}
