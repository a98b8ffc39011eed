/* SPDX-License-Identifier: MIT */
#include "report/figure_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

static const char *keep(struct arena *arena, struct buffer *text)
{
	const char *kept = buffer_keep(text, arena);

	return kept ? kept : "";
}

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

static const char *signed_text(struct arena *arena, int64_t number, const char *text)
{
	return arena_printf(arena, "%s%s", number < 0 ? "-" : "", text);
}

/* Whole from a thousand on, as long as that is a number people read. */
static const char *real_text(struct arena *arena, double real, const char *format)
{
	if (real >= 1000 && real < 1e15)
		return arena_printf(arena, "%s", text_count((uint64_t)(real + 0.5)).text);
	return arena_printf(arena, fabs(real) < 1e15 ? format : "%g", real);
}

const char *events_lost_text(uint64_t lost, bool at_least, struct arena *arena)
{
	if (!lost)
		return at_least ? "not recorded" : "0 events";
	return arena_printf(arena, "%s event%s", text_lost(lost).text, lost == 1 ? "" : "s");
}

/* Gaps are the usual cause, which needs no words. */
const char *losses_text(const struct model_losses *losses, struct arena *arena)
{
	static const char *const where[LOSS_CAUSES] = {
		[LOSS_RING] = "did not fit into the kernel's buffers",
	};
	const char *text = events_lost_text(losses->events, losses->events_at_least, arena);

	for (unsigned i = 0; i < LOSS_CAUSES; i++)
		if (where[i] && losses->by_cause[i])
			text = arena_printf(arena, "%s, of which %s %s", text,
					    text_count(losses->by_cause[i]).text, where[i]);
	return text;
}

static const char *joined_texts(const struct result_value *value, struct arena *arena)
{
	struct buffer out = { 0 };

	for (size_t i = 0; i < value->rows.count; i++) {
		buffer_text(&out, i ? ", " : "");
		buffer_text(&out, text_safe(arena, result_row(&value->rows, i)));
	}
	return keep(arena, &out);
}

/* "longest 3.0 ms" of "longest %s", or "KEY VALUE". */
static void put_entry(struct buffer *out, const struct result_entry *entry, struct arena *arena)
{
	const struct result_field plain = { .unit = entry->value.unit };
	const char *figure = figure_text(&plain, &entry->value, arena);
	const char *place = entry->title ? strstr(entry->title, "%s") : NULL;

	if (!place) {
		buffer_printf(out, "%s %s",
			      text_safe(arena, entry->title ? entry->title : entry->key), figure);
		return;
	}
	buffer_bytes(out, entry->title, (size_t)(place - entry->title));
	buffer_text(out, figure);
	buffer_text(out, place + 2);
}

static const char *joined_entries(const struct result_field *field, const void *row,
				  struct arena *arena)
{
	struct buffer out = { 0 };
	struct result_entry entry;

	for (size_t i = 0; field->entry(row, i, &entry, arena); i++) {
		buffer_text(&out, i ? ", " : "");
		put_entry(&out, &entry, arena);
	}
	return keep(arena, &out);
}

static const char *number_text(struct arena *arena, int64_t number)
{
	return arena_printf(arena, "%" PRId64, number);
}

static const char *enum_text(const struct result_field *field, int64_t number, struct arena *arena)
{
	const char *name = result_enum_name(field, number, arena);

	return name ? name : number_text(arena, number);
}

const char *figure_text(const struct result_field *field, const struct result_value *value,
			struct arena *arena)
{
	if (!value->known)
		return "";
	switch (value->unit) {
	case UNIT_TEXT:
		return text_safe(arena, value->text);
	case UNIT_COUNT:
		return arena_printf(arena, "%s", text_count(value->count).text);
	case UNIT_ID:
		return number_text(arena, value->number);
	case UNIT_TIME:
		return signed_text(arena, value->number,
				   text_duration(magnitude(value->number)).text);
	case UNIT_SIZE:
		return signed_text(arena, value->number, text_size(magnitude(value->number)).text);
	case UNIT_PERCENT:
		return real_text(arena, value->real, "%.2f");
	case UNIT_RATE:
		return real_text(arena, value->real, "%.1f");
	case UNIT_REAL:
		return real_text(arena, value->real, "%.4g");
	case UNIT_FLAG:
		return value->flag ? "yes" : "no";
	case UNIT_ENUM:
		return enum_text(field, value->number, arena);
	case UNIT_TEXTS:
		return joined_texts(value, arena);
	default:
		return "";
	}
}

