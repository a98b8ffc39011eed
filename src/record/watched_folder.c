/* SPDX-License-Identifier: MIT */
#include "record/watched_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "ipc/process_read.h"

/* A trace is created, written, closed and renamed. */
#define CAUSED (IN_CREATE | IN_OPEN | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO)

#define DESCRIPTORS_MOST 10000 /* looked at: others wait meanwhile */

/* The kernel's own number of a device, which has 20 bits for the minor one. */
static dev_t device_of(uint64_t number)
{
	return makedev((unsigned)(number >> 20), (unsigned)(number & 0xfffff));
}

static bool read_hex(const char *line, const char *key, uint64_t *value)
{
	const char *found = strstr(line, key);
	char *end = NULL;

	if (!found)
		return false;
	found += strlen(key);
	*value = strtoull(found, &end, 16);
	return end > found;
}

/* "inotify wd:1 ino:b52244 sdev:fe00000 mask:102 ignored_mask:0 ..." */
static bool is_watch_of(const char *line, const struct stat *folder)
{
	uint64_t inode, device, mask;

	return !strncmp(line, "inotify ", 8) && read_hex(line, " ino:", &inode) &&
	       read_hex(line, " sdev:", &device) && read_hex(line, " mask:", &mask) &&
	       inode == folder->st_ino && device_of(device) == folder->st_dev && mask & CAUSED;
}

static bool has_watch_of(struct process_text watches, const struct stat *folder)
{
	const char *end = watches.at + watches.size;

	for (const char *line = watches.at; line < end;) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));
		char copy[160];

		line_end = line_end ? line_end : end;
		snprintf(copy, sizeof(copy), "%.*s", (int)(line_end - line), line);
		if (is_watch_of(copy, folder))
			return true;
		line = line_end + 1;
	}
	return false;
}

static bool descriptor_watches(struct process_files *files, int32_t pid, const char *number,
			       const struct stat *folder)
{
	char name[64], target[PROCESS_PATH_SIZE];
	struct process_text text;

	snprintf(name, sizeof(name), "fd/%s", number);
	if (!process_read_link(files, pid, name, target) ||
	    strcmp(target, "anon_inode:inotify") != 0)
		return false;
	snprintf(name, sizeof(name), "fdinfo/%s", number);
	return process_read(files, pid, name, &text) && has_watch_of(text, folder);
}

static DIR *open_descriptors(const struct process_files *files, int32_t pid)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "%" PRId32 "/fd", pid);
	fd = openat(files->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? NULL : fdopendir(fd);
}

bool folder_is_watched(const char *proc, long process_id, const struct stat *folder)
{
	struct process_files files = { .fd = -1 };
	struct pp_error ignored = { 0 };
	const struct dirent *entry;
	bool watched = false;
	DIR *descriptors;

	if (process_files_open(&files, proc, &ignored))
		return false;
	descriptors = open_descriptors(&files, (int32_t)process_id);
	for (int i = 0; descriptors && !watched && i < DESCRIPTORS_MOST; i++) {
		entry = readdir(descriptors);
		if (!entry)
			break;
		watched = descriptor_watches(&files, (int32_t)process_id, entry->d_name, folder);
	}
	if (descriptors)
		closedir(descriptors);
	process_files_close(&files);
	return watched;
}
