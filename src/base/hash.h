/* SPDX-License-Identifier: MIT */
/*
 * hash.h - hashes for our tables.
 *
 * Seeded by the random bytes that the kernel hands each process, so that a
 * hostile file cannot choose keys that all fall into one slot. They differ
 * from run to run: nothing that is printed may depend on them.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_u64(uint64_t value);
uint64_t hash_bytes(const void *bytes, size_t size);

#endif
