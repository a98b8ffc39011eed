/* SPDX-License-Identifier: MIT */
/*
 * where_pattern.h - regular expressions that cost little.
 *
 * regcomp() copies what is repeated: ((a{99}){99}){99} takes a million copies, and
 * each + doubles what is before it. Back-references make regexec() try every way
 * to split the text. So these are refused, with a sentence:
 *
 *	more than 512 bytes, groups more than 32 deep
 *	{n,m} with a number above 100
 *	more than 600 characters, with all copies; a group or a repetition counts as two
 *	* + or {n,m} after what may be empty, as in (a*)*, (a|)+ or (a?){9}
 *	\1 to \9
 *
 * Texts are bytes to it: a letter outside ASCII is as many . as it has bytes.
 */
#ifndef ANALYZE_WHERE_PATTERN_H
#define ANALYZE_WHERE_PATTERN_H

#include <regex.h>

#define WHERE_PATTERN_PROBLEM 160

/* -1 if it is refused, with the reason in `problem`; otherwise regfree() is the caller's. */
int where_pattern_compile(regex_t *regex, const char *pattern,
			  char problem[static WHERE_PATTERN_PROBLEM]);

#endif
