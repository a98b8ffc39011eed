/* SPDX-License-Identifier: MIT */
#include "ipc/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/in_root.h"
#include "ipc/process_text.h"

#define PATH_SIZE 4096
#define STAT_SIZE 4096 /* of /proc/PID/stat: 52 numbers and a name */

static int fail(int number)
{
	errno = number;
	return -1;
}

static int connect_to(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		return fd;
	close_keeping_errno(fd);
	return -1;
}

/* To the socket that an O_PATH descriptor stands for, whatever its path leads to by now. */
static int connect_place(int place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", place);
	fd = connect_to(&address);
	if (fd < 0 && errno == ENOENT) /* without /proc */
		errno = ENAMETOOLONG;
	close_keeping_errno(place);
	return fd;
}

/* An address holds 107 bytes. A longer path is opened and reached through its descriptor. */
static int connect_long(const char *path)
{
	const int place = open(path, O_PATH | O_CLOEXEC);

	return place < 0 ? -1 : connect_place(place);
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

/* The path inside the root of the process. */
static const char *inside(const struct process_socket *socket, const char *root)
{
	const size_t length = strlen(root);

	if (!strncmp(socket->path, root, length) && socket->path[length] == '/')
		return socket->path + length;
	return socket->path;
}

int connect_find(const struct process_socket *socket)
{
	char path[PATH_SIZE];
	const char *name;
	int root, place;

	if (snprintf(path, sizeof(path), "%s/%" PRId32 "/root", socket->proc, socket->pid) >=
	    (int)sizeof(path))
		return fail(ENAMETOOLONG);
	name = inside(socket, path);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* a process that we may not inspect; a place that we share is all that is left */
	if (root < 0 && (errno == EACCES || errno == EPERM) && name == socket->path)
		return open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (root < 0)
		return fail(errno == ESRCH ? ENOENT : errno);
	place = in_root_find(root, name, O_NOFOLLOW);
	close_keeping_errno(root);
	return place;
}

/* False if /proc is that of another pid namespace, or not a real one. */
static bool shows_our_pids(const char *proc)
{
	char path[PATH_SIZE], self[32] = "";

	snprintf(path, sizeof(path), "%s/self", proc);
	return readlink(path, self, sizeof(self) - 1) > 0 && strtol(self, NULL, 10) == getpid();
}

struct ucred connect_peer(int fd)
{
	const struct ucred unknown = { .uid = (uid_t)-1, .gid = (gid_t)-1 };
	struct ucred peer = unknown;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? unknown : peer;
}

static bool is_served_by(const struct process_socket *socket, int fd)
{
	const int32_t peer = connect_peer(fd).pid;

	/* sandboxes such as gVisor report ourselves as every peer, and we cannot deceive us */
	return peer == socket->pid || peer == getpid() || !shows_our_pids(socket->proc);
}

/* Without memory of ours, since a connection is open that nobody knows of yet. */
static bool is_same_process(const struct process_socket *socket)
{
	char path[PATH_SIZE], text[STAT_SIZE];
	struct process_stat stat;
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s/%" PRId32 "/stat", socket->proc, socket->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	do
		size = read(fd, text, sizeof(text) - 1);
	while (size < 0 && errno == EINTR);
	close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';
	return process_stat_parse((struct process_text){ text, (size_t)size }, &stat) &&
	       stat.start_ticks == socket->start_ticks;
}

int connect_process(const struct process_socket *socket)
{
	const int place = connect_find(socket);
	struct stat info;
	int fd;

	if (place < 0)
		return -1;
	if (fstat(place, &info) || !S_ISSOCK(info.st_mode)) {
		close(place);
		return fail(ENOENT);
	}
	fd = connect_place(place);
	if (fd < 0 || (is_served_by(socket, fd) && is_same_process(socket)))
		return fd;
	close(fd);
	return fail(CONNECT_OTHER_PROCESS);
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
	case CONNECT_OTHER_PROCESS:
		error_set(err, PP_ERROR_SYSTEM,
			  "%s is served by another process than the one meant: nothing was sent",
			  shown);
		return PP_FAILURE_OTHER_PROCESS;
	default:
		errno = number;
		error_errno(err, "cannot connect to %s", shown);
		return PP_FAILURE_SYSTEM;
	}
}
