/* SPDX-License-Identifier: MIT */
/*
 * hash.h - hashes for our tables.
 *
 * Seeded with the random bytes that the kernel gives each process, so that a hostile file cannot
 * choose keys that all collide. Hashes differ from run to run: no output depends on them.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* An odd constant with well-mixed bits: the fraction of the golden ratio. */
#define HASH_SPREAD UINT64_C(0x9E3779B97F4A7C15)

__extension__ typedef unsigned __int128 hash_product;

extern uint64_t hash_seed; /* chosen before main() */

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	const hash_product product = (hash_product)(a ^ HASH_SPREAD) * (b ^ hash_seed);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_u64(uint64_t value)
{
	/* one round leaves patterns in the low bits */
	return hash_mix(hash_mix(value, HASH_SPREAD), HASH_SPREAD);
}

/*
 * For tables of ids and addresses, which use the upper bits: cheaper than hash_u64(). A single
 * multiplication would put keys at equal distances into few slots, for one seed in ten.
 */
static inline uint64_t hash_key(uint64_t key)
{
	const uint64_t product = (key ^ key >> 32) * hash_seed;

	return (product ^ product >> 16) * HASH_SPREAD;
}

uint64_t hash_bytes(const void *bytes, size_t size);

#endif
