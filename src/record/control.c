/* SPDX-License-Identifier: MIT */
#include "record/control.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "record/engine.h"

#define MOST_CLIENTS 8
#define PARTIAL	     ".partial"

/* Someone who asked. */
struct client {
	int fd;
	bool answered;
	struct recording **recordings; /* to be waited for */
	size_t count;
};

struct control {
	int fd;
	struct client clients[MOST_CLIENTS];
	size_t count;
	size_t first; /* of our places in the engine's poll set */
	size_t watched;
};

static socklen_t make_address(struct sockaddr_un *address)
{
	int size;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	size = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			CONTROL_PREFIX "%u-%ld", (unsigned)geteuid(), (long)getpid());
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

struct control *control_open(void)
{
	struct sockaddr_un address;
	const socklen_t size = make_address(&address);
	struct control *control = xcalloc(1, sizeof(*control));

	control->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0 || bind(control->fd, (struct sockaddr *)&address, size) ||
	    listen(control->fd, MOST_CLIENTS)) {
		control_close(control);
		return NULL;
	}
	return control;
}

static void leave(struct control *control, size_t index)
{
	close(control->clients[index].fd);
	free(control->clients[index].recordings);
	control->clients[index] = control->clients[--control->count];
}

void control_close(struct control *control)
{
	if (!control)
		return;
	while (control->count)
		leave(control, control->count - 1);
	if (control->fd >= 0)
		close(control->fd);
	free(control);
}

void control_watch(struct engine *engine)
{
	struct control *control = engine->control;

	if (!control)
		return;
	control->first = engine->fd_count;
	engine_watch(engine, control->count < MOST_CLIENTS ? control->fd : -1);
	for (size_t i = 0; i < control->count; i++)
		engine_watch(engine, control->clients[i].fd);
	control->watched = control->count;
}

static bool may_ask(int fd)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) &&
	       (!credentials.uid || credentials.uid == geteuid());
}

static void take_client(struct control *control)
{
	const int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (may_ask(fd))
		control->clients[control->count++] = (struct client){ .fd = fd };
	else
		close(fd);
}

/* Where a file really lies, and will lie at the end; "" if it has no such place. */
static void place_of(const struct segment *segment, char place[static PATH_MAX])
{
	size_t size;

	*place = 0;
	if (!segment || !segment->path || !segment->sink.file.uncommitted ||
	    !realpath(segment->sink.file.partial, place))
		return;
	size = strlen(place);
	if (size > strlen(PARTIAL) && !strcmp(place + size - strlen(PARTIAL), PARTIAL))
		place[size - strlen(PARTIAL)] = 0;
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

static void answer(struct engine *engine, struct client *client,
		   const struct control_request *request)
{
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

/* False: it has gone, or what it says makes no sense. */
static bool take_request(struct engine *engine, struct client *client)
{
	struct control_request request;
	char text[CONTROL_LONGEST + 1];
	const ssize_t size = recv(client->fd, text, CONTROL_LONGEST, 0);

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (size <= 0 || client->answered)
		return false;
	text[size] = 0;
	if (control_parse_request(text, &request))
		return false;
	answer(engine, client, &request);
	return true;
}

static bool waits(const struct client *client)
{
	for (size_t i = 0; i < client->count; i++)
		if (client->recordings[i]->state != RECORDING_ENDED)
			return true;
	return !client->answered;
}

void control_take(struct engine *engine)
{
	struct control *control = engine->control;

	if (!control)
		return;
	/* backwards: one that leaves is replaced by the last */
	for (size_t i = control->watched; i-- > 0;)
		if (engine->fds[control->first + 1 + i].revents &&
		    !take_request(engine, &control->clients[i]))
			leave(control, i);
	if (engine->fds[control->first].revents)
		take_client(control);
}

void control_tick(struct engine *engine)
{
	struct control *control = engine->control;

	for (size_t i = control ? control->count : 0; i-- > 0;)
		if (!waits(&control->clients[i]))
			leave(control, i);
}
