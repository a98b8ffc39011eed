/* SPDX-License-Identifier: MIT */
#include "library/result_datum.h"

#include <math.h>

static const enum pp_unit units[] = {
	[UNIT_TEXT] = PP_UNIT_TEXT,   [UNIT_COUNT] = PP_UNIT_COUNT,
	[UNIT_ID] = PP_UNIT_ID,	      [UNIT_TIME] = PP_UNIT_TIME,
	[UNIT_SIZE] = PP_UNIT_SIZE,   [UNIT_PERCENT] = PP_UNIT_PERCENT,
	[UNIT_RATE] = PP_UNIT_RATE,   [UNIT_REAL] = PP_UNIT_REAL,
	[UNIT_FLAG] = PP_UNIT_FLAG,   [UNIT_ENUM] = PP_UNIT_ENUM,
	[UNIT_TEXTS] = PP_UNIT_TEXTS, [UNIT_MAP] = PP_UNIT_MAP,
	[UNIT_LIST] = PP_UNIT_ROWS,   [UNIT_OBJECT] = PP_UNIT_OBJECT,
};

/* What a guarded call makes. */
struct result_making {
	const struct result_field *field;
	const void *row;
	int64_t number;
	const struct made_value *value;
	const char *text;
};

static void make_value(struct result_made *made, struct result_making *making)
{
	making->value = result_make(made, making->field, making->row);
}

static void make_name(struct result_made *made, struct result_making *making)
{
	making->text = result_made_name(made, making->field, making->number);
}

static void make_id_key(struct result_made *made, struct result_making *making)
{
	making->text = result_made_id_key(made, making->field);
}

/* Without memory nothing is made, now and later. */
static void guarded(const struct pp_result *result, struct result_making *making,
		    void (*make)(struct result_made *made, struct result_making *making))
{
	struct guard guard;

	if (guard_enter(&guard, result->heap, NULL))
		return;
	if (!setjmp(guard.out))
		make(result->made, making);
	guard_leave(&guard);
}

const struct made_value *member_made(const struct pp_result *result, const struct member *member)
{
	struct result_making making = { .field = member->field, .row = member->row };

	if (result->heap->broken)
		return NULL;
	making.value = result_made_find(result->made, member->field, member->row);
	if (!making.value)
		guarded(result, &making, make_value);
	return making.value;
}

static struct result_value value_of(const struct pp_result *result, const struct member *member)
{
	const struct made_value *made;

	if (!result_is_made(member->field))
		return result_value_of(member->field, member->row, NULL);
	made = member_made(result, member);
	return made ? made->value : (struct result_value){ .unit = member->field->unit };
}

struct pp_rows member_rows(const struct pp_result *result, const struct member *member,
			   const struct result_rows *rows)
{
	return (struct pp_rows){
		.count = rows->count,
		.total = rows->total ? rows->total : rows->count,
		.list = { result, member->field, member->row },
		.first = rows->first,
		.stride = rows->stride,
	};
}

static void set_number(struct pp_datum *datum, int64_t number)
{
	datum->number = number;
	datum->real = (double)number;
}

static void set_count(struct pp_datum *datum, uint64_t count)
{
	datum->number = count < INT64_MAX ? (int64_t)count : INT64_MAX;
	datum->real = (double)count;
}

static int64_t rounded(double real)
{
	if (real >= 0x1p63 || real < -0x1p63)
		return real > 0 ? INT64_MAX : INT64_MIN;
	return (int64_t)llround(real);
}

static void set_real(struct pp_datum *datum, double real)
{
	datum->number = rounded(real);
	datum->real = real;
}

void datum_set_scalar(struct pp_datum *datum, const struct result_value *value)
{
	datum->unit = units[value->unit];
	datum->known = value->known;
	if (!value->known)
		return;
	switch (value->unit) {
	case UNIT_TEXT:
		datum->text = value->text;
		break;
	case UNIT_COUNT:
		set_count(datum, value->count);
		break;
	case UNIT_PERCENT:
	case UNIT_RATE:
	case UNIT_REAL:
		set_real(datum, value->real);
		break;
	case UNIT_FLAG:
		set_number(datum, value->flag);
		break;
	default:
		set_number(datum, value->number);
		break;
	}
}

static void set_enum(const struct pp_result *result, const struct member *member,
		     struct pp_datum *datum)
{
	struct result_making making = { .field = member->field, .number = datum->number };

	if (member->field->map)
		guarded(result, &making, make_name);
	else
		making.text = result_enum_name(member->field, datum->number, NULL);
	datum->text = making.text;
}

static void set_id(const struct pp_result *result, const struct member *member,
		   struct pp_datum *datum)
{
	struct result_making making = { .field = member->field };

	guarded(result, &making, make_id_key);
	datum->key = making.text ? making.text : "";
	datum->title = NULL;
	datum->unit = PP_UNIT_ID;
}

void datum_set(const struct pp_result *result, const struct member *member, struct pp_datum *datum)
{
	const struct result_value value = value_of(result, member);

	*datum = (struct pp_datum){ .key = member->field->key, .title = member->field->title };
	datum->unit = units[value.unit];
	datum->known = value.known;
	if (value.known && (value.unit == UNIT_LIST || value.unit == UNIT_TEXTS))
		datum->rows = member_rows(result, member, &value.rows);
	else if (value.known && value.unit == UNIT_OBJECT)
		datum->object = (struct pp_object){ result, member->field, value.object };
	else if (value.known && value.unit == UNIT_MAP)
		datum->object = (struct pp_object){ result, member->field, member->row };
	else
		datum_set_scalar(datum, &value);
	if (member->is_id)
		set_id(result, member, datum);
	else if (value.known && value.unit == UNIT_ENUM)
		set_enum(result, member, datum);
}

bool member_is_absent(const struct pp_result *result, const struct member *member)
{
	struct result_value value;

	if (!result_is_data(result->result, member->field))
		return true;
	if (!(member->field->flags & OPTIONAL))
		return false;
	value = value_of(result, member);
	return !value.known || (value.unit == UNIT_LIST && !value.rows.first);
}
