/* SPDX-License-Identifier: MIT */
/*
 * sha256.h - SHA-256, to verify that a file is unchanged.
 *
 *	struct sha256 sum = sha256_start();
 *	sha256_add(&sum, bytes, size);
 *	sha256_text(&sum, text);
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT_SIZE 65 /* 64 digits and a NUL */

struct sha256 {
	uint32_t state[8];
	uint64_t size;
	uint8_t block[64]; /* its first size % 64 bytes are filled */
};

struct sha256 sha256_start(void);
void sha256_add(struct sha256 *sum, const void *bytes, size_t size);

/* The sum in lower case; nothing can be added afterwards. */
void sha256_text(struct sha256 *sum, char text[static SHA256_TEXT_SIZE]);

#endif
