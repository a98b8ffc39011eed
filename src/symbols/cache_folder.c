/* SPDX-License-Identifier: MIT */
#include "symbols/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"

#define FOLDER_MODE 0700 /* names of what somebody traced */

static bool is_ours(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* Takes the descriptor. */
static int refuse_foreign(int fd, const struct stat *status, mode_t kind)
{
	if ((status->st_mode & S_IFMT) == kind && is_ours(status))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

int cache_folder_open(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status))
		memset(&status, 0, sizeof(status));
	return refuse_foreign(fd, &status, S_IFDIR);
}

int cache_folder_open_file(int folder, const struct cache_key *key, struct stat *status)
{
	char name[CACHE_NAME_SIZE];
	int fd;

	cache_key_name(key, name);
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, status))
		memset(status, 0, sizeof(*status));
	return refuse_foreign(fd, status, S_IFREG);
}

/*
 * Root, with the HOME of the user who typed sudo, creates nothing there: that user could not use it
 * afterwards.
 */
static bool may_create_in(const char *parent)
{
	struct stat status;

	return geteuid() || (!stat(parent, &status) && !status.st_uid);
}

static bool make_missing(const char *path)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX] = ".";

	if (!access(path, F_OK))
		return true;
	if (slash)
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path) + 1, path);
	return may_create_in(parent) && (!mkdir(path, FOLDER_MODE) || errno == EEXIST);
}

int cache_folder_make(const char *path)
{
	const int folder = cache_folder_open(path);
	char part[PATH_MAX];
	bool made = true;

	if (folder >= 0 || errno != ENOENT || strlen(path) >= sizeof(part))
		return folder;
	for (const char *at = path + 1; made && at[-1]; at++) {
		if (*at && *at != '/')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		made = make_missing(part);
	}
	return cache_folder_open(path);
}

void cache_folder_drop(void *folder)
{
	close((int)(intptr_t)folder);
}

static void close_entries(void *entries)
{
	closedir(entries);
}

static void add_entry(struct cache_list *list, int folder, const char *name)
{
	struct cache_entry *entry;
	struct stat status;
	struct cache_key key;
	bool unfinished;

	if (!cache_key_of_name(&key, name, &unfinished) ||
	    fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
		return;
	list->entries = xgrow(list->entries, list->count, &list->capacity, sizeof(*entry));
	entry = &list->entries[list->count++];
	*entry = (struct cache_entry){ .key = key,
				       .size = (uint64_t)status.st_size,
				       .used = status.st_mtim,
				       .unfinished = unfinished };
	memcpy(entry->name, name, strlen(name));
}

static int last_used_first(const void *left, const void *right)
{
	const struct cache_entry *a = left, *b = right;

	if (a->used.tv_sec != b->used.tv_sec)
		return a->used.tv_sec < b->used.tv_sec ? 1 : -1;
	if (a->used.tv_nsec != b->used.tv_nsec)
		return a->used.tv_nsec < b->used.tv_nsec ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* A descriptor of its own, since closedir() closes it and reading moves it. */
static DIR *entries_of(int folder)
{
	const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);

	if (!entries && fd >= 0)
		close_keeping_errno(fd);
	return entries;
}

int cache_folder_list(int folder, struct cache_list *list)
{
	DIR *entries = entries_of(folder);
	struct heap_drop *drop;
	const struct dirent *entry;

	if (!entries)
		return -1;
	drop = heap_on_drop(close_entries, entries);
	while ((entry = readdir(entries)))
		add_entry(list, folder, entry->d_name);
	heap_forget_drop(drop);
	closedir(entries);
	if (list->count)
		qsort(list->entries, list->count, sizeof(*list->entries), last_used_first);
	return 0;
}

void cache_list_release(struct cache_list *list)
{
	xfree(list->entries);
	*list = (struct cache_list){ 0 };
}
