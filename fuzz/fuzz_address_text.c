/* SPDX-License-Identifier: MIT */
/*
 * Any text is a line. Each address found in it must be a number that is there, in order and apart
 * from the others, and a module must be a part of the line.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/address_text.h"

#define MOST 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *line, const struct text_address *found, size_t least)
{
	const size_t size = strcspn(line, "\n");

	if (found->at < least || !found->size || found->at + found->size > size)
		abort();
	if (strtoull(line + found->at, NULL, 16) != found->address)
		abort();
	if (found->module_size && found->module_at + found->module_size > size)
		abort();
	if (found->module_offset && !found->module_size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = calloc(1, size + 1);
	struct text_address found[MOST];

	if (!line)
		abort();
	if (size)
		memcpy(line, data, size);
	const size_t count = address_text_find(line, found, MOST);
	for (size_t i = 0, least = 0; i < count && i < MOST; i++) {
		check(line, &found[i], least);
		least = found[i].at + found[i].size;
	}
	if (address_text_find(line, NULL, 0) != count)
		abort();
	free(line);
	return 0;
}
