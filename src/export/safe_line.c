/* SPDX-License-Identifier: MIT */
#include "export/safe_line.h"

#include <stdbool.h>
#include <string.h>

#include "base/unicode.h"

static bool is_refused(uint32_t code, const char *forbidden)
{
	return code < ' ' || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
	       (code < 0x7F && strchr(forbidden, (int)code));
}

void safe_line_put(struct buffer *out, const char *text, const char *forbidden, char replacement)
{
	const char *end = text + strlen(text);

	while (text < end) {
		const uint32_t code = utf8_decode(&text, end);
		char bytes[4];
		const size_t size = utf8_put(code, bytes);

		if (is_refused(code, forbidden))
			buffer_u8(out, (uint8_t)replacement);
		else
			buffer_bytes(out, bytes, size);
	}
}
