/* SPDX-License-Identifier: MIT */
#include "symbols/demangle.h"

#include <string.h>

#include "base/array.h"
#include "symbols/demangle_kinds.h"

#define NAME_MOST ((size_t)64 * 1024) /* longer names are nobody's */

/* A legacy name of Rust is one of C++ too, with a hash as its last part. */
static const struct {
	const char *prefix;
	bool (*demangle)(const struct mangled_name *name, struct buffer *text);
} kinds[] = {
	{ "_R", demangle_rust_v0 },
	{ "_ZN", demangle_rust_legacy },
	{ "_Z", demangle_cpp },
	{ "_GLOBAL_", demangle_cpp },
};

static bool is_ascii(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

static bool has_prefix(const struct mangled_name *name, const char *prefix)
{
	const size_t size = strlen(prefix);

	return name->size > size && !memcmp(name->text, prefix, size);
}

static bool demangle_as_any(const struct mangled_name *name, struct buffer *text)
{
	const size_t from = text->size;

	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
		if (has_prefix(name, kinds[i].prefix) && kinds[i].demangle(name, text))
			return true;
		buffer_rewind(text, from);
	}
	return false;
}

bool demangle(const char *symbol, unsigned flags, struct buffer *text)
{
	const struct mangled_name name = { symbol, strcspn(symbol, "@"), flags & DEMANGLE_FOLD };

	/* most symbols of C programs end here */
	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R' && symbol[1] != 'G'))
		return false;
	if (name.size > NAME_MOST || !is_ascii(symbol, name.size) || !demangle_as_any(&name, text))
		return false;
	buffer_text(text, symbol + name.size); /* "@plt", or a version */
	return true;
}
