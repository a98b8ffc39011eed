/* SPDX-License-Identifier: MIT */
#include "base/guid.h"

void guid_text(const uint8_t *guid, char *text)
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		*text++ = digits[guid[order[i]] >> 4];
		*text++ = digits[guid[order[i]] & 15];
	}
	*text = '\0';
}
