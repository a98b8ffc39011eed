/* SPDX-License-Identifier: MIT */
#include "payload/readers.h"

#include "clr/events.h"
#include "payload/texts.h"

#define DYNAMIC_NAME 64 /* longer than any known name */

/* Empty bytes may lie after the end, but callers get a valid pointer. */
static const uint8_t no_bytes[1];

static const char cut_short[] = "is cut short";
static const char no_end[] = "is a text without a terminator";
static const char too_many[] = "claims more elements than there are bytes";
static const char endless[] = "claims more elements than can be shown";
static const char outside[] = "lies outside the payload";
static const char no_multiple[] = "has a size that is not a multiple of its element size";
static const char no_decimal[] = "is not a decimal number";
static const char no_varint[] = "is not a valid varint";

/* Continues the walk in this list, and later where it was. */
static struct payload_frame *enter(struct payload *p, const struct plan_field *list)
{
	struct payload_frame *frame = &p->frames[p->depth++];

	*frame = (struct payload_frame){ .next = p->next, .record = p->record };
	p->next = list;
	return frame;
}

static void read_bool(struct payload *p, const struct plan_field *field, struct value *value)
{
	const uint64_t number = load(cursor_bytes(&p->bytes, field->size), field->size);

	value->unsigned_number = number != 0;
	p->odd |= number > 1;
}

static void read_pointer(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	value->unsigned_number = load(cursor_bytes(&p->bytes, p->pointer_size), p->pointer_size);
}

static void read_count(struct payload *p, const struct plan_field *field, struct value *value)
{
	value->unsigned_number = load(cursor_bytes(&p->bytes, field->size), field->size);
	p->counts[field->slot] = value->unsigned_number;
}

static void read_decimal(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	if (!text_decimal(p, value, cursor_bytes(&p->bytes, 16)))
		value->error = no_decimal;
}

static void read_varint(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	value->number = cursor_zigzag64(&p->bytes);
	value->error = p->bytes.failed ? no_varint : NULL;
}

static void read_varuint(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	value->unsigned_number = cursor_varint64(&p->bytes);
	value->error = p->bytes.failed ? no_varint : NULL;
}

static void read_utf16z(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	if (!text_utf16z(p, value))
		fail_rest(p, value, no_end);
}

static void read_utf8z(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	if (!text_utf8z(p, value))
		fail_rest(p, value, no_end);
}

static void read_utf16_unit(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	text_utf16(p, value, cursor_bytes(&p->bytes, 2), 1);
}

static void read_utf8_unit(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	text_utf8(p, value, cursor_bytes(&p->bytes, 1), 1);
}

static void read_object(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)value;
	enter(p, field->inner);
	p->record = p->bytes.at;
}

/* Bytes and strings are a single value, other elements are walked. All bytes are available. */
static void take_elements(struct payload *p, const struct plan_field *element, uint64_t count,
			  struct value *value)
{
	const size_t size = (size_t)(count * element->size);

	if (element->type == PLAN_U8) {
		value->kind = VALUE_BYTES;
		value->size = size;
		value->bytes = size ? cursor_bytes(&p->bytes, size) : no_bytes;
	} else if (element->type == PLAN_UTF8_UNIT) {
		text_utf8_filled(p, value, cursor_bytes(&p->bytes, size), size);
	} else if (element->type == PLAN_UTF16_UNIT) {
		text_utf16(p, value, cursor_bytes(&p->bytes, size), (size_t)count);
	} else {
		struct payload_frame *frame = enter(p, count ? element : element + 1);

		frame->element = element;
		frame->left = count ? count - 1 : 0;
	}
}

/* A count is accepted only if the bytes could hold that many elements. */
static void read_elements(struct payload *p, const struct plan_field *element, uint64_t count,
			  struct value *value)
{
	const uint64_t size = least_size(p, element);

	if (size ? count > cursor_left(&p->bytes) / size : count > p->budget)
		fail_rest(p, value, size ? too_many : endless);
	else
		take_elements(p, element, count, value);
}

static void read_array(struct payload *p, const struct plan_field *field, struct value *value)
{
	read_elements(p, field->inner, cursor_u16(&p->bytes), value);
}

static void read_fixed(struct payload *p, const struct plan_field *field, struct value *value)
{
	read_elements(p, field->inner, field->count, value);
}

