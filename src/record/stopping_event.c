/* SPDX-License-Identifier: MIT */
#include "record/stopping_event.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/where.h"
#include "base/alloc.h"
#include "base/error.h"
#include "clr/event_name.h"
#include "payload/payload.h"

enum verdict {
	VERDICT_OPEN,
	VERDICT_MATCHES,
	VERDICT_OTHER,
};

/* The search in one segment. */
struct search {
	const struct stopping_event *event;
	struct where *where; /* NULL: any fields */
	char *kinds;	     /* enum verdict by index of the kind */
	size_t kind_count;
	struct plans plans;
	struct payload payload;
	struct value *values; /* of one payload */
	size_t value_count;
	size_t value_capacity;
	struct buffer texts; /* of those values */
	bool noted;	     /* whether such events have the fields of the filter */
};

/* In quotes, with a backslash before quotes and backslashes. */
static void put_quoted(struct buffer *out, const char *text, size_t size)
{
	buffer_u8(out, '"');
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '"' || text[i] == '\\')
			buffer_u8(out, '\\');
		buffer_u8(out, (uint8_t)text[i]);
	}
	buffer_u8(out, '"');
}

static int not_a_pair(const char *at, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "--stopping-event-payload-filter takes field:value,field:value, not '%s'",
			 at);
}

/* The value that begins at `*at`, which is moved past it. */
static int put_value(const char **at, struct buffer *out, struct pp_error *err)
{
	const char *text = *at;
	size_t size = strcspn(text, ",");

	if (*text == '"') {
		const char *end = strchr(++text, '"');

		if (!end)
			return error_set(err, PP_ERROR_USAGE,
					 "--stopping-event-payload-filter: the quote before %s is "
					 "not closed",
					 text);
		size = (size_t)(end - text);
		*at = end + 1;
	} else {
		*at = text + size;
	}
	put_quoted(out, text, size);
	return 0;
}

int stopping_filter_expression(const char *filter, struct buffer *out, struct pp_error *err)
{
	const char *at = filter;

	do {
		const char *pair = at;
		const size_t size = strcspn(pair, ":,");

		if (!size || pair[size] != ':')
			return not_a_pair(pair, err);
		if (out->size)
			buffer_bytes(out, " and ", 5);
		put_quoted(out, pair, size);
		buffer_bytes(out, " == ", 4);
		at = pair + size + 1;
		if (put_value(&at, out, err))
			return -1;
		if (*at && *at != ',')
			return not_a_pair(pair, err);
	} while (*at++);
	buffer_u8(out, 0);
	return out->failed ? error_set(err, PP_ERROR_LIMIT, "the filter is too long") : 0;
}

static struct where *make_where(const char *filter, struct pp_error *err)
{
	struct buffer expression = { 0 };
	struct where *where = NULL;

	if (!stopping_filter_expression(filter, &expression, err))
		where = where_parse((const char *)expression.bytes, err);
	buffer_release(&expression);
	return where;
}

int stopping_event_check(const struct stopping_event *event, struct pp_error *err)
{
	struct where *where;

	if (event->name && !event->provider)
		return error_set(
			err, PP_ERROR_USAGE,
			"--stopping-event-event-name needs --stopping-event-provider-name");
	if (event->filter && !event->name)
		return error_set(err, PP_ERROR_USAGE,
				 "--stopping-event-payload-filter needs "
				 "--stopping-event-provider-name and --stopping-event-event-name");
	if (!event->filter)
		return 0;
	where = make_where(event->filter, err);
	where_free(where);
	return where ? 0 : -1;
}

static void *begin(const void *config)
{
	const struct stopping_event *event = config;
	struct search *search = xcalloc(1, sizeof(*search));
	struct pp_error ignored = { 0 }; /* it was checked before */

	search->event = event;
	if (event->filter)
		search->where = make_where(event->filter, &ignored);
	return search;
}

static void end(void *state)
{
	struct search *search = state;

	where_free(search->where);
	free(search->kinds);
	plans_release(&search->plans);
	payload_release(&search->payload);
	free(search->values);
	buffer_release(&search->texts);
	free(search);
}

static bool has_own_opcode(const struct pp_event *event)
{
	return event->labels && event->labels->present & PP_LABEL_OPCODE;
}

