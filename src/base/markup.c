/* SPDX-License-Identifier: MIT */
#include "base/markup.h"

#include "base/unicode.h"

/* XML cannot represent most control characters, nor U+FFFE and U+FFFF. */
static void put_character(struct buffer *out, uint32_t code)
{
	char encoded[4];

	if (code == '&')
		buffer_text(out, "&amp;");
	else if (code == '<')
		buffer_text(out, "&lt;");
	else if (code == '>')
		buffer_text(out, "&gt;");
	else if (code == '"')
		buffer_text(out, "&quot;");
	else if (code < ' ' || (code >= 0x7F && code < 0xA0))
		buffer_u8(out, ' ');
	else
		buffer_bytes(out, encoded,
			     utf8_put(code == 0xFFFE || code == 0xFFFF ? 0xFFFD : code, encoded));
}

void markup_first(struct buffer *out, const char *text, size_t most)
{
	const char *end = text + strlen(text);

	for (size_t i = 0; text < end && i < most; i++)
		put_character(out, utf8_decode(&text, end));
}

void markup_text(struct buffer *out, const char *text)
{
	markup_first(out, text, SIZE_MAX);
}
