/* SPDX-License-Identifier: MIT */
#include "analyze/figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/hash.h"
#include "base/json_read.h"

#define KEYS	4
#define DEEPEST 3 /* brackets around rows that are read */

/* What identifies a table's rows, most telling first, and what they are compared by. */
static const struct table {
	const char *name;
	const char *keys[KEYS + 1];
	const char *main; /* or NULL: see figure_main() */
} tables[] = {
	{ "methods", { "name", "module", "tier" }, NULL },
	{ "modules", { "module", "name" }, NULL },
	{ "classes", { "name", "module" }, NULL },
	{ "namespaces", { "namespace" }, NULL },
	{ "activities", { "name", "provider", "activity_source" }, NULL },
	{ "tasks", { "name", "module", "kind" }, "wait_ns" },
	{ "generations", { "generation" }, "pause_total_ns" },
	{ "types", { "type" }, NULL },
	{ "catches", { "type", "method" }, "count" },
	{ "groups", { "name", "method" }, "p95_ns" },
	{ "operations", { "name", "operation" }, "p95_ns" },
	{ "contexts", { "name" }, "time_ns" },
	{ "stages", { "stage", "result" }, "count" },
	{ "events", { "name", "provider" }, "count" },
	{ "counters", { "name", "provider", "tags", "quantile" }, "mean" },
	{ "processes", { "name" }, NULL },
};

static const struct table others = { "", { "name", "type" }, NULL };

/* Rows that are single happenings, or are called by numbers that another trace has others of. */
static const char *const singles[] = {
	"gcs",	    "slowest", "loads",	      "assemblies", "stacks",	"sites",
	"locks",    "chains",  "adjustments", "timeline",   "readings", "tree",
	"findings", "callers", "callees",     "owners",	    "frames",
};

/* Rows without names, which are counted and summed up. */
static const char *const merged[] = { "pools", "threads" };

/* Numbers that count nothing. */
static const char *const no_figures[] = {
	"number",   "version",	"index",   "depth",	  "pdb_age",	 "generation",
	"start_ns", "first_ns", "last_ns", "loaded_ns",	  "unloaded_ns", "pause_start_ns",
	"first",    "last",	"over_ns", "interval_ns", "quantile",
};

#define COUNT(array)	      (sizeof(array) / sizeof((array)[0]))
#define IS_ONE_OF(name, list) is_one_of((name), (list), COUNT(list))

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static bool ends_in(const char *text, const char *end)
{
	const size_t size = strlen(text);

	return size >= strlen(end) && !strcmp(text + size - strlen(end), end);
}

/* Behind the last point. */
static const char *last_part(const char *name)
{
	const char *point = strrchr(name, '.');

	return point ? point + 1 : name;
}

const char *figure_short_name(const char *path)
{
	static const char summary[] = "summary.";

	return path + (strncmp(path, summary, strlen(summary)) ? 0 : strlen(summary));
}

static bool is_figure(const char *key)
{
	return !ends_in(key, "_id") && !IS_ONE_OF(key, no_figures);
}

enum figure_unit figure_unit_of(const char *name)
{
	static const char *const sizes[] = {
		"heap_peak", "heap_before", "heap_after",
		"promoted",  "allocated",   "allocated_per_second_max"
	};
	const char *part = last_part(name);

	/* what is inside waits_ns is called by what it waits for */
	if (ends_in(part, "_ns") || strstr(name, "_ns."))
		return FIGURE_TIME;
	if (ends_in(part, "_bytes") || !strncmp(part, "bytes", 5) || IS_ONE_OF(part, sizes))
		return FIGURE_SIZE;
	if (ends_in(part, "percent"))
		return FIGURE_PERCENT;
	if (ends_in(part, "per_second") || !strcmp(part, "mean") || !strcmp(part, "least") ||
	    !strcmp(part, "most"))
		return FIGURE_REAL;
	return FIGURE_COUNT;
}

bool figure_is_sum(const char *name)
{
	static const char *const parts[] = { "max",	"p50",	   "p95",	"p99",	"mean",
					     "longest", "largest", "average",	"most", "least",
					     "peak",	"percent", "per_second" };
	const char *part = last_part(name);

	for (size_t i = 0; i < COUNT(parts); i++)
		if (strstr(part, parts[i]))
			return false;
	return true;
}

static struct figure *find_figure(const struct figure_row *row, const char *name)
{
	for (size_t i = 0; row && i < row->count; i++)
		if (!strcmp(row->list[i].name, name))
			return &row->list[i];
	return NULL;
}

const struct figure *figure_of(const struct figure_row *row, const char *name)
{
	return find_figure(row, name);
}

static const struct table *table_called(const char *path)
{
	const char *name = last_part(path);

	for (size_t i = 0; i < COUNT(tables); i++)
		if (!strcmp(tables[i].name, name))
			return &tables[i];
	return &others;
}

const char *figure_main(const struct figure_row *row)
{
	static const char *const names[] = { "exclusive_ns", "bytes",  "time_ns", "total_ns",
					     "p95_ns",	     "cpu_ns", "count",	  "samples" };
	const char *main = table_called(row->table)->main;

	if (main && figure_of(row, main))
		return main;
	for (size_t i = 0; i < COUNT(names); i++)
		if (figure_of(row, names[i]))
			return names[i];
	return row->count ? row->list[0].name : NULL;
}

