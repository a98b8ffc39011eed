/* SPDX-License-Identifier: MIT */
/*
 * An expression becomes a list of steps that set or test one flag, without a tree:
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

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/where_test.h"
#include "base/alloc.h"
#include "base/error.h"

#define BLANKS	   " \t\r\n\v\f"
#define QUOTES	   "\"'"
#define SIGNS	   "=<>!~"
#define NAME_ENDS  BLANKS QUOTES SIGNS "()"
#define VALUE_ENDS BLANKS "()"
#define SHOWN	   40 /* bytes of a word in a message */

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
	struct where_test *tests; /* all of them, in any order */
	struct buffer room;
	const char *provider;
	const char *event;
};

struct where_parser {
	struct where *where;
	const char *text; /* all of it */
	const char *at;
	struct where_text last; /* read last */
	unsigned depth;
	unsigned patterns;
	struct pp_error *err;
};

/* A name or a value without its quotes, in the arena. */
struct word {
	const char *text;
	const char *at; /* where it begins */
	bool quoted;
};

/* Counted in characters, from 1. */
static size_t column_of(const struct where_parser *p, const char *at)
{
	size_t column = 1;

	for (const char *c = p->text; c < at; c++)
		column += (*c & 0xC0) != 0x80; /* not in the middle of a character */
	return column;
}