const char *figure_text_of(const struct result_field *field, const void *row, struct arena *arena)
{
	const struct result_value value = result_value_of(field, row, arena);

	if (field->unit == UNIT_MAP)
		return value.known ? joined_entries(field, row, arena) : "";
	return figure_text(field, &value, arena);
}

const char *figure_number_text(enum result_unit unit, double number, struct arena *arena)
{
	const struct result_field field = { .unit = unit };
	struct result_value value = { .unit = unit, .known = true, .real = number };
	const double size = fabs(number);

	if (unit == UNIT_COUNT && size != floor(size))
		value.unit = UNIT_PERCENT;
	else if (unit == UNIT_TIME || unit == UNIT_SIZE)
		value.number = size < 9e18 ? (int64_t)(number < 0 ? number - 0.5 : number + 0.5)
					   : INT64_MAX;
	else if (unit == UNIT_COUNT)
		value.count = size < 1e18 ? (uint64_t)(size + 0.5) : UINT64_MAX;
	if (number < 0 && value.unit == UNIT_COUNT)
		return signed_text(arena, -1, figure_text(&field, &value, arena));
	return figure_text(&field, &value, arena);
}

const char *figure_change_text(enum result_unit unit, double change, struct arena *arena)
{
	const char *text = figure_number_text(unit, change, arena);
	return change < 0 ? text : arena_printf(arena, "+%s", text);
}

/* A template being expanded. */
struct expansion {
	const struct result_shape *shape;
	const void *data;
	struct arena *arena;
	struct buffer out;
	bool unknown;	/* a value was not known */
	bool something; /* no value was 0 or nothing */
};

/* "{key}" or "{key|one|many}", without the braces. */
static void expand_value(struct expansion *e, const char *text, size_t size)
{
	const char *spec = arena_text(e->arena, text, size);
	const char *one = strchr(spec, '|');
	const char *many = one ? strchr(one + 1, '|') : NULL;
	const char *key = one ? arena_text(e->arena, spec, (size_t)(one - spec)) : spec;
	const void *row = e->data;
	const struct result_field *field = result_find(e->shape, key, &row);
	struct result_value value = { 0 };

	if (field)
		value = result_value_of(field, row, e->arena);
	e->unknown |= !value.known;
	e->something &= result_value_says_something(&value);
	if (!value.known)
		return;
	buffer_text(&e->out, figure_text_of(field, row, e->arena));
	if (!many)
		return;
	buffer_text(&e->out, " ");
	if (value.count == 1)
		buffer_bytes(&e->out, one + 1, (size_t)(many - one - 1));
	else
		buffer_text(&e->out, many + 1);
}

static void expand(struct expansion *e, const char *text, size_t size);

/* What stands in brackets is left out where it says nothing. */
static void expand_bracket(struct expansion *e, const char *text, size_t size)
{
	const size_t before = e->out.size;
	const bool unknown = e->unknown;
	const bool something = e->something;

	e->unknown = false;
	e->something = true;
	expand(e, text, size);
	if (e->unknown || !e->something)
		buffer_rewind(&e->out, before);
	e->unknown = unknown;
	e->something = something;
}

static void expand(struct expansion *e, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *close = *text == '{'   ? memchr(text, '}', (size_t)(end - text))
				    : *text == '[' ? memchr(text, ']', (size_t)(end - text))
						   : NULL;

		if (!close) {
			buffer_u8(&e->out, (uint8_t)*text++);
			continue;
		}
		if (*text == '{')
			expand_value(e, text + 1, (size_t)(close - text - 1));
		else
			expand_bracket(e, text + 1, (size_t)(close - text - 1));
		text = close + 1;
	}
}

const char *line_text(const struct result_shape *shape, const void *data, const char *template,
		      struct arena *arena)
{
	struct expansion e = { .shape = shape, .data = data, .arena = arena, .something = true };

	expand(&e, template, strlen(template));
	if (e.unknown) {
		buffer_release(&e.out);
		return NULL;
	}
	return keep(arena, &e.out);
}

bool line_is_shown(const struct result_shape *shape, const void *data,
		   const struct result_line *line)
{
	struct arena scratch = { 0 };
	const void *row = data;
	const struct result_field *field = line->when ? result_find(shape, line->when, &row) : NULL;
	struct result_value value = { 0 };
	bool shown;

	if (field)
		value = result_value_of(field, row, &scratch);
	shown = !line->when || result_value_says_something(&value);
	arena_release(&scratch);
	return shown;
}
