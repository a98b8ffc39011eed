/* SPDX-License-Identifier: MIT */
#include "report/condition_find.h"

#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

#define OFFERED 2000 /* names that are looked at for a suggestion */

/* On a mismatch the last star takes one character more: no star before it need change. */
bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL;
	const char *tried = NULL;

	while (*text)
		if (*pattern == '*') {
			star = ++pattern;
			tried = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++tried;
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
static const struct metric *metric_called(const struct metric_row *row, const char *name,
					  const struct metric *found)
{
	for (size_t i = 0; row && i < row->count; i++) {
		const struct metric *metric = &row->list[i];

		if (!strcmp(metric->name, name))
			return metric;
		if (ends_a_path(metric->name, name) &&
		    (!found || strlen(metric->name) < strlen(found->name)))
			found = metric;
	}
	return found;
}

static const struct metric_row *own_row(const struct metrics *metrics)
{
	return metrics->row_count ? metrics->rows[0] : NULL;
}

static double own_value(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metric_find(own_row(metrics), name);

	return metric ? metric->value : 0;
}

/* What is asked of rows: a pattern, and perhaps a metric. The view's main list comes first. */
struct asked {
	const char *pattern;
	const char *metric; /* NULL: what they are compared by */
	const char *table;  /* the only one that counts; NULL: any */
};

static bool matches(const struct asked *asked, const struct metric_row *row)
{
	return *row->table && (!asked->table || !strcmp(asked->table, row->table)) &&
	       (glob_matches(asked->pattern, row->name) ||
		glob_matches(asked->pattern, row->label)) &&
	       (!asked->metric || metric_find(row, asked->metric));
}

static size_t sum_up(const struct asked *asked, const struct metrics *metrics,
		     struct condition_result *result, double *sum)
{
	size_t rows = 0;

	for (size_t i = 0; i < metrics->row_count; i++) {
		const struct metric_row *row = metrics->rows[i];
		const struct metric *metric;

		if (!matches(asked, row))
			continue;
		if (!result->metric)
			result->metric = asked->metric ? metric_find(row, asked->metric)->name
						       : metric_main(row);
		metric = result->metric ? metric_find(row, result->metric) : NULL;
		rows++;
		if (!metric)
			continue;
		result->unit = metric->unit;
		if (metric->is_sum)
			*sum += metric->value;
		else if (metric->value > *sum)
			*sum = metric->value;
	}
	return rows;
}

static const char *first_table(const struct asked *asked, const struct metrics *metrics,
			       bool only_main)
{
	for (size_t i = 0; i < metrics->row_count; i++)
		if ((metrics->rows[i]->is_main || !only_main) && matches(asked, metrics->rows[i]))
			return metrics->rows[i]->table;
	return NULL;
}

static bool find_rows(struct asked asked, const struct metrics *before, const struct metrics *after,
		      struct condition_result *result)
{
	size_t rows;

	*result = (struct condition_result){ 0 };
	for (int only_main = 1; only_main >= 0 && !asked.table; only_main--) {
		asked.table = first_table(&asked, after, only_main);
		if (!asked.table)
			asked.table = first_table(&asked, before, only_main);
	}
	rows = sum_up(&asked, after, result, &result->after);
	result->rows = sum_up(&asked, before, result, &result->before);
	if (rows > result->rows)
		result->rows = rows;
	return result->rows && result->metric;
}

static void offer(struct suggest *suggest, const struct metrics *metrics)
{
	const struct metric_row *own = own_row(metrics);

	for (size_t i = 0; own && i < own->count; i++) {
		const char *point = strrchr(own->list[i].name, '.');

		suggest_offer(suggest, own->list[i].name);
		if (point)
			suggest_offer(suggest, point + 1);
	}
	for (size_t i = 1; i < metrics->row_count && i < OFFERED; i++)
		suggest_offer(suggest, metrics->rows[i]->name);
}

static int fail(const struct condition *condition, const struct metrics *before,
		const struct metrics *after, struct pp_error *err)
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

int condition_find(const struct condition *condition, const struct metrics *before,
		   const struct metrics *after, struct condition_result *result,
		   struct pp_error *err)
{
	const char *colon = strrchr(condition->what, ':');
	const struct metric *own = metric_called(own_row(after), condition->what, NULL);
	struct arena arena = { 0 };
	bool found;

	own = metric_called(own_row(before), condition->what, own);
	if (own) {
		*result = (struct condition_result){ .metric = own->name,
						     .unit = own->unit,
						     .before = own_value(before, own->name),
						     .after = own_value(after, own->name) };
		return 0;
	}
	found = find_rows((struct asked){ .pattern = condition->what }, before, after, result);
	if (!found && colon)
		found = find_rows(
			(struct asked){ .pattern = arena_text(&arena, condition->what,
							      (size_t)(colon - condition->what)),
					.metric = colon + 1 },
			before, after, result);
	arena_release(&arena);
	return found ? 0 : fail(condition, before, after, err);
}
