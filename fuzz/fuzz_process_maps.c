/* SPDX-License-Identifier: MIT */
/* The text of /proc/PID/maps, whose paths the process chooses; mappings must be in order and found.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/process_maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct process_maps *maps, size_t i)
{
	const struct process_mapping *mapping = &maps->list[i];

	if (mapping->start >= mapping->end || (i && mapping->start < maps->list[i - 1].end) ||
	    process_maps_find(maps, mapping->start) != mapping ||
	    process_maps_find(maps, mapping->end - 1) != mapping ||
	    strlen(mapping->path) > maps->size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct process_maps maps;

	process_maps_parse(&maps, (const char *)data, size);
	for (size_t i = 0; i < maps.count; i++)
		check(&maps, i);
	process_maps_release(&maps);
	return 0;
}
