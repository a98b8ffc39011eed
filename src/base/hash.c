/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>

uint64_t hash_seed;

/* Before main(), and so before any thread, so that hashing needs no check. */
__attribute__((constructor)) static void choose_seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random)
		memcpy(&hash_seed, random, sizeof(hash_seed));
	hash_seed |= 1;
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t hash = hash_mix(size, HASH_SPREAD);
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, size);
	return hash_mix(hash, word);
}
