/* SPDX-License-Identifier: MIT */
/*
 * pattern_list.h - values of --fold, --include, --exclude and --group: patterns separated by
 * semicolons.
 *
 * A group is PATTERN->NAME, which renames matching frames to NAME, or PATTERN=>NAME, which keeps
 * only the first call into the group, as "NAME <<that call>>". NAME may contain $1 to $9 and $&; an
 * empty one leaves matching frames as they are. A comment in [] may come first.
 *
 * PerfView's patterns for the module of a frame, its path and its class, {%}! {*}! {%!*}.%( and
 * {%!*}::, stand for exactly that, whatever characters are in the names: as patterns they would
 * find "core" in "order-core!Shop.Orders.Place()", and no class at all in names that a compiler
 * generated.
 *
 *	struct pattern_list list;
 *
 *	if (pattern_list_parse(&list, "System%;^lib*!", &err)) ...
 *	bits = pattern_list_matches(&list, "System.IO!Read(int)");
 *	pattern_list_release(&list);
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

/* `text` may be NULL for an empty list. */
int pattern_list_parse(struct pattern_list *list, const char *text, struct pp_error *err);

/* Adds more patterns to a list. */
int pattern_list_append(struct pattern_list *list, const char *text, struct pp_error *err);
void pattern_list_release(struct pattern_list *list);

/* A bit for each pattern that the name matches. */
uint64_t pattern_list_matches(const struct pattern_list *list, const char *name);

/* A frame as rules see it. */
struct frame_names {
	const char *full;	/* module!name */
	const char *with_path;	/* path!name */
	const char *module;	/* "": not code */
	const char *path;	/* of the module */
	const char *class_name; /* module!class; NULL: none */
};

/* What $1 stands for; NULL: the frame has no such part. */
typedef const char *(*frame_part)(const struct frame_names *frame);

struct grouping {
	struct pattern_list patterns;
	struct grouping_rule {
		char *name; /* NULL: $& */
		bool entry;
		frame_part part; /* NULL: a pattern */
	} rules[PATTERN_LIST_MOST];
};

enum grouped {
	GROUPED_NOT,
	GROUPED_SIMPLE,
	GROUPED_ENTRY,
};

/* A list, or the name of a preset: modules, classes, just-my-code, ... NULL and "none" are none. */
int grouping_parse(struct grouping *grouping, const char *text, struct pp_error *err);
const char *grouping_preset(size_t index); /* its name; NULL past the last */
void grouping_release(struct grouping *grouping);

/*
 * A rule is matched with the frame and its module's path in front, or else the module's name. The
 * group's name replaces `out`, not terminated.
 */
enum grouped grouping_apply(const struct grouping *grouping, const struct frame_names *frame,
			    struct buffer *out);

#endif
