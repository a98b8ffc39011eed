/* SPDX-License-Identifier: MIT */
/*
 * The first 12 bytes are numbers in half bytes, the upper half first: 1 to 10 stand for themselves,
 * 0 ends the path, 11 marks the next number as an overflow id, and 12 to 15 mean that the number is
 * in the next 1 to 4 bytes. If such a code is in the upper half of a byte, the lower half holds
 * bits 8 to 11 of the number for code 12, and is unused otherwise.
 */
#include "clr/activity_path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"
#include "base/process_key.h"

#define CHECK	   UINT32_C(0x599D99AD)
#define HALF_BYTES 24 /* of the path */

enum {
	HALF_END = 0,
	HALF_LARGEST = 10,
	HALF_PREFIX = 11,
	HALF_BYTES_FOLLOW = 12,
};

enum checksum {
	CHECKSUM_WRONG,
	CHECKSUM_PLAIN,
	CHECKSUM_PROCESS, /* the process id is part of it */
};

static enum checksum checksum_of(const uint8_t *id, int64_t process_id)
{
	struct cursor c = cursor_over(id, 16);
	const uint32_t sum = cursor_u32(&c) + cursor_u32(&c) + cursor_u32(&c) + CHECK;
	const uint32_t check = cursor_u32(&c);

	if (process_id >= 0 && (sum ^ (uint32_t)process_id) == check)
		return CHECKSUM_PROCESS;
	return sum == check ? CHECKSUM_PLAIN : CHECKSUM_WRONG;
}

static unsigned half(const uint8_t *id, unsigned at)
{
	return at % 2 ? id[at / 2] & 15u : id[at / 2] >> 4;
}

/* A number in the following bytes; `*at` is after its code, and moves past the number. */
static uint32_t long_number(const uint8_t *id, unsigned code, unsigned *at)
{
	const unsigned count = code - HALF_BYTES_FOLLOW + 1;
	uint32_t number = 0;
	uint32_t upper = 0;
	unsigned byte;

	if (*at % 2) { /* the code was an upper half */
		upper = code == HALF_BYTES_FOLLOW ? half(id, *at) : 0;
		++*at;
	}
	byte = *at / 2;
	for (unsigned i = 0; i < count && byte < 12; i++, byte++)
		number |= (uint32_t)id[byte] << (8 * i);
	*at = 2 * byte;
	return number + (upper << 8);
}

bool activity_path(const uint8_t id[static 16], int64_t process_id,
		   char text[static ACTIVITY_PATH_SIZE])
{
	const enum checksum checksum = checksum_of(id, process_id);
	size_t size = 1;
	unsigned at = 0;
	bool overflow = false;

	if (checksum == CHECKSUM_WRONG)
		return false;
	memcpy(text, "/", 2);
	if (checksum == CHECKSUM_PROCESS)
		size += (size_t)snprintf(text + size, ACTIVITY_PATH_SIZE - size, "#%" PRId64,
					 process_key_id(process_id));
	while (at < HALF_BYTES && size + 16 < ACTIVITY_PATH_SIZE) {
		const unsigned code = half(id, at++);
		uint32_t number = code;

		if (code == HALF_END)
			break;
		if (code == HALF_PREFIX) {
			overflow = true;
			continue;
		}
		if (code > HALF_LARGEST)
			number = long_number(id, code, &at);
		size += (size_t)snprintf(text + size, ACTIVITY_PATH_SIZE - size, "/%s%" PRIu32,
					 overflow ? "$" : "", number);
		overflow = false;
	}
	memcpy(text + size, "/", 2);
	return true;
}
