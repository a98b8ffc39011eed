/* SPDX-License-Identifier: MIT */
/*
 * The input is a list of patterns up to the first NUL, and names after it. Any of them must
 * give an answer or an error of one sentence, the same twice, and a match must lie within the
 * name.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pattern_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_parts(const char *name, const struct pattern_match *match)
{
	const size_t size = strlen(name);

	for (size_t i = 0; i < PATTERN_PARTS; i++) {
		const struct pattern_part *part = &match->parts[i];

		if (part->at && (part->at < name || part->at > name + size ||
				 part->size > size - (size_t)(part->at - name)))
			abort();
	}
}

static void match_name(const struct pattern_list *list, const struct grouping *grouping,
		       const char *name)
{
	const uint64_t bits = pattern_list_matches(list, name);
	struct buffer out = { 0 };
	enum grouped grouped;

	for (size_t i = 0; i < list->count; i++) {
		struct pattern_match match;
		const bool found = pattern_find(list->patterns[i], name, &match);

		if (found != (bits >> i & 1))
			abort();
		if (found)
			check_parts(name, &match);
	}
	grouped = grouping_apply(grouping,
				 &(const struct frame_names){ .full = name + strlen(name) / 2,
							      .with_path = name,
							      .module = name,
							      .path = name,
							      .class_name = name },
				 &out);
	if (grouped != GROUPED_NOT && !out.size)
		abort();
	buffer_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1);
	struct pp_error err = { 0 };
	struct pattern_list list;
	struct grouping grouping;
	const char *at;

	if (!text || size > 4096) {
		free(text);
		return 0;
	}
	if (size)
		memcpy(text, data, size);
	if ((pattern_list_parse(&list, text, &err) && !err.text[0]) ||
	    (grouping_parse(&grouping, text, &err) && !err.text[0]))
		abort();
	for (at = text + strlen(text); at < text + size; at += strlen(at) + 1)
		match_name(&list, &grouping, at);
	pattern_list_release(&list);
	grouping_release(&grouping);
	free(text);
	return 0;
}
