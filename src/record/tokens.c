/* SPDX-License-Identifier: MIT */
#include "record/tokens.h"

#include <ctype.h>
#include <string.h>

struct token token_trim(struct token piece)
{
	while (piece.size && isspace((unsigned char)*piece.at)) {
		piece.at++;
		piece.size--;
	}
	while (piece.size && isspace((unsigned char)piece.at[piece.size - 1]))
		piece.size--;
	return piece;
}

bool token_next(const char **list, const char *signs, char word[static TOKEN_SIZE])
{
	struct token piece = { 0 };

	while (**list && !piece.size) {
		piece.at = *list;
		piece.size = strcspn(*list, signs);
		*list += piece.size + ((*list)[piece.size] != '\0');
		piece = token_trim(piece);
	}
	if (piece.size >= TOKEN_SIZE)
		piece.size = TOKEN_SIZE - 1;
	if (piece.size)
		memcpy(word, piece.at, piece.size);
	word[piece.size] = '\0';
	return piece.size != 0;
}
