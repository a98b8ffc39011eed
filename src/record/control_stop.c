/* SPDX-License-Identifier: MIT */
/*
 * The side of `perfpipe stop`, and of the completion of its operand. Anybody can listen under the
 * name of a collector. So nothing is sent before the kernel has said whose it is; all are asked at
 * the same time, with one deadline; and of other users' collectors, to which only root talks, what
 * they say is believed as far as it is about processes and files of that user.
 */
#include "record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/partial_file.h"
#include "ipc/connect.h"
#include "ipc/deadline.h"
#include "ipc/process_read.h"

#define MOST_COLLECTORS 512   /* at a time */
#define MOST_OF_ANOTHER 32    /* of them, of one other user */
#define MOST_RECORDINGS 256   /* of one collector */
#define MOST_QUEUES	4096  /* full ones, tried again */
#define ANSWER_MS	2000  /* for those that are busy writing */
#define OTHERS_END_MS	10000 /* other users cannot keep root waiting */
#define RETRY_MS	5
#define NAME_SIZE	sizeof(((struct sockaddr_un *)NULL)->sun_path)

struct collector {
	int fd;
	uid_t user;
	bool answered;
	int packets;
	int recordings; /* believed */
};

/* One request under way. */
struct stopping {
	const struct control_stop *stop;
	char request[CONTROL_LONGEST];
	unsigned answer_ms;
	bool named;  /* one process or file is meant */
	uid_t owner; /* of that; -1: unknown */
	struct collector collectors[MOST_COLLECTORS];
	size_t count;
	char (*full)[NAME_SIZE]; /* collectors whose queue is full */
	size_t full_count;
	size_t full_capacity;
	int recordings;
};

static uid_t owner_of_process(long process_id)
{
	struct process_files files;
	struct process_text text;
	struct process_status status = { 0 };
	struct pp_error ignored = { 0 };

	if (process_files_open(&files, "/proc", &ignored))
		return (uid_t)-1;
	if (process_id <= INT32_MAX && process_read(&files, (int32_t)process_id, "status", &text))
		status = process_status_parse(text);
	process_files_close(&files);
	return status.has_user ? status.user : (uid_t)-1;
}

/* By either of its names. */
static uid_t owner_of_file(const char *path)
{
	char partial[PATH_MAX];
	struct stat info;

	snprintf(partial, sizeof(partial), "%s" PARTIAL_FILE_SUFFIX, path);
	return lstat(partial, &info) && lstat(path, &info) ? (uid_t)-1 : info.st_uid;
}

static size_t count_of(const struct stopping *stopping, uid_t user)
{
	size_t count = 0;

	for (size_t i = 0; i < stopping->count; i++)
		count += stopping->collectors[i].user == user;
	return count;
}

/* Of this user; as root also of others, but only of the owner if something of theirs is named. */
static bool may_talk_to(const struct stopping *stopping, uid_t user)
{
	if (stopping->count == MOST_COLLECTORS || user == (uid_t)-1)
		return false;
	if (user == geteuid())
		return true;
	return !geteuid() && (!stopping->named || user == stopping->owner) &&
	       count_of(stopping, user) < MOST_OF_ANOTHER;
}

/* A connection without waiting; -1 and errno. */
static int connect_to(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(name);
	const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	memcpy(address.sun_path + 1, name, length);
	if (fd < 0 || !connect(fd, (const struct sockaddr *)&address, size))
		return fd;
	close_keeping_errno(fd);
	return -1;
}

/* False if its queue is full. */
static bool ask(struct stopping *stopping, const char *name)
{
	const int fd = connect_to(name);
	const uid_t user = fd < 0 ? (uid_t)-1 : connect_peer(fd).uid;

	if (fd < 0)
		return errno != EAGAIN;
	if (may_talk_to(stopping, user) &&
	    send(fd, stopping->request, strlen(stopping->request), MSG_NOSIGNAL) > 0)
		stopping->collectors[stopping->count++] =
			(struct collector){ .fd = fd, .user = user };
	else
		close(fd);
	return true;
}

static void ask_later(struct stopping *stopping, const char *name)
{
	if (stopping->full_count == MOST_QUEUES)
		return;
	stopping->full = xgrow(stopping->full, stopping->full_count, &stopping->full_capacity,
			       sizeof(*stopping->full));
	snprintf(stopping->full[stopping->full_count++], NAME_SIZE, "%s", name);
}

static void ask_again(struct stopping *stopping)
{
	for (size_t i = stopping->full_count; i-- > 0;)
		if (ask(stopping, stopping->full[i]))
			memmove(stopping->full[i], stopping->full[--stopping->full_count],
				NAME_SIZE);
}

