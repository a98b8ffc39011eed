/* SPDX-License-Identifier: MIT */
#include "model/strings.h"

#include <string.h>

#include "base/hash.h"

struct string {
	struct string *same_hash;
	size_t size;
	char text[];
};

static const struct string *find(const struct strings *strings, uint64_t hash, const char *text,
				 size_t size)
{
	const struct string *s = map_find(&strings->by_content, hash);

	while (s && (s->size != size || memcmp(s->text, text, size) != 0))
		s = s->same_hash;
	return s;
}

const char *strings_intern(struct strings *strings, const char *text, size_t size)
{
	const struct string *known;
	struct string *s;
	uint64_t hash;

	text = size ? text : ""; /* an empty buffer has no bytes at all */
	hash = hash_bytes(text, size);
	known = find(strings, hash, text, size);
	if (known)
		return known->text;
	s = arena_alloc(strings->arena, sizeof(*s) + size + 1);
	memcpy(s->text, text, size);
	s->size = size;
	s->same_hash = map_find(&strings->by_content, hash);
	map_put(&strings->by_content, hash, s);
	return s->text;
}

void strings_release(struct strings *strings)
{
	map_release(&strings->by_content);
}
