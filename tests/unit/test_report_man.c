/* SPDX-License-Identifier: MIT */
/*
 * The manual pages list the keys of every JSON output, and no others. A page says
 *
 *	.TP
 *	.B Keys
 *	count, total_ns, gcs[]
 *	.TP
 *	.B gcs[], gcs[].parent
 *	number, phases_ns{}
 *	.PP
 *
 * in its section JSON, or, for a view of a report, in the section of the view, where the first tag
 * is "JSON keys". Names in bold that can only be keys, since they have an underscore, and tags that
 * explain keys are keys of the output as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "analyze/findings.h"
#include "base/alloc.h"
#include "cli/output_kinds.h"
#include "places.h"
#include "report/report.h"
#include "report/schema.h"

#define LINE 512

/* Keys as "gcs[] number", sorted to be compared. */
struct key_list {
	struct arena *arena;
	char **list;
	size_t count, capacity;
};

static void add(struct key_list *keys, const char *path, const char *key, const char *mark)
{
	const size_t size = strlen(path) + strlen(key) + strlen(mark) + 2;
	char *text = arena_alloc(keys->arena, size);

	snprintf(text, size, "%s %s%s", path, key, mark);
	keys->list = xgrow(keys->list, keys->count, &keys->capacity, sizeof(*keys->list));
	keys->list[keys->count++] = text;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void sort(struct key_list *keys)
{
	if (keys->count)
		qsort(keys->list, keys->count, sizeof(*keys->list), by_text);
}

static bool has(const struct key_list *keys, const char *text)
{
	return keys->count && bsearch(&text, keys->list, keys->count, sizeof(*keys->list), by_text);
}

/* Whether any object of the output has the key. */
static bool has_key(const struct key_list *keys, const char *key)
{
	const size_t size = strlen(key);

	for (size_t i = 0; i < keys->count; i++) {
		const char *at = strchr(keys->list[i], ' ') + 1;

		if (!strncmp(at, key, size) && (!at[size] || strchr("[{", at[size])))
			return true;
	}
	return false;
}

static bool is_type(const json_t *property, const char *name)
{
	const json_t *type = json_object_get(property, "type");

	if (json_is_array(type))
		type = json_array_get(type, 0);
	return json_is_string(type) && !strcmp(json_string_value(type), name);
}

static void add_properties(struct key_list *keys, const char *path, json_t *properties)
{
	const char *key;
	json_t *property;

	json_object_foreach(properties, key, property)
	{
		const bool is_list = is_type(property, "array");
		json_t *inner = is_list ? json_object_get(property, "items") : property;
		char below[LINE];

		snprintf(below, sizeof(below), "%s%s%s%s", path, *path ? "." : "", key,
			 is_list ? "[]" : "");
		add(keys, path, key, is_list ? "[]" : is_type(property, "object") ? "{}" : "");
		inner = json_object_get(inner, "properties");
		if (inner)
			add_properties(keys, below, inner);
	}
}

static void read_schema(struct key_list *keys, const struct result_kind *kind)
{
	struct buffer text = { 0 };
	struct json json = { .out = &text };
	json_t *root;

	schema_put(&json, NULL, kind);
	root = json_loadb((const char *)text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	add_properties(keys, "", json_object_get(root, "properties"));
	json_decref(root);
	buffer_release(&text);
	sort(keys);
}

/* The description of an output: a section of a page. */
struct man_section {
	struct arena *arena;
	char page[64];
	char heading[64];	 /* ".SH JSON" */
	struct key_list listed;	 /* in lists of keys */
	struct key_list written; /* in bold, elsewhere */
};

static const char *const breaks = " \t\n,.;:()\"[]{}";

/* The words of a line that could be keys; those that are `tags` need no underscore. */
static void add_words(struct man_section *section, char *line, bool tags)
{
	for (char *word = strtok(line, breaks); word; word = strtok(NULL, breaks)) {
		const size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_");
		const bool is_name = !word[letters] && *word != '_';

		if (is_name && (tags || strchr(word, '_')))
			add(&section->written, "", word, "");
	}
}

/* "gcs[], gcs[].parent": all have the keys of the line. */
static void add_listed(struct man_section *section, const char *paths, char *line)
{
	char *rest;

	for (char *key = strtok_r(line, " ,\n", &rest); key; key = strtok_r(NULL, " ,\n", &rest)) {
		char list[LINE];
		char *next;

		snprintf(list, sizeof(list), "%s", paths);
		if (!*list)
			add(&section->listed, "", key, "");
		for (char *path = strtok_r(list, " ,", &next); path;
		     path = strtok_r(NULL, " ,", &next))
			add(&section->listed, path, key, "");
	}
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* The state while reading a page. */
struct man_place {
	bool inside;	  /* the section */
	bool at_tag;	  /* the line before was .TP */
	bool in_list;	  /* of keys */
	bool after_list;  /* tags are keys */
	char paths[LINE]; /* of the list */
};

static void read_tag(struct man_section *section, struct man_place *at, char *line)
{
	if (begins(line, ".B Keys") || begins(line, ".B JSON keys")) {
		at->in_list = true;
		*at->paths = '\0';
	} else if (at->in_list) {
		snprintf(at->paths, sizeof(at->paths), "%s", line + 3);
		at->paths[strcspn(at->paths, "\n")] = '\0';
	} else {
		add_words(section, line + strcspn(line, " "), at->after_list);
	}
}

static void read_line(struct man_section *section, struct man_place *at, char *line)
{
	const bool was_tag = at->at_tag;

	at->at_tag = begins(line, ".TP");
	if (was_tag) {
		read_tag(section, at, line);
	} else if (begins(line, ".PP")) {
		at->after_list |= at->in_list;
		at->in_list = false;
	} else if (at->in_list && *line != '.') {
		add_listed(section, at->paths, line);
	} else if (begins(line, ".B") || begins(line, ".RB")) {
		add_words(section, line + strcspn(line, " "), false);
	}
}

static void read_man(struct man_section *section)
{
	FILE *file = fopen(place_of("MAN", "doc/man", section->page), "r");
	const size_t size = strlen(section->heading);
	struct man_place at = { 0 };
	char line[LINE];

	section->listed.arena = section->written.arena = section->arena;
	if (!file)
		fail_msg("there is no %s", section->page);
	while (file && fgets(line, sizeof(line), file)) {
		if (begins(line, ".SH") || begins(line, ".SS"))
			at = (struct man_place){ .inside = begins(line, section->heading) &&
							   line[size] == '\n' };
		else if (at.inside)
			read_line(section, &at, line);
	}
	fclose(file);
	sort(&section->listed);
}

/* Rows of any list may have it; the section SEVERAL TRACES explains it. */
static bool is_common(const char *key)
{
	return !strcmp(strchr(key, ' '), " by_file[]");
}

static size_t compare(const struct man_section *section, const struct key_list *keys)
{
	size_t wrong = 0;

	for (size_t i = 0; i < keys->count; i++)
		if (!has(&section->listed, keys->list[i]) && !is_common(keys->list[i])) {
			print_error("%s, %s, does not list '%s'\n", section->page,
				    section->heading + 4, keys->list[i]);
			wrong++;
		}
	for (size_t i = 0; i < section->listed.count; i++)
		if (!has(keys, section->listed.list[i])) {
			print_error("%s, %s, lists '%s', which no output has\n", section->page,
				    section->heading + 4, section->listed.list[i]);
			wrong++;
		}
	for (size_t i = 0; i < section->written.count; i++)
		if (!has_key(keys, section->written.list[i] + 1)) {
			print_error("%s, %s, names '%s', which no output has\n", section->page,
				    section->heading + 4, section->written.list[i] + 1);
			wrong++;
		}
	return wrong;
}

static size_t check(const struct result_kind *kind, const char *page, const char *heading)
{
	struct arena arena = { 0 };
	struct key_list keys = { .arena = &arena };
	struct man_section section = { .arena = &arena };
	size_t wrong;

	snprintf(section.page, sizeof(section.page), "perfpipe-%s.1", page);
	snprintf(section.heading, sizeof(section.heading), "%s", heading);
	read_schema(&keys, kind);
	read_man(&section);
	wrong = compare(&section, &keys);
	xfree(keys.list);
	xfree(section.listed.list);
	xfree(section.written.list);
	arena_release(&arena);
	return wrong;
}

/* The keys of one view; keys common to all views are listed once. */
static size_t check_view(const struct result_kind *kind)
{
	const struct result_kind own = {
		.name = kind->name, .summary = kind->summary, .shape = kind->shape, .bare = true
	};
	char heading[64];

	snprintf(heading, sizeof(heading), ".SS %s", strchr(kind->name, '/') + 1);
	return check(&own, "report", heading);
}

static size_t check_all_views(struct result_kind kind)
{
	static const struct result_field none[] = { FIELD_END };

	kind.shape = &(const struct result_shape){ none, NULL };
	return check(&kind, "report", ".SH JSON");
}

/* The manifest is written by collect. */
static size_t check_command(const struct result_kind *kind)
{
	if (!strcmp(kind->name, "manifest"))
		return check(kind, "collect", ".SH MANIFEST");
	return check(kind, kind->name, ".SH JSON");
}

static void man_pages_list_all_keys(void **state)
{
	struct arena arena = { 0 };
	struct result_kind kind;
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; output_kind_at(i, &kind, &arena); i++)
		wrong += strchr(kind.name, '/') ? check_view(&kind) : check_command(&kind);
	wrong += check_all_views(report_kind(report_views[0], &arena));
	arena_release(&arena);
	assert_int_equal(wrong, 0);
}

/* .BR "Lock convoy" " (\fIlock\-convoy\fR, critical)" */
static void tag_of(const struct finding_row *row, char tag[static LINE])
{
	char id[LINE] = "";
	size_t size = 0;

	for (const char *at = row->id; *at; at++) {
		if (*at == '-')
			id[size++] = '\\';
		id[size++] = *at;
	}
	snprintf(tag, LINE, ".BR \"%s\" \" (\\fI%.200s\\fR, %s)\"\n", row->title, id,
		 finding_severity_name(row->severity));
}

static void a_man_page_explains_all_findings(void **state)
{
	FILE *file = fopen(place_of("MAN", "doc/man", "perfpipe-report.1"), "r");
	const struct finding_row *row = finding_rows;
	char tag[LINE];
	char line[LINE];
	bool inside = false;
	bool at_tag = false;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (begins(line, ".SH"))
			inside = begins(line, ".SH FINDINGS");
		if (inside && at_tag) {
			assert_non_null(row->id);
			tag_of(row++, tag);
			assert_string_equal(line, tag);
		}
		at_tag = begins(line, ".TP");
	}
	fclose(file);
	assert_null(row->id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(man_pages_list_all_keys),
		cmocka_unit_test(a_man_page_explains_all_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
