/* SPDX-License-Identifier: MIT */
/* FIPS 180-4; names follow its section 6.2. */
#include "base/sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

struct sha256 sha256_start(void)
{
	/* the same, of the square roots of the first eight primes */
	return (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value >> bits | value << (32 - bits);
}

static void make_schedule(uint32_t w[static 64], const uint8_t *block)
{
	for (size_t t = 0; t < 16; t++) {
		memcpy(&w[t], block + 4 * t, 4);
		w[t] = __builtin_bswap32(w[t]);
	}
	for (size_t t = 16; t < 64; t++) {
		const uint32_t x = w[t - 15], y = w[t - 2];

		w[t] = (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10) + w[t - 7] +
		       (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[t - 16];
	}
}

/* One of 64 steps: a to h are v[0] to v[7], and move by one. */
static void step(uint32_t v[static 8], uint32_t added)
{
	const uint32_t a = v[0], e = v[4];
	const uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			    ((e & v[5]) ^ (~e & v[6])) + added;
	const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			    ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

	memmove(v + 1, v, 7 * sizeof(v[0]));
	v[4] += t1;
	v[0] = t1 + t2;
}

static void add_block(struct sha256 *sum, const uint8_t *block)
{
	uint32_t w[64];
	uint32_t v[8];

	make_schedule(w, block);
	memcpy(v, sum->state, sizeof(v));
	for (size_t t = 0; t < 64; t++)
		step(v, k[t] + w[t]);
	for (size_t i = 0; i < 8; i++)
		sum->state[i] += v[i];
}

void sha256_add(struct sha256 *sum, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		const size_t waiting = sum->size % 64;
		const size_t taken = size < 64 - waiting ? size : 64 - waiting;

		memcpy(sum->block + waiting, at, taken);
		if (waiting + taken == 64)
			add_block(sum, sum->block);
		sum->size += taken;
		at += taken;
		size -= taken;
	}
}

void sha256_text(struct sha256 *sum, char text[static SHA256_TEXT_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	static const uint8_t padding[64] = { 0x80 };
	const uint64_t bits = __builtin_bswap64(8 * sum->size);

	sha256_add(sum, padding, 1 + (119 - sum->size % 64) % 64);
	sha256_add(sum, &bits, 8);
	for (size_t i = 0; i < 64; i++)
		text[i] = digits[sum->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
	text[64] = 0;
}
