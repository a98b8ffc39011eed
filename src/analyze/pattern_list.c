/* SPDX-License-Identifier: MIT */
#include "analyze/pattern_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"

/* The next piece between semicolons without blanks around it; false at the end. */
static bool next_piece(const char **text, const char **piece, size_t *size)
{
	while (**text) {
		const char *start = *text + strspn(*text, " ");
		const char *end = *text + strcspn(*text, ";");

		*text = *end ? end + 1 : end;
		while (end > start && end[-1] == ' ')
			end--;
		if (end > start) {
			*piece = start;
			*size = (size_t)(end - start);
			return true;
		}
	}
	return false;
}

static int add(struct pattern_list *list, const char *text, size_t size, struct pp_error *err)
{
	if (list->count == PATTERN_LIST_MOST)
		return error_set(err, PP_ERROR_USAGE, "more than %d patterns in one list",
				 PATTERN_LIST_MOST);
	list->patterns[list->count] = pattern_new(text, size, err);
	return list->patterns[list->count] ? (list->count++, 0) : -1;
}

int pattern_list_append(struct pattern_list *list, const char *text, struct pp_error *err)
{
	const char *piece;
	size_t size;

	while (text && next_piece(&text, &piece, &size))
		if (add(list, piece, size, err))
			return -1;
	return 0;
}

int pattern_list_parse(struct pattern_list *list, const char *text, struct pp_error *err)
{
	*list = (struct pattern_list){ 0 };
	return pattern_list_append(list, text, err);
}

void pattern_list_release(struct pattern_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		pattern_free(list->patterns[i]);
	list->count = 0;
}

uint64_t pattern_list_matches(const struct pattern_list *list, const char *name)
{
	struct pattern_match match;
	uint64_t bits = 0;

	for (size_t i = 0; i < list->count; i++)
		if (pattern_find(list->patterns[i], name, &match))
			bits |= UINT64_C(1) << i;
	return bits;
}

static const struct {
	const char *name;
	const char *text;
} presets[] = {
	{ "none", "" },
	{ "modules", "{%}!->module $1" },
	{ "module-entries", "{%}!=>module $1" },
	{ "module-paths", "{*}!=>module $1" },

	{ "classes", "{%!*}.%(->class $1;{%!*}::->class $1" },
	{ "class-entries", "{%!*}.%(=>class $1;{%!*}::=>class $1" },
	{ "just-my-code", "^System!=>framework;^System.*!=>framework;^Microsoft.*!=>framework;"
			  "^mscorlib!=>framework;^netstandard!=>framework;^?!=>framework;"
			  "^lib*.so*!=>native;^ld-*!=>native;^vmlinux!=>kernel" },
};

static const char *module_part(const struct frame_names *frame)
{
	return *frame->module ? frame->module : NULL;
}

static const char *path_part(const struct frame_names *frame)
{
	return *frame->path ? frame->path : NULL;
}

static const char *class_part(const struct frame_names *frame)
{
	return frame->class_name;
}

static const struct {
	const char *pattern;
	frame_part part;
} parts[] = {
	{ "{%}!", module_part },
	{ "{*}!", path_part },
	{ "{%!*}.%(", class_part },
	{ "{%!*}::", class_part },
};

const char *grouping_preset(size_t index)
{
	return index < ARRAY_COUNT(presets) ? presets[index].name : NULL;
}

static const char *preset_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(presets); i++)
		if (!strcmp(presets[i].name, text))
			return presets[i].text;
	return text;
}

/* After a comment in []. */
static const char *after_comment(const char *text)
{
	const char *end = *text == '[' ? strchr(text, ']') : NULL;

	return end ? end + 1 : text;
}

static frame_part part_of(const char *pattern, size_t size)
{
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (strlen(parts[i].pattern) == size && !memcmp(parts[i].pattern, pattern, size))
			return parts[i].part;
	return NULL;
}

static const char *find_arrow(const char *piece, size_t size, char shaft)
{
	for (size_t i = 0; i + 1 < size; i++)
		if (piece[i] == shaft && piece[i + 1] == '>')
			return piece + i;
	return NULL;
}

static size_t trimmed(const char *text, size_t size)
{
	while (size && text[size - 1] == ' ')
		size--;
	return size;
}

