/* SPDX-License-Identifier: MIT */
#include "symbols/build_id.h"

#include <string.h>

#define LEAST 4 /* digits: the first two are a folder, the others a file in it */

bool build_id_is_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789abcdefABCDEF")];
}

static char lower(char digit)
{
	return digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
}

bool build_id_copy(char to[static BUILD_ID_SIZE], const char *text)
{
	const size_t length = text ? strnlen(text, BUILD_ID_SIZE) : 0;

	memset(to, 0, BUILD_ID_SIZE);
	if (length < LEAST || length >= BUILD_ID_SIZE || length % 2 || !build_id_is_digits(text))
		return false;
	for (size_t i = 0; i < length; i++)
		to[i] = lower(text[i]);
	return true;
}
