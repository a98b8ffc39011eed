/* SPDX-License-Identifier: MIT */
/*
 * A process that speaks the diagnostics protocol and misbehaves:
 *
 *	fake_runtime SOCKET MODE
 *
 * Its first session sends events until the connection is closed; what MODE changes is in the table
 * below. Later sessions send one method name when they are stopped, as an early rundown needs. When
 * the first session's connection is closed, "closed" and the number of bytes sent are printed.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buffer.h"
#include "ipc/message.h"

static const struct mode {
	const char *name;
	bool mute;	     /* reads requests and answers none */
	bool deaf;	     /* accepts no connection after that of its first session */
	bool fast;	     /* sends as much as it can, instead of an event each 50 ms */
	bool refuses;	     /* answers a stop with an error */
	bool obeys;	     /* answers that it has stopped, and goes on all the same */
	unsigned garbage_at; /* blocks after which there is garbage */
	bool noise;	     /* there is nothing else */
	bool old;	     /* events have the time of the start */
	bool only_names;     /* sends endless method names */
} modes[] = {
	{ .name = "mute", .mute = true },
	{ .name = "ignores" },
	{ .name = "floods", .fast = true, .old = true },
	{ .name = "floods-names", .fast = true, .only_names = true },
	{ .name = "deaf", .deaf = true, .fast = true },
	{ .name = "refuses", .refuses = true },
	{ .name = "obeys", .obeys = true },
	{ .name = "garbage", .garbage_at = 20 },
	{ .name = "noise", .noise = true },
};

static const struct mode *mode;
static atomic_int sessions;
static atomic_ullong stopped; /* bit N: session N was asked to stop */

static int64_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

/* A NetTrace 4 stream; `sent` is where it is, since blocks are aligned in it. */
struct stream {
	int fd;
	uint64_t sent;
	struct buffer out;
	int64_t start;
	uint32_t number; /* of the last event */
};

static void put(struct stream *s, const void *bytes, size_t size)
{
	buffer_bytes(&s->out, bytes, size);
}

static bool send_out(struct stream *s)
{
	size_t at = 0;

	while (at < s->out.size) {
		const ssize_t size = send(s->fd, s->out.bytes + at, s->out.size - at, MSG_NOSIGNAL);

		if (size < 0)
			return false;
		at += (size_t)size;
	}
	s->sent += s->out.size;
	buffer_rewind(&s->out, 0);
	return true;
}

static void begin_object(struct stream *s, const char *name, uint32_t version)
{
	put(s, "\5\5\1", 3);
	buffer_u32(&s->out, version);
	buffer_u32(&s->out, version);
	buffer_u32(&s->out, (uint32_t)strlen(name));
	put(s, name, strlen(name));
	put(s, "\6", 1);
}

static void put_header(struct stream *s)
{
	static const uint16_t date[8] = { 2026, 11, 1, 16, 9, 0, 0, 0 };

	put(s, "Nettrace", 8);
	buffer_u32(&s->out, 20);
	put(s, "!FastSerialization.1", 20);
	begin_object(s, "Trace", 4);
	put(s, date, sizeof(date));
	s->start = now();
	buffer_u64(&s->out, (uint64_t)s->start);
	buffer_u64(&s->out, 1000000000);
	buffer_u32(&s->out, 8);
	buffer_u32(&s->out, (uint32_t)getpid());
	buffer_u32(&s->out, 1);
	buffer_u32(&s->out, 0);
	put(s, "\6", 1);
}

