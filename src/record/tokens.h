/* SPDX-License-Identifier: MIT */
/*
 * tokens.h - the words of a list such as "gc+exception" or "jit, loader".
 */
#ifndef RECORD_TOKENS_H
#define RECORD_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#define TOKEN_SIZE 128 /* the NUL included; nothing that we know is longer */

/* A piece of a text. */
struct token {
	const char *at;
	size_t size;
};

struct token token_trim(struct token piece); /* without blanks at both ends */

/*
 * Moves past the next word that is not empty; false at the end. Signs separate
 * words, blanks around them do not belong to them. A word too long is cut.
 */
bool token_next(const char **list, const char *signs, char word[static TOKEN_SIZE]);

#endif
