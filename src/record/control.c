/* SPDX-License-Identifier: MIT */
#include "record/control.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/partial_file.h"
#include "ipc/deadline.h"
#include "record/engine.h"

#define MOST_CLIENTS	8
#define MOST_COLLECTORS 256
#define ANSWER_MS	2000 /* for one that is busy writing */

/* Somebody who has connected. */
struct client {
	int fd;
	struct control *control;
	bool answered;
	bool gone;		       /* or sent nonsense: removed by the next tick */
	struct recording **recordings; /* that it waits for */
	size_t count;
};

struct control {
	struct engine *engine;
	int fd;
	struct client clients[MOST_CLIENTS];
	size_t count;
};

static socklen_t make_address(struct sockaddr_un *address)
{
	int size;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	size = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			CONTROL_PREFIX "%u-%ld", (unsigned)geteuid(), (long)getpid());
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

static void leave(struct control *control, size_t index)
{
	close(control->clients[index].fd);
	free(control->clients[index].recordings);
	control->clients[index] = control->clients[--control->count];
}

static void close_control(void *context)
{
	struct control *control = context;

	while (control->count)
		leave(control, control->count - 1);
	if (control->fd >= 0)
		close(control->fd);
	free(control);
}

/* -1: unknown. */
static uid_t peer_of(int fd)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) ? (uid_t)-1
									    : credentials.uid;
}

/* Only root and the same user may. */
static bool may_ask(int fd)
{
	const uid_t peer = peer_of(fd);

	return !peer || peer == geteuid();
}

static void take_client(void *object)
{
	struct control *control = object;
	const int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (may_ask(fd))
		control->clients[control->count++] =
			(struct client){ .fd = fd, .control = control };
	else
		close(fd);
}

/* The absolute path that the file will have when it is whole; "" if it has none. */
static void place_of(const struct segment *segment, char place[static PATH_MAX])
{
	*place = 0;
	if (segment && segment->path && segment->sink.file.uncommitted &&
	    realpath(segment->sink.file.partial, place))
		control_strip_partial(place);
}

static bool is_meant(const struct recording *recording, const struct control_request *request)
{
	char place[PATH_MAX];

	if (request->all || request->process_id == recording->process_id ||
	    request->process_id == getpid())
		return true;
	for (const struct segment *segment = recording->segments; request->path && segment;
	     segment = segment->next) {
		place_of(segment, place);
		if (!strcmp(place, request->path))
			return true;
	}
	return false;
}

static void tell(const struct client *client, const struct recording *recording)
{
	char place[PATH_MAX];
	char text[PATH_MAX + 32];

	place_of(recording->segments, place);
	snprintf(text, sizeof(text), "%ld %s", recording->process_id, *place ? place : "-");
	send(client->fd, text, strlen(text), MSG_NOSIGNAL);
}

static void answer(struct client *client, const struct control_request *request)
{
	const struct engine *engine = client->control->engine;

	client->recordings = xcalloc(engine->recording_count + 1, sizeof(struct recording *));
	for (size_t i = 0; i < engine->recording_count; i++) {
		struct recording *recording = engine->recordings[i];

		if (recording->state == RECORDING_ENDED || !is_meant(recording, request))
			continue;
		tell(client, recording);
		recording_stop(recording, STOP_ASKED);
		client->recordings[client->count++] = recording;
	}
	send(client->fd, ".", 1, MSG_NOSIGNAL);
	client->answered = true;
}

static void take_request(void *object)
{
	struct client *client = object;
	struct control_request request;
	char text[CONTROL_LONGEST + 1];
	const ssize_t size = recv(client->fd, text, CONTROL_LONGEST, 0);

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	text[size > 0 ? size : 0] = 0;
	client->gone = size <= 0 || client->answered || control_parse_request(text, &request);
	if (!client->gone)
		answer(client, &request);
}

static bool waits(const struct client *client)
{
	if (client->gone)
		return false;
	for (size_t i = 0; i < client->count; i++)
		if (client->recordings[i]->state != RECORDING_ENDED)
			return true;
	return !client->answered;
}

static void control_watch(void *context, struct poll_set *set)
{
	struct control *control = context;

	for (size_t i = 0; i < control->count; i++)
		poll_set_add(set, control->clients[i].fd, take_request, &control->clients[i]);
	poll_set_add(set, control->count < MOST_CLIENTS ? control->fd : -1, take_client, control);
}

static void control_tick(void *context, int64_t now_ns)
{
	struct control *control = context;

	(void)now_ns;
	/* backwards: one that leaves is replaced by the last */
	for (size_t i = control->count; i-- > 0;)
		if (!waits(&control->clients[i]))
			leave(control, i);
}

int control_open(struct engine *engine)
{
	struct sockaddr_un address;
	const socklen_t size = make_address(&address);
	struct control *control = xcalloc(1, sizeof(*control));

	control->engine = engine;
	control->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0 || bind(control->fd, (struct sockaddr *)&address, size) ||
	    listen(control->fd, MOST_CLIENTS)) {
		close_control(control);
		return -1;
	}
	engine_add_source(engine, &(struct engine_source){ .watch = control_watch,
							   .tick = control_tick,
							   .close = close_control,
							   .context = control });
	return 0;
}

/* A pid at the start of the text, followed by a blank or the end; 0 if there is none. */
static long pid_at(const char *text, const char **end)
{
	char *after;
	long pid;

	if (*text < '1' || *text > '9')
		return 0;
	errno = 0;
	pid = strtol(text, &after, 10);
	*end = after;
	return errno || (*after && *after != ' ') ? 0 : pid;
}

int control_parse_request(const char *text, struct control_request *request)
{
	const char *end = "";

	*request = (struct control_request){ 0 };
	if (strncmp(text, "stop ", 5) != 0)
		return -1;
	text += 5;
	if (*text == '/') {
		request->path = text;
		return 0;
	}
	request->all = !strcmp(text, "all");
	request->process_id = request->all ? 0 : pid_at(text, &end);
	return request->all || (request->process_id && !*end) ? 0 : -1;
}

int control_parse_answer(const char *text, struct control_found *recording)
{
	const char *end = "";

	recording->process_id = pid_at(text, &end);
	if (!recording->process_id || *end != ' ' || !end[1])
		return -1;
	recording->path = end + 1;
	return 0;
}

void control_strip_partial(char *path)
{
	const size_t suffix = strlen(PARTIAL_FILE_SUFFIX);
	const size_t length = strlen(path);

	if (length > suffix && !strcmp(path + length - suffix, PARTIAL_FILE_SUFFIX))
		path[length - suffix] = 0;
}

/* From here on, the other side. */

/* One request under way. */
struct stopping {
	const struct control_stop *stop;
	char request[CONTROL_LONGEST];
	int fds[MOST_COLLECTORS]; /* of those that have recordings to end */
	size_t count;
	int recordings;
};

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
	if (!connect(fd, (const struct sockaddr *)&address, size) &&
	    (!geteuid() || peer_of(fd) == geteuid()))
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