/* Whether the count, or all elements, lie after the end of the payload. */
static bool is_missing(const struct payload *p, uint64_t count)
{
	return count == COUNT_MISSING || (count && !cursor_left(&p->bytes));
}

static void read_counted(struct payload *p, const struct plan_field *field, struct value *value)
{
	const uint64_t count = p->counts[field->slot];

	if (is_missing(p, count))
		value->kind = VALUE_NULL;
	else
		read_elements(p, field->inner, count, value);
}

/*
 * The low half of the word is an offset, the high half a size in bytes. Several words may refer to
 * the same bytes, and objects in them to others, so each use is charged to the budget.
 */
static void read_location(struct payload *p, const struct plan_field *field, struct value *value)
{
	const uint32_t word = cursor_u32(&p->bytes);
	const struct cursor resume = p->bytes;
	const uint8_t *base = field->type == PLAN_REL_LOC ? resume.at : p->start;
	const uint64_t each = least_size(p, field->inner);
	const uint32_t depth = p->depth;
	struct cursor there = cursor_over(base, (size_t)(p->end - base));

	cursor_bytes(&there, word & 0xFFFF);
	there = cursor_within(&there, word >> 16);
	if (there.failed || cursor_left(&there) > p->budget) {
		value->error = there.failed ? outside : endless;
		return;
	}
	if (each ? cursor_left(&there) % each : cursor_left(&there)) {
		value->error = no_multiple;
		return;
	}
	p->budget -= cursor_left(&there);
	p->bytes = there;
	take_elements(p, field->inner, each ? cursor_left(&there) / each : 0, value);
	if (p->depth > depth)
		p->frames[depth].resume = resume;
	else
		p->bytes = resume;
}

/* The row for these bytes, by the event's first field, its Name, and their first two bytes. */
static const struct clr_event *dynamic_row(const struct payload *p, struct cursor bytes)
{
	struct cursor c = cursor_over(p->start, (size_t)(p->end - p->start));
	char name[DYNAMIC_NAME] = "";

	for (size_t i = 0; i < DYNAMIC_NAME - 1; i++) {
		const uint16_t unit = cursor_u16(&c);

		name[i] = unit < 0x80 ? (char)unit : '?';
		if (!unit)
			break;
	}
	return clr_dynamic_find(name, cursor_u16(&bytes));
}

static void read_dynamic(struct payload *p, const struct plan_field *field, struct value *value)
{
	const uint64_t size = p->counts[field->slot];
	const struct clr_event *row;
	struct cursor bytes;
	uint32_t count;

	if (is_missing(p, size)) {
		value->kind = VALUE_NULL;
		return;
	}
	bytes = cursor_within(&p->bytes, (size_t)size);
	if (bytes.failed) {
		value->error = cut_short;
		return;
	}
	row = dynamic_row(p, bytes);
	if (row) {
		const struct plan_field *object = &field->inner[row - clr_dynamic_rows(&count)];

		enter(p, object->inner)->resume = p->bytes;
		p->bytes = bytes;
	} else {
		value->kind = VALUE_BYTES;
		value->size = (size_t)size;
		value->bytes = bytes.at;
	}
}

static void read_rest(struct payload *p, const struct plan_field *field, struct value *value)
{
	(void)field;
	value->size = cursor_left(&p->bytes);
	value->bytes = cursor_bytes(&p->bytes, value->size);
}

const read_function payload_readers[PLAN_TYPES] = {
	[PLAN_BOOL8] = read_bool,	   [PLAN_BOOL32] = read_bool,
	[PLAN_POINTER] = read_pointer,	   [PLAN_COUNT] = read_count,
	[PLAN_DECIMAL] = read_decimal,	   [PLAN_VARINT] = read_varint,
	[PLAN_VARUINT] = read_varuint,	   [PLAN_UTF16_UNIT] = read_utf16_unit,
	[PLAN_UTF8_UNIT] = read_utf8_unit, [PLAN_UTF16Z] = read_utf16z,
	[PLAN_UTF8Z] = read_utf8z,	   [PLAN_OBJECT] = read_object,
	[PLAN_ARRAY] = read_array,	   [PLAN_FIXED] = read_fixed,
	[PLAN_COUNTED] = read_counted,	   [PLAN_REL_LOC] = read_location,
	[PLAN_DATA_LOC] = read_location,   [PLAN_DYNAMIC] = read_dynamic,
	[PLAN_REST] = read_rest,
};