static const char *name_of(const struct pp_event *event, struct arena *arena)
{
	const struct event_identity identity = {
		.provider = event->kind->provider,
		.name = event->kind->name,
		.id = event->kind->id,
		.opcode = event->kind->opcode,
		.label_opcode = has_own_opcode(event) ? event->labels->opcode : -1,
	};

	return event_display_name(&identity, arena);
}

static bool is_named(const struct stopping_event *wanted, const struct pp_event *event)
{
	struct arena arena = { 0 };
	bool named;

	if (!wanted->name || !strcasecmp(wanted->name, event->kind->name))
		return true;
	named = !strcasecmp(wanted->name, name_of(event, &arena));
	arena_release(&arena);
	return named;
}

static bool matches(const struct search *search, const struct pp_event *event)
{
	return !strcasecmp(search->event->provider, event->kind->provider) &&
	       is_named(search->event, event);
}

static bool matches_cached(struct search *search, const struct pp_event *event)
{
	const size_t index = event->kind->index;

	if (has_own_opcode(event)) /* which changes its name */
		return matches(search, event);
	search->kinds = xroom(search->kinds, &search->kind_count, index, 1);
	if (search->kinds[index] == VERDICT_OPEN)
		search->kinds[index] = matches(search, event) ? VERDICT_MATCHES : VERDICT_OTHER;
	return search->kinds[index] == VERDICT_MATCHES;
}

/* A text is good until the next value only; it is kept by its offset, since the buffer may move. */
static void keep_value(struct search *search, struct value value)
{
	search->values = xgrow(search->values, search->value_count, &search->value_capacity,
			       sizeof(*search->values));
	if (value.kind == VALUE_TEXT) {
		const size_t offset = search->texts.size;

		buffer_bytes(&search->texts, value.text, value.size);
		value.unsigned_number = offset;
	}
	search->values[search->value_count++] = value;
}

static void gather_values(struct search *search, const struct pp_event *event, int pointer_size)
{
	struct value value;

	search->value_count = 0;
	buffer_rewind(&search->texts, 0);
	payload_begin(&search->payload, plans_for(&search->plans, event->kind), event,
		      pointer_size);
	while (payload_next(&search->payload, &value))
		keep_value(search, value);
	for (size_t i = 0; i < search->value_count; i++)
		if (search->values[i].kind == VALUE_TEXT)
			search->values[i].text = (const char *)search->texts.bytes +
						 search->values[i].unsigned_number;
}

static void put_text(struct buffer *out, const char *text)
{
	buffer_bytes(out, text, strlen(text));
}

static bool has_a_field_of_the_filter(const struct search *search)
{
	for (size_t i = 0; i < search->value_count; i++)
		if (search->values[i].name && where_uses(search->where, search->values[i].name))
			return true;
	return false;
}

/* A filter that can never match is worth a note, since somebody waits for it. */
static void note_missing_fields(struct search *search, const char *name)
{
	const struct stopping_event *event = search->event;
	struct buffer text = { 0 };

	search->noted = true;
	if (!event->note || has_a_field_of_the_filter(search))
		return;
	put_text(&text, "the stopping event ");
	put_text(&text, name);
	put_text(&text, " has none of the fields of its filter; it has:");
	for (size_t i = 0; i < search->value_count; i++)
		if (search->values[i].name) {
			buffer_u8(&text, ' ');
			put_text(&text, search->values[i].name);
		}
	buffer_u8(&text, 0);
	if (!text.failed)
		event->note(event->context, (const char *)text.bytes);
	buffer_release(&text);
}

static bool fields_match(struct search *search, const struct pp_event *event, int pointer_size)
{
	struct arena arena = { 0 };
	const char *name = name_of(event, &arena);
	bool match;

	gather_values(search, event, pointer_size);
	where_set_event(search->where, event->kind->provider, name);
	match = where_matches(search->where, search->values, search->value_count);
	if (!match && !search->noted)
		note_missing_fields(search, name);
	arena_release(&arena);
	return match;
}

static bool take_event(void *state, const struct pp_nettrace *trace, const struct pp_event *event)
{
	struct search *search = state;

	if (!matches_cached(search, event))
		return false;
	return !search->where ||
	       fields_match(search, event, pp_nettrace_header(trace)->pointer_size);
}

struct recording_observer stopping_event_observer(const struct stopping_event *event)
{
	return (struct recording_observer){
		.begin = begin, .take = take_event, .end = end, .config = event
	};
}
