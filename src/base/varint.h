/* SPDX-License-Identifier: MIT */
/*
 * varint.h - numbers in the records of spools: LEB128, small ones in few bytes.
 *
 * These are our own bytes, which need no checks; those of files are read with base/cursor.h.
 *
 *	at = delta_put(at, time_ns, before_ns);
 *	time_ns = delta_take(&at, before_ns);
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stdint.h>

#include "base/buffer.h"

static inline uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* Numbers may have any value: an overflow here is undone by the same one in wrapping_sum(). */
static inline int64_t wrapping_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t wrapping_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline uint64_t varint_take(const uint8_t **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		const uint8_t byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

/* A number that is probably near another one. */
static inline uint8_t *delta_put(uint8_t *at, int64_t value, int64_t expected)
{
	return varint_put(at, zigzag(wrapping_difference(value, expected)));
}

static inline int64_t delta_take(const uint8_t **at, int64_t expected)
{
	return wrapping_sum(expected, unzigzag(varint_take(at)));
}

#endif
