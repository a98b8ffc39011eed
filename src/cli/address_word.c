/* SPDX-License-Identifier: MIT */
#include "cli/address_word.h"

#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

enum digits {
	DIGITS_NONE,
	DIGITS_FIT,
	DIGITS_TOO_MANY,
};

static enum digits read_digits(const char *text, uint64_t *address)
{
	const bool has_prefix = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *at = text + (has_prefix ? 2 : 0);
	const char *first = at + strspn(at, "0");

	*address = 0;
	if (!*at)
		return DIGITS_NONE;
	for (; *at; at++) {
		if (hex_digit(*at) < 0)
			return DIGITS_NONE;
		*address = *address << 4 | (uint64_t)hex_digit(*at);
	}
	return at > first + 16 ? DIGITS_TOO_MANY : DIGITS_FIT;
}

static enum digits read_word(const char *word, struct address_word *found)
{
	const char *plus = strrchr(word, '+');

	found->module_size = plus && plus > word ? (size_t)(plus - word) : 0;
	return read_digits(found->module_size ? plus + 1 : word, &found->address);
}

bool address_word_read(const char *word, struct address_word *found)
{
	return read_word(word, found) == DIGITS_FIT;
}

int address_word_parse(const char *word, struct address_word *found, struct pp_error *err)
{
	switch (read_word(word, found)) {
	case DIGITS_FIT:
		return 0;
	case DIGITS_TOO_MANY:
		return error_set(err, PP_ERROR_USAGE, "the address '%s' has more than 64 bits",
				 word);
	default:
		return error_set(err, PP_ERROR_USAGE,
				 "'%s' is not an address: those are hexadecimal, such as 0x1139, "
				 "or FILE+0x1139",
				 word);
	}
}
