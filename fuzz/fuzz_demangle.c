/* SPDX-License-Identifier: MIT */
/*
 * Any string is a symbol. Its name must be of bounded size, and UTF-8 if the symbol is ASCII.
 * What is outside angle brackets must be the same where template arguments are folded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/unicode.h"
#include "symbols/demangle.h"

#define NAME_MOST   ((size_t)64 * 1024)
#define SMALL_NAME  ((size_t)8 * 1024) /* that <...> for <i> cannot bring to the limit */
#define FOLDED	    "<...>"
#define FOLDED_SIZE (sizeof(FOLDED) - 1)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_utf8(const struct buffer *name)
{
	const char *at = (const char *)name->bytes;
	const char *end = at + name->size;

	while (at < end) {
		char again[4];
		const char *from = at;
		const size_t size = utf8_put(utf8_decode(&at, end), again);

		if (size != (size_t)(at - from) || memcmp(from, again, size) != 0)
			abort();
	}
}

static void check_name(const struct buffer *name, const char *symbol)
{
	const char *tail = strchr(symbol, '@');

	if (!name->size)
		return;
	if (name->size > 2 * NAME_MOST + (tail ? strlen(tail) : 0))
		abort();
	for (const char *at = symbol; *at; at++)
		if ((unsigned char)*at >= 0x80)
			return;
	check_utf8(name);
}

/* Each part between two <...> is in the name, after the one before it. */
static void check_folded(const struct buffer *name, const struct buffer *folded)
{
	const char *at = (const char *)name->bytes;
	const char *end = at + name->size;
	const char *part = (const char *)folded->bytes;
	const char *last = part + folded->size;

	while (part < last) {
		const char *stop = memmem(part, (size_t)(last - part), FOLDED, FOLDED_SIZE);
		const size_t size = (size_t)((stop ? stop : last) - part);
		const char *found = memmem(at, (size_t)(end - at), part, size);

		if (!found)
			abort();
		at = found + size;
		part += size + (stop ? FOLDED_SIZE : 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *symbol = calloc(1, size + 1);
	struct buffer name = { 0 };
	struct buffer folded = { 0 };

	if (!symbol)
		abort();
	if (size)
		memcpy(symbol, data, size);
	const bool is_name = demangle(symbol, 0, &name);
	const bool is_folded = demangle(symbol, DEMANGLE_FOLD, &folded);
	if (is_name)
		check_name(&name, symbol);
	if (is_folded)
		check_name(&folded, symbol);
	if (is_name && !is_folded && name.size < SMALL_NAME)
		abort();
	if ((!is_name && name.size) || (!is_folded && folded.size))
		abort();
	if (is_name && is_folded && name.size && folded.size)
		check_folded(&name, &folded);
	buffer_release(&name);
	buffer_release(&folded);
	free(symbol);
	return 0;
}
