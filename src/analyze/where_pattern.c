/* SPDX-License-Identifier: MIT */
/*
 * The weight of a pattern is about the number of nodes that regcomp() makes of it:
 * one for a character or class, two for a group, an anchor or a repetition, which cost more, times
 * how often the pattern repeats it. Time grows with the third power of the weight; but where a loop
 * may match no character, as in (a*)*, it may double with each further ?, and empty copies, as in
 * (){9}, are slow to search with. So what may be empty must not be repeated.
 */
#include "analyze/where_pattern.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

#define LONGEST	 512
#define DEEPEST	 32
#define REPEATED 100
#define HEAVIEST 600
#define EMPTY	 2 /* the weight of nodes that take no character */

struct group {
	size_t weight;
	bool branch_empty; /* this branch may be, up to the last part */
	bool empty;	   /* an earlier branch may be */
};

struct weighing {
	const char *at;
	struct group groups[DEEPEST + 1]; /* that are open; the first is the whole */
	size_t depth;
	size_t last;	 /* weight of the part that a repetition would repeat; 0: none */
	bool last_empty; /* it may be empty */
	const char *problem;
};

static struct group *innermost(struct weighing *w)
{
	return &w->groups[w->depth];
}

/* No repetition follows the last part. */
static void settle_last(struct weighing *w)
{
	innermost(w)->branch_empty &= !w->last || w->last_empty;
	w->last = 0;
}

static void weigh_part(struct weighing *w, bool empty)
{
	settle_last(w);
	w->last = empty ? EMPTY : 1;
	w->last_empty = empty;
	innermost(w)->weight += w->last;
}

static void weigh_atom(struct weighing *w)
{
	weigh_part(w, false);
}

static void weigh_anchor(struct weighing *w)
{
	weigh_part(w, true);
}

/* \b, \B, \<, \>, \` and \' are anchors. */
static void weigh_escape(struct weighing *w)
{
	const char escaped = w->at[1];

	if (escaped >= '1' && escaped <= '9')
		w->problem = "back-references such as \\1 are not supported";
	w->at += escaped ? 1 : 0;
	weigh_part(w, escaped && strchr("bB<>`'", escaped));
}

/* "[:alpha:]" within a class, where a "]" does not end it. */
static const char *named_class_end(const char *at)
{
	const char kind = at[1];

	if (kind != ':' && kind != '.' && kind != '=')
		return at;
	for (const char *end = at + 2; *end; end++)
		if (end[0] == kind && end[1] == ']')
			return end + 1;
	return at;
}

static void weigh_class(struct weighing *w)
{
	const char *end = w->at + 1;

	end += *end == '^';
	end += *end == ']'; /* as the first one it is an ordinary character */
	while (*end && *end != ']') {
		if (*end == '[')
			end = named_class_end(end);
		end++;
	}
	w->at = *end ? end : end - 1;
	weigh_atom(w);
}

static void weigh_open(struct weighing *w)
{
	settle_last(w);
	if (w->depth == DEEPEST)
		w->problem = "its groups are more than 32 deep";
	else
		w->groups[++w->depth] = (struct group){ .weight = EMPTY, .branch_empty = true };
}

static void weigh_branch(struct weighing *w)
{
	settle_last(w);
	innermost(w)->empty |= innermost(w)->branch_empty;
	innermost(w)->branch_empty = true;
	innermost(w)->weight++;
}

static void weigh_close(struct weighing *w)
{
	struct group *closed = innermost(w);

	if (!w->depth)
		return;
	settle_last(w);
	w->depth--;
	w->last = closed->weight;
	w->last_empty = closed->empty || closed->branch_empty;
	innermost(w)->weight += w->last;
}

static void weigh_copies(struct weighing *w, size_t copies)
{
	if (copies > 1) {
		innermost(w)->weight += w->last * (copies - 1);
		w->last *= copies;
	}
}

/* A repetition is a node of its own, which (a?b){100} copies. */
static void weigh_option(struct weighing *w)
{
	w->last += EMPTY;
	w->last_empty = true;
	innermost(w)->weight += EMPTY;
}

static void refuse_empty(struct weighing *w)
{
	if (w->last && w->last_empty)
		w->problem = "it repeats what may be empty, as in (a*)*";
}

static void weigh_star(struct weighing *w)
{
	refuse_empty(w);
	weigh_option(w);
}

static void weigh_plus(struct weighing *w)
{
	refuse_empty(w);
	weigh_copies(w, 2);
	weigh_option(w);
	w->last_empty = false;
}

/* Skips a number; REPEATED + 1 if it is larger than that. */
static size_t take_count(const char **at)
{
	size_t count = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		if (count <= REPEATED)
			count = 10 * count + (size_t)(**at - '0');
	return count > REPEATED ? REPEATED + 1 : count;
}

/* {n}, {n,}, {,m} or {n,m}; anything else is not a repetition, or regcomp() refuses it. */
static void weigh_interval(struct weighing *w)
{
	const char *at = w->at + 1;
	const size_t lower = take_count(&at);
	size_t upper = lower, copies = lower;

	if (*at == ',') {
		const char *second = ++at;

		upper = take_count(&at);
		copies = at == second ? lower + 1 : upper; /* {n,} is n copies and one with a * */
	}
	if (*at != '}') {
		weigh_atom(w);
		return;
	}
	refuse_empty(w);
	if (lower > REPEATED || upper > REPEATED)
		w->problem = "it repeats something more than 100 times";
	w->at = at;
	weigh_copies(w, copies);
	weigh_option(w);
	w->last_empty = !lower;
}

static const struct {
	char first;
	void (*weigh)(struct weighing *w);
} parts[] = {
	{ '\\', weigh_escape }, { '[', weigh_class },  { '(', weigh_open },
	{ ')', weigh_close },	{ '|', weigh_branch }, { '*', weigh_star },
	{ '+', weigh_plus },	{ '?', weigh_option }, { '{', weigh_interval },
	{ '^', weigh_anchor },	{ '$', weigh_anchor },
};

static void weigh_next(struct weighing *w)
{
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (*w->at == parts[i].first) {
			parts[i].weigh(w);
			return;
		}
	weigh_atom(w);
}

/* Each step multiplies by 101 at most, and the first sum that is too large ends it. */
static const char *weigh(const char *pattern)
{
	struct weighing w = { .at = pattern, .groups[0].branch_empty = true };

	if (strlen(pattern) > LONGEST)
		return "it has more than 512 bytes";
	for (; *w.at && !w.problem; w.at++) {
		weigh_next(&w);
		if (innermost(&w)->weight > HEAVIEST && !w.problem)
			w.problem = "its repetitions make it too large";
	}
	return w.problem;
}

int where_pattern_compile(regex_t *regex, const char *pattern,
			  char problem[static WHERE_PATTERN_PROBLEM])
{
	const char *refused = weigh(pattern);
	int failed;

	if (refused) {
		snprintf(problem, WHERE_PATTERN_PROBLEM, "%s", refused);
		return -1;
	}
	failed = regcomp(regex, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (failed)
		regerror(failed, regex, problem, WHERE_PATTERN_PROBLEM);
	return failed ? -1 : 0;
}
