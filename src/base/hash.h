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

/* An odd constant with well spread bits: the fraction of the golden ratio. */
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
	/* once leaves patterns in the low bits */
	return hash_mix(hash_mix(value, HASH_SPREAD), HASH_SPREAD);
}

/*
 * For tables of ids and addresses: its upper bits are spread, and quicker. One product alone
 * puts keys at equal distances on few places, with one of ten seeds.
 */
static inline uint64_t hash_key(uint64_t key)
{
	const uint64_t product = (key ^ key >> 32) * hash_seed;

	return (product ^ product >> 16) * HASH_SPREAD;
}

uint64_t hash_bytes(const void *bytes, size_t size);

#endif
