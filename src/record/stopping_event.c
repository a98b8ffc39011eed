/* SPDX-License-Identifier: MIT */
#include "record/stopping_event.h"

#include <string.h>
#include <strings.h>

#include "analyze/where.h"
#include "base/error.h"
#include "clr/event_name.h"
#include "payload/payload_values.h"

/* The search in one segment. */
struct stopping_search {
	const struct stopping_event *event;
	struct where *where; /* NULL: any fields */
	struct payload_values values;
	bool noted; /* whether such events have the fields of the filter */
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
			 "a payload filter is field:value,field:value, not '%s'", at);
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
					 "the payload filter does not close the quote before %s",
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
		return error_set(err, PP_ERROR_USAGE,
				 "the stopping event has a name and no provider; give both");
	if (event->filter && !event->name)
		return error_set(
			err, PP_ERROR_USAGE,
			"the payload filter of a stopping event needs its provider and name");
	if (!event->filter)
		return 0;
	where = make_where(event->filter, err);
	where_free(where);
	return where ? 0 : -1;
}

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct stopping_search *search = self;
	struct pp_error ignored = { 0 }; /* it was checked before */

	(void)pass;
	search->event = setup->options;
	if (search->event->filter)
		search->where = make_where(search->event->filter, &ignored);
}

static void release(void *self)
{
	struct stopping_search *search = self;

	where_free(search->where);
	payload_values_release(&search->values);
}

/* -1: none, as of nearly all events. */
static int own_opcode(const struct pp_event *event)
{
	return event->labels && event->labels->present & PP_LABEL_OPCODE ? event->labels->opcode
									 : -1;
}

static bool is_named(const struct stopping_event *wanted, const struct pp_kind *kind, int opcode)
{
	struct arena arena = { 0 };
	bool named;

	if (!wanted->name || !strcasecmp(wanted->name, kind->name))
		return true;
	named = !strcasecmp(wanted->name, event_labelled_name(kind, opcode, &arena));
	arena_release(&arena);
	return named;
}

static bool has_a_field_of_the_filter(const struct stopping_search *search)
{
	for (size_t i = 0; i < search->values.count; i++)
		if (search->values.list[i].name &&
		    where_uses(search->where, search->values.list[i].name))
			return true;
	return false;
}

/* A filter that can never match is worth a note, since somebody waits for it. */
static void note_missing_fields(struct stopping_search *search, const char *name)
{
	const struct stopping_event *event = search->event;
	struct buffer text = { 0 };

	search->noted = true;
	if (!event->note || has_a_field_of_the_filter(search))
		return;
	buffer_printf(&text,
		      "the stopping event %s has none of the fields of its filter; it has:", name);
	for (size_t i = 0; i < search->values.count; i++)
		if (search->values.list[i].name)
			buffer_printf(&text, " %s", search->values.list[i].name);
	buffer_u8(&text, 0);
	if (!text.failed)
		event->note(event->context, (const char *)text.bytes);
	buffer_release(&text);
}

static bool fields_match(struct stopping_search *search, const struct event_context *at)
{
	struct arena arena = { 0 };
	const char *name = event_labelled_name(at->event->kind, own_opcode(at->event), &arena);
	bool match;

	payload_values_read(&search->values, at->plan, at->event, at->header->pointer_size);
	where_set_event(search->where, at->event->kind->provider, name);
	match = where_matches(search->where, search->values.list, search->values.count);
	if (!match && !search->noted)
		note_missing_fields(search, name);
	arena_release(&arena);
	return match;
}

static void take_named(void *self, const struct event_context *at)
{
	struct stopping_search *search = self;

	if (!search->where || fields_match(search, at))
		at->pass->stopped = true;
}

/* An opcode of the event's own changes its name. */
static void take_perhaps(void *self, const struct event_context *at)
{
	const struct stopping_search *search = self;

	if (is_named(search->event, at->event->kind, own_opcode(at->event)))
		take_named(self, at);
}

static void take_labelled(void *self, const struct event_context *at)
{
	if (own_opcode(at->event) >= 0)
		take_perhaps(self, at);
}

static const struct event_row *choose(const void *self, const struct pp_kind *kind)
{
	static const struct event_row named = { .handle = take_perhaps };
	static const struct event_row other = { .handle = take_labelled };
	const struct stopping_search *search = self;

	if (strcasecmp(search->event->provider, kind->provider) != 0)
		return NULL;
	return is_named(search->event, kind, -1) ? &named : &other;
}

const struct analysis stopping_event_analysis = {
	.name = "stopping event",
	.size = sizeof(struct stopping_search),
	.choose = choose,
	.begin = begin,
	.release = release,
};
