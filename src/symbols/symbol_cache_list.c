/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_cache.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"
#include "symbols/cache_folder.h"

/* 1: there is no folder, and so nothing in it. */
static int open_for_listing(const struct symbol_cache *cache, int *folder, struct pp_error *err)
{
	if (!cache->folder)
		return error_set(err, PP_ERROR_SYSTEM,
				 "there is no folder for the cache: HOME is not set");
	*folder = cache_folder_open(cache->folder);
	if (*folder >= 0)
		return 0;
	if (errno == ENOENT)
		return 1;
	if (errno == EPERM)
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s is another user's, or others may write to it: it is not used",
				 cache->folder);
	if (errno == ENOTDIR || errno == ELOOP)
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s is a link or not a folder: it is not used", cache->folder);
	return error_errno(err, "cannot read %s", cache->folder);
}

struct cache_visit {
	int (*each)(struct cache_visit *visit, int folder, const struct cache_entry *entry);
	const struct symbol_cache *cache;
	void *context;
	struct pp_error *err;
};

static int visit_entries(struct cache_visit *visit)
{
	struct cache_list list = { 0 };
	struct heap_drop *drop;
	int folder = -1, failed;

	failed = open_for_listing(visit->cache, &folder, visit->err);
	if (failed)
		return failed < 0 ? -1 : 0;
	drop = heap_on_drop(cache_folder_drop, (void *)(intptr_t)folder);
	if (cache_folder_list(folder, &list))
		failed = error_errno(visit->err, "cannot read %s", visit->cache->folder);
	for (size_t i = 0; !failed && i < list.count; i++)
		failed = visit->each(visit, folder, &list.entries[i]);
	cache_list_release(&list);
	heap_forget_drop(drop);
	close(folder);
	return failed;
}

struct cache_listing {
	void (*each)(void *context, const struct cached_symbols *cached);
	void *context;
};

static bool count_functions(int folder, const struct cache_entry *entry, uint64_t *functions)
{
	struct symbol_table table;
	struct stat status;
	const int fd = cache_folder_open_file(folder, &entry->key, &status);
	bool valid;

	if (fd < 0)
		return false;
	valid = cache_file_open(fd, (uint64_t)status.st_size, &entry->key, &table);
	close(fd);
	if (!valid)
		return false;
	*functions = symbol_table_count(&table);
	symbol_table_release(&table);
	return true;
}

static int list_entry(struct cache_visit *visit, int folder, const struct cache_entry *entry)
{
	const struct cache_listing *listing = visit->context;
	struct cached_symbols cached = { .build_id = entry->key.build_id,
					 .what = entry->key.what,
					 .size = entry->size,
					 .used_s = entry->used.tv_sec };

	if (entry->unfinished)
		return 0;
	cached.valid = count_functions(folder, entry, &cached.functions);
	listing->each(listing->context, &cached);
	return 0;
}

int symbol_cache_list(const struct symbol_cache *cache,
		      void (*each)(void *context, const struct cached_symbols *cached),
		      void *context, struct pp_error *err)
{
	struct cache_listing listing = { each, context };

	return visit_entries(&(struct cache_visit){ list_entry, cache, &listing, err });
}

struct cache_clearing {
	char beginning[BUILD_ID_SIZE]; /* of build ids; "": all */
	struct cache_cleared *cleared;
};

static int clear_entry(struct cache_visit *visit, int folder, const struct cache_entry *entry)
{
	const struct cache_clearing *clearing = visit->context;

	if (strncasecmp(entry->key.build_id, clearing->beginning, strlen(clearing->beginning)) != 0)
		return 0;
	if (unlinkat(folder, entry->name, 0))
		return errno == ENOENT ? 0
				       : error_errno(visit->err, "cannot remove %s/%s",
						     visit->cache->folder, entry->name);
	clearing->cleared->files++;
	clearing->cleared->bytes += entry->size;
	return 0;
}

int symbol_cache_clear(const struct symbol_cache *cache, const char *build_id,
		       struct cache_cleared *cleared, struct pp_error *err)
{
	struct cache_clearing clearing = { .cleared = cleared };

	*cleared = (struct cache_cleared){ 0 };
	if (build_id && (!build_id_is_digits(build_id) || strlen(build_id) >= BUILD_ID_SIZE))
		return error_set(err, PP_ERROR_USAGE,
				 "\"%s\" is not a build id: it has hexadecimal digits only",
				 build_id);
	if (build_id)
		memcpy(clearing.beginning, build_id, strlen(build_id));
	return visit_entries(&(struct cache_visit){ clear_entry, cache, &clearing, err });
}
