/* SPDX-License-Identifier: MIT */
/*
 * A runtime whose stream never ends and is well-formed, but defines something new with every byte:
 *
 *	flooding_runtime SOCKET threads|kinds|stacks|labels
 *
 * listens at the socket, knows no commands but ProcessInfo and those of sessions, and answers a
 *stop without ending the stream, which is 40 MB long: so no test can fill a disk.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BLOCK	 60000
#define MOST	 40000000u /* bytes of a stream */
#define COMMAND	 16	   /* offset of set and id in a request */
#define ERROR_OF 0x80131385u

struct block {
	uint8_t bytes[BLOCK + 512];
	size_t size;
};

static uint64_t made; /* definitions so far */

static void put(struct block *b, const void *bytes, size_t size)
{
	memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
}

static void put_u8(struct block *b, unsigned value)
{
	put(b, &(uint8_t){ (uint8_t)value }, 1);
}

static void put_u16(struct block *b, unsigned value)
{
	put(b, &(uint16_t){ (uint16_t)value }, 2);
}

static void put_u32(struct block *b, uint32_t value)
{
	put(b, &value, 4);
}

static void put_varint(struct block *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_u8(b, (unsigned)(value & 0x7F) | 0x80);
	put_u8(b, (unsigned)value);
}

static void put_text(struct block *b, const char *text)
{
	put_varint(b, strlen(text));
	put(b, text, strlen(text));
}

static void put_thread(struct block *b)
{
	const size_t start = b->size;
	uint16_t size;

	put_u16(b, 0);
	put_varint(b, made + 1);
	put_u8(b, 3);
	put_varint(b, made + 1);
	size = (uint16_t)(b->size - start - 2);
	memcpy(b->bytes + start, &size, 2);
}

static void put_kind(struct block *b)
{
	const size_t start = b->size;
	uint16_t size;

	if (!b->size)
		put_u16(b, 0);
	const size_t row = start ? start : 2;

	put_u16(b, 0);
	put_varint(b, made + 1);
	put_text(b, "Flood");
	put_varint(b, made & 0xFFFF);
	put_text(b, "");
	put_u16(b, 0);
	put_u16(b, 0);
	size = (uint16_t)(b->size - row - 2);
	memcpy(b->bytes + row, &size, 2);
}

/* Ids go on, and contents are new. */
static void put_stack(struct block *b)
{
	if (!b->size) {
		put_u32(b, (uint32_t)made + 1);
		put_u32(b, BLOCK / 12);
	}
	put_u32(b, 8);
	put(b, &made, 8);
}

static void put_label(struct block *b)
{
	if (!b->size) {
		put_u32(b, (uint32_t)made + 1);
		put_u32(b, BLOCK / 3);
	}
	put_u8(b, 5 | 0x80);
	put_text(b, "");
	put_text(b, "");
}

/* How many definitions are in a block is fixed where it says so itself. */
static const struct flood {
	const char *name;
	unsigned kind;
	void (*define)(struct block *b);
	unsigned count;
} floods[] = {
	{ "threads", 6, put_thread, 4000 },
	{ "kinds", 3, put_kind, 3000 },
	{ "stacks", 5, put_stack, BLOCK / 12 },
	{ "labels", 8, put_label, BLOCK / 3 },
};

static int send_all(int fd, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		const ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);

		if (sent <= 0)
			return -1;
		at += sent;
		size -= (size_t)sent;
	}
	return 0;
}

static int send_block(int fd, const struct block *b, unsigned kind)
{
	const uint32_t head = (uint32_t)b->size | (uint32_t)kind << 24;

	return send_all(fd, &head, 4) || send_all(fd, b->bytes, b->size) ? -1 : 0;
}

/* The magic, version 6, and a trace of 64 bits and a clock of nanoseconds. */
static int send_start(int fd)
{
	static const uint16_t time[8] = { 2026, 11, 0, 16 };
	struct block b = { .size = 0 };

	put(&b, "Nettrace\0\0\0\0\6\0\0\0\0\0\0\0", 20);
	if (send_all(fd, b.bytes, b.size))
		return -1;
	b.size = 0;
	put(&b, time, sizeof(time));
	put(&b, &(int64_t){ 0 }, 8);
	put(&b, &(int64_t){ 1000000000 }, 8);
	put_u32(&b, 8);
	put_u32(&b, 0);
	return send_block(fd, &b, 1);
}

static void answer(int fd, unsigned code, const void *payload, uint16_t size)
{
	struct block b = { .size = 0 };

	put(&b, "DOTNET_IPC_V1", 14);
	put_u16(&b, 20u + size);
	put_u8(&b, 0xFF);
	put_u8(&b, code);
	put_u16(&b, 0);
	put(&b, payload, size);
	send_all(fd, b.bytes, b.size);
}

static void flood(int fd, const struct flood *flood)
{
	static struct block b;
	size_t sent = 0;

	answer(fd, 0, &(uint64_t){ 1 }, 8);
	if (send_start(fd))
		return;
	do {
		b.size = 0;
		for (unsigned i = 0; i < flood->count; i++, made++)
			flood->define(&b);
		sent += b.size;
	} while (sent < MOST && !send_block(fd, &b, flood->kind));
}

static void put_utf16(struct block *b, const char *text)
{
	put_u32(b, (uint32_t)strlen(text) + 1);
	for (; *text; text++)
		put_u16(b, (unsigned char)*text);
	put_u16(b, 0);
}

/* ProcessInfo2. */
static void describe(int fd)
{
	static const char *const texts[] = { "flood", "Linux", "x64", "flood", "10.0.0" };
	struct block b = { .size = 0 };

	put(&b, &(uint64_t){ (uint64_t)getppid() }, 8);
	put(&b, "0123456789abcdef", 16);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		put_utf16(&b, texts[i]);
	answer(fd, 0, b.bytes, (uint16_t)b.size);
}

static void serve(int fd, const struct flood *kind)
{
	uint8_t request[65536];
	const ssize_t size = recv(fd, request, sizeof(request), 0);

	if (size < 20)
		return;
	if (request[COMMAND] == 2 && request[COMMAND + 1] == 1)
		answer(fd, 0, &(uint64_t){ 1 }, 8);
	else if (request[COMMAND] == 2)
		flood(fd, kind);
	else if (request[COMMAND] == 4 && request[COMMAND + 1] == 4)
		describe(fd);
	else
		answer(fd, 0xFF, &(uint32_t){ ERROR_OF }, 4);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	const struct flood *kind = NULL;

	for (size_t i = 0; argc == 3 && i < sizeof(floods) / sizeof(floods[0]); i++)
		if (!strcmp(argv[2], floods[i].name))
			kind = &floods[i];
	if (!kind || strlen(argv[1]) + sizeof(".new") > sizeof(address.sun_path))
		return 2;
	sprintf(address.sun_path, "%s.new", argv[1]); /* until it can be connected to */
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 16) ||
	    rename(address.sun_path, argv[1]))
		return 1;
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		const int fd = accept(listener, NULL, NULL);

		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve(fd, kind);
			_exit(0);
		}
		close(fd);
	}
}
