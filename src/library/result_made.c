/* SPDX-License-Identifier: MIT */
#include "library/result_made.h"

#include <string.h>

#include "base/alloc.h"

void result_made_init(struct result_made *made)
{
	*made = (struct result_made){
		.texts = { .arena = &made->arena },
		.values = RECORD_SET(struct made_value, row),
	};
}

bool result_is_made(const struct result_field *field)
{
	return field->make || field->type == TYPE_LINKED || field->unit == UNIT_MAP ||
	       (field->unit == UNIT_TEXTS && field->map);
}

const struct made_value *result_made_find(const struct result_made *made,
					  const struct result_field *field, const void *row)
{
	const struct made_value like = { .field = field, .row = row };
	const struct made_value *found = record_set_find(&made->values, &like);

	return found && found->complete ? found : NULL;
}

static void make_entries(struct result_made *made, struct made_value *value)
{
	struct result_entry entry = { 0 };

	while (value->field->entry(value->row, value->entry_count, &entry, &made->arena)) {
		value->entries = xgrow(value->entries, value->entry_count, &value->entry_capacity,
				       sizeof(entry));
		value->entries[value->entry_count++] = entry;
		entry = (struct result_entry){ 0 };
	}
}

const struct made_value *result_make(struct result_made *made, const struct result_field *field,
				     const void *row)
{
	const struct made_value like = { .field = field, .row = row };
	struct made_value *value = record_set_add(&made->values, &made->arena, &like);

	value->value = result_value_of(field, row, &made->arena);
	if (field->unit == UNIT_MAP && value->value.known)
		make_entries(made, value);
	value->complete = true;
	return value;
}

static const char *intern(struct result_made *made, const char *text)
{
	return text ? strings_intern(&made->texts, text, strlen(text)) : NULL;
}

const char *result_made_name(struct result_made *made, const struct result_field *field,
			     int64_t number)
{
	struct arena scratch = { 0 };
	const char *name = intern(made, result_enum_name(field, number, &scratch));

	arena_release(&scratch);
	return name;
}

const char *result_made_id_key(struct result_made *made, const struct result_field *field)
{
	struct arena scratch = { 0 };
	const char *key = intern(made, arena_printf(&scratch, "%s_id", field->key));

	arena_release(&scratch);
	return key;
}
