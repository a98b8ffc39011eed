/* SPDX-License-Identifier: MIT */
/*
 * A connection arrives, says which runtime it belongs to, and then stays idle until the next
 * command for that runtime takes it; a newer one of the same runtime replaces it. All of them are
 * in one epoll set, so that the port has one descriptor to poll.
 */
#include "perfpipe/port.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/options.h"
#include "ipc/answers.h"
#include "ipc/connect.h"
#include "ipc/deadline.h"

#define BACKLOG	      255
#define MOST_ARRIVING 64   /* connections that have not identified themselves */
#define MOST_RUNTIMES 4096 /* ever seen */
#define AT_A_TIME     64
#define LOOK_AGAIN_MS 5

struct connection {
	int fd;
	size_t got; /* bytes of its first message */
	uint8_t said[ADVERTISE_SIZE];
	struct pp_runtime *runtime; /* NULL: not identified yet */
	struct connection *next;    /* in the list of arriving ones, newest first */
};

struct pp_runtime {
	struct advertise who;
	int process_id;
	struct connection *idle; /* NULL: none now */
	bool handed_out;
	struct pp_port *port;
	struct pp_runtime *next; /* in the order of arrival */
};

struct pp_port {
	pthread_mutex_t lock; /* guards everything below that changes after listening */
	int listener;
	int epoll;
	struct stat socket; /* identity of the file, for removing it */
	struct connection *arriving;
	size_t arriving_count;
	struct pp_runtime *runtimes;
	struct pp_runtime **last;
	size_t runtime_count;
	char path[];
};

static void remove_arriving(struct pp_port *port, struct connection *connection)
{
	struct connection **at = &port->arriving;

	while (*at != connection) {
		assert(*at); /* it is in the list */
		at = &(*at)->next;
	}
	*at = connection->next;
	port->arriving_count--;
}

static void drop(struct pp_port *port, struct connection *connection)
{
	if (connection->runtime)
		connection->runtime->idle = NULL;
	else
		remove_arriving(port, connection);
	close(connection->fd);
	xfree(connection);
}

/* If there are too many, the one that has been silent longest. */
static void drop_oldest(struct pp_port *port)
{
	struct connection *oldest = port->arriving;

	if (port->arriving_count < MOST_ARRIVING)
		return;
	while (oldest->next)
		oldest = oldest->next;
	drop(port, oldest);
}

/* If memory is gone, it is closed, and the runtime makes another one. */
static void take_in(struct pp_port *port, int fd)
{
	struct connection *connection = try_calloc(1, sizeof(*connection));
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.ptr = connection };

	if (!connection) {
		close(fd);
		return;
	}
	drop_oldest(port);
	connection->fd = fd;
	connection->next = port->arriving;
	port->arriving = connection;
	port->arriving_count++;
	if (epoll_ctl(port->epoll, EPOLL_CTL_ADD, fd, &event))
		drop(port, connection);
}

