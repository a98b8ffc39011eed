/* SPDX-License-Identifier: MIT */
/*
 * XML, and HTML just as strictly: all elements are closed, in order, and special characters are
 * escaped. Only what we write is supported; a name that breaks out of its place would be
 * noticed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"
#include "format_readers.h"

#define DEEPEST 64

struct markup {
	const char *at;
	const char *end;
	bool html;
	struct {
		const char *at;
		size_t size;
	} open[DEEPEST];
	size_t depth;
	const char *problem;
};

static bool check(struct markup *m, bool holds, const char *problem)
{
	if (!holds && !m->problem)
		m->problem = problem;
	return holds;
}

static bool starts(const struct markup *m, const char *words)
{
	const size_t size = strlen(words);

	return (size_t)(m->end - m->at) >= size && !memcmp(m->at, words, size);
}

/* After the next occurrence of the words. */
static void skip_past(struct markup *m, const char *words)
{
	const char *found = memmem(m->at, (size_t)(m->end - m->at), words, strlen(words));

	if (check(m, found, "something is not closed"))
		m->at = found + strlen(words);
}

static bool is_one_of(const char *name, size_t size, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == size && !memcmp(*names, name, size))
			return true;
	return false;
}

static size_t name_size(const struct markup *m)
{
	size_t size = 0;

	while (m->at + size < m->end &&
	       (((m->at[size] | 0x20) >= 'a' && (m->at[size] | 0x20) <= 'z') ||
		(size &&
		 (strchr("-:_", m->at[size]) || (m->at[size] >= '0' && m->at[size] <= '9')))))
		size++;
	return size;
}

static void read_reference(struct markup *m)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", NULL };

	for (size_t i = 0; known[i]; i++)
		if (starts(m, known[i])) {
			m->at += strlen(known[i]);
			return;
		}
	check(m, false, "a & does not start an entity");
}

/* Up to one of these; rejects characters that XML does not allow. */
static void read_text(struct markup *m, const char *stops)
{
	while (!m->problem && m->at < m->end && !strchr(stops, *m->at)) {
		uint32_t code;

		if (*m->at == '&') {
			read_reference(m);
			continue;
		}
		check(m, *m->at != '<', "a < is inside text");
		code = utf8_decode(&m->at, m->end);
		check(m, code >= ' ' || (code && strchr("\t\n\r", (int)code)),
		      "text has a control character");
		check(m, code != 0xFFFE && code != 0xFFFF, "text has an invalid character");
	}
}

/* One attribute, preceded by spaces. */
static void read_attribute(struct markup *m)
{
	m->at += strspn(m->at, " \n");
	if (strchr("/>?", *m->at))
		return;
	if (!check(m, name_size(m), "an attribute has no name"))
		return;
	m->at += name_size(m);
	if (m->html && *m->at != '=')
		return;
	if (check(m, starts(m, "=\""), "an attribute has no value")) {
		m->at += 2;
		read_text(m, "\"");
		m->at++;
	}
}

static void close_element(struct markup *m)
{
	const size_t size = (m->at += 2, name_size(m));

	if (check(m,
		  m->depth && m->open[m->depth - 1].size == size && m->at[size] == '>' &&
			  !memcmp(m->open[m->depth - 1].at, m->at, size),
		  "an element is closed that is not the innermost")) {
		m->depth--;
		m->at += size + 1;
	}
}

/* In HTML, the contents of a script are skipped, up to the first end tag. */
static void read_element(struct markup *m)
{
	static const char *const empty[] = { "meta", "input", "br", "link", NULL };
	const char *name = ++m->at;
	const size_t size = name_size(m);
	bool closed;

	check(m, size, "an element has no name");
	m->at += size;
	while (!m->problem && m->at < m->end && !strchr("/>", *m->at))
		read_attribute(m);
	closed = starts(m, "/>");
	m->at += closed;
	if (m->problem ||
	    !check(m, starts(m, ">") && m->depth < DEEPEST, "an element does not end"))
		return;
	m->at++;
	if (closed || (m->html && is_one_of(name, size, empty)))
		return;
	m->open[m->depth].at = name;
	m->open[m->depth++].size = size;
	if (m->html && size == 6 && !memcmp(name, "script", 6)) {
		skip_past(m, "</script");
		m->at -= strlen("</script");
	}
}

static void read_next(struct markup *m)
{
	if (starts(m, "</")) {
		close_element(m);
	} else if (starts(m, "<![CDATA[")) {
		skip_past(m, "]]>");
	} else if (starts(m, "<")) {
		read_element(m);
	} else {
		read_text(m, "<");
		check(m, m->depth || m->at < m->end || m->at[-1] == '\n',
		      "there is text after the end");
	}
}

static const char *read_markup(const char *text, size_t size, bool html)
{
	/* lookahead of one byte is allowed */
	char *copy = strndup(size ? text : "", size);
	struct markup m = { .at = copy, .end = copy + size, .html = html };

	check(&m, strlen(copy) == size && text_is_utf8(copy, size), "it is not UTF-8");
	if (!m.problem && html)
		check(&m, starts(&m, "<!DOCTYPE html>"), "it is not a page");
	if (!m.problem && (html || starts(&m, "<?xml")))
		skip_past(&m, html ? ">" : "?>");
	while (!m.problem && m.at < m.end)
		read_next(&m);
	check(&m, !m.depth, "an element is never closed");
	free(copy);
	return m.problem;
}

const char *read_xml(const void *bytes, size_t size, stack_found *found, void *to)
{
	(void)found;
	(void)to;
	return read_markup(bytes, size, false);
}

const char *read_page(const void *bytes, size_t size, stack_found *found, void *to)
{
	(void)found;
	(void)to;
	return read_markup(bytes, size, true);
}
