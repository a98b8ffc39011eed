/* SPDX-License-Identifier: MIT */
/*
 * cache_contents.h - the cache of symbol tables: what is in it, and what was removed from it.
 *
 *	struct cache_contents list = { .folder = folder };
 *
 *	cache_contents_read(&list, &cache, NULL, &err);
 *	render_text.render(&(const struct result){ .kind = &cache_contents_kind, .data = &list },
 *...); cache_contents_release(&list);
 */
#ifndef REPORT_CACHE_CONTENTS_H
#define REPORT_CACHE_CONTENTS_H

#include "report/result.h"
#include "symbols/symbol_cache.h"

struct cache_contents {
	const char *folder;
	uint64_t limit, size, files; /* of the folder */
	bool cleared;		     /* the next are known */
	struct cache_cleared removed;
	struct result_rows tables;
	struct cached_table *rows;
	size_t capacity;
	struct arena arena;
};

extern const struct result_kind cache_contents_kind;

/* Tables whose build id begins with `build_id`; NULL: all. Sums are those of the whole folder. */
int cache_contents_read(struct cache_contents *list, const struct symbol_cache *cache,
			const char *build_id, struct pp_error *err);
void cache_contents_release(struct cache_contents *list);

#endif
