/* SPDX-License-Identifier: MIT */
#include "analyze/figure_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const struct figure_row *figure_change_row(const struct figure_change *change)
{
	return change->after ? change->after : change->before;
}

static double value_of(const struct figure_row *row, const char *name)
{
	const struct figure *figure = figure_of(row, name);

	return figure ? figure->value : 0;
}

struct figure_pair figure_change_called(const struct figure_change *change, const char *name)
{
	return (struct figure_pair){ name, value_of(change->before, name),
				     value_of(change->after, name) };
}

/* Those of the newer row, then those that only the older one has. */
bool figure_change_pair(const struct figure_change *change, size_t index, struct figure_pair *pair)
{
	const size_t count = change->after ? change->after->count : 0;
	size_t left = index < count ? 0 : index - count;

	if (index < count) {
		*pair = figure_change_called(change, change->after->list[index].name);
		return true;
	}
	for (size_t i = 0; change->before && i < change->before->count; i++) {
		const char *name = change->before->list[i].name;

		if (figure_of(change->after, name) || left--)
			continue;
		*pair = figure_change_called(change, name);
		return true;
	}
	return false;
}

bool figure_percent(double before, double after, double *percent)
{
	*percent = before != 0 ? 100 * (after - before) / fabs(before) : 0;
	return before != 0;
}

static bool is_change(const struct figure_change *change)
{
	struct figure_pair pair;

	for (size_t i = 0; figure_change_pair(change, i, &pair); i++)
		if (pair.before != pair.after)
			return true;
	return false;
}

/* Places of tables in the order in which they come first. */
static size_t place_of(const char **tables, size_t *count, const char *table)
{
	for (size_t i = 0; i < *count; i++)
		if (!strcmp(tables[i], table))
			return i;
	tables[*count] = table;
	return (*count)++;
}

static void add(struct figure_diff *diff, struct figure_change change)
{
	const char *main = figure_main(figure_change_row(&change));
	const struct figure_pair pair = figure_change_called(&change, main ? main : "");

	if (!is_change(&change))
		return;
	change.size = fabs(pair.after - pair.before);
	diff->rows[diff->count++] = change;
}

static int by_size(const void *left, const void *right)
{
	const struct figure_change *a = left;
	const struct figure_change *b = right;

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return strcmp(figure_change_row(a)->label, figure_change_row(b)->label);
}

struct figure_diff figure_diff_of(const struct figures *before, const struct figures *after)
{
	struct figure_diff diff = { 0 };
	const size_t most = before->row_count + after->row_count + 1;
	const char **tables = xcalloc(most, sizeof(const char *));
	size_t table_count = 0;

	diff.rows = xcalloc(most, sizeof(*diff.rows));
	for (size_t i = 0; i < after->row_count; i++) {
		const struct figure_row *row = after->rows[i];

		add(&diff,
		    (struct figure_change){ .before = figures_find(before, row->table, row->label),
					    .after = row,
					    .table = place_of(tables, &table_count, row->table) });
	}
	for (size_t i = 0; i < before->row_count; i++) {
		const struct figure_row *row = before->rows[i];

		if (!figures_find(after, row->table, row->label))
			add(&diff, (struct figure_change){
					   .before = row,
					   .table = place_of(tables, &table_count, row->table) });
	}
	qsort(diff.rows, diff.count, sizeof(*diff.rows), by_size);
	free(tables);
	return diff;
}

void figure_diff_release(struct figure_diff *diff)
{
	free(diff->rows);
	*diff = (struct figure_diff){ 0 };
}
