/* SPDX-License-Identifier: MIT */
#include "report/condition_find.h"

#include <math.h>
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

/* In any run; the whole path before the end of one. */
static const struct metric *own_called(const struct metric_side *side, const char *name,
				       const struct metric *found)
{
	for (size_t i = 0; i < side->count; i++)
		found = metric_called(own_row(&side->runs[i].metrics), name, found);
	return found;
}

static struct metric_value own_value(const struct metrics *metrics, const void *name)
{
	return metric_value_of(metric_find(own_row(metrics), name));
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

/* Adds what a row has; of percentiles and the like the largest counts. */
static void add_value(struct metric_value *sum, const struct metric *metric)
{
	const struct metric_value value = metric_value_of(metric);

	sum->grows |= value.grows;
	sum->on_cpu |= value.on_cpu;
	sum->has_error &= value.has_error;
	sum->sum = value.sum;
	if (metric->is_sum) {
		sum->value += value.value;
		sum->error = sqrt(sum->error * sum->error + value.error * value.error);
	} else if (value.value > sum->value) {
		sum->value = value.value;
		sum->error = value.error;
	}
}

static struct metric_value sum_of_rows(const struct metrics *metrics, const void *what)
{
	const struct asked *asked = what;
	struct metric_value sum = { .has_error = true };

	for (size_t i = 0; i < metrics->row_count; i++) {
		const struct metric *metric = matches(asked, metrics->rows[i])
						      ? metric_find(metrics->rows[i], asked->metric)
						      : NULL;

		if (metric)
			add_value(&sum, metric);
	}
	return sum;
}

static size_t count_rows(const struct asked *asked, const struct metric_side *side)
{
	size_t most = 0;

	for (size_t i = 0; i < side->count; i++) {
		const struct metrics *metrics = &side->runs[i].metrics;
		size_t rows = 0;

		for (size_t j = 0; j < metrics->row_count; j++)
			rows += matches(asked, metrics->rows[j]);
		most = rows > most ? rows : most;
	}
	return most;
}

static const struct metric_row *first_of(const struct asked *asked, const struct metric_side *side,
					 bool only_main)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct metrics *metrics = &side->runs[i].metrics;

		for (size_t j = 0; j < metrics->row_count; j++)
			if ((metrics->rows[j]->is_main || !only_main) &&
			    matches(asked, metrics->rows[j]) && metric_main(metrics->rows[j]))
				return metrics->rows[j];
	}
	return NULL;
}

static const struct metric_row *first_row(const struct asked *asked,
					  const struct metric_side *before,
					  const struct metric_side *after)
{
	for (int only_main = 1; only_main >= 0; only_main--) {
		const struct metric_row *row = first_of(asked, after, only_main);

		row = row ? row : first_of(asked, before, only_main);
		if (row)
			return row;
	}
	return NULL;
}

static void set_values(struct condition_result *result, const struct condition *condition,
		       const struct metric_side *before, const struct metric_side *after,
		       find_value *find, const void *what)
{
	/* what was counted in one trace is exact, if it is not compared with another one */
	const bool exact = !condition->is_change && after->count == 1 && !result->on_cpu;

	result->by_length &= condition->is_change && metric_sides_are_scaled(before, after);
	result->before = metric_side_estimate(before, find, what, condition->is_change);
	result->after = metric_side_estimate(after, find, what, condition->is_change);
	if (exact)
		result->after = (struct estimate){ .value = result->after.value,
						   .freedom = INFINITY,
						   .known = true };
}

static bool find_rows(const struct condition *condition, struct asked asked,
		      const struct metric_side *before, const struct metric_side *after,
		      struct condition_result *result)
{
	const struct metric_row *first = first_row(&asked, before, after);
	const struct metric *metric;

	if (!first)
		return false;
	asked.table = first->table;
	metric = metric_find(first, asked.metric ? asked.metric : metric_main(first));
	*result = (struct condition_result){ .metric = metric->name,
					     .unit = metric->unit,
					     .on_cpu = metric->on_cpu,
					     .by_length = metric->largest,
					     .rows = count_rows(&asked, after) };
	if (count_rows(&asked, before) > result->rows)
		result->rows = count_rows(&asked, before);
	asked.metric = metric->name;
	set_values(result, condition, before, after, sum_of_rows, &asked);
	return true;
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

static void offer_all(struct suggest *suggest, const struct metric_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		offer(suggest, &side->runs[i].metrics);
}

static int fail(const struct condition *condition, const struct metric_side *before,
		const struct metric_side *after, struct pp_error *err)
{
	struct suggest suggest = { .typed = condition->what };

	offer_all(&suggest, after);
	offer_all(&suggest, before);
	if (suggest.best)
		return error_set(err, PP_ERROR_USAGE,
				 "'%s': view %s has no '%s'; did you mean %s.%s?", condition->text,
				 condition->view, condition->what, condition->view, suggest.best);
	return error_set(
		err, PP_ERROR_USAGE,
		"'%s': view %s has no '%s'; perfpipe report FILE %s --json shows what it has",
		condition->text, condition->view, condition->what, condition->view);
}

static bool find_own(const struct condition *condition, const struct metric_side *before,
		     const struct metric_side *after, struct condition_result *result)
{
	const struct metric *own =
		own_called(before, condition->what, own_called(after, condition->what, NULL));

	if (!own)
		return false;
	*result = (struct condition_result){ .metric = own->name,
					     .unit = own->unit,
					     .on_cpu = own->on_cpu,
					     .by_length = own->largest };
	set_values(result, condition, before, after, own_value, own->name);
	return true;
}

int condition_find(const struct condition *condition, const struct metric_side *before,
		   const struct metric_side *after, struct condition_result *result,
		   struct pp_error *err)
{
	const char *colon = strrchr(condition->what, ':');
	struct asked asked = { .pattern = condition->what };
	struct arena arena = { 0 };
	bool found = find_own(condition, before, after, result) ||
		     find_rows(condition, asked, before, after, result);

	if (!found && colon) {
		asked.pattern =
			arena_text(&arena, condition->what, (size_t)(colon - condition->what));
		asked.metric = colon + 1;
		found = find_rows(condition, asked, before, after, result);
	}
	arena_release(&arena);
	return found ? 0 : fail(condition, before, after, err);
}
