/* SPDX-License-Identifier: MIT */
/*
 * shell_words.h - words as a line that can be pasted into a shell.
 *
 *	shell_word(&arena, "my trace.nettrace")			'my trace.nettrace'
 *	shell_words(&arena, "rm\0-f\0it's", 10)			rm -f 'it'\''s'
 */
#ifndef BASE_SHELL_WORDS_H
#define BASE_SHELL_WORDS_H

#include "base/arena.h"

char *shell_word(struct arena *arena, const char *word);

/* Words with a NUL after each; the last one needs none. */
char *shell_words(struct arena *arena, const char *words, size_t size);

#endif
