/* SPDX-License-Identifier: MIT */
#include "record/control.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/partial_file.h"
#include "ipc/connect.h"
#include "record/engine.h"

#define MOST_CLIENTS 8
#define BACKLOG	     1024
#define AT_A_TIME    256
#define NAMES_TRIED  4

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

/* Others may have taken the plain name; they cannot guess the next one. */
static int bind_name(int fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char suffix[24] = "";
	uint64_t random;
	int failed, size;

	for (int i = 0; i < NAMES_TRIED; i++) {
		size = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
				CONTROL_PREFIX "%u-%ld%s", (unsigned)geteuid(), (long)getpid(),
				suffix);
		size += (int)offsetof(struct sockaddr_un, sun_path) + 1;
		failed = bind(fd, (struct sockaddr *)&address, (socklen_t)size);
		if (!failed || errno != EADDRINUSE ||
		    getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
			break;
		snprintf(suffix, sizeof(suffix), "-%016" PRIx64, random);
	}
	return failed;
}

static void leave(struct control *control, size_t index)
{
	close(control->clients[index].fd);
	xfree(control->clients[index].recordings);
	control->clients[index] = control->clients[--control->count];
}

static void close_control(void *context)
{
	struct control *control = context;

	while (control->count)
		leave(control, control->count - 1);
	if (control->fd >= 0)
		close(control->fd);
	xfree(control);
}

/* Only root and the same user may. */
static bool may_ask(int fd)
{
	const uid_t peer = connect_peer(fd).uid;

	return !peer || peer == geteuid();
}

/* False when nobody is left. Others are sent away at once, and never take a place. */
static bool take_one(struct control *control)
{
	const int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return false;
	if (may_ask(fd))
		control->clients[control->count++] =
			(struct client){ .fd = fd, .control = control };
	else
		close(fd);
	return true;
}

/* Many at a time, so that those of others cannot fill the queue. */
static void take_clients(void *object)
{
	struct control *control = object;

	for (int i = 0; i < AT_A_TIME && control->count < MOST_CLIENTS; i++)
		if (!take_one(control))
			return;
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
		if (request->list)
			continue;
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
	poll_set_add(set, control->count < MOST_CLIENTS ? control->fd : -1, take_clients, control);
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
	struct control *control = xcalloc(1, sizeof(*control));

	control->engine = engine;
	control->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0 || bind_name(control->fd) || listen(control->fd, BACKLOG)) {
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
	request->list = !strcmp(text, "list");
	request->all = request->list;
	if (request->list)
		return 0;
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
