/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <string.h>

#include "base/array.h"

/* What OWASP lists under "CSV injection", with the full-width forms; and the apostrophe itself. */
static const char *const formula_starts[] = {
	"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'",
};

static bool begins_like_a_formula(const char *text, size_t size)
{
	for (size_t i = 0; i < ARRAY_COUNT(formula_starts); i++) {
		const size_t start = strlen(formula_starts[i]);

		if (size >= start && !memcmp(text, formula_starts[i], start))
			return true;
	}
	return false;
}

static bool needs_quotes(const uint8_t *at, const uint8_t *end)
{
	for (; at < end; at++)
		if (*at == ',' || *at == '"' || *at == '\n' || *at == '\r')
			return true;
	return false;
}

static void put_cell(struct buffer *out, const char *prefix, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	const uint8_t *end = at + size;
	const bool quotes = needs_quotes(at, end);

	buffer_bytes(out, "\"", quotes);
	buffer_text(out, prefix);
	if (!quotes)
		buffer_bytes(out, bytes, size);
	for (; quotes && at < end; at++) {
		buffer_bytes(out, "\"", *at == '"');
		buffer_u8(out, *at);
	}
	buffer_bytes(out, "\"", quotes);
}

void csv_put_text(struct buffer *out, const char *text, size_t size)
{
	put_cell(out, begins_like_a_formula(text, size) ? "'" : "", text, size);
}

void csv_put_plain(struct buffer *out, const void *bytes, size_t size)
{
	put_cell(out, "", bytes, size);
}
