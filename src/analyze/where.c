/* SPDX-License-Identifier: MIT */
/*
 * An expression becomes a list of steps over one truth, without a tree:
 *
 *	a and not b or c	0 test a
 *				1 unless it holds, go to 4
 *				2 test b
 *				3 not
 *				4 if it holds, go to 6
 *				5 test c
 *				6
 */
#include "analyze/where.h"

#include <stdlib.h>

#include "analyze/where_scan.h"
#include "analyze/where_test.h"
#include "base/alloc.h"

enum step_kind {
	STEP_TEST,
	STEP_NOT,
	STEP_IF,     /* it holds, go to the target */
	STEP_UNLESS, /* it holds, go to the target */
};

struct step {
	enum step_kind kind;
	size_t target;
	const struct where_test *test;
};

struct where {
	struct arena arena;
	struct step *steps;
	size_t count;
	size_t capacity;
	struct where_test *tests; /* all of them, in no order */
	struct buffer room;
	const char *provider;
	const char *event;
};

struct where_parser {
	struct where *where;
	struct where_scan scan;
	unsigned depth;
	unsigned patterns;
};

static int parse_or(struct where_parser *p);

static struct step *add_step(struct where *w, enum step_kind kind)
{
	struct step *step;

	w->steps = xgrow(w->steps, w->count, &w->capacity, sizeof(*w->steps));
	step = &w->steps[w->count++];
	*step = (struct step){ .kind = kind };
	return step;
}

static struct where_test *add_test(struct where *w)
{
	struct where_test *test = arena_new(&w->arena, struct where_test);

	test->next = w->tests;
	w->tests = test;
	return test;
}

/* "GC/Start::Depth" */
static int parse_name(struct where_parser *p, struct where_test *test)
{
	struct where_word name;
	const char *colon;

	if (where_scan_name(&p->scan, &name))
		return -1;
	if (!name.quoted && where_number_of(name.text, strlen(name.text)).kind)
		return where_scan_fail(&p->scan, name.at,
				       "the name of a field was expected before the number");
	colon = memrchr(name.text, ':', strlen(name.text));
	test->path = colon && colon > name.text && colon[-1] == ':' ? colon + 1 : name.text;
	if (test->path > name.text)
		test->event =
			arena_text(&p->where->arena, name.text, (size_t)(colon - 1 - name.text));
	if (!*test->path)
		return where_scan_expected(&p->scan, "the name of a field");
	return 0;
}

static int parse_operator(struct where_parser *p, struct where_test *test)
{
	for (const struct where_operator *o = where_operators; o->word; o++)
		if (where_scan_takes(&p->scan, o->word)) {
			test->relation = o;
			return 0;
		}
	return where_scan_expected(&p->scan, "an operator such as == or contains");
}

static int compile(struct where_parser *p, struct where_test *test, const struct where_word *value)
{
	char problem[WHERE_PATTERN_PROBLEM];

	if (p->patterns++ == WHERE_PATTERNS)
		return where_scan_fail(&p->scan, value->at, "there are more than %d patterns",
				       WHERE_PATTERNS);
	if (where_pattern_compile(&test->pattern, value->text, problem))
		return where_scan_fail(&p->scan, value->at, "the pattern cannot be used: %s",
				       problem);
	test->has_pattern = true;
	return 0;
}

static int parse_value(struct where_parser *p, struct where_test *test)
{
	struct where_word value;

	if (where_scan_value(&p->scan, &value))
		return -1;
	where_operand_init(&test->operand, value.text, value.quoted, &p->where->arena);
	return where_operator_matches(test->relation) ? compile(p, test, &value) : 0;
}

static int parse_comparison(struct where_parser *p)
{
	struct where_test *test = add_test(p->where);

	if (parse_name(p, test) || parse_operator(p, test) || parse_value(p, test))
		return -1;
	add_step(p->where, STEP_TEST)->test = test;
	return 0;
}

/* Behind the "(". */
static int parse_group(struct where_parser *p)
{
	const char *open = p->scan.last.at;
	struct where_text next;

	if (p->depth++ == WHERE_DEEPEST)
		return where_scan_fail(&p->scan, open, "parentheses are more than %d deep",
				       WHERE_DEEPEST);
	if (parse_or(p))
		return -1;
	p->depth--;
	if (where_scan_takes(&p->scan, ")"))
		return 0;
	next = where_scan_next(&p->scan);
	if (!next.size)
		return where_scan_fail(&p->scan, open, "the ( that opens here is never closed");
	return where_scan_fail(&p->scan, next.at, "and, or, or ) was expected, not %.*s",
			       (int)next.size, next.at);
}

