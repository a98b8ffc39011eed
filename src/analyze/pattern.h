/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - patterns on the names of frames, in PerfView's grammar.
 *
 *	%   any number of letters, digits, _ . and ?
 *	*   any number of any characters
 *	^   the start of the name
 *	|   either side
 *	{}  what it stands for is $1, $2 ... in the name of a group
 *	@   in front: the rest is a POSIX extended regular expression
 *
 * All else means itself, in any case (A to Z), anywhere in the name. The first way to
 * match from the left is taken, and stars take as much as they can.
 *
 *	struct pattern *pattern = pattern_new("System%!{*}(", 12, &err);
 *	struct pattern_match match;
 *	if (pattern_find(pattern, "System.IO!Read(int)", &match))
 *		...match.parts[1] is "Read"
 *	pattern_free(pattern);
 */
#ifndef ANALYZE_PATTERN_H
#define ANALYZE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "perfpipe/error.h"

#define PATTERN_PARTS	10   /* $0, which is all of it, to $9 */
#define PATTERN_LONGEST 4096 /* bytes */

struct pattern;

struct pattern_part {
	const char *at; /* NULL: it was not part of the match */
	size_t size;
};

struct pattern_match {
	struct pattern_part parts[PATTERN_PARTS];
};

/* NULL if it makes no sense, with one sentence. */
struct pattern *pattern_new(const char *text, size_t size, struct pp_error *err);
void pattern_free(struct pattern *pattern); /* takes NULL */

/* The match points into `name`. A pattern that takes too long does not match. */
bool pattern_find(const struct pattern *pattern, const char *name, struct pattern_match *match);

#endif