/* What another user's collector says may be untrue. */
static bool is_believed(const struct collector *collector, struct control_found *recording)
{
	if (collector->user == geteuid())
		return true;
	if (owner_of_file(recording->path) != collector->user)
		recording->path = "-";
	return owner_of_process(recording->process_id) == collector->user;
}

/* One packet: a recording, or the full stop after the last. */
static void hear(struct stopping *stopping, struct collector *collector)
{
	char text[CONTROL_LONGEST + 1];
	const ssize_t size = recv(collector->fd, text, CONTROL_LONGEST, 0);
	struct control_found recording;

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	text[size > 0 ? size : 0] = 0;
	collector->answered =
		control_parse_answer(text, &recording) || ++collector->packets == MOST_RECORDINGS;
	if (collector->answered || !is_believed(collector, &recording))
		return;
	stopping->stop->found(stopping->stop->context, &recording);
	stopping->recordings++;
	collector->recordings++;
}

/* Those whose answer is not complete, to poll; returns how many. */
static nfds_t await_answers(struct stopping *stopping, struct pollfd *fds)
{
	nfds_t count = 0;

	for (size_t i = 0; i < stopping->count; i++) {
		const struct collector *collector = &stopping->collectors[i];

		fds[i] = (struct pollfd){ collector->answered ? -1 : collector->fd, POLLIN, 0 };
		count += !collector->answered;
	}
	return count;
}

static void hear_all(struct stopping *stopping)
{
	const struct deadline deadline = deadline_in(stopping->answer_ms);
	struct pollfd fds[MOST_COLLECTORS];
	int left_ms;

	while ((left_ms = deadline_left_ms(deadline)) > 0 &&
	       (await_answers(stopping, fds) || stopping->full_count)) {
		const size_t count = stopping->count;

		poll(fds, count, stopping->full_count ? RETRY_MS : left_ms);
		for (size_t i = 0; i < count; i++)
			if (fds[i].revents)
				hear(stopping, &stopping->collectors[i]);
		ask_again(stopping);
	}
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
	const int own_ms = stopping->stop->timeout_ms;
	const struct deadline own = deadline_in((unsigned)own_ms);
	const struct deadline others =
		deadline_in(own_ms < OTHERS_END_MS ? (unsigned)own_ms : OTHERS_END_MS);
	size_t running = 0;

	for (size_t i = 0; i < stopping->count; i++) {
		const struct collector *collector = &stopping->collectors[i];
		struct pollfd fd = { .fd = collector->fd, .events = POLLIN };
		const struct deadline end = collector->user == geteuid() ? own : others;

		running += collector->recordings && poll(&fd, 1, deadline_left_ms(end)) != 1;
		close(collector->fd);
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

static int make_request(struct stopping *stopping, struct pp_error *err)
{
	const char *which = stopping->stop->which;
	char place[PATH_MAX] = "";

	stopping->named = strcmp(which, "all") != 0;
	if (is_pid(which))
		stopping->owner = owner_of_process(strtol(which, NULL, 10));
	else if (stopping->named && real_place(which, place, err))
		return -1;
	else if (stopping->named)
		stopping->owner = owner_of_file(place);
	snprintf(stopping->request, sizeof(stopping->request), "stop %s", *place ? place : which);
	return 0;
}

static int ask_all(struct stopping *stopping, struct pp_error *err)
{
	FILE *sockets = fopen("/proc/net/unix", "re");
	char line[512];

	if (!sockets)
		return error_errno(err, "cannot look for recordings in /proc/net/unix");
	while (fgets(line, sizeof(line), sockets)) {
		const char *name = collector_in(line);

		if (name && strlen(name) < NAME_SIZE - 1 && !ask(stopping, name))
			ask_later(stopping, name);
	}
	fclose(sockets);
	hear_all(stopping);
	return 0;
}

int control_stop(struct control_stop *stop, struct pp_error *err)
{
	struct stopping stopping = { .stop = stop, .answer_ms = ANSWER_MS };

	if (make_request(&stopping, err) || ask_all(&stopping, err))
		return -1;
	stop->running = wait_for_ends(&stopping);
	xfree(stopping.full);
	return stopping.recordings;
}

int control_list(struct control_stop *list, struct pp_error *err)
{
	struct stopping listing = {
		.stop = list,
		.request = "list",
		.answer_ms = (unsigned)list->timeout_ms,
	};

	if (ask_all(&listing, err))
		return -1;
	for (size_t i = 0; i < listing.count; i++)
		close(listing.collectors[i].fd);
	xfree(listing.full);
	return listing.recordings;
}
