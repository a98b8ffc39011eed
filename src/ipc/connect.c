/* SPDX-License-Identifier: MIT */
#include "ipc/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int number;

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		return fd;
	number = errno;
	close(fd);
	errno = number;
	return -1;
}

/* An address holds 107 bytes. A longer path is opened and reached through its descriptor. */
static int connect_long(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int place = open(path, O_PATH | O_CLOEXEC);
	int fd, number;

	if (place < 0)
		return -1;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", place);
	fd = connect_to(&address);
	number = fd < 0 && errno == ENOENT ? ENAMETOOLONG : errno; /* without /proc */
	close(place);
	errno = number;
	return fd;
}

int connect_unix(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(path);

	if (length == 0) { /* an abstract address to the kernel */
		errno = ENOENT;
		return -1;
	}
	if (length >= sizeof(address.sun_path))
		return connect_long(path);
	memcpy(address.sun_path, path, length);
	return connect_to(&address);
}

#define SHOWN 120 /* bytes of a path that are shown; its end names the process */

enum pp_failure connect_failed(const char *path, int number, struct pp_error *err)
{
	const size_t length = strlen(path);
	const char *shown = length > SHOWN ? path + length - SHOWN : path;

	switch (number) {
	case ENOENT:
	case ENOTDIR:
		error_set(err, PP_ERROR_SYSTEM,
			  "there is no socket %s: the process has ended, or its diagnostics are "
			  "disabled",
			  shown);
		return PP_FAILURE_NO_SOCKET;
	case EACCES:
	case EPERM:
		error_set(err, PP_ERROR_SYSTEM,
			  "%s belongs to another user; run as that user or as root", shown);
		return PP_FAILURE_DENIED;
	case ECONNREFUSED:
		error_set(err, PP_ERROR_SYSTEM,
			  "no process listens on %s: it ended without removing the socket", shown);
		return PP_FAILURE_DEAD_SOCKET;
	default:
		errno = number;
		error_errno(err, "cannot connect to %s", shown);
		return PP_FAILURE_SYSTEM;
	}
}
