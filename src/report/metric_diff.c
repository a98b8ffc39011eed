/* SPDX-License-Identifier: MIT */
#include "report/metric_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const struct metric_row *metric_change_row(const struct metric_change *change)
{
	return change->after ? change->after : change->before;
}

struct metric_pair metric_change_called(const struct metric_change *change, const char *name)
{
	const struct metric *before = metric_find(change->before, name);
	const struct metric *after = metric_find(change->after, name);

	return (struct metric_pair){
		.name = name,
		.unit = after	 ? after->unit
			: before ? before->unit
				 : UNIT_COUNT,
		.before = before ? before->value : 0,
		.after = after ? after->value : 0,
	};
}

/* Those of the newer row, then those that only the older one has. */
bool metric_change_pair(const struct metric_change *change, size_t index, struct metric_pair *pair)
{
	const size_t count = change->after ? change->after->count : 0;
	size_t left = index < count ? 0 : index - count;

	if (index < count) {
		*pair = metric_change_called(change, change->after->list[index].name);
		return true;
	}
	for (size_t i = 0; change->before && i < change->before->count; i++) {
		const char *name = change->before->list[i].name;

		if (metric_find(change->after, name) || left--)
			continue;
		*pair = metric_change_called(change, name);
		return true;
	}
	return false;
}

bool metric_percent(double before, double after, double *percent)
{
	*percent = before != 0 ? 100 * (after - before) / fabs(before) : 0;
	return before != 0;
}

static bool is_change(const struct metric_change *change)
{
	struct metric_pair pair;

	for (size_t i = 0; metric_change_pair(change, i, &pair); i++)
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

static void add(struct metric_diff *diff, struct metric_change change)
{
	const char *main = metric_main(metric_change_row(&change));
	const struct metric_pair pair = metric_change_called(&change, main ? main : "");

	if (!is_change(&change))
		return;
	change.size = fabs(pair.after - pair.before);
	diff->rows[diff->count++] = change;
}

static int by_size(const void *left, const void *right)
{
	const struct metric_change *a = left;
	const struct metric_change *b = right;

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return strcmp(metric_change_row(a)->label, metric_change_row(b)->label);
}

struct metric_diff metric_diff_of(const struct metrics *before, const struct metrics *after)
{
	struct metric_diff diff = { 0 };
	const size_t most = before->row_count + after->row_count + 1;
	const char **tables = xcalloc(most, sizeof(const char *));
	size_t table_count = 0;

	diff.rows = xcalloc(most, sizeof(*diff.rows));
	for (size_t i = 0; i < after->row_count; i++) {
		const struct metric_row *row = after->rows[i];

		add(&diff,
		    (struct metric_change){ .before = metrics_find(before, row->table, row->label),
					    .after = row,
					    .table = place_of(tables, &table_count, row->table) });
	}
	for (size_t i = 0; i < before->row_count; i++) {
		const struct metric_row *row = before->rows[i];

		if (!metrics_find(after, row->table, row->label))
			add(&diff, (struct metric_change){
					   .before = row,
					   .table = place_of(tables, &table_count, row->table) });
	}
	qsort(diff.rows, diff.count, sizeof(*diff.rows), by_size);
	free(tables);
	return diff;
}

void metric_diff_release(struct metric_diff *diff)
{
	free(diff->rows);
	*diff = (struct metric_diff){ 0 };
}
