/* SPDX-License-Identifier: MIT */
#include "clr/method_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/method_name.h"

/* The parts of "RETURNS [MODULE] TYPE::NAME(ARGUMENTS)", all in `copy`. */
struct parts {
	char *copy;
	char *module;
	char *type;
	char *name;
	char *arguments; /* after the opening parenthesis */
};

/* The last "] " before `end`; types do not contain it. */
static char *last_bracket(char *start, const char *end)
{
	char *last = NULL;

	for (char *at = strstr(start, "] "); at && at < end; at = strstr(at + 1, "] "))
		last = at;
	return last;
}

static bool split(struct parts *parts, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *colons;
	char *bracket;

	parts->copy = xcalloc(size, 1);
	memcpy(parts->copy, text, size);
	colons = strstr(parts->copy, "::");
	bracket = colons ? last_bracket(parts->copy, colons) : NULL;
	parts->arguments = colons ? strchr(colons, '(') : NULL;
	if (!bracket || !parts->arguments)
		return false;
	*colons = *bracket = *parts->arguments++ = 0;
	parts->module = strrchr(parts->copy, '[');
	if (!parts->module || parts->module == parts->copy || parts->module[-1] != ' ')
		return false;
	parts->module[-1] = 0;
	parts->module++;
	parts->type = bracket + 2;
	parts->name = colons + 2;
	return true;
}

/* Writes "instance void (class System.String)", without the modules of the types. */
static void put_signature(struct buffer *out, const struct parts *parts)
{
	const char *at = parts->arguments;

	buffer_text(out, parts->copy);
	buffer_bytes(out, "  (", 3);
	while (*at) {
		const char *end = *at == ' ' && at[1] == '[' ? strchr(at, ']') : NULL;

		buffer_u8(out, (uint8_t)*at);
		at = end ? end + 1 : at + 1;
	}
	buffer_u8(out, 0);
}

static void put_name(struct buffer *out, const struct parts *parts)
{
	struct buffer signature = { 0 };

	put_signature(&signature, parts);
	method_name_source(out,
			   &(struct method_name){ .type = parts->type,
						  .name = parts->name,
						  .signature = (const char *)signature.bytes });
	buffer_release(&signature);
}

/* A string without these parts is left unchanged. */
static void put_text(struct buffer *out, const char *text, bool module_first)
{
	struct parts parts = { 0 };

	if (!split(&parts, text)) {
		buffer_text(out, text);
	} else if (module_first) {
		buffer_text(out, parts.module);
		buffer_u8(out, '!');
		put_name(out, &parts);
	} else {
		put_name(out, &parts);
		buffer_text(out, " [");
		buffer_text(out, parts.module);
		buffer_u8(out, ']');
	}
	xfree(parts.copy);
}

void method_text_frame(struct buffer *out, const char *text)
{
	put_text(out, text, true);
}

void method_text_source(struct buffer *out, const char *text)
{
	put_text(out, text, false);
}
