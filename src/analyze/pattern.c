/* SPDX-License-Identifier: MIT */
/*
 * A pattern is compiled into a program for a backtracking matcher, as in regular expressions of
 * .NET: the first way to match wins. Steps are counted, since several stars may have very many ways
 * to match.
 */
#include "analyze/pattern.h"

#include <assert.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/where_pattern.h"
#include "analyze/where_text.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"

#define STEPS	100000 /* for one name */
#define DEEPEST 64     /* nested groups */

enum operation {
	OP_CHARACTER,
	OP_WORD, /* % */
	OP_ANY,	 /* * */
	OP_START,
	OP_EITHER, /* the next instruction, or `target` */
	OP_JUMP,
	OP_OPEN, /* a group */
	OP_CLOSE,
	OP_DONE,
};

struct instruction {
	enum operation operation;
	char character; /* of OP_CHARACTER, folded; of a group its number */
	size_t target;
};

struct pattern {
	struct instruction *code;
	size_t count;
	size_t capacity;
	bool is_regex;
	regex_t regex;
	struct heap_drop *drop; /* of the regex, whose memory is not ours */
};

static size_t put(struct pattern *p, enum operation operation, char character)
{
	p->code = xgrow(p->code, p->count, &p->capacity, sizeof(*p->code));
	p->code[p->count] = (struct instruction){ .operation = operation, .character = character };
	return p->count++;
}

/* A group, or the whole pattern, while it is compiled. */
struct level {
	size_t start;  /* of the current side of | */
	size_t *jumps; /* of earlier sides, to the end of the group */
	size_t jump_count;
	size_t jump_capacity;
	char group;
};

struct compiling {
	struct pattern *pattern;
	struct level levels[DEEPEST];
	unsigned depth;
	char groups; /* so far */
};

static struct level *level(struct compiling *c)
{
	return &c->levels[c->depth];
}

/* The side before the bar gets a branch in front of it and a jump after it. */
static void put_bar(struct compiling *c)
{
	struct pattern *p = c->pattern;
	struct level *at = level(c);
	const size_t size = p->count - at->start;
	size_t jump;

	put(p, OP_EITHER, 0);
	memmove(p->code + at->start + 1, p->code + at->start, size * sizeof(*p->code));
	for (size_t i = at->start + 1; i < p->count; i++)
		if ((p->code[i].operation == OP_EITHER || p->code[i].operation == OP_JUMP) &&
		    p->code[i].target >= at->start)
			p->code[i].target++;
	jump = put(p, OP_JUMP, 0);
	p->code[at->start] = (struct instruction){ .operation = OP_EITHER, .target = p->count };
	at->jumps = xgrow(at->jumps, at->jump_count, &at->jump_capacity, sizeof(*at->jumps));
	at->jumps[at->jump_count++] = jump;
	at->start = p->count;
}

static void end_level(struct compiling *c)
{
	struct level *at = level(c);

	for (size_t i = 0; i < at->jump_count; i++)
		c->pattern->code[at->jumps[i]].target = c->pattern->count;
	xfree(at->jumps);
	at->jumps = NULL;
}

static int open_group(struct compiling *c, struct pp_error *err)
{
	if (c->depth + 1 == DEEPEST)
		return error_set(err, PP_ERROR_USAGE, "the pattern has braces too deep");
	if (c->groups < PATTERN_PARTS) /* groups after the ninth cannot be named */
		c->groups++;
	put(c->pattern, OP_OPEN, c->groups);
	c->depth++;
	*level(c) = (struct level){ .start = c->pattern->count, .group = c->groups };
	return 0;
}

static int close_group(struct compiling *c, struct pp_error *err)
{
	const char group = level(c)->group;

	if (!c->depth)
		return error_set(err, PP_ERROR_USAGE, "the pattern has a } without a {");
	end_level(c);
	c->depth--;
	put(c->pattern, OP_CLOSE, group);
	return 0;
}

static int compile_character(struct compiling *c, char character, struct pp_error *err)
{
	switch (character) {
	case '%':
		put(c->pattern, OP_WORD, 0);
		return 0;
	case '*':
		put(c->pattern, OP_ANY, 0);
		return 0;
	case '^':
		put(c->pattern, OP_START, 0);
		return 0;
	case '|':
		put_bar(c);
		return 0;
	case '{':
		return open_group(c, err);
	case '}':
		return close_group(c, err);
	default:
		put(c->pattern, OP_CHARACTER, where_fold(character));
		return 0;
	}
}

static int compile(struct pattern *p, const char *text, size_t size, struct pp_error *err)
{
	struct compiling c = { .pattern = p };
	int failed = 0;

	for (size_t i = 0; i < size && !failed; i++)
		failed = compile_character(&c, text[i], err);
	if (!failed && c.depth)
		failed = error_set(err, PP_ERROR_USAGE, "the pattern has a { without a }");
	for (;; c.depth--) {
		end_level(&c);
		if (!c.depth)
			break;
	}
	put(p, OP_DONE, 0);
	return failed;
}

