/* SPDX-License-Identifier: MIT */
/*
 * process_read.h - reading files of /proc.
 *
 * Every read may fail at any time: the process has ended (ESRCH), belongs to another user (EACCES,
 * EPERM) or is a kernel thread (EIO). The result is then false with errno, and the caller does
 * without.
 */
#ifndef IPC_PROCESS_READ_H
#define IPC_PROCESS_READ_H

#include <dirent.h>
#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "ipc/process_text.h"

#define PROCESS_PATH_SIZE 4096

#define PROCESS_FILES_HELD 4

struct process_files {
	const char *root; /* "/proc", borrowed */
	int fd;		  /* of that directory */
	struct buffer text;
	/* open while something may be allocated, the last one first to be closed */
	struct {
		int fd;
		DIR *entries; /* or NULL */
	} held[PROCESS_FILES_HELD];
	size_t held_count;
};

int process_files_open(struct process_files *files, const char *root, struct pp_error *err);
void process_files_close(struct process_files *files); /* also what is held; may be repeated */

/*
 * Around everything that allocates while a file or directory is open: if memory is gone there,
 * process_files_close() closes it. Nothing is held, and there is nothing to let go, if it is not
 * open. Returns what it gets.
 */
int process_files_hold(struct process_files *files, int fd);
DIR *process_files_hold_folder(struct process_files *files, DIR *entries);
void process_files_let_go(struct process_files *files); /* closes the last one; keeps errno */

/* The whole file ROOT/PID/NAME. The text is valid until the next read. */
bool process_read(struct process_files *files, int32_t pid, const char *name,
		  struct process_text *text);

/* A regular file of ours in the same way, such as /etc/passwd. */
bool process_read_path(struct process_files *files, const char *path, struct process_text *text);

/* The root directory of a process, for in_root.h; -1 and errno. */
int process_root(const struct process_files *files, int32_t pid);

/* A regular file as the process sees it. */
bool process_read_inside(struct process_files *files, int32_t pid, const char *path,
			 struct process_text *text);

/* Where the link ROOT/PID/NAME points to. */
bool process_read_link(const struct process_files *files, int32_t pid, const char *name,
		       char target[static PROCESS_PATH_SIZE]);

/* Is its program compiled with NativeAOT? False also if its executable cannot be read. */
bool process_is_native_aot(struct process_files *files, int32_t pid);

/* A process with one thread is not .NET. 0: unknown, since some file systems do not count. */
unsigned process_thread_count(const struct process_files *files, int32_t pid);

#endif
