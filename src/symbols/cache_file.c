/* SPDX-License-Identifier: MIT */
#include "symbols/cache_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/heap.h"

#define VERSION 1 /* of the header, and of the layout of tables */

#define SUFFIX	   ".symbols"
#define UNFINISHED ".tmp"
#define HEADER	   sizeof(struct cache_header)
#define RANDOM_END 17 /* "." and as many digits */

_Static_assert(sizeof(struct cache_header) % 64 == 0, "the table after it is aligned");

static bool is_what(const char *what)
{
	const size_t length = strnlen(what, CACHE_WHAT_SIZE);

	return length && length < CACHE_WHAT_SIZE &&
	       !what[strspn(what, "abcdefghijklmnopqrstuvwxyz0123456789_-")];
}

bool cache_key_make(struct cache_key *key, const char *build_id, const char *what)
{
	*key = (struct cache_key){ 0 };
	if (!build_id_copy(key->build_id, build_id) || !is_what(what))
		return false;
	memcpy(key->what, what, strlen(what));
	return true;
}

void cache_key_name(const struct cache_key *key, char name[static CACHE_NAME_SIZE])
{
	snprintf(name, CACHE_NAME_SIZE, "%s.%s" SUFFIX, key->build_id, key->what);
}

bool cache_key_new_name(const struct cache_key *key, char name[static CACHE_NAME_SIZE])
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		return false;
	snprintf(name, CACHE_NAME_SIZE, "%s.%s" SUFFIX ".%016" PRIx64 UNFINISHED, key->build_id,
		 key->what, random);
	return true;
}

static bool is_unfinished(const char *end)
{
	return strlen(end) == RANDOM_END + strlen(UNFINISHED) && *end == '.' &&
	       strspn(end + 1, "0123456789abcdef") == RANDOM_END - 1 &&
	       !strcmp(end + RANDOM_END, UNFINISHED);
}

bool cache_key_of_name(struct cache_key *key, const char *name, bool *unfinished)
{
	char build_id[BUILD_ID_SIZE], what[CACHE_WHAT_SIZE], whole[CACHE_NAME_SIZE];
	size_t length;

	if (sscanf(name, "%128[0-9a-f].%23[a-z0-9_-]", build_id, what) != 2 ||
	    !cache_key_make(key, build_id, what))
		return false;
	cache_key_name(key, whole);
	length = strlen(whole);
	if (strncmp(name, whole, length))
		return false;
	*unfinished = name[length];
	return !*unfinished || is_unfinished(name + length);
}

/*
 * Any change within a word changes the sum, and any other does with near certainty. The lanes are
 * independent of each other, which makes it as fast as memory.
 */
#define LANES 4

static uint64_t add_word(uint64_t lane, uint64_t word)
{
	lane ^= word;
	return (lane << 29 | lane >> 35) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
	uint64_t lanes[LANES] = { 1, 2, 3, 4 };
	uint64_t words[LANES];
	uint64_t sum = size;

	for (; size >= sizeof(words); size -= sizeof(words), bytes += sizeof(words)) {
		memcpy(words, bytes, sizeof(words));
		lanes[0] = add_word(lanes[0], words[0]);
		lanes[1] = add_word(lanes[1], words[1]);
		lanes[2] = add_word(lanes[2], words[2]);
		lanes[3] = add_word(lanes[3], words[3]);
	}
	memset(words, 0, sizeof(words));
	if (size)
		memcpy(words, bytes, size);
	for (size_t i = 0; i < LANES; i++)
		sum = add_word(sum, add_word(lanes[i], words[i]));
	return sum;
}

void cache_header_make(struct cache_header *header, const struct cache_key *key,
		       const struct symbol_table *table)
{
	*header = (struct cache_header){
		.magic = "ppsymbol",
		.byte_order = 0x01020304,
		.version = VERSION,
		.size = table->size,
		.sum = sum_of(table->bytes, table->size),
	};
	memcpy(header->what, key->what, sizeof(key->what));
	memcpy(header->build_id, key->build_id, sizeof(key->build_id));
}

bool cache_file_over(const void *bytes, size_t size, const struct cache_key *key,
		     struct symbol_table *table)
{
	struct symbol_table rest;
	struct cache_header header;
	struct pp_error err = { 0 };

	if (size < sizeof(header))
		return false;
	rest = (struct symbol_table){ .bytes = (const uint8_t *)bytes + sizeof(header),
				      .size = size - sizeof(header) };
	cache_header_make(&header, key, &rest);
	return !memcmp(bytes, &header, sizeof(header)) &&
	       !symbol_table_open(table, rest.bytes, rest.size, &err);
}

/* Both get the table, which comes after the header. */
static void unmap_table(void *bytes, size_t size)
{
	munmap((uint8_t *)bytes - HEADER, size + HEADER);
}

static void free_table(void *bytes, size_t size)
{
	(void)size;
	xfree((uint8_t *)bytes - HEADER);
}

static bool map_table(int fd, size_t size, const struct cache_key *key, struct symbol_table *table)
{
	void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);

	if (bytes == MAP_FAILED)
		return false;
	if (!cache_file_over(bytes, size, key, table)) {
		munmap(bytes, size);
		return false;
	}
	table->release = unmap_table;
	return true;
}

static bool read_all(int fd, uint8_t *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t got = pread(fd, bytes + done, size - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* No allocation may leave the call while the file is open. */
static bool read_table(int fd, size_t size, const struct cache_key *key, struct symbol_table *table)
{
	uint8_t *bytes = try_calloc(1, size);

	if (!bytes || !read_all(fd, bytes, size) || !cache_file_over(bytes, size, key, table)) {
		xfree(bytes);
		return false;
	}
	table->release = free_table;
	return true;
}

/* A program that uses the library must not die of a file that others truncate: it is read there. */
bool cache_file_open(int fd, uint64_t size, const struct cache_key *key, struct symbol_table *table)
{
	if (size < HEADER || size > SIZE_MAX)
		return false;
	return guard_is_on() ? read_table(fd, (size_t)size, key, table)
			     : map_table(fd, (size_t)size, key, table);
}