static void drop_regex(void *regex)
{
	regfree(regex);
}

static int compile_regex(struct pattern *p, const char *text, size_t size, struct pp_error *err)
{
	char problem[WHERE_PATTERN_PROBLEM];
	char *copy = xcalloc(1, size + 1);
	int failed;

	memcpy(copy, text, size);
	failed = where_pattern_compile(&p->regex, copy, problem);
	if (!failed) { /* it costs little: now with its parts */
		regfree(&p->regex);
		failed = regcomp(&p->regex, copy, REG_EXTENDED | REG_ICASE);
		snprintf(problem, sizeof(problem), "not a valid regular expression");
	}
	p->is_regex = !failed;
	if (failed)
		error_set(err, PP_ERROR_USAGE, "the pattern '@%s': %s", copy, problem);
	else
		p->drop = heap_on_drop(drop_regex, &p->regex);
	xfree(copy);
	return failed ? -1 : 0;
}

struct pattern *pattern_new(const char *text, size_t size, struct pp_error *err)
{
	struct pattern *p = xcalloc(1, sizeof(*p));
	int failed;

	if (size > PATTERN_LONGEST)
		failed = error_set(err, PP_ERROR_USAGE, "a pattern has at most %d characters",
				   PATTERN_LONGEST);
	else if (size && *text == '@')
		failed = compile_regex(p, text + 1, size - 1, err);
	else
		failed = compile(p, text, size, err);
	if (!failed)
		return p;
	pattern_free(p);
	return NULL;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	if (p->is_regex)
		regfree(&p->regex);
	heap_forget_drop(p->drop);
	xfree(p->code);
	xfree(p);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '?' || (unsigned char)c >= 0x80;
}

struct matching {
	const struct pattern *pattern;
	const char *name;
	struct pattern_match *match;
	size_t steps;
};

static const char *run(struct matching *m, size_t at, const char *name);

/* As many characters as possible, then fewer. */
static const char *run_star(struct matching *m, size_t at, const char *name)
{
	const bool any = m->pattern->code[at].operation == OP_ANY;
	const char *end = name;

	assert(end);
	while (*end && (any ? *end != '\n' : is_word(*end)))
		end++;
	for (;; end--) {
		const char *found = run(m, at + 1, end);

		if (found || end == name)
			return found;
	}
}

/* Sets the group's edge, and restores it if there is no match. */
static const char *run_group(struct matching *m, size_t at, const char *name)
{
	const struct instruction *i = &m->pattern->code[at];
	const char *found;

	if (i->character < PATTERN_PARTS) {
		struct pattern_part *part = &m->match->parts[(int)i->character];
		const struct pattern_part before = *part;

		if (i->operation == OP_OPEN)
			part->at = name;
		else
			part->size = (size_t)(name - part->at);
		found = run(m, at + 1, name);
		if (!found)
			*part = before;
		return found;
	}
	return run(m, at + 1, name);
}

/* Where the match ends, or NULL. */
static const char *run(struct matching *m, size_t at, const char *name)
{
	for (;;) {
		assert(name);
		const struct instruction *i = &m->pattern->code[at];
		const char *found;

		if (!m->steps)
			return NULL;
		m->steps--;
		switch (i->operation) {
		case OP_CHARACTER:
			if (where_fold(*name) != i->character || !*name)
				return NULL;
			name++;
			at++;
			break;
		case OP_START:
			if (name != m->name)
				return NULL;
			at++;
			break;
		case OP_WORD:
		case OP_ANY:
			return run_star(m, at, name);
		case OP_OPEN:
		case OP_CLOSE:
			return run_group(m, at, name);
		case OP_EITHER:
			found = run(m, at + 1, name);
			if (found)
				return found;
			at = i->target;
			break;
		case OP_JUMP:
			at = i->target;
			break;
		default:
			return name;
		}
	}
}

static bool find_regex(const struct pattern *p, const char *name, struct pattern_match *match)
{
	regmatch_t found[PATTERN_PARTS];

	if (regexec(&p->regex, name, PATTERN_PARTS, found, 0))
		return false;
	for (size_t i = 0; i < PATTERN_PARTS; i++)
		if (found[i].rm_so >= 0) {
			match->parts[i].at = name + found[i].rm_so;
			match->parts[i].size = (size_t)(found[i].rm_eo - found[i].rm_so);
		}
	return true;
}

bool pattern_find(const struct pattern *p, const char *name, struct pattern_match *match)
{
	struct matching m = { .pattern = p, .name = name, .match = match, .steps = STEPS };

	assert(name);
	*match = (struct pattern_match){ 0 };
	if (p->is_regex)
		return find_regex(p, name, match);
	for (const char *at = name;; at++) {
		const char *end = run(&m, 0, at);

		if (end) {
			match->parts[0] = (struct pattern_part){ at, (size_t)(end - at) };
			return true;
		}
		if (!*at || !m.steps || p->code[0].operation == OP_START)
			return false;
		*match = (struct pattern_match){ 0 };
	}
}
