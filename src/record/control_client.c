/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/partial_file.h"
#include "ipc/deadline.h"
#include "record/control.h"

#define MOST_COLLECTORS 256
#define ANSWER_MS	2000 /* for one that is busy writing */

/* One request under way. */
struct stopping {
	const struct control_stop *stop;
	char request[CONTROL_LONGEST];
	int fds[MOST_COLLECTORS]; /* of those that have recordings to end */
	size_t count;
	int recordings;
};

static bool may_be_asked(int fd)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) &&
	       (!geteuid() || credentials.uid == geteuid());
}

static int connect_to(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(name);
	const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
	const struct timeval wait = { .tv_sec = ANSWER_MS / 1000 };
	int fd;

	if (length >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path + 1, name, length);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	if (!connect(fd, (const struct sockaddr *)&address, size) && may_be_asked(fd))
		return fd;
	close(fd);
	return -1;
}

/* Its recordings, up to the full stop; returns how many. */
static int take_answers(const struct control_stop *stop, int fd)
{
	char text[CONTROL_LONGEST + 1];
	int count = 0;
	ssize_t size;

	while ((size = recv(fd, text, CONTROL_LONGEST, 0)) > 0 && count < MOST_COLLECTORS) {
		struct control_found recording;

		text[size] = 0;
		if (control_parse_answer(text, &recording))
			break;
		stop->found(stop->context, &recording);
		count++;
	}
	return count;
}

static void ask(struct stopping *stopping, const char *name)
{
	const int fd = connect_to(name);
	int count = 0;

	if (fd < 0)
		return;
	if (send(fd, stopping->request, strlen(stopping->request), MSG_NOSIGNAL) > 0)
		count = take_answers(stopping->stop, fd);
	stopping->recordings += count;
	if (count)
		stopping->fds[stopping->count++] = fd;
	else
		close(fd);
}

/* Lines end in the name of the socket, whose leading zero byte is shown as @. */
static const char *collector_in(char *line)
{
	char *name = strstr(line, " @" CONTROL_PREFIX);

	if (!name)
		return NULL;
	name[strcspn(name, "\n")] = 0;
	return name + 2;
}

/* Collectors hang up when everything is written. */
static size_t wait_for_ends(struct stopping *stopping)
{
	const struct deadline deadline = deadline_in((unsigned)stopping->stop->timeout_ms);
	size_t running = 0;

	for (size_t i = 0; i < stopping->count; i++) {
		struct pollfd fd = { .fd = stopping->fds[i], .events = POLLIN };

		running += poll(&fd, 1, deadline_left_ms(deadline)) != 1;
		close(stopping->fds[i]);
	}
	return running;
}

/* A file that is being written may be given by either of its names. */
static int real_place(const char *path, char place[static PATH_MAX], struct pp_error *err)
{
	char partial[PATH_MAX];

	snprintf(partial, sizeof(partial), "%s" PARTIAL_FILE_SUFFIX, path);
	if (!realpath(partial, place) && !realpath(path, place))
		return error_set(err, PP_ERROR_USAGE,
				 "stop takes a process id, a file that is being recorded, or all, "
				 "not '%s'",
				 path);
	control_strip_partial(place);
	return 0;
}

static bool is_pid(const char *text)
{
	return *text >= '1' && *text <= '9' && strspn(text, "0123456789") == strlen(text);
}

static int make_request(const char *which, char text[static CONTROL_LONGEST], struct pp_error *err)
{
	char place[PATH_MAX] = "";

	if (!is_pid(which) && strcmp(which, "all") != 0 && real_place(which, place, err))
		return -1;
	snprintf(text, CONTROL_LONGEST, "stop %s", *place ? place : which);
	return 0;
}

static int ask_all(struct stopping *stopping, struct pp_error *err)
{
	FILE *sockets = fopen("/proc/net/unix", "re");
	char line[512];

	if (!sockets)
		return error_errno(err, "cannot look for recordings in /proc/net/unix");
	while (stopping->count < MOST_COLLECTORS && fgets(line, sizeof(line), sockets)) {
		const char *name = collector_in(line);

		if (name)
			ask(stopping, name);
	}
	fclose(sockets);
	return 0;
}

int control_stop(struct control_stop *stop, struct pp_error *err)
{
	struct stopping stopping = { .stop = stop };

	if (make_request(stop->which, stopping.request, err) || ask_all(&stopping, err))
		return -1;
	stop->running = wait_for_ends(&stopping);
	return stopping.recordings;
}
