/* SPDX-License-Identifier: MIT */
#include "export/trace_links.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const struct export_link no_link;

static uint32_t add(struct export_links *links, const struct export_link *link)
{
	links->list = xgrow(links->list, links->count, &links->capacity, sizeof(*links->list));
	links->list[links->count] = *link;
	return (uint32_t)links->count++;
}

uint32_t export_link_of(struct export_links *links, const struct pp_event *event)
{
	const struct pp_labels *labels = event->labels;
	struct export_link link = no_link;
	struct interned *known;

	if (!links->count)
		add(links, &no_link);
	if (!labels || !(labels->present & PP_LABEL_TRACE))
		return 0;
	memcpy(link.trace_id, labels->trace_id, sizeof(link.trace_id));
	for (unsigned i = 0; labels->present & PP_LABEL_SPAN && i < 8; i++)
		link.span_id[i] = (uint8_t)(labels->span_id >> (56 - 8 * i));
	if (!memcmp(&link, &no_link, sizeof(link)))
		return 0;
	known = intern_add(&links->by_content, &links->arena, &link, sizeof(link));
	if (!known->value)
		known->value = (void *)(uintptr_t)add(links, &link);
	return (uint32_t)(uintptr_t)known->value;
}

void export_links_release(struct export_links *links)
{
	xfree(links->list);
	map_release(&links->by_content);
	arena_release(&links->arena);
}
