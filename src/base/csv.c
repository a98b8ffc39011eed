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

static bool needs_quotes(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r')
			return true;
	return false;
}

static void put_cell(struct buffer *out, const char *prefix, const uint8_t *bytes, size_t size)
{
	const bool quotes = needs_quotes(bytes, size);

	buffer_bytes(out, "\"", quotes);
	buffer_text(out, prefix);
	if (!quotes)
		buffer_bytes(out, bytes, size);
	for (size_t i = 0; i < size && quotes; i++) {
		buffer_bytes(out, "\"", bytes[i] == '"');
		buffer_u8(out, bytes[i]);
	}
	buffer_bytes(out, "\"", quotes);
}

void csv_put_text(struct buffer *out, const char *text, size_t size)
{
	put_cell(out, begins_like_a_formula(text, size) ? "'" : "", (const uint8_t *)text, size);
}

void csv_put_plain(struct buffer *out, const void *bytes, size_t size)
{
	put_cell(out, "", bytes, size);
}
