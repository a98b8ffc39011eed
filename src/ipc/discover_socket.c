/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_root.h"
#include "ipc/connect.h"
#include "ipc/discover.h"

#define DEFAULT_FOLDER "/tmp"

#define FOLDER_ENTRIES_MOST 16384 /* listed of one directory */

/* The next entry, unless there are too many; anybody may fill a directory. */
static struct dirent *next_entry(struct discovery *d, DIR *entries, size_t *left)
{
	if (!*left || !d->entries_left)
		return NULL;
	--*left;
	--d->entries_left;
	return readdir(entries);
}

static void note_listening(struct discovery *d, const char *folder)
{
	static char known; /* any address */
	size_t left = FOLDER_ENTRIES_MOST;
	DIR *entries = process_files_hold_folder(&d->files, opendir(folder));
	uint64_t key;
	int32_t pid;

	for (struct dirent *entry; entries && (entry = next_entry(d, entries, &left));)
		if (process_socket_name(entry->d_name, &pid, &key))
			map_put(&d->listening, (uint64_t)pid, &known);
	if (entries)
		process_files_let_go(&d->files);
}

void discover_own_sockets(struct discovery *d)
{
	const char *own = getenv("TMPDIR");

	note_listening(d, DEFAULT_FOLDER);
	if (own && *own && strcmp(own, DEFAULT_FOLDER))
		note_listening(d, own);
}

bool discover_is_listening(const struct discovery *d, int32_t pid)
{
	return map_find(&d->listening, (uint64_t)pid) != NULL;
}

/* A directory of the process, by a path that works across containers. */
static char *folder_through(struct discovery *d, const struct candidate *c, const char *folder)
{
	return arena_printf(d->arena, "%s/%" PRId32 "/root%s%s", d->files.root, c->process.pid,
			    *folder == '/' ? "" : "/", folder);
}

static char *socket_path(struct discovery *d, const struct candidate *c, const char *folder)
{
	const size_t length = strlen(folder);
	const char *slash = length && folder[length - 1] == '/' ? "" : "/";

	return arena_printf(d->arena, "%s%sdotnet-diagnostic-%" PRId32 "-%" PRIu64 "-socket",
			    folder, slash, c->process.ns_pid, c->stat.start_ticks);
}

/*
 * A socket of the process's own user or of root, since anybody can write to /tmp. And not a link:
 * a runtime makes none.
 */
static bool is_own_socket(const struct candidate *c, const struct stat *info)
{
	return S_ISSOCK(info->st_mode) &&
	       (!c->status.has_user || !info->st_uid || info->st_uid == c->status.user);
}

static bool is_socket(const struct candidate *c, const char *path, struct stat *info)
{
	const struct process_socket socket = { c->process.proc, c->process.pid, c->stat.start_ticks,
					       path };
	const int place = connect_find(&socket);
	const bool is = place >= 0 && !fstat(place, info) && is_own_socket(c, info);

	if (place >= 0)
		close(place);
	return is;
}

/* The plain name is nicer to show, if it is the same file. */
static void take_plain(struct discovery *d, struct candidate *c, const struct stat *wanted)
{
	struct stat info;
	char *path;

	if (!c->folder || *c->folder != '/')
		return;
	path = socket_path(d, c, c->folder);
	if (!lstat(path, &info) && info.st_dev == wanted->st_dev && info.st_ino == wanted->st_ino)
		c->process.socket = path;
}

/* For a process that we may not inspect: the usual places, which we may share. */
static void look_here(struct discovery *d, struct candidate *c)
{
	const char *folders[] = { c->folder, DEFAULT_FOLDER, getenv("TMPDIR") };
	struct stat info;

	for (size_t i = 0; i < 3 && !c->process.socket; i++) {
		char *path = folders[i] && *folders[i] ? socket_path(d, c, folders[i]) : NULL;

		if (path && is_socket(c, path, &info))
			c->process.socket = path;
	}
}

/* Checks the root directory itself, so that a missing TMPDIR does not count as inaccessible. */
static bool may_look_into(struct discovery *d, const struct candidate *c)
{
	char path[64];

	snprintf(path, sizeof(path), "%" PRId32 "/root/.", c->process.pid);
	return !faccessat(d->files.fd, path, F_OK, 0);
}

void discover_socket(struct discovery *d, struct candidate *c)
{
	const char *folder = c->folder ? c->folder : DEFAULT_FOLDER;
	char *path = socket_path(d, c, folder_through(d, c, folder));
	struct stat info;

	if (is_socket(c, path, &info)) {
		c->reached = true;
		c->process.socket = path;
		take_plain(d, c, &info);
		return;
	}
	c->reached = may_look_into(d, c);
	if (!c->reached)
		look_here(d, c);
}

static bool is_newer(const struct timespec *left, const struct timespec *right)
{
	return left->tv_sec != right->tv_sec ? left->tv_sec > right->tv_sec
					     : left->tv_nsec > right->tv_nsec;
}

/* The newest of its pid in a directory; a socket may be left from an earlier process. */
static char *newest_of(struct discovery *d, const struct candidate *c, DIR *entries)
{
	size_t left = FOLDER_ENTRIES_MOST;
	struct timespec time = { 0 };
	char *newest = NULL;

	for (struct dirent *entry; (entry = next_entry(d, entries, &left));) {
		struct stat info;
		uint64_t key;
		int32_t pid;

		if (!process_socket_name(entry->d_name, &pid, &key) || pid != c->process.ns_pid ||
		    fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
		    !is_own_socket(c, &info))
			continue;
		if (!newest || is_newer(&info.st_mtim, &time)) {
			newest = arena_printf(d->arena, "%s", entry->d_name);
			time = info.st_mtim;
		}
	}
	return newest;
}

/* The path to show begins with `shown`. */
static char *newest_in(struct discovery *d, const struct candidate *c, int folder,
		       const char *shown)
{
	DIR *entries = process_files_hold_folder(&d->files, folder < 0 ? NULL : fdopendir(folder));
	char *newest = entries ? newest_of(d, c, entries) : NULL;

	if (entries)
		process_files_let_go(&d->files);
	else if (folder >= 0)
		close(folder);
	return newest ? arena_printf(d->arena, "%s/%s", shown, newest) : NULL;
}

static char *newest_inside(struct discovery *d, const struct candidate *c, const char *folder)
{
	char *shown = folder_through(d, c, folder);
	const int root = process_root(&d->files, c->process.pid);
	const int found = root < 0 ? -1 : in_root_folder(root, folder);

	if (root >= 0)
		close(root);
	return newest_in(d, c, found, shown);
}

/* A program that overwrites its environment may show a TMPDIR that it never had. */
void discover_other_socket(struct discovery *d, struct candidate *c)
{
	if (c->folder)
		c->process.socket = newest_inside(d, c, c->folder);
	if (!c->process.socket)
		c->process.socket = newest_inside(d, c, DEFAULT_FOLDER);
	if (!c->process.socket && !c->reached)
		c->process.socket =
			newest_in(d, c, open(DEFAULT_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				  DEFAULT_FOLDER);
	c->other_key = c->process.socket != NULL;
}
