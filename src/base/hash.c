/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

/* An odd constant with well spread bits: the fraction of the golden ratio. */
#define SPREAD UINT64_C(0x9E3779B97F4A7C15)

__extension__ typedef unsigned __int128 u128;

static uint64_t seed(void)
{
	static _Atomic uint64_t kept; /* relaxed: every thread computes the same one */
	uint64_t value = atomic_load_explicit(&kept, memory_order_relaxed);

	if (!value) {
		const void *random = (const void *)getauxval(AT_RANDOM);

		if (random)
			memcpy(&value, random, sizeof(value));
		value |= 1;
		atomic_store_explicit(&kept, value, memory_order_relaxed);
	}
	return value;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	const u128 product = (u128)(a ^ SPREAD) * (b ^ seed());

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_u64(uint64_t value)
{
	return mix(mix(value, SPREAD), SPREAD); /* once leaves patterns in the low bits */
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t hash = mix(size, SPREAD);
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, size);
	return mix(hash, word);
}
