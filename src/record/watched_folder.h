/* SPDX-License-Identifier: MIT */
/*
 * watched_folder.h - whether a process watches a directory by inotify.
 *
 * A program that reloads its configuration, or restarts when its files change, wakes for every
 * write of a trace into such a directory, and what is recorded is partly our own doing.
 *
 * The kernel lists inode and device of each watch; on file systems whose files have another device
 * number than the file system itself (btrfs, some overlays), a watch is not recognized.
 */
#ifndef RECORD_WATCHED_FOLDER_H
#define RECORD_WATCHED_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/* Only for what the writing of a file causes. `proc` is "/proc". False if that cannot be read. */
bool folder_is_watched(const char *proc, long process_id, const struct stat *folder);

#endif
