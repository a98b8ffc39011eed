/* SPDX-License-Identifier: MIT */
#include "report/cache_contents.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

struct cached_table {
	const char *build_id, *what;
	uint64_t functions, size;
	const char *used;	/* RFC 3339 */
	const char *shown_used; /* for people */
	bool valid;
};

#define ROW struct cached_table

static const struct result_field table_fields[] = {
	FIELD(ROW, build_id, "build_id", "BUILD ID", UNIT_TEXT),
	FIELD(ROW, what, "symbols", "SYMBOLS", UNIT_TEXT),
	FIELD(ROW, functions, "functions", "FUNCTIONS", UNIT_COUNT, KNOWN_IF(ROW, valid)),
	FIELD(ROW, size, "size_bytes", "SIZE", UNIT_SIZE),
	FIELD(ROW, used, "last_used", NULL, UNIT_TEXT),
	FIELD(ROW, shown_used, "shown_used", "LAST USED", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, valid, "valid", NULL, UNIT_FLAG),
	FIELD_END,
};

#define RESULT struct cache_contents

static const struct result_field fields[] = {
	FIELD(RESULT, folder, "folder", NULL, UNIT_TEXT),
	FIELD(RESULT, files, "files", NULL, UNIT_COUNT),
	FIELD(RESULT, size, "size_bytes", NULL, UNIT_SIZE),
	FIELD(RESULT, limit, "limit_bytes", NULL, UNIT_SIZE),
	FIELD(RESULT, removed.files, "removed_files", NULL, UNIT_COUNT, KNOWN_IF(RESULT, cleared)),
	FIELD(RESULT, removed.bytes, "removed_bytes", NULL, UNIT_SIZE, KNOWN_IF(RESULT, cleared)),
	LIST(RESULT, tables, "tables", "", SHAPE(table_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = {
	fields,
	LINES({ "Folder", "{folder}", NULL, false },
	      { "Size", "{size_bytes} of at most {limit_bytes}, in {files|file|files}", NULL,
		false }),
};

const struct result_kind cache_contents_kind = {
	.name = "cache",
	.version = 1,
	.summary = "the cache of symbol tables",
	.shape = &shape,
};

static const char *keep(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text, strlen(text)) : NULL;
}

/* What is being listed, of what. */
struct listing {
	struct cache_contents *list;
	const char *build_id;
};

static void add(void *context, const struct cached_symbols *cached)
{
	const struct listing *listing = context;
	struct cache_contents *list = listing->list;
	const char *wanted = listing->build_id ? listing->build_id : "";
	const size_t count = list->tables.count;
	const int64_t used_ns = cached->used_s * 1000000000;

	list->files++;
	list->size += cached->size;
	if (strncmp(cached->build_id ? cached->build_id : "", wanted, strlen(wanted)) != 0)
		return;
	list->rows = xgrow(list->rows, count, &list->capacity, sizeof(*list->rows));
	list->rows[count] = (struct cached_table){
		.build_id = keep(&list->arena, cached->build_id),
		.what = keep(&list->arena, cached->what),
		.functions = cached->functions,
		.size = cached->size,
		.used = time_text(used_ns, arena_alloc(&list->arena, TIME_TEXT_SIZE)),
		.shown_used = time_text_short(used_ns, arena_alloc(&list->arena, TIME_TEXT_SIZE)),
		.valid = cached->valid,
	};
	list->tables = ROWS_OF(list->rows, count + 1);
}

int cache_contents_read(struct cache_contents *list, const struct symbol_cache *cache,
			const char *build_id, struct pp_error *err)
{
	list->folder = cache->folder;
	list->limit = cache->limit;
	return symbol_cache_list(cache, add, &(struct listing){ list, build_id }, err);
}

void cache_contents_release(struct cache_contents *list)
{
	xfree(list->rows);
	arena_release(&list->arena);
}