static void put_block(struct stream *s, const char *name, const struct buffer *events)
{
	begin_object(s, name, 2);
	buffer_u32(&s->out, (uint32_t)(20 + events->size));
	while ((s->sent + s->out.size) % 4)
		put(s, "", 1);
	put(s, "\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	put(s, events->bytes, events->size);
	put(s, "\6", 1);
}

struct fake_event {
	uint32_t kind;
	uint32_t number;
	int64_t ticks;
	struct buffer payload;
};

static void put_event(struct buffer *to, const struct fake_event *event)
{
	static const uint8_t nobody[32];
	const struct buffer *payload = &event->payload;

	buffer_u32(to, (uint32_t)(76 + payload->size));
	buffer_u32(to, event->kind);
	buffer_u32(to, event->number);
	buffer_u64(to, 1);
	buffer_u64(to, 1);
	buffer_u32(to, 0);
	buffer_u32(to, 0);
	buffer_u64(to, (uint64_t)event->ticks);
	buffer_bytes(to, nobody, sizeof(nobody));
	buffer_u32(to, (uint32_t)payload->size);
	buffer_bytes(to, payload->bytes, payload->size);
	while (to->size % 4)
		buffer_bytes(to, "", 1);
}

static void put_text(struct buffer *to, const char *text)
{
	do
		buffer_u16(to, (uint8_t)*text);
	while (*text++);
}

static void put_kind(struct buffer *to, uint32_t kind, const char *provider, uint32_t id)
{
	struct fake_event event = { 0 };
	struct buffer *payload = &event.payload;

	buffer_u32(payload, kind);
	put_text(payload, provider);
	buffer_u32(payload, id);
	put_text(payload, "");
	buffer_u64(payload, 0);
	buffer_u32(payload, 0);
	buffer_u32(payload, 4);
	buffer_u32(payload, 0);
	put_event(to, &event);
	buffer_release(payload);
}

enum { ORDINARY = 1, NAME };

static void put_kinds(struct stream *s)
{
	struct buffer events = { 0 };

	put_kind(&events, ORDINARY, "Fake", 1);
	put_kind(&events, NAME, "Microsoft-Windows-DotNETRuntimeRundown", 144);
	put_block(s, "MetadataBlock", &events);
	buffer_release(&events);
}

static void put_events(struct stream *s, uint32_t kind, int count)
{
	struct fake_event event = { .kind = kind,
				    .payload = { .bytes = (uint8_t[64]){ 0 }, .size = 64 } };
	struct buffer events = { 0 };

	for (int i = 0; i < count; i++) {
		event.number = ++s->number;
		event.ticks = mode->old ? s->start + 1 : now();
		put_event(&events, &event);
	}
	put_block(s, "EventBlock", &events);
	buffer_release(&events);
}

static void put_garbage(struct stream *s)
{
	static const char garbage[65536] = "this is not a trace";

	put(s, garbage, sizeof(garbage));
}

static void put_next(struct stream *s, unsigned number)
{
	if (mode->noise || (mode->garbage_at && number >= mode->garbage_at))
		put_garbage(s);
	else
		put_events(s, mode->only_names ? NAME : ORDINARY, mode->fast ? 500 : 1);
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

static void send_endlessly(struct stream *s)
{
	unsigned number = 0;

	if (!mode->noise) {
		put_header(s);
		put_kinds(s);
	}
	do {
		put_next(s, number++);
		if (!mode->fast)
			pause_ms(50);
	} while (send_out(s));
	printf("closed %llu\n", (unsigned long long)s->sent);
	fflush(stdout);
}

static void send_names_when_stopped(struct stream *s, int session)
{
	put_header(s);
	put_kinds(s);
	while (!(stopped & 1ULL << session) && send_out(s))
		pause_ms(10);
	put_events(s, NAME, 1);
	put(s, "\1", 1);
	send_out(s);
}

static void answer(int fd, const char *kind, const struct buffer *payload)
{
	struct buffer out = { 0 };

	buffer_bytes(&out, "DOTNET_IPC_V1", 14);
	buffer_u16(&out, (uint16_t)(MESSAGE_HEADER_SIZE + payload->size));
	buffer_bytes(&out, kind, 2);
	buffer_u16(&out, 0);
	buffer_bytes(&out, payload->bytes, payload->size);
	send(fd, out.bytes, out.size, MSG_NOSIGNAL);
	buffer_release(&out);
}

static void describe(int fd)
{
	struct buffer payload = { 0 };

	buffer_u32(&payload, 1);
	buffer_u64(&payload, (uint64_t)getpid());
	buffer_bytes(&payload, "0123456789abcdef", 16);
	for (int i = 0; i < 6; i++)
		message_put_text(&payload, "fake");
	answer(fd, "\xff\x00", &payload);
	buffer_release(&payload);
}

static void run_session(int fd)
{
	const int session = ++sessions;
	struct stream stream = { .fd = fd };
	struct buffer payload = { 0 };

	buffer_u64(&payload, (uint64_t)session);
	answer(fd, "\xff\x00", &payload);
	if (session == 1)
		send_endlessly(&stream);
	else
		send_names_when_stopped(&stream, session);
	buffer_release(&stream.out);
	buffer_release(&payload);
}

static void stop_session(int fd, const uint8_t *request)
{
	const unsigned session = request[MESSAGE_HEADER_SIZE];
	struct buffer payload = { 0 };

	buffer_u64(&payload, session);
	stopped |= 1ULL << (session & 63);
	if (mode->obeys || session != 1) {
		answer(fd, "\xff\x00", &payload);
	} else if (mode->refuses) {
		answer(fd, "\xff\xff",
		       &(struct buffer){ .bytes = (uint8_t *)"\x84\x13\x13\x80", .size = 4 });
	} else {
		pause(); /* until the test ends us */
	}
	buffer_release(&payload);
}

static void *serve(void *argument)
{
	const int fd = (int)(intptr_t)argument;
	uint8_t request[65536];
	const ssize_t size = recv(fd, request, sizeof(request), 0);
	const int set = size > 16 ? request[16] : 0, command = size > 17 ? request[17] : 0;

	if (mode->mute)
		pause();
	if (set == 4 && command != 1)
		describe(fd);
	else if (set == 2 && command == 1)
		stop_session(fd, request);
	else if (set == 2)
		run_session(fd);
	close(fd);
	return NULL;
}

/* It has its name once it can be connected to. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s.new", path);
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 16) ||
	    rename(address.sun_path, path)) {
		perror(path);
		exit(1);
	}
	return fd;
}

int main(int argc, char **argv)
{
	int listener;

	for (size_t i = 0; argc == 3 && i < ARRAY_COUNT(modes); i++)
		if (!strcmp(argv[2], modes[i].name))
			mode = &modes[i];
	if (!mode)
		return 3;
	listener = listen_at(argv[1]);
	for (;;) {
		pthread_t thread;
		int fd;

		while (mode->deaf && sessions)
			pause_ms(50);
		fd = accept(listener, NULL, NULL);
		if (fd < 0 || pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd))
			return 1;
		pthread_detach(thread);
		if (mode->deaf)
			pause_ms(200); /* until the session has started, or the answer is sent */
	}
}
