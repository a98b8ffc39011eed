/* SPDX-License-Identifier: MIT */
#include "base/special_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

#define READER_MS 50 /* between two looks for the reader of a named pipe */

static const struct {
	const char *path;
	int fd;
} descriptors[] = {
	{ "-", STDOUT_FILENO },
	{ "/dev/stdout", STDOUT_FILENO },
	{ "/dev/stderr", STDERR_FILENO },
};

static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

static int read_number(const char *text)
{
	char *end;
	const long fd = strtol(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && fd <= INT_MAX ? (int)fd : -1;
}

int special_file_descriptor(const char *path)
{
	for (size_t i = 0; i < ARRAY_COUNT(descriptors); i++)
		if (!strcmp(path, descriptors[i].path))
			return descriptors[i].fd;
	for (size_t i = 0; i < ARRAY_COUNT(folders); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return read_number(path + strlen(folders[i]));
	return -1;
}

const char *special_file_name(const char *path)
{
	return strcmp(path, "-") != 0 ? path : "the output";
}

/* O_NONBLOCK belongs to the open file, which others share; so a pipe is opened again. */
static int open_again(int fd)
{
	struct stat status;
	char path[32];
	int again = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &status) && S_ISFIFO(status.st_mode))
		again = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	return again >= 0 ? again : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int special_file_open_descriptor(struct output *output, int fd, struct pp_error *err)
{
	output->fd = open_again(fd);
	return output->fd < 0 ? error_errno(err, "cannot write %s", output->path) : 0;
}

static bool is_special(const struct stat *status)
{
	return S_ISCHR(status->st_mode) || S_ISFIFO(status->st_mode);
}

static bool is_trusted(const struct stat *status)
{
	return !status->st_uid || status->st_uid == geteuid();
}

bool special_file_is(const struct file_place *place, const struct stat *found)
{
	struct stat target;

	if (!S_ISLNK(found->st_mode))
		return is_special(found);
	return is_trusted(found) && !fstatat(place->directory, place->name, &target, 0) &&
	       is_special(&target);
}

/* Nothing is created, and without a reader a named pipe says so instead of waiting. */
static int try_open(const struct file_place *place)
{
	return openat(place->directory, place->name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* A device that cannot be opened may fail with the same error. */
static bool is_without_reader(const struct file_place *place)
{
	const int reason = errno;
	struct stat target;
	const bool is_pipe =
		!fstatat(place->directory, place->name, &target, 0) && S_ISFIFO(target.st_mode);

	errno = reason;
	return reason == ENXIO && is_pipe;
}

static int open_with_reader(const struct file_place *place, int give_up_fd, struct pp_error *err)
{
	struct pollfd give_up = { .fd = give_up_fd > 0 ? give_up_fd : -1, .events = POLLIN };
	int fd = try_open(place);

	while (fd < 0 && is_without_reader(place)) {
		if (poll(&give_up, 1, READER_MS) > 0)
			return error_set(err, PP_ERROR_SYSTEM,
					 "cannot write %s: no program reads from it", place->path);
		fd = try_open(place);
	}
	return fd < 0 ? error_errno(err, "cannot write %s", place->path) : fd;
}

static int refuse(const struct file_place *place, const char *why, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "%s %s; choose another name", place->path, why);
}

/* What was opened: the name may have come to mean something else since it was looked at. */
static int check_opened(const struct file_place *place, int fd, struct pp_error *err)
{
	struct stat named, opened;

	if (fstat(fd, &opened) || file_place_look(place, place->name, &named))
		return error_errno(err, "cannot write %s", place->path);
	if (!is_special(&opened) || (!S_ISLNK(named.st_mode) && !file_is_same(&named, &opened)))
		return refuse(place, "was replaced meanwhile", err);
	if (S_ISLNK(named.st_mode) && !is_trusted(&named))
		return refuse(place, "is a symbolic link of another user", err);
	if (S_ISFIFO(opened.st_mode) && !is_trusted(&opened))
		return refuse(place, "is a named pipe of another user", err);
	return 0;
}

/* Before waiting for the reader of a pipe that is refused afterwards. */
static int check_owner(const struct file_place *place, struct pp_error *err)
{
	struct stat target;

	if (!fstatat(place->directory, place->name, &target, 0) && S_ISFIFO(target.st_mode) &&
	    !is_trusted(&target))
		return refuse(place, "is a named pipe of another user", err);
	return 0;
}

int special_file_open(struct output *output, const struct file_place *place, struct pp_error *err)
{
	int fd;

	if (check_owner(place, err))
		return -1;
	fd = open_with_reader(place, output->give_up_fd, err);
	if (fd < 0)
		return -1;
	if (check_opened(place, fd, err)) {
		close(fd);
		return -1;
	}
	output->fd = fd;
	return 0;
}