static int add_rule(struct grouping *grouping, const char *piece, size_t size, struct pp_error *err)
{
	const char *arrow = find_arrow(piece, size, '=');
	struct grouping_rule rule = { .entry = arrow };
	size_t pattern_size = size;

	if (!arrow)
		arrow = find_arrow(piece, size, '-');
	if (arrow) {
		const char *name = arrow + 2;
		size_t left = size - (size_t)(name - piece);

		for (; left && *name == ' '; left--)
			name++;
		pattern_size = trimmed(piece, (size_t)(arrow - piece));
		rule.part = part_of(piece, pattern_size);
		rule.name = xcalloc(1, left + 1);
		memcpy(rule.name, name, left);
	}
	if (add(&grouping->patterns, piece, pattern_size, err)) {
		xfree(rule.name);
		return -1;
	}
	grouping->rules[grouping->patterns.count - 1] = rule;
	return 0;
}

int grouping_parse(struct grouping *grouping, const char *text, struct pp_error *err)
{
	const char *piece;
	size_t size;

	*grouping = (struct grouping){ 0 };
	if (!text)
		return 0;
	text = after_comment(preset_of(text));
	while (next_piece(&text, &piece, &size))
		if (add_rule(grouping, piece, size, err))
			return -1;
	return 0;
}

void grouping_release(struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->patterns.count; i++)
		xfree(grouping->rules[i].name);
	pattern_list_release(&grouping->patterns);
}

static void put_part(struct buffer *out, const struct pattern_part *part)
{
	if (part->at)
		buffer_bytes(out, part->at, part->size);
}

/* The rule's name with $1 to $9 and $& filled in. */
static void expand(struct buffer *out, const struct grouping_rule *rule,
		   const struct pattern_match *match)
{
	const char *at = rule->name ? rule->name : "$&";

	for (; *at; at++) {
		if (at[0] == '$' && at[1] == '&')
			put_part(out, &match->parts[0]);
		else if (at[0] == '$' && at[1] >= '1' && at[1] <= '9')
			put_part(out, &match->parts[at[1] - '0']);
		else {
			buffer_u8(out, (uint8_t)*at);
			continue;
		}
		at++;
	}
}

/* Frames of a module that have no names are one group. */
static bool is_unnamed(const char *name)
{
	const size_t size = strlen(name);

	return size >= 2 && !strcmp(name + size - 2, "!?");
}

/* Matched by rules: the names of a frame, then that of a simple group. */
struct grouping_subject {
	struct buffer now;
	const struct frame_names *frame; /* NULL: it is a group */
};

static bool finds_part(const struct grouping_rule *rule, const struct frame_names *frame,
		       struct pattern_match *match)
{
	const char *part = rule->part(frame);

	*match = (struct pattern_match){ 0 };
	if (part)
		match->parts[0] = match->parts[1] = (struct pattern_part){ part, strlen(part) };
	return part;
}

static bool finds(const struct grouping *grouping, size_t rule,
		  const struct grouping_subject *subject, struct pattern_match *match)
{
	const struct pattern *pattern = grouping->patterns.patterns[rule];

	if (subject->frame && grouping->rules[rule].part)
		return finds_part(&grouping->rules[rule], subject->frame, match);
	return pattern_find(pattern, (const char *)subject->now.bytes, match) ||
	       (subject->frame && pattern_find(pattern, subject->frame->full, match));
}

static void continue_with(struct grouping_subject *subject, const struct buffer *name)
{
	buffer_rewind(&subject->now, 0);
	buffer_bytes(&subject->now, name->bytes, name->size);
	buffer_u8(&subject->now, 0);
	subject->frame = NULL;
}

enum grouped grouping_apply(const struct grouping *grouping, const struct frame_names *frame,
			    struct buffer *out)
{
	struct grouping_subject subject = { .frame = frame };
	struct pattern_match match;
	enum grouped grouped = GROUPED_NOT;
	bool stop = false;

	buffer_bytes(&subject.now, frame->with_path, strlen(frame->with_path) + 1);
	for (size_t i = 0; i < grouping->patterns.count && !stop && !subject.now.failed; i++) {
		const struct grouping_rule *rule = &grouping->rules[i];

		if (!finds(grouping, i, &subject, &match))
			continue;
		buffer_rewind(out, 0);
		expand(out, rule, &match);
		stop = rule->entry || !out->size;
		grouped = !out->size ? GROUPED_NOT : rule->entry ? GROUPED_ENTRY : GROUPED_SIMPLE;
		if (!stop)
			continue_with(&subject, out);
	}
	buffer_release(&subject.now);
	if (grouped == GROUPED_NOT && !stop && is_unnamed(frame->full)) {
		buffer_rewind(out, 0);
		buffer_text(out, frame->full);
		return GROUPED_SIMPLE;
	}
	return grouped;
}