static uint64_t hash_row(const char *table, const char *label)
{
	return hash_bytes(table, strlen(table)) ^ hash_u64(hash_bytes(label, strlen(label)));
}

static struct figure_row *find_row(const struct figures *figures, const char *table,
				   const char *label)
{
	struct figure_row *row = map_find(&figures->by_label, hash_row(table, label));

	while (row && (strcmp(row->table, table) != 0 || strcmp(row->label, label) != 0))
		row = row->next;
	return row;
}

const struct figure_row *figures_find(const struct figures *figures, const char *table,
				      const char *label)
{
	return find_row(figures, table, label);
}

static const char *keep(struct figures *figures, const char *text)
{
	return arena_text(&figures->arena, text, strlen(text));
}

static struct figure_row *row_called(struct figures *figures, const char *table, const char *name,
				     const char *label)
{
	const uint64_t hash = hash_row(table, label);
	struct figure_row *row = find_row(figures, table, label);

	if (row)
		return row;
	row = arena_new(&figures->arena, struct figure_row);
	*row = (struct figure_row){ .table = keep(figures, table),
				    .name = keep(figures, name),
				    .label = keep(figures, label),
				    .next = map_find(&figures->by_label, hash) };
	map_put(&figures->by_label, hash, row);
	figures->rows = xgrow(figures->rows, figures->row_count, &figures->row_capacity,
			      sizeof(struct figure_row *));
	figures->rows[figures->row_count++] = row;
	return row;
}

static void add_figure(struct figures *figures, struct figure_row *row, const char *name,
		       double value)
{
	struct figure *figure = find_figure(row, name);

	if (!figure) {
		row->list = xgrow(row->list, row->count, &row->capacity, sizeof(*row->list));
		row->list[row->count++] =
			(struct figure){ .name = keep(figures, name), .value = value };
	} else if (figure_is_sum(name)) {
		figure->value += value;
	} else if (value > figure->value) {
		figure->value = value;
	}
}

/* The path in front of a key: "summary.tiers.". */
static size_t enter(struct buffer *path, const char *key)
{
	const size_t size = path->size;

	if (*key) {
		buffer_bytes(path, key, strlen(key));
		buffer_u8(path, '.');
	}
	return size;
}

static const char *path_of(struct buffer *path, const char *key)
{
	const size_t size = path->size;

	buffer_bytes(path, key, strlen(key));
	buffer_u8(path, '\0');
	buffer_rewind(path, size);
	return path->bytes ? (const char *)path->bytes : "";
}

/* A row while it is read: what identifies it may come behind its figures. */
struct reading {
	struct figures *figures;
	struct json_reader *reader;
	struct buffer path;
	struct arena arena; /* of the row */
	const struct table *table;
	const char *keys[KEYS];
	struct figure *list;
	size_t count, capacity;
};

static void take_key(struct reading *r, const char *key, const char *text)
{
	for (size_t i = 0; i < KEYS && r->table->keys[i]; i++)
		if (!strcmp(r->table->keys[i], key))
			r->keys[i] = arena_text(&r->arena, text, strlen(text));
}

static void take_number_key(struct reading *r, const char *key, double number)
{
	struct buffer text = { 0 };

	buffer_bytes(&text, key, strlen(key));
	buffer_u8(&text, ' ');
	buffer_real(&text, number, false);
	buffer_u8(&text, '\0');
	if (text.bytes)
		take_key(r, key, (const char *)text.bytes);
	buffer_release(&text);
}

static void take_figure(struct reading *r, const char *name, double value)
{
	r->list = xgrow(r->list, r->count, &r->capacity, sizeof(*r->list));
	r->list[r->count++] = (struct figure){ .name = arena_text(&r->arena, name, strlen(name)),
					       .value = value };
}

/* Up to the end of the row's object; arrays inside it are left out. */
static void read_fields(struct reading *r)
{
	const unsigned outside = r->reader->depth;
	enum json_kind kind;

	while (r->reader->depth >= outside && (kind = json_next(r->reader)) != JSON_END) {
		const char *key = json_key(r->reader);

		if (kind == JSON_OPEN_ARRAY)
			json_skip(r->reader);
		else if (kind == JSON_OPEN_OBJECT)
			enter(&r->path, key);
		else if (kind == JSON_CLOSE)
			buffer_rewind(&r->path, 0); /* objects in objects have no names */
		else if (kind == JSON_TEXT && r->reader->depth == outside)
			take_key(r, key, json_text(r->reader));
		else if (kind == JSON_NUMBER && r->reader->depth == outside && !is_figure(key))
			take_number_key(r, key, r->reader->number);
		else if (kind == JSON_NUMBER && is_figure(key))
			take_figure(r, path_of(&r->path, key), r->reader->number);
	}
}

