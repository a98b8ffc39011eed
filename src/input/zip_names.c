/* SPDX-License-Identifier: MIT */
#include "input/zip_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/unicode.h"

/* Ranges that are not shown: controls, line breaks, bidi overrides, and U+FFFD. */
static const uint32_t hidden[][2] = {
	{ 0, 0x1F },	    { 0x7F, 0x9F },	{ 0x200B, 0x200F }, { 0x2028, 0x202E },
	{ 0x2066, 0x2069 }, { 0xFEFF, 0xFEFF }, { 0xFFFD, 0xFFFD },
};

static uint32_t shown(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_COUNT(hidden); i++)
		if (code >= hidden[i][0] && code <= hidden[i][1])
			return '?';
	return code;
}

void zip_name_clean(const uint8_t *bytes, size_t size, char *out)
{
	static const char cut[] = "...";
	char *last = out + ZIP_NAME - sizeof(cut) - 4; /* a code point takes up to four bytes */
	const char *at = (const char *)bytes;
	const char *end = at + size;

	while (at < end && out <= last)
		out += utf8_put(shown(utf8_decode(&at, end)), out);
	strcpy(out, at < end ? cut : "");
}

void zip_names_add(struct zip_names *names, const char *clean)
{
	if (names->count < ZIP_NAMES_SHOWN)
		strcpy(names->shown[names->count], clean);
	names->count++;
}

static const char *joint(const struct zip_names *names, size_t i)
{
	if (i == 0)
		return "";
	return i + 1 == names->count ? " and " : ", ";
}

void zip_names_list(const struct zip_names *names, char *out, size_t size)
{
	const size_t most = names->count < ZIP_NAMES_SHOWN ? names->count : ZIP_NAMES_SHOWN;
	size_t used = (size_t)snprintf(out, size, "%s", names->count ? "" : "nothing");

	for (size_t i = 0; i < most && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", joint(names, i),
					 names->shown[i]);
	if (names->count > most && used < size)
		snprintf(out + used, size - used, " and %zu other%s", names->count - most,
			 names->count - most > 1 ? "s" : "");
}
