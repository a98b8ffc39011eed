/* SPDX-License-Identifier: MIT */
/*
 * strings.h - texts kept once each, so that comparing pointers compares them.
 *
 *	struct strings strings = { .arena = &arena };
 *	const char *name = strings_intern(&strings, text, strlen(text));
 *	strings_release(&strings);
 */
#ifndef MODEL_STRINGS_H
#define MODEL_STRINGS_H

#include "base/arena.h"
#include "base/map.h"

struct strings {
	struct arena *arena; /* where they live */
	struct map by_content;
};

const char *strings_intern(struct strings *strings, const char *text, size_t size);
void strings_release(struct strings *strings);

#endif
