/* SPDX-License-Identifier: MIT */
#include "fake_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"

#define HEADER 20u
#define NAME   "dotnet-diagnostic-1-2-socket"

/* Waits for the descriptor, or with -1 only for the time; false once the server is to stop. */
static bool wait_for(const struct fake_server *server, int fd, int ms)
{
	struct pollfd fds[2] = { { .fd = server->stop[0] }, { .fd = fd, .events = POLLIN } };

	return poll(fds, 2, ms) >= 0 && !fds[0].revents;
}

static bool read_exactly(const struct fake_server *server, int fd, struct buffer *to, size_t size)
{
	while (size) {
		uint8_t *room = buffer_take(to, size);
		ssize_t got = 0;

		if (wait_for(server, fd, -1))
			got = recv(fd, room, size, 0);
		to->size -= size - (got > 0 ? (size_t)got : 0);
		if (got <= 0)
			return false;
		size -= (size_t)got;
	}
	return true;
}

static bool read_request(const struct fake_server *server, struct fake_answer *answer, int fd)
{
	uint16_t size;

	if (!read_exactly(server, fd, &answer->request, HEADER))
		return false;
	memcpy(&size, answer->request.bytes + 14, sizeof(size));
	return size >= HEADER && read_exactly(server, fd, &answer->request, size - HEADER);
}

static int read_descriptor(int fd)
{
	char byte, room[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	int sent = -1;

	if (recvmsg(fd, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
		memcpy(&sent, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(sent));
	return sent;
}

static void send_answer(const struct fake_server *server, const struct fake_answer *answer, int fd)
{
	const size_t piece = answer->pause_ms ? 1 : answer->bytes.size;

	for (size_t at = 0; at < answer->bytes.size; at += piece) {
		if (answer->pause_ms && !wait_for(server, -1, (int)answer->pause_ms))
			return;
		if (send(fd, answer->bytes.bytes + at, piece, MSG_NOSIGNAL) != (ssize_t)piece)
			return;
	}
}

static void serve(const struct fake_server *server, struct fake_answer *answer, int fd)
{
	answer->asked = true;
	if (!answer->ignore_request && !read_request(server, answer, fd)) {
		close(fd);
		return;
	}
	if (answer->takes_fd)
		answer->sent = read_descriptor(fd);
	send_answer(server, answer, fd);
	if (answer->keep_open)
		answer->fd = fd;
	else
		close(fd);
}

static void *run(void *context)
{
	struct fake_server *server = context;

	for (size_t i = 0; i < server->count; i++) {
		int fd = -1;

		if (wait_for(server, server->listener, -1))
			fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			break;
		serve(server, &server->answers[i], fd);
	}
	return NULL;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Binds NAME in the directory through its descriptor, since the path may be too long. */
static void listen_in(struct fake_server *server, const char *folder)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int place = open(folder, O_PATH | O_CLOEXEC);

	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" NAME, place);
	if (bind(server->listener, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(server->listener, 255) || pipe2(server->stop, O_CLOEXEC))
		die("fake_server");
	close(place);
}

struct fake_server *fake_server_new_deep(size_t length)
{
	struct fake_server *server = xcalloc(1, sizeof(*server));
	const size_t size = length + 256;

	snprintf(server->folder, sizeof(server->folder), "/tmp/fake-server-XXXXXX");
	if (!mkdtemp(server->folder))
		die("mkdtemp");
	server->path = xcalloc(1, size);
	strcpy(server->path, server->folder);
	while (strlen(server->path) + sizeof(NAME) < length) {
		strcat(server->path, "/a-folder-with-a-long-name-in-it");
		if (mkdir(server->path, 0700))
			die("mkdir");
	}
	listen_in(server, server->path);
	strcat(server->path, "/" NAME);
	for (size_t i = 0; i < FAKE_ANSWERS; i++)
		server->answers[i].fd = server->answers[i].sent = -1;
	return server;
}

struct fake_server *fake_server_new(void)
{
	return fake_server_new_deep(0);
}

struct fake_answer *fake_server_raw(struct fake_server *server, const void *bytes, size_t size)
{
	struct fake_answer *answer = &server->answers[server->count++];

	if (server->count > FAKE_ANSWERS)
		abort();
	buffer_bytes(&answer->bytes, bytes, size);
	return answer;
}

static struct fake_answer *answer_with(struct fake_server *server, const char *kind,
				       const void *payload, size_t size)
{
	struct fake_answer *answer = fake_server_raw(server, "DOTNET_IPC_V1", 14);

	buffer_u16(&answer->bytes, (uint16_t)(HEADER + size));
	buffer_bytes(&answer->bytes, kind, 2);
	buffer_u16(&answer->bytes, 0);
	buffer_bytes(&answer->bytes, payload, size);
	return answer;
}

struct fake_answer *fake_server_ok(struct fake_server *server, const void *payload, size_t size)
{
	return answer_with(server, "\xff\x00", payload, size);
}

struct fake_answer *fake_server_error(struct fake_server *server, uint32_t hresult)
{
	return answer_with(server, "\xff\xff", &hresult, sizeof(hresult));
}

void fake_server_start(struct fake_server *server)
{
	if (pthread_create(&server->thread, NULL, run, server))
		die("pthread_create");
	server->running = true;
}

void fake_server_stop(struct fake_server *server)
{
	if (server->stopped)
		return;
	server->stopped = true;
	close(server->stop[1]);
	if (server->running)
		pthread_join(server->thread, NULL);
	for (size_t i = 0; i < server->count; i++)
		if (server->answers[i].fd >= 0)
			close(server->answers[i].fd);
	close(server->stop[0]);
	close(server->listener);
}

/* Removes the directories, innermost first. */
static void remove_folders(char *path, size_t base)
{
	unlink(path);
	for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) >= base;) {
		*slash = '\0';
		rmdir(path);
	}
}

void fake_server_free(struct fake_server *server)
{
	fake_server_stop(server);
	remove_folders(server->path, strlen(server->folder));
	for (size_t i = 0; i < server->count; i++) {
		if (server->answers[i].sent >= 0)
			close(server->answers[i].sent);
		buffer_release(&server->answers[i].bytes);
		buffer_release(&server->answers[i].request);
	}
	xfree(server->path);
	xfree(server);
}