static void accept_all(struct pp_port *port)
{
	for (int i = 0; i < AT_A_TIME; i++) {
		const int fd = accept4(port->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		take_in(port, fd);
	}
}

static struct pp_runtime *runtime_for(struct pp_port *port, const struct advertise *who)
{
	struct pp_runtime *runtime = port->runtimes;

	while (runtime && memcmp(runtime->who.cookie, who->cookie, sizeof(who->cookie)))
		runtime = runtime->next;
	if (runtime || port->runtime_count == MOST_RUNTIMES)
		return runtime;
	runtime = try_calloc(1, sizeof(*runtime));
	if (!runtime)
		return NULL;
	runtime->who = *who;
	runtime->port = port;
	port->runtime_count++;
	*port->last = runtime;
	port->last = &runtime->next;
	return runtime;
}

/* It has identified itself and is idle from now on. */
static void settle(struct pp_port *port, struct connection *connection)
{
	const struct cursor said = cursor_over(connection->said, sizeof(connection->said));
	struct pp_runtime *runtime;
	struct advertise who;

	runtime = advertise_parse(&who, said) ? runtime_for(port, &who) : NULL;
	if (!runtime) {
		drop(port, connection);
		return;
	}
	remove_arriving(port, connection);
	if (runtime->idle)
		drop(port, runtime->idle);
	runtime->idle = connection;
	runtime->process_id = connect_peer(connection->fd).pid;
	connection->runtime = runtime;
}

static void hear(struct pp_port *port, struct connection *connection)
{
	const size_t left = ADVERTISE_SIZE - connection->got;
	const ssize_t got = recv(connection->fd, connection->said + connection->got, left, 0);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	connection->got += got > 0 ? (size_t)got : 0;
	if (got <= 0)
		drop(port, connection);
	else if (connection->got == ADVERTISE_SIZE)
		settle(port, connection);
}

static void serve(struct pp_port *port)
{
	struct epoll_event event;

	/* one at a time, since handling one may drop another */
	for (int i = 0; i < AT_A_TIME; i++) {
		struct connection *connection;

		if (epoll_wait(port->epoll, &event, 1, 0) != 1)
			return;
		connection = event.data.ptr;
		if (!connection)
			accept_all(port);
		else if (connection->runtime) /* it has ended: a runtime never speaks first */
			drop(port, connection);
		else
			hear(port, connection);
	}
}

void pp_port_serve(struct pp_port *port)
{
	pthread_mutex_lock(&port->lock);
	serve(port);
	pthread_mutex_unlock(&port->lock);
}

struct pp_runtime *pp_port_next(struct pp_port *port)
{
	struct pp_runtime *runtime;

	pthread_mutex_lock(&port->lock);
	runtime = port->runtimes;
	while (runtime && runtime->handed_out)
		runtime = runtime->next;
	if (runtime)
		runtime->handed_out = true;
	pthread_mutex_unlock(&port->lock);
	return runtime;
}

int pp_port_fd(const struct pp_port *port)
{
	return port->epoll;
}

/* Removes a socket that no process listens on. */
static int remove_stale(const char *path, struct pp_error *err)
{
	struct stat there;
	int fd;

	if (lstat(path, &there))
		return errno == ENOENT ? 0 : error_errno(err, "cannot use %s", path);
	if (!S_ISSOCK(there.st_mode))
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s already exists and is not a socket; choose another path",
				 path);
	fd = connect_unix(path);
	if (fd >= 0 || errno != ECONNREFUSED) {
		if (fd >= 0)
			close(fd);
		return error_set(err, PP_ERROR_SYSTEM,
				 "another program is listening at %s; choose another path", path);
	}
	return unlink(path) ? error_errno(err, "cannot replace %s", path) : 0;
}

static int bind_to(struct pp_port *port, struct pp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(port->path);

	if (!length || length >= sizeof(address.sun_path))
		return error_set(err, PP_ERROR_USAGE,
				 "the path of a diagnostic port has 1 to %zu bytes, not %zu",
				 sizeof(address.sun_path) - 1, length);
	if (remove_stale(port->path, err))
		return -1;
	memcpy(address.sun_path, port->path, length);
	/* before bind(), so that no other user can ever connect */
	if (fchmod(port->listener, 0600) ||
	    bind(port->listener, (const struct sockaddr *)&address, sizeof(address)) ||
	    listen(port->listener, BACKLOG) || lstat(port->path, &port->socket))
		return error_errno(err, "cannot listen at %s", port->path);
	return 0;
}

static int open_port(struct pp_port *port, struct pp_error *err)
{
	struct epoll_event event = { .events = EPOLLIN };

	port->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	port->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (port->listener < 0 || port->epoll < 0 ||
	    epoll_ctl(port->epoll, EPOLL_CTL_ADD, port->listener, &event))
		return error_errno(err, "cannot create a diagnostic port");
	return bind_to(port, err);
}

