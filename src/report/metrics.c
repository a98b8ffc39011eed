/* SPDX-License-Identifier: MIT */
#include "report/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "report/figure_text.h"

#define DEEPEST	  4 /* objects in one another */
#define KEYS_MOST 6

struct metric *metric_find(const struct metric_row *row, const char *name)
{
	for (size_t i = 0; row && i < row->count; i++)
		if (!strcmp(row->list[i].name, name))
			return &row->list[i];
	return NULL;
}

const char *metric_main(const struct metric_row *row)
{
	if (row->main && metric_find(row, row->main))
		return row->main;
	return row->count ? row->list[0].name : NULL;
}

static uint64_t hash_row(const char *table, const char *label)
{
	return hash_bytes(table, strlen(table)) ^ hash_u64(hash_bytes(label, strlen(label)));
}

struct metric_row *metrics_find(const struct metrics *metrics, const char *table, const char *label)
{
	struct metric_row *row = map_find(&metrics->by_label, hash_row(table, label));

	while (row && (strcmp(row->table, table) != 0 || strcmp(row->label, label) != 0))
		row = row->next;
	return row;
}

static const char *keep(struct metrics *metrics, const char *text)
{
	return arena_text(&metrics->arena, text, strlen(text));
}

static struct metric_row *row_called(struct metrics *metrics, const char *table, const char *name,
				     const char *label)
{
	const uint64_t hash = hash_row(table, label);
	struct metric_row *row = metrics_find(metrics, table, label);

	if (row)
		return row;
	row = arena_new(&metrics->arena, struct metric_row);
	*row = (struct metric_row){ .table = keep(metrics, table),
				    .name = keep(metrics, name),
				    .label = keep(metrics, label),
				    .next = map_find(&metrics->by_label, hash) };
	map_put(&metrics->by_label, hash, row);
	metrics->rows = xgrow(metrics->rows, metrics->row_count, &metrics->row_capacity,
			      sizeof(struct metric_row *));
	metrics->rows[metrics->row_count++] = row;
	return row;
}

static void add_metric(struct metrics *metrics, struct metric_row *row, const struct metric *more)
{
	struct metric *metric = metric_find(row, more->name);

	if (!metric) {
		row->list = xgrow(row->list, row->count, &row->capacity, sizeof(*row->list));
		row->list[row->count] = *more;
		row->list[row->count++].name = keep(metrics, more->name);
	} else if (more->is_sum) {
		metric->value += more->value;
	} else if (more->value > metric->value) {
		metric->value = more->value;
	}
}

/* Where a walk through a result is. */
struct metric_walk {
	struct metrics *metrics;
	const struct result *result;
	struct metric_row *row;
	const char *path; /* in front of keys: "", or "client." */
	int depth;
	struct arena *scratch;
};

static const char *path_to(struct metric_walk *walk, const char *key, const char *end)
{
	return arena_printf(walk->scratch, "%s%s%s", walk->path, key, end);
}

static bool is_number(enum result_unit unit)
{
	return unit == UNIT_COUNT || unit == UNIT_TIME || unit == UNIT_SIZE ||
	       unit == UNIT_PERCENT || unit == UNIT_RATE || unit == UNIT_REAL;
}

static void add_value(struct metric_walk *walk, const struct result_field *field, const char *name,
		      const struct result_value *value)
{
	const bool rate = value->unit == UNIT_PERCENT || value->unit == UNIT_RATE;
	const struct metric metric = { .name = name,
				       .value = result_value_real(value),
				       .unit = value->unit,
				       .is_sum = !rate && !(field->flags & MOST) };

	if (value->known && is_number(value->unit))
		add_metric(walk->metrics, walk->row, &metric);
}

static void add_map(struct metric_walk *walk, const struct result_field *field, const void *data)
{
	struct result_entry entry;

	for (size_t i = 0; field->entry(data, i, &entry, walk->scratch); i++) {
		const char *start = path_to(walk, field->key, ".");
		struct metric_walk inner = *walk;

		inner.path = start;
		add_value(&inner, field, path_to(&inner, entry.key, ""), &entry.value);
	}
}

/* What a key says; a number says of what it is one: "generation 2". */
static const char *key_text(struct metric_walk *walk, const struct result_field *field,
			    const void *row)
{
	const char *text = figure_text_of(field, row, walk->scratch);

	return field->unit == UNIT_ID ? arena_printf(walk->scratch, "%s %s", field->key, text)
				      : text;
}

