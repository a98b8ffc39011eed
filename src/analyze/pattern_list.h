/* SPDX-License-Identifier: MIT */
/*
 * pattern_list.h - what --fold, --include, --exclude and --group take: patterns with
 * semicolons between them.
 *
 * A group is PATTERN->NAME, where what matches is called NAME, or PATTERN=>NAME, where only
 * the first call into it is kept, as "NAME <<that call>>". NAME may hold $1 to $9 and
 * $&, and an empty NAME leaves what matches alone. A comment in [] may stand in front.
 */
#ifndef ANALYZE_PATTERN_LIST_H
#define ANALYZE_PATTERN_LIST_H

#include "analyze/pattern.h"
#include "base/buffer.h"

#define PATTERN_LIST_MOST 48

struct pattern_list {
	struct pattern *patterns[PATTERN_LIST_MOST];
	size_t count;
};

/* `text` may be NULL, for none. */
int pattern_list_parse(struct pattern_list *list, const char *text, struct pp_error *err);
void pattern_list_release(struct pattern_list *list);

/* A bit for each pattern that the name matches. */
uint64_t pattern_list_matches(const struct pattern_list *list, const char *name);

struct grouping {
	struct pattern_list patterns;
	struct grouping_rule {
		char *name; /* NULL: $& */
		bool entry;
	} rules[PATTERN_LIST_MOST];
};

enum grouped {
	GROUPED_NOT,
	GROUPED_SIMPLE,
	GROUPED_ENTRY,
};

/* A list, or the name of a preset: modules, classes, just-my-code, ... NULL and "none" are none. */
int grouping_parse(struct grouping *grouping, const char *text, struct pp_error *err);
void grouping_release(struct grouping *grouping);

/*
 * A rule sees the frame with its module's path in front, and where that does not match, with
 * the module's name. The group's is left in `out`, which is written over; it is not terminated.
 */
enum grouped grouping_apply(const struct grouping *grouping, const char *with_path,
			    const char *name, struct buffer *out);

#endif
