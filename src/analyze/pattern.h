/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - patterns on the names of frames, in PerfView's grammar.
 *
 *	%   any number of letters, digits, _ . and ?
 *	*   any number of any characters
 *	^   the start of the name
 *	|   either side
 *	{}  the text inside is $1, $2 ... in the name of a group
 *	@   in front: the rest is a POSIX extended regular expression
 *
 * Other characters match themselves, in any case (A to Z), anywhere in the name. The first match
 * from the left counts, and stars match as much as they can.
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

#define PATTERN_PARTS	10   /* $0, the whole match, to $9 */
#define PATTERN_LONGEST 4096 /* bytes */

struct pattern;

struct pattern_part {
	const char *at; /* NULL: it was not part of the match */
	size_t size;
};

struct pattern_match {
	struct pattern_part parts[PATTERN_PARTS];
};

/* NULL if it is not valid. */
struct pattern *pattern_new(const char *text, size_t size, struct pp_error *err);
void pattern_free(struct pattern *pattern); /* takes NULL */

/* The match points into `name`. A pattern that takes too long does not match. */
bool pattern_find(const struct pattern *pattern, const char *name, struct pattern_match *match);

#endif
