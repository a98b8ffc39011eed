/* SPDX-License-Identifier: MIT */
#include "cli/stopping_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/where.h"
#include "base/alloc.h"
#include "base/error.h"
#include "cli/terminal.h"
#include "export/event_filter.h"

enum verdict {
	VERDICT_OPEN,
	VERDICT_MEANT,
	VERDICT_OTHER,
};

/* One recording's search. */
struct search {
	const struct stopping_event *event;
	struct event_filter filter; /* on fields alone */
	struct event_output output; /* for its plans and names; nothing is written */
	char *kinds;		    /* by index: enum verdict */
	size_t kind_count;
	bool told; /* that a field is missing */
};

/* In quotes, where a backslash hides a quote or another one. */
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

static int no_pair(const char *at, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "--stopping-event-payload-filter takes field:value,field:value; '%s' is "
			 "none",
			 at);
}

/* The value that begins at `*at`, which moves behind it. */
static int put_value(const char **at, struct buffer *out, struct pp_error *err)
{
	const char *text = *at;
	size_t size = strcspn(text, ",");

	if (*text == '"') {
		const char *end = strchr(++text, '"');

		if (!end)
			return error_set(err, PP_ERROR_USAGE,
					 "--stopping-event-payload-filter: a quote is missing "
					 "behind %s",
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
			return no_pair(pair, err);
		if (out->size)
			buffer_bytes(out, " and ", 5);
		put_quoted(out, pair, size);
		buffer_bytes(out, " == ", 4);
		at = pair + size + 1;
		if (put_value(&at, out, err))
			return -1;
		if (*at && *at != ',')
			return no_pair(pair, err);
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
		search->filter.where = make_where(event->filter, &ignored);
	return search;
}

static void end(void *state)
{
	struct search *search = state;

	event_filter_release(&search->filter);
	event_output_release(&search->output);
	free(search->kinds);
	free(search);
}

static bool is_meant(struct search *search, const struct pp_event *event)
{
	const char *name = search->event->name;

	return !strcasecmp(search->event->provider, event->kind->provider) &&
	       (!name || !strcasecmp(name, event->kind->name) ||
		!strcasecmp(name, event_name(&search->output, event)));
}

static bool is_meant_cached(struct search *search, const struct pp_event *event)
{
	const size_t index = event->kind->index;

	if (event_has_label(event, PP_LABEL_OPCODE)) /* which changes its name */
		return is_meant(search, event);
	search->kinds = xroom(search->kinds, &search->kind_count, index, 1);
	if (search->kinds[index] == VERDICT_OPEN)
		search->kinds[index] = is_meant(search, event) ? VERDICT_MEANT : VERDICT_OTHER;
	return search->kinds[index] == VERDICT_MEANT;
}

/* A filter that can never hold is worth a word, since the user waits for it. */
static void tell_fields(struct search *search, const struct pp_event *event)
{
	bool known = false;
	struct value value;

	search->told = true;
	event_values_begin(&search->output, event);
	while (event_values_next(&search->output, &value))
		known |= value.name && where_uses(search->filter.where, value.name);
	if (known)
		return;
	fputs("perfpipe: the stopping event ", stderr);
	text_put(stderr, event_name(&search->output, event));
	fputs(" has none of the fields of its filter; it has:", stderr);
	event_values_begin(&search->output, event);
	while (event_values_next(&search->output, &value))
		if (value.name) {
			putc(' ', stderr);
			text_put(stderr, value.name);
		}
	putc('\n', stderr);
}

static bool take_event(void *state, const struct pp_nettrace *trace, const struct pp_event *event)
{
	struct search *search = state;
	const struct event_context at = { .event = event, .wanted = true };

	search->output.header = pp_nettrace_header(trace);
	if (!is_meant_cached(search, event))
		return false;
	if (!search->filter.where || event_filter_passes(&search->filter, &search->output, &at))
		return true;
	if (!search->told)
		tell_fields(search, event);
	return false;
}

struct recording_observer stopping_event_observer(const struct stopping_event *event)
{
	return (struct recording_observer){
		.begin = begin, .take = take_event, .end = end, .config = event
	};
}
