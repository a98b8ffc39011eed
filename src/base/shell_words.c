/* SPDX-License-Identifier: MIT */
#include "base/shell_words.h"

#include <stdbool.h>
#include <string.h>

/* Characters without a meaning to a shell, which a tilde has at the start only. */
static bool is_plain(const char *word, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const char c = word[i];
		const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter && !(c >= '0' && c <= '9') && !(c & 0x80) && !strchr("%+,-./:=@_^~", c))
			return false;
	}
	return size && *word != '~';
}

static char *put_word(char *out, const char *word, size_t size)
{
	const bool quoted = !is_plain(word, size);

	if (quoted)
		*out++ = '\'';
	for (size_t i = 0; i < size; i++) {
		if (word[i] == '\'') /* after closing the quotes, and opens them again */
			out = stpcpy(out, "'\\'");
		*out++ = word[i];
	}
	if (quoted)
		*out++ = '\'';
	return out;
}

char *shell_words(struct arena *arena, const char *words, size_t size)
{
	char *line, *out;

	line = out = arena_alloc(arena, size * 4 + 4);
	while (size) {
		const size_t length = strnlen(words, size);
		const size_t with_end = length < size ? length + 1 : length;

		if (out != line)
			*out++ = ' ';
		out = put_word(out, words, length);
		words += with_end;
		size -= with_end;
	}
	return line;
}

char *shell_word(struct arena *arena, const char *word)
{
	return shell_words(arena, word, strlen(word) + 1);
}
