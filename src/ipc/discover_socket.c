/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "ipc/discover.h"

#define DEFAULT_FOLDER "/tmp"

static void note_listening(struct discovery *d, const char *folder)
{
	DIR *entries = opendir(folder);
	uint64_t key;
	int32_t pid;

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		if (!process_socket_name(entry->d_name, &pid, &key))
			continue;
		d->listening = xgrow(d->listening, d->listening_count, &d->listening_capacity,
				     sizeof(*d->listening));
		d->listening[d->listening_count++] = pid;
	}
	if (entries)
		closedir(entries);
}

void discover_own_sockets(struct discovery *d)
{
	const char *own = getenv("TMPDIR");

	note_listening(d, DEFAULT_FOLDER);
	if (own && *own && strcmp(own, DEFAULT_FOLDER))
		note_listening(d, own);
}

/* A directory of the process, by a path that works across containers. */
static char *folder_through(struct discovery *d, const struct candidate *c, const char *folder)
{
	const bool absolute = *folder == '/';

	return arena_printf(d->arena, "%s/%" PRId32 "/%s%s", d->files.root, c->process.pid,
			    absolute ? "root" : "cwd/", folder);
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
 * one in a container could lead to any socket of ours.
 */
static bool is_own_socket(const struct candidate *c, const struct stat *info)
{
	return S_ISSOCK(info->st_mode) &&
	       (!c->status.has_user || !info->st_uid || info->st_uid == c->status.user);
}

static bool is_socket(const struct candidate *c, const char *path, struct stat *info)
{
	return !lstat(path, info) && is_own_socket(c, info);
}

/* The plain name is nicer to show, if it is the same file. */
static void take_plain(struct discovery *d, struct candidate *c, const struct stat *wanted)
{
	struct stat info;
	char *path;

	if (!c->folder || *c->folder != '/')
		return;
	path = socket_path(d, c, c->folder);
	if (is_socket(c, path, &info) && info.st_dev == wanted->st_dev &&
	    info.st_ino == wanted->st_ino)
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

/* The newest of its pid in a directory; a socket may be left from an earlier process. */
static char *newest_in(struct discovery *d, const struct candidate *c, const char *folder)
{
	DIR *entries = opendir(folder);
	char *newest = NULL;
	struct timespec time = { 0 };

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		struct stat info;
		uint64_t key;
		int32_t pid;

		if (!process_socket_name(entry->d_name, &pid, &key) || pid != c->process.ns_pid ||
		    fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
		    !is_own_socket(c, &info))
			continue;
		if (!newest || info.st_mtim.tv_sec > time.tv_sec ||
		    (info.st_mtim.tv_sec == time.tv_sec && info.st_mtim.tv_nsec > time.tv_nsec)) {
			newest = arena_printf(d->arena, "%s/%s", folder, entry->d_name);
			time = info.st_mtim;
		}
	}
	if (entries)
		closedir(entries);
	return newest;
}

/* A program that overwrites its environment may show a TMPDIR that it never had. */
void discover_other_socket(struct discovery *d, struct candidate *c)
{
	if (c->folder)
		c->process.socket = newest_in(d, c, folder_through(d, c, c->folder));
	if (!c->process.socket)
		c->process.socket = newest_in(d, c, folder_through(d, c, DEFAULT_FOLDER));
	if (!c->process.socket && !c->reached)
		c->process.socket = newest_in(d, c, DEFAULT_FOLDER);
	c->other_key = c->process.socket != NULL;
}
