/* SPDX-License-Identifier: MIT */
#include "ipc/process_read.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_root.h"
#include "ipc/elf_names.h"

#define PIECE ((size_t)4096)
#define MOST  ((size_t)8 * 1024 * 1024) /* bytes of a file; an environment has at most 6 MiB */

int process_files_open(struct process_files *files, const char *root, struct pp_error *err)
{
	*files = (struct process_files){ .root = root };
	files->fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return files->fd < 0 ? error_errno(err, "cannot read %s", root) : 0;
}

static void hold(struct process_files *files, int fd, DIR *entries)
{
	assert(files->held_count < PROCESS_FILES_HELD);
	files->held[files->held_count].fd = fd;
	files->held[files->held_count++].entries = entries;
}

int process_files_hold(struct process_files *files, int fd)
{
	if (fd >= 0)
		hold(files, fd, NULL);
	return fd;
}

DIR *process_files_hold_folder(struct process_files *files, DIR *entries)
{
	if (entries)
		hold(files, -1, entries);
	return entries;
}

void process_files_let_go(struct process_files *files)
{
	const int number = errno;

	files->held_count--;
	if (files->held[files->held_count].entries)
		closedir(files->held[files->held_count].entries);
	else
		close(files->held[files->held_count].fd);
	errno = number;
}

void process_files_close(struct process_files *files)
{
	while (files->held_count)
		process_files_let_go(files);
	if (files->fd >= 0)
		close(files->fd);
	files->fd = -1;
	buffer_release(&files->text);
}

/* One more read; a positive result means that there may be more. */
static ssize_t read_piece(struct buffer *text, int fd)
{
	uint8_t *room;
	ssize_t size;

	if (text->size > MOST) {
		errno = EFBIG;
		return -1;
	}
	room = buffer_take(text, PIECE);
	if (!room) {
		errno = ENOMEM;
		return -1;
	}
	do
		size = read(fd, room, PIECE);
	while (size < 0 && errno == EINTR);
	text->size -= PIECE - (size > 0 ? (size_t)size : 0);
	return size;
}

static bool read_all(struct process_files *files, int taken, struct process_text *text)
{
	const int fd = process_files_hold(files, taken);
	ssize_t size = fd < 0 ? -1 : 1;

	buffer_rewind(&files->text, 0);
	while (size > 0)
		size = read_piece(&files->text, fd);
	if (fd >= 0)
		process_files_let_go(files);
	buffer_u8(&files->text, 0);
	if (size < 0 || files->text.failed)
		return false;
	*text = (struct process_text){ (const char *)files->text.bytes, files->text.size - 1 };
	return true;
}

static const char *path_of(char path[static 64], int32_t pid, const char *name)
{
	snprintf(path, 64, "%" PRId32 "/%s", pid, name);
	return path;
}

bool process_read(struct process_files *files, int32_t pid, const char *name,
		  struct process_text *text)
{
	char path[64];

	return read_all(files, openat(files->fd, path_of(path, pid, name), O_RDONLY | O_CLOEXEC),
			text);
}

bool process_read_path(struct process_files *files, const char *path, struct process_text *text)
{
	return read_all(files, in_root_read(open(path, O_PATH | O_CLOEXEC)), text);
}

int process_root(const struct process_files *files, int32_t pid)
{
	char path[64];

	return openat(files->fd, path_of(path, pid, "root"), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

bool process_read_inside(struct process_files *files, int32_t pid, const char *path,
			 struct process_text *text)
{
	const int root = process_root(files, pid);
	int fd;

	if (root < 0)
		return false;
	fd = in_root_regular(root, path);
	close(root);
	return read_all(files, fd, text);
}

bool process_read_link(const struct process_files *files, int32_t pid, const char *name,
		       char target[static PROCESS_PATH_SIZE])
{
	char path[64];
	const ssize_t size =
		readlinkat(files->fd, path_of(path, pid, name), target, PROCESS_PATH_SIZE - 1);

	target[size > 0 ? size : 0] = '\0';
	return size > 0;
}

/* What such a program exports for debuggers; other runtimes do not. */
#define NATIVE_AOT_SYMBOL "DotNetRuntimeDebugHeader"

bool process_is_native_aot(struct process_files *files, int32_t pid)
{
	char path[64];
	const int fd = process_files_hold(
		files,
		in_root_read(openat(files->fd, path_of(path, pid, "exe"), O_PATH | O_CLOEXEC)));
	const bool found = fd >= 0 && elf_has_dynamic_name(fd, NATIVE_AOT_SYMBOL);

	if (fd >= 0)
		process_files_let_go(files);
	return found;
}

/* Threads are counted as links of the directory, which is far cheaper than reading any text. */
unsigned process_thread_count(const struct process_files *files, int32_t pid)
{
	struct stat info;
	char path[64];

	if (fstatat(files->fd, path_of(path, pid, "task"), &info, 0) || info.st_nlink < 3)
		return 0;
	return (unsigned)info.st_nlink - 2;
}