static struct pp_port *listen_at(const char *path, struct pp_error *err)
{
	const size_t length = strlen(path);
	struct pp_port *port = try_calloc(1, sizeof(*port) + length + 1);

	if (!port) {
		error_set(err, PP_ERROR_MEMORY, "out of memory for a diagnostic port");
		return NULL;
	}
	memcpy(port->path, path, length);
	port->last = &port->runtimes;
	pthread_mutex_init(&port->lock, NULL);
	if (open_port(port, err)) {
		pp_port_close(port);
		return NULL;
	}
	return port;
}

struct pp_port *pp_port_listen(const char *path, struct pp_error *err)
{
	return argument_check(path, "path of a port", err) ? NULL : listen_at(path, err);
}

/* Does nothing if another process has replaced the socket. */
void pp_port_hide(struct pp_port *port)
{
	struct stat there;

	if (port && port->socket.st_ino && !lstat(port->path, &there) &&
	    there.st_ino == port->socket.st_ino && there.st_dev == port->socket.st_dev)
		unlink(port->path);
}

void pp_port_close(struct pp_port *port)
{
	if (!port)
		return;
	pp_port_hide(port);
	while (port->arriving) {
		assert(!port->arriving->runtime);
		drop(port, port->arriving);
	}
	while (port->runtimes) {
		struct pp_runtime *runtime = port->runtimes;

		if (runtime->idle)
			drop(port, runtime->idle);
		port->runtimes = runtime->next;
		xfree(runtime);
	}
	if (port->listener >= 0)
		close(port->listener);
	if (port->epoll >= 0)
		close(port->epoll);
	pthread_mutex_destroy(&port->lock);
	xfree(port);
}

const uint8_t *pp_runtime_cookie(const struct pp_runtime *runtime)
{
	return runtime->who.cookie;
}

int pp_runtime_process_id(const struct pp_runtime *runtime)
{
	return runtime->process_id;
}

uint64_t pp_runtime_own_process_id(const struct pp_runtime *runtime)
{
	return runtime->who.process_id;
}

bool pp_runtime_is_ready(const struct pp_runtime *runtime)
{
	bool ready;

	pthread_mutex_lock(&runtime->port->lock);
	ready = runtime->idle;
	pthread_mutex_unlock(&runtime->port->lock);
	return ready;
}

/* Takes the idle connection; -1 if there is none. */
static int take_idle(struct pp_runtime *runtime)
{
	struct pp_port *port = runtime->port;
	struct connection *connection;
	int fd = -1;

	pthread_mutex_lock(&port->lock);
	serve(port);
	connection = runtime->idle;
	if (connection) {
		fd = connection->fd;
		epoll_ctl(port->epoll, EPOLL_CTL_DEL, fd, NULL);
		runtime->idle = NULL;
		xfree(connection);
	}
	pthread_mutex_unlock(&port->lock);
	return fd;
}

/* Waits for its next connection, which the runtime makes within milliseconds. */
static int connect_runtime(void *context, unsigned timeout_ms, struct pp_error *err)
{
	struct pp_runtime *runtime = context;
	const struct deadline deadline = deadline_in(timeout_ms);
	int fd;

	/* another thread may have accepted it, so look again after a while */
	do
		fd = take_idle(runtime);
	while (fd < 0 && deadline_wait(deadline, runtime->port->epoll, POLLIN, LOOK_AGAIN_MS));
	if (fd < 0)
		error_set(
			err, PP_ERROR_SYSTEM,
			"process %d did not connect again within %u ms: it has ended or is stopped",
			runtime->process_id, timeout_ms);
	return fd;
}

struct pp_client *pp_runtime_client(struct pp_runtime *runtime, struct pp_error *err)
{
	const struct pp_connector connector = { connect_runtime, runtime };

	return pp_client_new_connected(&connector, err);
}