/* "name [module, tier]" */
static const char *label_of(struct reading *r)
{
	struct buffer label = { 0 };
	const char *made;
	size_t told = 0;

	for (size_t i = 0; i < KEYS; i++) {
		if (!r->keys[i] || !*r->keys[i])
			continue;
		buffer_bytes(&label, told == 0 ? "" : told == 1 ? " [" : ", ", told ? 2 : 0);
		buffer_bytes(&label, r->keys[i], strlen(r->keys[i]));
		told++;
	}
	if (told > 1)
		buffer_u8(&label, ']');
	made = label.size ? arena_text(&r->arena, (const char *)label.bytes, label.size) : "";
	buffer_release(&label);
	return made;
}

static const char *first_key(const struct reading *r)
{
	for (size_t i = 0; i < KEYS; i++)
		if (r->keys[i] && *r->keys[i])
			return r->keys[i];
	return "";
}

static void read_row(struct reading *r, const char *table)
{
	struct figure_row *row;

	r->table = table_called(table);
	memset(r->keys, 0, sizeof(r->keys));
	r->count = 0;
	buffer_rewind(&r->path, 0);
	read_fields(r);
	if (*first_key(r)) {
		row = row_called(r->figures, table, first_key(r), label_of(r));
		for (size_t i = 0; i < r->count; i++)
			add_figure(r->figures, row, r->list[i].name, r->list[i].value);
	}
	arena_release(&r->arena);
}

static void read_rows(struct figures *figures, struct json_reader *reader, const char *table)
{
	struct reading r = { .figures = figures, .reader = reader };
	const unsigned inside = reader->depth;
	enum json_kind kind;

	while (reader->depth >= inside && (kind = json_next(reader)) != JSON_END)
		if (kind == JSON_OPEN_OBJECT)
			read_row(&r, table);
		else if (kind == JSON_OPEN_ARRAY)
			json_skip(reader);
	free(r.list);
	buffer_release(&r.path);
}

static void take_text(struct figures *figures, const struct json_reader *reader)
{
	if (reader->depth != 1)
		return;
	if (!strcmp(json_key(reader), "missing"))
		figures->missing = keep(figures, json_text(reader));
	else if (!strcmp(json_key(reader), "remedy"))
		figures->remedy = keep(figures, json_text(reader));
}

static void take_flag(struct figures *figures, const struct json_reader *reader)
{
	if (!strcmp(json_key(reader), "available"))
		figures->available = reader->flag;
	else if (!strcmp(json_key(reader), "complete"))
		figures->complete = reader->flag;
}

static void take_number(struct figures *figures, struct buffer *path,
			const struct json_reader *reader)
{
	const char *key = json_key(reader);
	const char *name = path_of(path, key);

	if (!strcmp(name, "lost.events"))
		figures->lost = reader->number > 0 ? (uint64_t)reader->number : 0;
	else if (is_figure(key) && strncmp(name, "lost.", 5) != 0 &&
		 strncmp(name, "unresolved.", 11) != 0)
		add_figure(figures, figures->rows[0], figure_short_name(name), reader->number);
}

/* Tables inside an object are called by the path to it: "client.groups". */
static void take_array(struct figures *figures, struct json_reader *reader, struct buffer *path)
{
	const char *table = keep(figures, figure_short_name(path_of(path, json_key(reader))));

	if (IS_ONE_OF(json_key(reader), singles) || reader->depth > DEEPEST)
		json_skip(reader);
	else
		read_rows(figures, reader, table);
}

int figures_read(struct figures *figures, const void *json, size_t size)
{
	struct json_reader reader = json_reader_over(json, size);
	struct buffer path = { 0 };
	enum json_kind kind = json_next(&reader);
	size_t starts[JSON_DEPTH + 2] = { 0 }; /* of the path outside each bracket */

	row_called(figures, "", "", "");
	if (kind != JSON_OPEN_OBJECT)
		reader.failed = true;
	while ((kind = json_next(&reader)) != JSON_END) {
		const unsigned depth = reader.depth;

		if (kind == JSON_OPEN_OBJECT && !*json_key(&reader))
			add_figure(figures, figures->rows[0], path_of(&path, "rows"), 1);
		if (kind == JSON_OPEN_OBJECT ||
		    (kind == JSON_OPEN_ARRAY && IS_ONE_OF(json_key(&reader), merged)))
			starts[depth] = enter(&path, json_key(&reader));
		else if (kind == JSON_OPEN_ARRAY)
			take_array(figures, &reader, &path);
		else if (kind == JSON_CLOSE)
			buffer_rewind(&path, starts[depth + 1]);
		else if (kind == JSON_TEXT)
			take_text(figures, &reader);
		else if (kind == JSON_BOOL && depth == 1)
			take_flag(figures, &reader);
		else if (kind == JSON_NUMBER)
			take_number(figures, &path, &reader);
	}
	buffer_release(&path);
	json_reader_release(&reader);
	return reader.failed ? -1 : 0;
}

void figures_release(struct figures *figures)
{
	for (size_t i = 0; i < figures->row_count; i++)
		free(figures->rows[i]->list);
	free(figures->rows);
	map_release(&figures->by_label);
	arena_release(&figures->arena);
	*figures = (struct figures){ 0 };
}
