/* SPDX-License-Identifier: MIT */
#include "model/strings.h"

#include "base/content.h"

const char *strings_intern(struct strings *strings, const char *text, size_t size)
{
	return content_add(&strings->by_content, strings->arena, text, size)->bytes;
}

void strings_release(struct strings *strings)
{
	map_release(&strings->by_content);
}
