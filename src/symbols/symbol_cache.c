/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "symbols/cache_folder.h"

#define FILE_MODE    0600
#define HEADER	     sizeof(struct cache_header)
#define USE_NOTED_S  60	  /* how exactly the last use is known: a write to the disc each time */
#define ABANDONED_S  3600 /* no writer takes that long */
#define CACHE_FOLDER "perfpipe/symbols"

char *symbol_cache_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char path[4096];
	int size;

	if (cache && *cache == '/')
		size = snprintf(path, sizeof(path), "%s/" CACHE_FOLDER, cache);
	else if (home && *home == '/')
		size = snprintf(path, sizeof(path), "%s/.cache/" CACHE_FOLDER, home);
	else
		return NULL;
	return size < (int)sizeof(path) ? xstrdup(path) : NULL;
}

static uint64_t limit_of(const struct symbol_cache *cache)
{
	return cache->limit ? cache->limit : SYMBOL_CACHE_LIMIT;
}

static void note_use(int fd, const struct stat *status)
{
	const time_t now = time(NULL);

	if (now < status->st_mtime || now - status->st_mtime >= USE_NOTED_S)
		futimens(fd, NULL);
}

bool symbol_cache_get(const struct symbol_cache *cache, const char *build_id, const char *what,
		      struct symbol_table *table)
{
	struct cache_key key;
	struct stat status;
	int folder, fd;
	bool found;

	if (!cache->folder || !cache_key_make(&key, build_id, what))
		return false;
	folder = cache_folder_open(cache->folder);
	if (folder < 0)
		return false;
	fd = cache_folder_open_file(folder, &key, &status);
	close(folder);
	if (fd < 0)
		return false;
	found = (uint64_t)status.st_size <= limit_of(cache) &&
		cache_file_open(fd, (uint64_t)status.st_size, &key, table);
	if (found)
		note_use(fd, &status);
	close(fd);
	return found;
}

static bool write_all(int fd, const void *from, size_t size)
{
	const uint8_t *bytes = from;

	while (size) {
		const ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		size -= (size_t)written;
	}
	return true;
}

static bool write_file(int folder, const char *name, const struct cache_key *key,
		       const struct symbol_table *table)
{
	const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			      FILE_MODE);
	struct cache_header header;
	bool written;

	if (fd < 0)
		return false;
	cache_header_make(&header, key, table);
	written =
		write_all(fd, &header, sizeof(header)) && write_all(fd, table->bytes, table->size);
	return !close(fd) && written;
}

static bool write_table(int folder, const struct cache_key *key, const struct symbol_table *table)
{
	char unfinished[CACHE_NAME_SIZE], name[CACHE_NAME_SIZE];

	if (!cache_key_new_name(key, unfinished))
		return false;
	cache_key_name(key, name);
	if (write_file(folder, unfinished, key, table) &&
	    !renameat(folder, unfinished, folder, name))
		return true;
	unlinkat(folder, unfinished, 0);
	return false;
}

static bool is_abandoned(const struct cache_entry *entry, int64_t now_s)
{
	return entry->unfinished && now_s - entry->used.tv_sec >= ABANDONED_S;
}

/* Keeps what was used last, up to the limit. */
static void trim(int folder, uint64_t limit)
{
	const int64_t now_s = time(NULL);
	struct cache_list list = { 0 };
	uint64_t kept = 0;

	if (cache_folder_list(folder, &list))
		return;
	for (size_t i = 0; i < list.count; i++) {
		const struct cache_entry *entry = &list.entries[i];
		const bool stays = entry->unfinished ? !is_abandoned(entry, now_s)
						     : entry->size <= limit - kept;

		if (!stays)
			unlinkat(folder, entry->name, 0);
		else if (!entry->unfinished)
			kept += entry->size;
	}
	cache_list_release(&list);
}

bool symbol_cache_put(const struct symbol_cache *cache, const char *build_id, const char *what,
		      const struct symbol_table *table)
{
	const uint64_t limit = limit_of(cache);
	struct heap_drop *drop;
	struct cache_key key;
	int folder;
	bool kept;

	if (!cache->folder || !cache_key_make(&key, build_id, what) || limit < HEADER ||
	    table->size > limit - HEADER)
		return false;
	folder = cache_folder_make(cache->folder);
	if (folder < 0)
		return false;
	drop = heap_on_drop(cache_folder_drop, (void *)(intptr_t)folder);
	kept = write_table(folder, &key, table);
	if (kept)
		trim(folder, limit);
	heap_forget_drop(drop);
	close(folder);
	return kept;
}
