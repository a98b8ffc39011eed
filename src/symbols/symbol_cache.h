/* SPDX-License-Identifier: MIT */
/*
 * symbol_cache.h - symbol tables by build id, in a folder of the user's cache.
 *
 * A file is written beside its place and renamed, so several writers do no harm; it has a checksum
 * and what identifies the table, and is not used unless all of that holds. When the folder is
 * larger than its limit, the files that were not used for longest are removed.
 */
#ifndef SYMBOLS_SYMBOL_CACHE_H
#define SYMBOLS_SYMBOL_CACHE_H

#include "symbols/symbol_table.h"

#define SYMBOL_CACHE_LIMIT (UINT64_C(1) << 30) /* bytes in the folder */

struct symbol_cache {
	const char *folder; /* NULL: nothing is cached */
	uint64_t limit;	    /* 0: SYMBOL_CACHE_LIMIT */
};

/* "$XDG_CACHE_HOME/perfpipe/symbols" or "~/.cache/perfpipe/symbols"; NULL: there is no home.
 * xfree(). */
char *symbol_cache_folder(void);

/* A table is that of a build id, and of which symbols it has: "symtab", "dynsym". */
bool symbol_cache_get(const struct symbol_cache *cache, const char *build_id, const char *what,
		      struct symbol_table *table);
/* Fails silently: a cache is an optimisation. Returns whether it was kept. */
bool symbol_cache_put(const struct symbol_cache *cache, const char *build_id, const char *what,
		      const struct symbol_table *table);

struct cached_symbols {
	const char *build_id;
	const char *what;
	uint64_t size;
	uint64_t functions; /* 0: the file is damaged, see `valid` */
	int64_t used_s;	    /* Unix time of the last use */
	bool valid;
};

/* Calls `each` for every file, the last used first. -1 with an error if the folder cannot be read.
 */
int symbol_cache_list(const struct symbol_cache *cache,
		      void (*each)(void *context, const struct cached_symbols *cached),
		      void *context, struct pp_error *err);

struct cache_cleared {
	uint64_t files, bytes;
};

/* All, or that of one build id (or the beginning of it). */
int symbol_cache_clear(const struct symbol_cache *cache, const char *build_id,
		       struct cache_cleared *cleared, struct pp_error *err);

#endif
