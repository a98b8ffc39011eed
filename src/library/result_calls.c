/* SPDX-License-Identifier: MIT */
/*
 * Objects of the public header are places in a result's shape: `shape` is the field that leads to
 * the object, whose unit says whether it is a row of a list, an object or a map, and NULL for the
 * result itself; `data` is the struct, or the one that has the map.
 */
#include <math.h>
#include <string.h>

#include "library/result_datum.h"
#include "report/result_files.h"

static const struct result_field by_file_field = { .key = "by_file", .unit = UNIT_REAL };

/* Whether that member is asked for: by its key, or by the number it has among the others. */
struct wanted {
	const char *key; /* NULL: by number */
	size_t size;
	size_t index;
};

static bool is_key(const struct wanted *wanted, const char *key, size_t size)
{
	return size == wanted->size && !memcmp(key, wanted->key, size);
}

static bool is_wanted(struct wanted *wanted, const struct member *member)
{
	const char *key = member->field->key;
	const size_t size = strlen(key);

	if (!wanted->key)
		return !wanted->index--;
	if (!member->is_id)
		return is_key(wanted, key, size);
	return wanted->size == size + 3 && !memcmp(wanted->key, key, size) &&
	       !memcmp(wanted->key + size, "_id", 3);
}

static bool find_in(const struct pp_result *result, const struct result_part *part,
		    struct wanted *wanted, struct pp_datum *datum)
{
	for (const struct result_field *field = part->shape->fields; field->key; field++) {
		struct member member = { field, part->data, false };

		if (wanted->key && !is_key(wanted, field->key, strlen(field->key)) &&
		    field->unit != UNIT_ENUM)
			continue;
		if (member_is_absent(result, &member))
			continue;
		for (int twice = 0; twice <= (field->unit == UNIT_ENUM); twice++) {
			member.is_id = twice;
			if (!is_wanted(wanted, &member))
				continue;
			datum_set(result, &member, datum);
			return true;
		}
	}
	return false;
}

static bool find_entry(struct pp_object map, struct wanted *wanted, struct pp_datum *datum)
{
	const struct member member = { map.shape, map.data, false };
	const struct made_value *made = member_made(map.result, &member);

	for (size_t i = 0; made && i < made->entry_count; i++) {
		const struct result_entry *entry = &made->entries[i];

		if (wanted->key ? !is_key(wanted, entry->key, strlen(entry->key))
				: i < wanted->index)
			continue;
		*datum = (struct pp_datum){ .key = entry->key };
		datum_set_scalar(datum, &entry->value);
		return true;
	}
	return false;
}

/* Each trace's part of a row, which JSON has after its fields. */
static bool find_shares(struct pp_object row, struct wanted *wanted, struct pp_datum *datum)
{
	const struct result *result = row.result->result;
	const struct result_field *list = row.shape;
	const struct member member = { &by_file_field, row.data, false };
	const double *shares = NULL;

	if (list->unit == UNIT_LIST && result_share_field(result, list))
		shares = result_shares(result, row.data);
	if (!shares || !is_wanted(wanted, &member))
		return false;
	*datum =
		(struct pp_datum){ .key = by_file_field.key, .unit = PP_UNIT_REALS, .known = true };
	datum->rows = member_rows(row.result, &member, &ROWS_OF(shares, result->files->count));
	return true;
}

static bool find(struct pp_object object, struct wanted *wanted, struct pp_datum *datum)
{
	const struct result_field *field = object.shape;

	if (!object.result)
		return false;
	if (field && field->unit == UNIT_MAP)
		return find_entry(object, wanted, datum);
	if (field)
		return find_in(object.result, &(struct result_part){ field->shape, object.data },
			       wanted, datum) ||
		       find_shares(object, wanted, datum);
	for (size_t i = 0; i < object.result->part_count; i++)
		if (find_in(object.result, &object.result->parts[i], wanted, datum))
			return true;
	return false;
}

static bool is_map(struct pp_object object)
{
	const struct result_field *field = object.shape;

	return field && field->unit == UNIT_MAP;
}

bool pp_object_get(struct pp_object object, const char *key, struct pp_datum *datum)
{
	/* names in a map may have dots */
	const size_t size = is_map(object) ? strlen(key) : strcspn(key, ".");

	if (!find(object, &(struct wanted){ .key = key, .size = size }, datum))
		return false;
	if (!key[size])
		return true;
	return datum->object.result && pp_object_get(datum->object, key + size + 1, datum);
}

bool pp_object_field(struct pp_object object, size_t index, struct pp_datum *datum)
{
	return find(object, &(struct wanted){ .index = index }, datum);
}

int64_t pp_object_number(struct pp_object object, const char *key, int64_t otherwise)
{
	struct pp_datum datum;

	return pp_object_get(object, key, &datum) && datum.known ? datum.number : otherwise;
}

double pp_object_real(struct pp_object object, const char *key)
{
	struct pp_datum datum;

	return pp_object_get(object, key, &datum) && datum.known ? datum.real : NAN;
}

const char *pp_object_text(struct pp_object object, const char *key)
{
	struct pp_datum datum;

	return pp_object_get(object, key, &datum) ? datum.text : NULL;
}

struct pp_rows pp_object_rows(struct pp_object object, const char *key)
{
	struct pp_datum datum;

	return pp_object_get(object, key, &datum) ? datum.rows : (struct pp_rows){ 0 };
}

/* NULL if it is not a row of such a list. */
static const void *row_at(const struct pp_rows *rows, enum result_unit unit, size_t index)
{
	const struct result_field *list = rows->list.shape;
	const struct result_rows all = { rows->first, rows->count, rows->stride, rows->total };

	return index < rows->count && list->unit == unit ? result_row(&all, index) : NULL;
}

struct pp_object pp_row(struct pp_rows rows, size_t index)
{
	const void *row = row_at(&rows, UNIT_LIST, index);

	return row ? (struct pp_object){ rows.list.result, rows.list.shape, row }
		   : (struct pp_object){ 0 };
}

const char *pp_row_text(struct pp_rows rows, size_t index)
{
	return row_at(&rows, UNIT_TEXTS, index);
}

double pp_row_real(struct pp_rows rows, size_t index)
{
	const double *real = row_at(&rows, UNIT_REAL, index);

	return real ? *real : NAN;
}

const char *pp_result_missing(const struct pp_result *result)
{
	return result->result->data ? NULL : result->result->missing;
}

const char *pp_result_remedy(const struct pp_result *result)
{
	return result->result->data ? NULL : result->result->remedy;
}

const char *pp_result_note(const struct pp_result *result, size_t index)
{
	const char *const *notes = result->result->notes;

	if (result->result->nothing)
		return index ? NULL : result->result->nothing;
	for (size_t i = 0; notes[i]; i++)
		if (i == index)
			return notes[i];
	return NULL;
}

struct pp_object pp_result_object(const struct pp_result *result)
{
	return (struct pp_object){ .result = result };
}