static int parse_term(struct where_parser *p)
{
	bool negated = false;

	while (where_scan_takes(&p->scan, "!") || where_scan_takes(&p->scan, "not"))
		negated = !negated;
	if (where_scan_takes(&p->scan, "(") ? parse_group(p) : parse_comparison(p))
		return -1;
	if (negated)
		add_step(p->where, STEP_NOT);
	return 0;
}

/* Joined by and: the first that fails decides. */
static int parse_and(struct where_parser *p)
{
	if (parse_term(p))
		return -1;
	while (where_scan_takes(&p->scan, "&&") || where_scan_takes(&p->scan, "and")) {
		const size_t jump = p->where->count;

		add_step(p->where, STEP_UNLESS);
		if (parse_term(p))
			return -1;
		p->where->steps[jump].target = p->where->count;
	}
	return 0;
}

/* Joined by or: the first that holds decides. */
static int parse_or(struct where_parser *p)
{
	if (parse_and(p))
		return -1;
	while (where_scan_takes(&p->scan, "||") || where_scan_takes(&p->scan, "or")) {
		const size_t jump = p->where->count;

		add_step(p->where, STEP_IF);
		if (parse_and(p))
			return -1;
		p->where->steps[jump].target = p->where->count;
	}
	return 0;
}

static int parse_all(struct where_parser *p)
{
	struct where_text next;

	if (strnlen(p->scan.text, WHERE_LONGEST + 1) > WHERE_LONGEST)
		return error_set(p->scan.err, PP_ERROR_USAGE,
				 "the expression has more than %d bytes", WHERE_LONGEST);
	if (parse_or(p))
		return -1;
	next = where_scan_next(&p->scan);
	if (!next.size)
		return 0;
	if (*next.at == ')')
		return where_scan_fail(&p->scan, next.at, "this ) closes nothing");
	return where_scan_fail(&p->scan, next.at,
			       "and, or, or the end was expected, not %.*s (text with blanks or "
			       "parentheses needs quotes)",
			       (int)next.size, next.at);
}

struct where *where_parse(const char *text, struct pp_error *err)
{
	struct where *w = xcalloc(1, sizeof(*w));
	struct where_parser p = {
		.where = w, .scan = { .text = text, .at = text, .arena = &w->arena, .err = err }
	};

	if (parse_all(&p)) {
		where_free(w);
		return NULL;
	}
	return w;
}

void where_free(struct where *w)
{
	if (!w)
		return;
	for (struct where_test *test = w->tests; test; test = test->next)
		if (test->has_pattern)
			regfree(&test->pattern);
	buffer_release(&w->room);
	free(w->steps);
	arena_release(&w->arena);
	free(w);
}

void where_set_event(struct where *w, const char *provider, const char *name)
{
	w->provider = provider;
	w->event = name;
}

/* "Provider/part of the name", as people copy it. */
static bool full_name_fits(struct where_text wanted, struct where_text provider,
			   struct where_text event)
{
	if (!where_text_starts(wanted, provider) || wanted.at[provider.size] != '/')
		return false;
	return where_text_contains(event, where_text_of(wanted.at + provider.size + 1));
}

static bool event_fits(const struct where *w, const char *part)
{
	const struct where_text wanted = where_text_of(part);
	const struct where_text event = where_text_of(w->event ? w->event : "");
	const struct where_text provider = where_text_of(w->provider ? w->provider : "");

	return where_text_contains(event, wanted) || where_text_contains(provider, wanted) ||
	       full_name_fits(wanted, provider, event);
}

static bool test_holds(struct where *w, const struct where_test *test, const struct value *values,
		       size_t count)
{
	if (test->event && !event_fits(w, test->event))
		return false;
	return where_test_holds(test, values, count, &w->room);
}

bool where_matches(struct where *w, const struct value *values, size_t count)
{
	bool holds = false;

	for (size_t i = 0; i < w->count;) {
		const struct step *step = &w->steps[i++];

		if (step->kind == STEP_TEST)
			holds = test_holds(w, step->test, values, count);
		else if (step->kind == STEP_NOT)
			holds = !holds;
		else if (holds == (step->kind == STEP_IF))
			i = step->target;
	}
	return holds;
}

bool where_uses(const struct where *w, const char *name)
{
	for (const struct where_test *test = w->tests; test; test = test->next)
		if (where_path_below(test->path, name))
			return true;
	return false;
}
