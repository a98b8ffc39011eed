/* SPDX-License-Identifier: MIT */
#include "record/words.h"

#include <ctype.h>
#include <string.h>

struct piece piece_trim(struct piece piece)
{
	while (piece.size && isspace((unsigned char)*piece.at)) {
		piece.at++;
		piece.size--;
	}
	while (piece.size && isspace((unsigned char)piece.at[piece.size - 1]))
		piece.size--;
	return piece;
}

bool word_next(const char **list, const char *signs, char word[static WORD_SIZE])
{
	struct piece piece = { 0 };

	while (**list && !piece.size) {
		piece.at = *list;
		piece.size = strcspn(*list, signs);
		*list += piece.size + ((*list)[piece.size] != '\0');
		piece = piece_trim(piece);
	}
	if (piece.size >= WORD_SIZE)
		piece.size = WORD_SIZE - 1;
	if (piece.size)
		memcpy(word, piece.at, piece.size);
	word[piece.size] = '\0';
	return piece.size != 0;
}
