/* SPDX-License-Identifier: MIT */
/*
 * process_key.h - ids of processes of several traces.
 *
 * Two processes may have had the same id, as the first process of every container has id 1. Where
 * traces are read as one, each after the first gets a key: its id, and a number above it. The
 * kernel knows at most 2^22 ids, so keys and ids are never the same.
 *
 *	const int64_t key = process_key(1, 3);
 *
 *	process_key_id(key) == 1
 */
#ifndef BASE_PROCESS_KEY_H
#define BASE_PROCESS_KEY_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_KEY_SHIFT 40
#define PROCESS_KEY_MOST  (1u << 20) /* numbers */

static inline bool process_id_has_keys(int64_t id)
{
	return id >= 0 && id >> PROCESS_KEY_SHIFT == 0;
}

/* 0 is the number of the first one, whose key is its id. */
static inline int64_t process_key(int64_t id, uint32_t number)
{
	return id | (int64_t)(number % PROCESS_KEY_MOST) << PROCESS_KEY_SHIFT;
}

static inline int64_t process_key_id(int64_t key)
{
	return key < 0 ? key : key & ((INT64_C(1) << PROCESS_KEY_SHIFT) - 1);
}

static inline uint32_t process_key_number(int64_t key)
{
	return key < 0 ? 0 : (uint32_t)(key >> PROCESS_KEY_SHIFT);
}

#endif