/* Returns -1. The message gets the column in front. */
PRINTF_LIKE(3, 4)
static int fail(struct where_parser *p, const char *at, const char *fmt, ...)
{
	char what[sizeof(p->err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return error_set(p->err, PP_ERROR_USAGE, "column %zu: %s", column_of(p, at), what);
}

/* Truncated for a message, between two characters. */
static struct where_text shown(struct where_text text)
{
	if (text.size > SHOWN)
		for (text.size = SHOWN; text.size && (text.at[text.size] & 0xC0) == 0x80;)
			text.size--;
	return text;
}

static bool is_end(struct where_parser *p)
{
	p->at += strspn(p->at, BLANKS);
	return !*p->at;
}

/* "column 7: a value was expected after ==" */
static int fail_expected(struct where_parser *p, const char *what)
{
	const struct where_text last = shown(p->last);

	is_end(p);
	if (!last.size)
		return fail(p, p->at, "%s was expected", what);
	return fail(p, p->at, "%s was expected after %.*s", what, (int)last.size, last.at);
}

/* Up to one of the ends; && and || end every word, a single & or | does not. */
static size_t bare_size(const char *at, const char *ends)
{
	const char *end = at;

	while (*end && !strchr(ends, *end) && !((*end == '&' || *end == '|') && end[0] == end[1]))
		end++;
	return (size_t)(end - at);
}

static void take(struct where_parser *p, size_t size)
{
	p->last = (struct where_text){ p->at, size };
	p->at += size;
}

/* Skips this word or sign if it comes next. */
static bool takes(struct where_parser *p, const char *word)
{
	const struct where_text wanted = where_text_of(word);
	struct where_text next;

	if (is_end(p))
		return false;
	next.at = p->at;
	next.size = where_fold(*word) >= 'a' && where_fold(*word) <= 'z'
			    ? bare_size(next.at, NAME_ENDS)
			    : strnlen(next.at, wanted.size);
	if (!where_text_same(next, wanted))
		return false;
	take(p, wanted.size);
	return true;
}

/* The next word, for messages; it is not skipped. */
static struct where_text next_word(const struct where_parser *p)
{
	const char *at = p->at + strspn(p->at, BLANKS);
	const size_t size = bare_size(at, VALUE_ENDS);

	return shown((struct where_text){ at, size || !*at ? size : 1 });
}

/* A backslash makes the quote, or another backslash, an ordinary character. */
static bool is_escape(const char *at)
{
	return *at == '\\' && at[1] && strchr(QUOTES "\\", at[1]);
}

static int parse_quoted(struct where_parser *p, struct word *word)
{
	const char quote = *p->at;
	const char *end = p->at + 1;
	char *out;

	while (*end && *end != quote)
		end += is_escape(end) ? 2 : 1;
	if (!*end)
		return fail(p, p->at, "the quote that opens here is never closed");
	word->text = out = arena_alloc(&p->where->arena, (size_t)(end - p->at));
	for (const char *c = p->at + 1; c < end; c++) {
		c += is_escape(c);
		*out++ = *c;
	}
	word->quoted = true;
	take(p, (size_t)(end + 1 - p->at));
	return 0;
}

static bool is_join(struct where_text word)
{
	return where_text_same(word, where_text_of("and")) ||
	       where_text_same(word, where_text_of("or"));
}

/* Where a word ends depends on what it is: `List<int>` is a value, but `Depth<5` a name and more.
 */
static int parse_word(struct where_parser *p, struct word *word, const char *ends, const char *what)
{
	const size_t size = is_end(p) ? 0 : bare_size(p->at, ends);

	*word = (struct word){ .at = p->at };
	if (*p->at && strchr(QUOTES, *p->at))
		return parse_quoted(p, word);
	if (!size || strchr(SIGNS "&|", *p->at) || is_join((struct where_text){ p->at, size }))
		return fail_expected(p, what);
	word->text = arena_text(&p->where->arena, p->at, size);
	take(p, size);
	return 0;
}

static size_t add_step(struct where *w, enum step_kind kind, const struct where_test *test)
{
	w->steps = xgrow(w->steps, w->count, &w->capacity, sizeof(*w->steps));
	w->steps[w->count] = (struct step){ .kind = kind, .test = test };
	return w->count++;
}

/* "GC/Start::Depth" */
static int parse_name(struct where_parser *p, struct where_test *test)
{
	struct word name;
	const char *colon;

	if (parse_word(p, &name, NAME_ENDS, "the name of a field"))
		return -1;
	assert(name.text);
	if (!name.quoted && where_number_of(name.text, strlen(name.text)).kind)
		return fail(p, name.at, "the name of a field was expected before the number");
	colon = memrchr(name.text, ':', strlen(name.text));
	test->path = colon && colon > name.text && colon[-1] == ':' ? colon + 1 : name.text;
	if (test->path > name.text)
		test->event =
			arena_text(&p->where->arena, name.text, (size_t)(colon - 1 - name.text));
	return *test->path ? 0 : fail_expected(p, "the name of a field");
}

static int parse_operator(struct where_parser *p, struct where_test *test)
{
	for (const struct where_operator *o = where_operators; o->word; o++)
		if (takes(p, o->word)) {
			test->relation = o;
			return 0;
		}
	return fail_expected(p, "an operator such as == or contains");
}

static int compile(struct where_parser *p, struct where_test *test, const struct word *value)
{
	char problem[WHERE_PATTERN_PROBLEM];

	if (p->patterns++ == WHERE_PATTERNS)
		return fail(p, value->at, "there are more than %d patterns", WHERE_PATTERNS);
	if (where_pattern_compile(&test->pattern, value->text, problem))
		return fail(p, value->at, "the pattern cannot be used: %s", problem);
	test->has_pattern = true;
	return 0;
}

static int parse_value(struct where_parser *p, struct where_test *test)
{
	struct word value;

	if (parse_word(p, &value, VALUE_ENDS, "a value"))
		return -1;
	where_operand_init(&test->operand, value.text, value.quoted, &p->where->arena);
	return where_operator_matches(test->relation) ? compile(p, test, &value) : 0;
}

static int parse_comparison(struct where_parser *p)
{
	struct where_test *test = arena_new(&p->where->arena, struct where_test);

	test->next = p->where->tests;
	p->where->tests = test;
	if (parse_name(p, test) || parse_operator(p, test) || parse_value(p, test))
		return -1;
	add_step(p->where, STEP_TEST, test);
	return 0;
}

static int parse_or(struct where_parser *p);

/* After the "(". */
static int parse_group(struct where_parser *p)
{
	const char *open = p->last.at;
	struct where_text next;

	if (p->depth++ == WHERE_DEEPEST)
		return fail(p, open, "parentheses are more than %d deep", WHERE_DEEPEST);
	if (parse_or(p))
		return -1;
	p->depth--;
	if (takes(p, ")"))
		return 0;
	next = next_word(p);
	if (!next.size)
		return fail(p, open, "the ( that opens here is never closed");
	return fail(p, next.at, "and, or, or ) was expected, not %.*s", (int)next.size, next.at);
}

static int parse_term(struct where_parser *p)
{
	bool negated = false;

	while (takes(p, "!") || takes(p, "not"))
		negated = !negated;
	if (takes(p, "(") ? parse_group(p) : parse_comparison(p))
		return -1;
	if (negated)
		add_step(p->where, STEP_NOT, NULL);
	return 0;
}

/* Joined by and: the first that fails decides. */
static int parse_and(struct where_parser *p)
{
	if (parse_term(p))
		return -1;
	while (takes(p, "&&") || takes(p, "and")) {
		const size_t jump = add_step(p->where, STEP_UNLESS, NULL);

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
	while (takes(p, "||") || takes(p, "or")) {
		const size_t jump = add_step(p->where, STEP_IF, NULL);

		if (parse_and(p))
			return -1;
		p->where->steps[jump].target = p->where->count;
	}
	return 0;
}

static int parse_all(struct where_parser *p)
{
	struct where_text next;

	if (strnlen(p->text, WHERE_LONGEST + 1) > WHERE_LONGEST)
		return error_set(p->err, PP_ERROR_USAGE, "the expression has more than %d bytes",
				 WHERE_LONGEST);
	if (parse_or(p))
		return -1;
	next = next_word(p);
	if (!next.size)
		return 0;
	if (*next.at == ')')
		return fail(p, next.at, "this ) closes nothing");
	return fail(p, next.at,
		    "and, or, or the end was expected, not %.*s (text with blanks or parentheses "
		    "needs quotes)",
		    (int)next.size, next.at);
}

struct where *where_parse(const char *text, struct pp_error *err)
{
	struct where *w = xcalloc(1, sizeof(*w));
	struct where_parser p = { .where = w, .text = text, .at = text, .err = err };

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
	xfree(w->steps);
	arena_release(&w->arena);
	xfree(w);
}

void where_set_event(struct where *w, const char *provider, const char *name)
{
	w->provider = provider;
	w->event = name;
}

/* "Provider/part of the name", as it is copied from a report. */
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

const char *where_path(const struct where *w, size_t index)
{
	const struct where_test *test = w->tests;

	while (test && index--)
		test = test->next;
	return test ? test->path : NULL;
}
