/* SPDX-License-Identifier: MIT */
#include "analyze/condition_find.h"

#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

#define OFFERED 2000 /* names that are looked at for a suggestion */

/* On a mismatch the last star takes one character more: no star before it need change. */
bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL;
	const char *behind = NULL;

	while (*text)
		if (*pattern == '*') {
			star = ++pattern;
			behind = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++behind;
		} else {
			return false;
		}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool ends_a_path(const char *path, const char *end)
{
	const size_t size = strlen(path);
	const size_t end_size = strlen(end);

	return size > end_size && path[size - end_size - 1] == '.' &&
	       !strcmp(path + size - end_size, end);
}

/* The whole path, or else the shortest of which it is the end. */
static const char *figure_called(const struct figure_row *row, const char *name, const char *found)
{
	for (size_t i = 0; row && i < row->count; i++) {
		const char *path = row->list[i].name;

		if (!strcmp(path, name))
			return path;
		if (ends_a_path(path, name) && (!found || strlen(path) < strlen(found)))
			found = path;
	}
	return found;
}

static const struct figure_row *own_row(const struct figures *figures)
{
	return figures->row_count ? figures->rows[0] : NULL;
}

static double own_value(const struct figures *figures, const char *name)
{
	const struct figure *figure = figure_of(own_row(figures), name);

	return figure ? figure->value : 0;
}

/* What is asked of rows: a pattern, and perhaps a figure. */
struct asked {
	const char *pattern;
	const char *figure; /* NULL: what they are compared by */
	const char *table;  /* of the first that matched; others do not count */
};

static bool matches(struct asked *asked, const struct figure_row *row)
{
	if (!*row->table ||
	    (!glob_matches(asked->pattern, row->name) && !glob_matches(asked->pattern, row->label)))
		return false;
	if (asked->figure && !figure_of(row, asked->figure))
		return false;
	if (!asked->table)
		asked->table = row->table;
	return !strcmp(asked->table, row->table);
}

static size_t sum_up(struct asked *asked, const struct figures *figures, const char **name,
		     double *sum)
{
	size_t rows = 0;

	for (size_t i = 0; i < figures->row_count; i++) {
		const struct figure_row *row = figures->rows[i];
		const struct figure *figure;

		if (!matches(asked, row))
			continue;
		if (!*name)
			*name = asked->figure ? figure_of(row, asked->figure)->name
					      : figure_main(row);
		figure = *name ? figure_of(row, *name) : NULL;
		rows++;
		if (figure && (figure_is_sum(*name) || figure->value > *sum))
			*sum = figure_is_sum(*name) ? *sum + figure->value : figure->value;
	}
	return rows;
}

/* Methods and types are what people mean where rows of several tables match. */
static const char *best_table(const struct figures *figures, const char *pattern)
{
	static const char *const best[] = { "methods", "types", "groups" };

	for (size_t i = 0; i < sizeof(best) / sizeof(best[0]); i++)
		for (size_t j = 0; j < figures->row_count; j++)
			if (!strcmp(figures->rows[j]->table, best[i]) &&
			    (glob_matches(pattern, figures->rows[j]->name) ||
			     glob_matches(pattern, figures->rows[j]->label)))
				return best[i];
	return NULL;
}

static bool find_rows(struct asked asked, const struct figures *before, const struct figures *after,
		      struct condition_result *result)
{
	size_t rows;

	*result = (struct condition_result){ 0 };
	asked.table = best_table(after, asked.pattern);
	if (!asked.table)
		asked.table = best_table(before, asked.pattern);
	rows = sum_up(&asked, after, &result->figure, &result->after);
	result->rows = sum_up(&asked, before, &result->figure, &result->before);
	if (rows > result->rows)
		result->rows = rows;
	return result->rows && result->figure;
}

static void offer(struct suggest *suggest, const struct figures *figures)
{
	const struct figure_row *own = own_row(figures);

	for (size_t i = 0; own && i < own->count; i++) {
		const char *point = strrchr(own->list[i].name, '.');

		suggest_offer(suggest, own->list[i].name);
		if (point)
			suggest_offer(suggest, point + 1);
	}
	for (size_t i = 1; i < figures->row_count && i < OFFERED; i++)
		suggest_offer(suggest, figures->rows[i]->name);
}

static int fail(const struct condition *condition, const struct figures *before,
		const struct figures *after, struct pp_error *err)
{
	struct suggest suggest = { .typed = condition->what };

	offer(&suggest, after);
	offer(&suggest, before);
	if (suggest.best)
		return error_set(err, PP_ERROR_USAGE,
				 "'%s': view %s has no '%s'; did you mean %s.%s?", condition->text,
				 condition->view, condition->what, condition->view, suggest.best);
	return error_set(
		err, PP_ERROR_USAGE,
		"'%s': view %s has no '%s'; perfpipe report FILE %s --json shows what it has",
		condition->text, condition->view, condition->what, condition->view);
}

int condition_find(const struct condition *condition, const struct figures *before,
		   const struct figures *after, struct condition_result *result,
		   struct pp_error *err)
{
	const char *colon = strrchr(condition->what, ':');
	const char *short_name = figure_short_name(condition->what);
	const char *name = figure_called(own_row(after), short_name, NULL);
	struct arena arena = { 0 };
	bool found;

	name = figure_called(own_row(before), short_name, name);
	if (name) {
		*result = (struct condition_result){ .figure = name,
						     .before = own_value(before, name),
						     .after = own_value(after, name) };
		return 0;
	}
	found = find_rows((struct asked){ .pattern = condition->what }, before, after, result);
	if (!found && colon)
		found = find_rows(
			(struct asked){ .pattern = arena_text(&arena, condition->what,
							      (size_t)(colon - condition->what)),
					.figure = colon + 1 },
			before, after, result);
	arena_release(&arena);
	return found ? 0 : fail(condition, before, after, err);
}
