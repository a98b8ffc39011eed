/* SPDX-License-Identifier: MIT */
#include "record/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define ROOM	    ((size_t)16 * 1024)
#define LAST_MS	    1000 /* for a terminal that is blocked to take the last output */
#define LAST_ROUNDS 16

/* Orders to the thread, a byte each. */
enum order {
	ORDER_PASS = 1,
	ORDER_READ, /* we are in the foreground again */
	ORDER_END,
};

/* Bytes on their way; those from `ready` on are held back. */
struct queue {
	char bytes[ROOM];
	size_t ready;
	size_t size;
};

/*
 * The thread owns `typed`, `shown`, `holds`, `passes` and `reads`, the owner of the relay `raw` and
 * `begun`; the rest is fixed before the thread starts. They talk through a pair of sockets.
 */
struct relay {
	struct relay_modes ours; /* the terminal, opened anew to have flags of its own */
	int master;
	int slave; /* kept open, so that it survives a program that closes it */
	int owner_end;
	int thread_end;
	pthread_t thread;
	bool begun;
	bool raw;

	struct queue typed;
	struct queue shown;
	bool holds;  /* a Ctrl+C and what was typed after it */
	bool passes; /* from now on everything */
	bool reads;
};

static bool is_pipe(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static bool terminal_is_ours_alone(void)
{
	return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
	       !is_pipe(STDOUT_FILENO) && !is_pipe(STDERR_FILENO);
}

static int open_pair(struct relay *relay)
{
	char path[64];

	relay->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (relay->master < 0 || grantpt(relay->master) || unlockpt(relay->master) ||
	    ptsname_r(relay->master, path, sizeof(path)))
		return -1;
	relay->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	return relay->slave < 0 || tcsetattr(relay->slave, TCSANOW, &relay->ours.before) ? -1 : 0;
}

static int open_all(struct relay *relay)
{
	int ends[2];

	relay->ours.terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (relay->ours.terminal < 0 || tcgetattr(relay->ours.terminal, &relay->ours.before) ||
	    open_pair(relay) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		return -1;
	relay->ours.raw = relay->ours.before;
	cfmakeraw(&relay->ours.raw);
	relay->owner_end = ends[0];
	relay->thread_end = ends[1];
	relay_resize(relay);
	return 0;
}

struct relay *relay_open(void)
{
	struct relay *relay;

	if (!terminal_is_ours_alone())
		return NULL;
	relay = xcalloc(1, sizeof(*relay));
	relay->ours.terminal = relay->master = relay->slave = relay->owner_end = relay->thread_end =
		-1;
	if (!open_all(relay))
		return relay;
	relay_close(relay);
	return NULL;
}

int relay_terminal(const struct relay *relay)
{
	return relay->slave;
}

const struct relay_modes *relay_modes(const struct relay *relay)
{
	return &relay->ours;
}

int relay_fd(const struct relay *relay)
{
	return relay->owner_end;
}

int relay_typed(struct relay *relay)
{
	char number;

	return read(relay->owner_end, &number, 1) == 1 ? number : 0;
}

/* One byte, in a socket with room for thousands. */
static void tell(int fd, int what)
{
	const char byte = (char)what;

	while (write(fd, &byte, 1) < 0 && errno == EINTR)
		;
}

void relay_pass(struct relay *relay)
{
	tell(relay->owner_end, ORDER_PASS);
}

pid_t relay_foreground(const struct relay *relay)
{
	return tcgetpgrp(relay->master);
}

void relay_resize(struct relay *relay)
{
	struct winsize size;

	if (!ioctl(relay->ours.terminal, TIOCGWINSZ, &size))
		ioctl(relay->master, TIOCSWINSZ,
		      &size); /* sends SIGWINCH to the program if it has changed */
}

static bool in_foreground(const struct relay *relay)
{
	return tcgetpgrp(relay->ours.terminal) == getpgrp();
}

/* From the background that would stop us. */
static void set_modes(struct relay *relay, bool raw)
{
	if (!in_foreground(relay))
		return;
	tcsetattr(relay->ours.terminal, TCSANOW, raw ? &relay->ours.raw : &relay->ours.before);
	relay->raw = raw;
}

void relay_leave(struct relay *relay)
{
	if (relay->raw)
		set_modes(relay, false);
	relay->raw = false;
}

void relay_return(struct relay *relay)
{
	relay->raw = false;
	set_modes(relay, true);
	if (!relay->raw)
		return;
	relay_resize(relay);
	tell(relay->owner_end, ORDER_READ);
}

void relay_look(struct relay *relay)
{
	if (relay->raw != in_foreground(relay))
		relay_return(relay);
}

static void drop_front(struct queue *queue, size_t count)
{
	queue->ready -= count;
	queue->size -= count;
	memmove(queue->bytes, queue->bytes + count, queue->size);
}

/* Writes what is ready, as far as possible. False: the other side has gone. */
static bool drain(struct queue *queue, int fd)
{
	const ssize_t written = write(fd, queue->bytes, queue->ready);

	if (written > 0)
		drop_front(queue, (size_t)written);
	return written > 0 || errno == EAGAIN || errno == EINTR;
}

/* Reads what fits. False: the other side has gone. */
static bool fill(struct queue *queue, int fd)
{
	const ssize_t got = read(fd, queue->bytes + queue->size, ROOM - queue->size);

	if (got > 0)
		queue->size += (size_t)got;
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void let_pass(struct relay *relay)
{
	relay->passes = true;
	relay->typed.ready = relay->typed.size;
}

/* The signal that this byte means in the current modes of the program's terminal; 0: none. */
static int signal_of(const struct termios *modes, char byte)
{
	const cc_t typed = (cc_t)byte;

	if (!(modes->c_lflag & ISIG) || typed == _POSIX_VDISABLE)
		return 0;
	if (typed == modes->c_cc[VINTR])
		return SIGINT;
	return typed == modes->c_cc[VQUIT] ? SIGQUIT : 0;
}

/* In bytes from `at` on, which are new. */
static void look_for_signals(struct relay *relay, size_t at)
{
	struct queue *typed = &relay->typed;
	struct termios modes;

	for (; at < typed->size && !relay->passes && !tcgetattr(relay->master, &modes); at++) {
		const int number = signal_of(&modes, typed->bytes[at]);

		if (number)
			tell(relay->thread_end, number);
		if (number && relay->holds)
			let_pass(relay);
		relay->holds |= number != 0;
		if (!relay->holds)
			typed->ready = at + 1;
	}
	if (relay->passes)
		typed->ready = typed->size;
}

/* Not from the background: reading would stop us. */
static void take_typed(struct relay *relay)
{
	const size_t before = relay->typed.size;

	relay->reads = in_foreground(relay) && fill(&relay->typed, relay->ours.terminal);
	look_for_signals(relay, before);
}

static bool take_orders(struct relay *relay)
{
	char order;

	while (read(relay->thread_end, &order, 1) == 1) {
		if (order == ORDER_END)
			return false;
		if (order == ORDER_PASS)
			let_pass(relay);
		else
			relay->reads = true;
	}
	return true;
}

static void take_shown(struct relay *relay)
{
	fill(&relay->shown, relay->master);
	relay->shown.ready = relay->shown.size;
}

/* For a terminal that has gone output is discarded, so that the program is not held up. */
static void show(struct relay *relay)
{
	if (!drain(&relay->shown, relay->ours.terminal))
		relay->shown.ready = relay->shown.size = 0;
}

static void wait_for_news(struct relay *relay, struct pollfd fds[3])
{
	const short read_typed = relay->reads && relay->typed.size < ROOM ? POLLIN : 0;
	const short write_shown = relay->shown.size ? POLLOUT : 0;
	const short read_shown = relay->shown.size < ROOM ? POLLIN : 0;
	const short write_typed = relay->typed.ready ? POLLOUT : 0;

	fds[0] = (struct pollfd){ .fd = relay->thread_end, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = relay->ours.terminal, .events = read_typed | write_shown };
	fds[2] = (struct pollfd){ .fd = relay->master, .events = read_shown | write_typed };
	for (int i = 1; i < 3; i++)
		if (!fds[i].events)
			fds[i].fd = -1; /* or it would report its end over and over */
	poll(fds, 3, -1);
}

static void *carry(void *argument)
{
	struct relay *relay = argument;
	struct pollfd fds[3];

	do {
		wait_for_news(relay, fds);
		if (fds[1].revents && relay->shown.size)
			show(relay);
		if (fds[1].revents && relay->reads && relay->typed.size < ROOM)
			take_typed(relay);
		if (fds[2].revents && relay->typed.ready && !drain(&relay->typed, relay->master))
			drop_front(&relay->typed, relay->typed.ready);
		if (fds[2].revents && relay->shown.size < ROOM)
			take_shown(relay);
	} while (!fds[0].revents || take_orders(relay));
	return NULL;
}

int relay_begin(struct relay *relay)
{
	relay->reads = true;
	if (pthread_create(&relay->thread, NULL, carry, relay))
		return -1;
	relay->begun = true;
	set_modes(relay, true);
	return 0;
}

/*
 * What is on its way through the kernel, but no more than a terminal holds: processes that the
 * program left behind may go on writing.
 */
static void show_the_rest(struct relay *relay)
{
	struct pollfd terminal = { .fd = relay->ours.terminal, .events = POLLOUT };

	for (int i = 0; i < LAST_ROUNDS; i++) {
		take_shown(relay);
		if (!relay->shown.size)
			return;
		while (relay->shown.size && poll(&terminal, 1, LAST_MS) == 1)
			show(relay);
	}
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void relay_close(struct relay *relay)
{
	if (!relay)
		return;
	if (relay->begun) {
		tell(relay->owner_end, ORDER_END);
		pthread_join(relay->thread, NULL);
		show_the_rest(relay);
	}
	relay_leave(relay);
	close_one(relay->ours.terminal);
	close_one(relay->master);
	close_one(relay->slave);
	close_one(relay->owner_end);
	close_one(relay->thread_end);
	xfree(relay);
}
