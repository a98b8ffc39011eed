/* SPDX-License-Identifier: MIT */
#include "payload/field_reader.h"

#include <string.h>

#include "base/cursor.h"

/* The index of a name, or how many there are without it. */
static uint8_t name_index(const char *names, const char *name)
{
	const size_t size = name ? strlen(name) : 0;
	uint8_t index = 0;

	while (*names && index < FIELD_READER_MOST) {
		const size_t length = strcspn(names, " ");

		if (name && length == size && !memcmp(names, name, size))
			break;
		names += length + strspn(names + length, " ");
		index++;
	}
	return index;
}

static bool is_scalar(uint8_t type)
{
	return type < PLAN_TIME || type == PLAN_BOOL8 || type == PLAN_BOOL32 ||
	       type == PLAN_POINTER || type == PLAN_COUNT;
}

static bool can_step_over(const struct plan_field *field)
{
	return field->type == PLAN_UTF16Z || (field->fixed && field->pointers <= UINT16_MAX);
}

/* The steps end with the last field that is wanted. */
void field_reader_make(struct field_reader *reader, const struct payload_plan *plan,
		       const char *names, struct arena *arena)
{
	size_t count = 0;
	struct field_step *steps;

	while (plan->fields[count].type != PLAN_END && can_step_over(&plan->fields[count]))
		count++;
	steps = arena_array(arena, struct field_step, count + 1);
	*reader = (struct field_reader){ .steps = steps, .field_count = name_index(names, NULL) };
	for (size_t i = 0; i < count; i++) {
		const struct plan_field *field = &plan->fields[i];
		const bool text = field->type == PLAN_UTF16Z;

		steps[i] = (struct field_step){
			.size = text ? 0 : field->size,
			.pointers = text ? 0 : (uint16_t)field->pointers,
			.type = field->type,
			.field = text || is_scalar(field->type)
					 ? name_index(names, field->value.name)
					 : FIELD_READER_MOST,
		};
		if (steps[i].field < reader->field_count)
			reader->step_count = i + 1;
	}
}

static uint64_t widen(uint8_t type, const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	memcpy(&number, bytes, size < sizeof(number) ? size : sizeof(number));
	switch (type) {
	case PLAN_I8:
		return (uint64_t)(int8_t)number;
	case PLAN_I16:
		return (uint64_t)(int16_t)number;
	case PLAN_I32:
		return (uint64_t)(int32_t)number;
	default:
		return number;
	}
}

/* The bytes before the terminator, which is skipped; NULL if there is none. */
static const uint8_t *text_before_zero(struct cursor *c, size_t *size)
{
	const uint8_t *start = c->at;

	for (const uint8_t *at = start; c->end - at >= 2; at += 2)
		if (!at[0] && !at[1]) {
			*size = (size_t)(at - start);
			c->at = at + 2;
			return start;
		}
	cursor_fail(c);
	return NULL;
}

void field_reader_read(const struct field_reader *reader, const struct pp_event *event,
		       int pointer_size, struct field_value *values)
{
	struct cursor c = cursor_over(event->payload, event->payload_size);

	memset(values, 0, reader->field_count * sizeof(*values));
	for (size_t i = 0; i < reader->step_count; i++) {
		const struct field_step *step = &reader->steps[i];
		const bool text = step->type == PLAN_UTF16Z;
		size_t size = step->size + (size_t)step->pointers * (size_t)pointer_size;
		const uint8_t *bytes = text ? text_before_zero(&c, &size) : cursor_bytes(&c, size);

		if (!bytes)
			return;
		if (step->field >= reader->field_count)
			continue;
		values[step->field].known = true;
		values[step->field].is_text = text;
		values[step->field].size = size;
		if (text)
			values[step->field].text = bytes;
		else
			values[step->field].number = widen(step->type, bytes, size);
	}
}
