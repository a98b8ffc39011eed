/* SPDX-License-Identifier: MIT */
#include "report/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
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
	unsigned flags;	  /* STEADY and ON_CPU of what is around */
	int depth;
	struct arena *scratch;
	struct map *rows; /* by address, if asked for */
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

/* Of the path "client.total_ns" to a metric: the place of "total_ns". */
static const char *key_of(const char *name)
{
	const char *point = strrchr(name, '.');

	return point ? point + 1 : name;
}

static bool is_largest(const char *name)
{
	return strstr(key_of(name), "max") || strstr(key_of(name), "peak");
}

static void add_value(struct metric_walk *walk, const struct result_field *field, const char *name,
		      const struct result_value *value)
{
	const bool rate = value->unit == UNIT_PERCENT || value->unit == UNIT_RATE;
	const unsigned flags = walk->flags | field->flags;
	const bool is_sum = !rate && !(flags & MOST) && !is_largest(name);
	const struct metric metric = { .name = name,
				       .value = result_value_real(value),
				       .unit = value->unit,
				       .is_sum = is_sum,
				       .grows = is_sum && !(flags & STEADY),
				       .on_cpu = flags & ON_CPU,
				       .largest = is_largest(name),
				       .exact = flags & EXACT };

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
		inner.flags |= list->flags & (STEADY | ON_CPU);
		inner.depth = DEEPEST; /* lists and objects in rows are left out */
		count = keys_of(&inner, list->shape, row, keys);
		if (count) {
			inner.row = row_called(walk->metrics, table, keys[0],
					       label_of(&inner, keys, count));
			describe(inner.row, list);
			if (walk->rows && list->type == TYPE_ROWS)
				map_put(walk->rows, (uintptr_t)row, inner.row);
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
	inner.flags |= list->flags & (STEADY | ON_CPU);
	inner.depth++;
	for (size_t i = 0; i < rows->count; i++) {
		const struct metric count = { .name = path_to(&inner, "rows", ""),
					      .value = 1,
					      .unit = UNIT_COUNT,
					      .is_sum = true }; /* threads do not grow with time */

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
		inner.flags |= field->flags & (STEADY | ON_CPU);
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

static bool ends_in(const char *text, const char *end)
{
	const size_t size = strlen(text);

	return size >= strlen(end) && !strcmp(text + size - strlen(end), end);
}

/* The metric beside `name` whose key is the first `size` bytes of a key, and `end`. */
static const struct metric *beside(const struct metric_row *row, const char *name, size_t size,
				   const char *end, struct arena *arena)
{
	const char *key = key_of(name);

	return metric_find(row, arena_printf(arena, "%.*s%.*s%s", (int)(key - name), name,
					     (int)size, key, end));
}

/* What a time or size is the sum of: "exclusive" of "exclusive_ns", or samples, or a count. */
static const struct metric *counted_by(const struct metric_row *row, const struct metric *metric,
				       struct arena *arena)
{
	static const char *const units[] = { "_ns", "_bytes" };
	static const char *const counts[] = { "samples", "count" };
	const char *key = key_of(metric->name);
	const struct metric *found = NULL;

	for (size_t i = 0; i < ARRAY_COUNT(units) && !found; i++) {
		const size_t size = strlen(key) - (ends_in(key, units[i]) ? strlen(units[i]) : 0);

		if (key[size])
			found = beside(row, metric->name, size, "", arena);
		if (key[size] && !found)
			found = beside(row, metric->name, size, "_count", arena);
	}
	for (size_t i = 0; i < ARRAY_COUNT(counts) && !found; i++)
		found = beside(row, metric->name, 0, counts[i], arena);
	return found && found->unit == UNIT_COUNT && found->is_sum ? found : NULL;
}

/* Sums, and what is a sum divided by something else; but not the largest of several. */
static bool is_of_many(const struct metric *metric)
{
	const char *key = key_of(metric->name);

	if (metric->largest || metric->exact)
		return false;
	return metric->is_sum || metric->unit == UNIT_PERCENT || metric->unit == UNIT_RATE ||
	       strstr(key, "mean") || strstr(key, "per_second");
}

/* Of how many it is the sum. Samples differ in weight, or are beside a time and of others, too. */
static double count_of(const struct metric *metric, const struct metric *count, int64_t sample_ns)
{
	const bool sampled = metric->on_cpu || !strcmp(key_of(count->name), "samples");
	const double samples = sample_ns > 0 ? fabs(metric->value) / (double)sample_ns : INFINITY;

	if (metric->unit == UNIT_TIME && sampled && samples < count->value)
		return samples;
	return count->value;
}

/* As if how many there are were chance, or how large each is, but not both. */
static void estimate_error(const struct metric_row *row, struct metric *metric, int64_t sample_ns,
			   struct arena *arena)
{
	const bool counts = metric->unit == UNIT_COUNT && metric->is_sum;
	const struct metric *count = counts ? metric : counted_by(row, metric, arena);

	metric->has_error = count && is_of_many(metric);
	if (metric->has_error && count->value > 0 && metric->value != 0)
		metric->error = fabs(metric->value) / sqrt(count_of(metric, count, sample_ns));
}

struct metrics metrics_by_row(const struct result *result, struct map *rows)
{
	struct metrics metrics = { .available = result->data != NULL };
	struct arena scratch = { 0 };
	struct metric_walk walk = {
		.metrics = &metrics,
		.result = result,
		.path = "",
		.flags = result->kind->metrics,
		.scratch = &scratch,
		.rows = rows,
	};

	walk.row = row_called(&metrics, "", "", "");
	if (result->data)
		walk_object(&walk, result->kind->shape, result->data);
	for (size_t i = 0; i < metrics.row_count; i++)
		for (size_t j = 0; j < metrics.rows[i]->count; j++)
			estimate_error(metrics.rows[i], &metrics.rows[i]->list[j],
				       result->sample_ns, &scratch);
	arena_release(&scratch);
	return metrics;
}

struct metrics metrics_of(const struct result *result)
{
	return metrics_by_row(result, NULL);
}

void metrics_add(struct metrics *metrics, const struct metrics *more)
{
	metrics->available |= more->available;
	for (size_t i = 0; i < more->row_count; i++) {
		const struct metric_row *from = more->rows[i];
		struct metric_row *row = row_called(metrics, from->table, from->name, from->label);

		row->main = from->main;
		row->is_main = from->is_main;
		row->is_method = from->is_method;
		for (size_t j = 0; j < from->count; j++)
			if (!metric_find(row, from->list[j].name))
				add_metric(metrics, row, &from->list[j]);
	}
}

void metrics_release(struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->row_count; i++)
		xfree(metrics->rows[i]->list);
	xfree(metrics->rows);
	map_release(&metrics->by_label);
	arena_release(&metrics->arena);
	*metrics = (struct metrics){ 0 };
}
