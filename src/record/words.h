/* SPDX-License-Identifier: MIT */
/*
 * words.h - the words of a list such as "gc+exception" or "jit, loader".
 */
#ifndef RECORD_WORDS_H
#define RECORD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define WORD_SIZE 128 /* the NUL included; nothing that we know is longer */

/* A piece of a text. */
struct piece {
	const char *at;
	size_t size;
};

struct piece piece_trim(struct piece piece); /* without blanks at both ends */

/*
 * Moves past the next word that is not empty; false at the end. Signs separate
 * words, blanks around them do not belong to them. A word too long is cut.
 */
bool word_next(const char **list, const char *signs, char word[static WORD_SIZE]);

#endif
