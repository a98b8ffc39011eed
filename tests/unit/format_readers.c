/* SPDX-License-Identifier: MIT */
#include "format_readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"

void proto_list_add(struct proto_list *list, struct cursor bytes)
{
	list->list = xgrow(list->list, list->count, &list->capacity, sizeof(*list->list));
	list->list[list->count++] = bytes;
}

bool text_is_utf8(const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *start = text;
		char again[4];
		const size_t length = utf8_put(utf8_decode(&text, end), again);

		if ((size_t)(text - start) != length || memcmp(start, again, length) != 0)
			return false;
	}
	return true;
}

const char *proto_list_text(const struct proto_list *list, uint64_t number, struct arena *arena)
{
	struct cursor c;
	const size_t size = number < list->count ? cursor_left(&list->list[number]) : 0;

	if (number >= list->count)
		return NULL;
	if (!size)
		return "";
	c = list->list[number];
	return text_is_utf8((const char *)c.at, size) ? arena_text(arena, (const char *)c.at, size)
						      : NULL;
}