/* Texts of a row's keys, the name first; returns how many. */
static size_t keys_of(struct metric_walk *walk, const struct result_shape *shape, const void *row,
		      const char *keys[static KEYS_MOST])
{
	size_t count = 0;

	for (int first = 1; first >= 0; first--)
		for (const struct result_field *field = shape->fields; field->key; field++) {
			if (!(field->flags & KEY) || ((field->flags & NAME) == NAME) != first ||
			    count == KEYS_MOST)
				continue;
			keys[count] = key_text(walk, field, row);
			count += *keys[count] != '\0';
		}
	return count;
}

/* "name [module, tier]" */
static const char *label_of(struct metric_walk *walk, const char *const *keys, size_t count)
{
	struct buffer label = { 0 };

	for (size_t i = 0; i < count; i++) {
		buffer_bytes(&label, i == 1 ? " [" : ", ", i ? 2 : 0);
		buffer_text(&label, keys[i]);
	}
	if (count > 1)
		buffer_u8(&label, ']');
	return buffer_keep(&label, walk->scratch);
}

static void walk_object(struct metric_walk *walk, const struct result_shape *shape,
			const void *data);

static void describe(struct metric_row *row, const struct result_field *list)
{
	row->is_main = list->flags & CSV;
	for (const struct result_field *field = list->shape->fields; field->key; field++) {
		row->is_method |= field->flags & METHOD && field->flags & KEY;
		if (field->flags & MAIN)
			row->main = field->key;
	}
}

static void walk_rows(struct metric_walk *walk, const struct result_field *list,
		      const struct result_rows *rows)
{
	const char *table = path_to(walk, list->key, "");

	for (size_t i = 0; i < rows->count; i++) {
		const void *row = result_row(rows, i);
		struct arena scratch = { 0 };
		struct metric_walk inner = *walk;
		const char *keys[KEYS_MOST];
		size_t count;

		inner.scratch = &scratch;
		inner.path = "";
		inner.depth = DEEPEST; /* lists and objects in rows are left out */
		count = keys_of(&inner, list->shape, row, keys);
		if (count) {
			inner.row = row_called(walk->metrics, table, keys[0],
					       label_of(&inner, keys, count));
			describe(inner.row, list);
			walk_object(&inner, list->shape, row);
		}
		arena_release(&scratch);
	}
}

/* Rows without names are counted and summed up. */
static void walk_merged(struct metric_walk *walk, const struct result_field *list,
			const struct result_rows *rows)
{
	struct metric_walk inner = *walk;

	inner.path = path_to(walk, list->key, ".");
	inner.depth++;
	for (size_t i = 0; i < rows->count; i++) {
		const struct metric count = { .name = path_to(&inner, "rows", ""),
					      .value = 1,
					      .unit = UNIT_COUNT,
					      .is_sum = true };

		add_metric(walk->metrics, walk->row, &count);
		walk_object(&inner, list->shape, result_row(rows, i));
	}
}

static void walk_list(struct metric_walk *walk, const struct result_field *list,
		      const struct result_rows *rows)
{
	if (list->flags & SINGLE || walk->depth >= DEEPEST)
		return;
	if (list->flags & MERGED)
		walk_merged(walk, list, rows);
	else
		walk_rows(walk, list, rows);
}

static void walk_field(struct metric_walk *walk, const struct result_field *field, const void *data)
{
	const struct result_value value = result_value_of(field, data, walk->scratch);

	if (!value.known)
		return;
	if (field->unit == UNIT_LIST) {
		walk_list(walk, field, &value.rows);
	} else if (field->unit == UNIT_MAP) {
		add_map(walk, field, data);
	} else if (field->unit != UNIT_OBJECT) {
		add_value(walk, field, path_to(walk, field->key, ""), &value);
	} else if (walk->depth < DEEPEST) {
		struct metric_walk inner = *walk;

		inner.path = path_to(walk, field->key, ".");
		inner.depth++;
		walk_object(&inner, field->shape, value.object);
	}
}

static void walk_object(struct metric_walk *walk, const struct result_shape *shape,
			const void *data)
{
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (result_is_data(walk->result, field) && !(field->flags & WHEN))
			walk_field(walk, field, data);
}

struct metrics metrics_of(const struct result *result)
{
	struct metrics metrics = { .available = result->data != NULL };
	struct arena scratch = { 0 };
	struct metric_walk walk = {
		.metrics = &metrics, .result = result, .path = "", .scratch = &scratch
	};

	walk.row = row_called(&metrics, "", "", "");
	if (result->data)
		walk_object(&walk, result->kind->shape, result->data);
	arena_release(&scratch);
	return metrics;
}

void metrics_release(struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->row_count; i++)
		free(metrics->rows[i]->list);
	free(metrics->rows);
	map_release(&metrics->by_label);
	arena_release(&metrics->arena);
	*metrics = (struct metrics){ 0 };
}
