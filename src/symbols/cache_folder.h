/* SPDX-License-Identifier: MIT */
/*
 * cache_folder.h - the folder of the cache of symbol tables, and what is in it.
 *
 * It is used through a descriptor, and only if it is this user's and nobody else may write to it;
 * the same holds for each file. Neither may be a link.
 *
 *	const int folder = cache_folder_open(path);
 *	struct cache_list list = { 0 };
 *
 *	if (folder >= 0 && !cache_folder_list(folder, &list))
 *		for (size_t i = 0; i < list.count; i++)
 *			unlinkat(folder, list.entries[i].name, 0);
 *	cache_list_release(&list);
 *	close(folder);
 */
#ifndef SYMBOLS_CACHE_FOLDER_H
#define SYMBOLS_CACHE_FOLDER_H

#include <sys/stat.h>
#include <time.h>

#include "symbols/cache_file.h"

/* A descriptor, or -1 and errno: EPERM if it is somebody else's. */
int cache_folder_open(const char *path);
int cache_folder_make(const char *path); /* creates it first, if necessary */

/* For heap_on_drop(): the descriptor as a pointer. */
void cache_folder_drop(void *folder);

/* A file for reading, or -1 and errno. */
int cache_folder_open_file(int folder, const struct cache_key *key, struct stat *status);

struct cache_entry {
	struct cache_key key;
	char name[CACHE_NAME_SIZE];
	uint64_t size;
	struct timespec used;
	bool unfinished;
};

struct cache_list {
	struct cache_entry *entries;
	size_t count, capacity;
};

/* Files of the cache, the last used first. -1 and errno. */
int cache_folder_list(int folder, struct cache_list *list);
void cache_list_release(struct cache_list *list);

#endif
