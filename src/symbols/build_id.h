/* SPDX-License-Identifier: MIT */
/*
 * build_id.h - build ids as text: two hexadecimal digits for each byte.
 *
 * They come from files and traces and become parts of paths, so any other text is refused.
 */
#ifndef SYMBOLS_BUILD_ID_H
#define SYMBOLS_BUILD_ID_H

#include <stdbool.h>

#define BUILD_ID_SIZE 129 /* of 64 bytes, more than any linker's, with the NUL */

/* In lower case, and zeros after it. False: it is not a build id; accepts NULL. */
bool build_id_copy(char to[static BUILD_ID_SIZE], const char *text);

/* Digits alone, such as the beginning of one. */
bool build_id_is_digits(const char *text);

#endif
