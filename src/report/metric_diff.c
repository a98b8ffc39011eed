/* SPDX-License-Identifier: MIT */
#include "report/metric_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/*
 * What changed in either direction: it is more than 0 where the sums of both sides are equal, so
 * that the shares of rows stay finite.
 */
struct metric_total {
	size_t table;
	const char *name;
	double changed, base;
};

bool metric_percent(double before, double after, double *percent)
{
	*percent = before != 0 ? 100 * (after - before) / fabs(before) : 0;
	return before != 0;
}

/* What a figure of the whole is of those of its parts. */
static enum metric_sum sum_of(const struct metric *metric)
{
	if (metric->exact)
		return SUM_EXACT;
	if (metric->grows)
		return SUM_TOTAL;
	if (metric->is_sum)
		return SUM_NONE; /* threads of one part are those of another, too */
	return metric->largest ? SUM_MOST : SUM_MEAN;
}

struct metric_value metric_value_of(const struct metric *metric)
{
	if (!metric) /* nothing was counted, of what another run says how */
		return (struct metric_value){ .has_error = true };
	return (struct metric_value){ metric->value,	 metric->grows, metric->on_cpu,
				      metric->has_error, metric->error, sum_of(metric) };
}

static int by_value(const void *left, const void *right)
{
	const double a = *(const double *)left;
	const double b = *(const double *)right;

	return (a < b) - (a > b);
}

/* By how much the largest is larger than all others: one that nothing comes near is chance. */
static double lead(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return count > 1 ? values[0] - values[1] : 0;
}

/*
 * The error of one run by the spread of its parts: of a sum it grows with their number, of a mean
 * it shrinks, and the largest of all varies about as much as the largest of each.
 */
static bool estimate_slices(const struct metric_run *run, find_value *find, const void *what,
			    enum metric_sum sum, struct estimate *made)
{
	const double count = (double)run->slice_count;
	double *values = xcalloc(run->slice_count + 1, sizeof(*values));

	for (size_t i = 0; i < run->slice_count; i++)
		values[i] = find(&run->slices[i], what).value;
	*made = estimate_of_runs(values, run->slice_count);
	made->value *= count;
	if (sum == SUM_TOTAL)
		made->error *= count;
	else if (sum == SUM_MOST)
		made->error = fmax(made->error * sqrt(count), lead(values, run->slice_count));
	xfree(values);
	return made->known && sum != SUM_NONE && sum != SUM_EXACT;
}

/* An error of another cause: the degrees of freedom are those of the sum of variances. */
static void add_error(struct estimate *made, double error)
{
	const struct estimate none = { .error = error, .freedom = INFINITY, .known = true };
	const struct estimate both = estimate_difference(made, &none, 1);

	made->error = both.error;
	made->freedom = both.freedom;
}

/*
 * Sampled figures are off by the error of sampling at least. Parts say nothing of a sum that is not
 * theirs, as that of events of a rundown, which comes after them.
 */
static struct estimate estimate_run(const struct metric_run *run, find_value *find,
				    const void *what, bool scaled)
{
	const struct metric_value found = find(&run->metrics, what);
	const double scale = scaled && found.grows ? run->scale : 1;
	struct estimate made = { 0, found.error, INFINITY, found.has_error };
	struct estimate parts;

	if (run->slice_count && estimate_slices(run, find, what, found.sum, &parts) &&
	    (found.sum != SUM_TOTAL || fabs(parts.value) >= fabs(found.value) / 2) &&
	    (!found.on_cpu || parts.error > found.error))
		made = parts;
	if (found.sum == SUM_EXACT)
		made = (struct estimate){ 0, run->rundown_ns, INFINITY, true };
	add_error(&made, run->unsteady * fabs(found.value));
	made.value = found.value * scale;
	made.error *= scale;
	return made;
}

/* The same of runs: they differ at least by that error, even if they are few. */
struct estimate metric_side_estimate(const struct metric_side *side, find_value *find,
				     const void *what, bool scaled)
{
	double *values = xcalloc(side->count + 1, sizeof(*values));
	double squares = 0;
	bool sampled = false;
	struct estimate made = { .freedom = INFINITY, .known = true };

	for (size_t i = 0; i < side->count; i++) {
		made = estimate_run(&side->runs[i], find, what, scaled);
		values[i] = made.value;
		squares += made.error * made.error;
		sampled |= find(&side->runs[i].metrics, what).on_cpu;
	}
	if (side->count > 1) {
		const double error = sqrt(squares) / (double)side->count;

		made = estimate_of_runs(values, side->count);
		if (sampled && error > made.error)
			made.error = error;
	}
	xfree(values);
	return made;
}

/* A metric of a row, by name. */
struct wanted_metric {
	const struct metric_row *row;
	const char *name;
};

static struct metric_value value_of(const struct metrics *metrics, const void *what)
{
	const struct wanted_metric *wanted = what;
	const struct metric *metric = metric_find(
		metrics_find(metrics, wanted->row->table, wanted->row->label), wanted->name);

	return metric_value_of(metric);
}

const struct metric_pair *metric_change_called(const struct metric_change *change, const char *name)
{
	for (size_t i = 0; i < change->pair_count; i++)
		if (!strcmp(change->pairs[i].name, name))
			return &change->pairs[i];
	return NULL;
}

/* What the row is compared by: "inclusive_ns" instead of "exclusive_ns", if that is asked for. */
static const char *main_of(struct metric_diff *diff, const struct metric_row *row, const char *main)
{
	static const char usual[] = "exclusive";
	const char *name = metric_main(row);
	const char *other;

	if (!name || !main || strncmp(name, usual, sizeof(usual) - 1) != 0)
		return name;
	other = arena_printf(&diff->arena, "%s%s", main, name + sizeof(usual) - 1);
	return metric_find(row, other) ? other : name;
}

static bool is_measured(const struct metric_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->runs[i].metrics.available && !side->runs[i].cpu_measured)
			return false;
	return true;
}

static bool is_scaled(const struct metric_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->runs[i].scale != 1)
			return true;
	return false;
}

bool metric_sides_are_scaled(const struct metric_side *before, const struct metric_side *after)
{
	return is_scaled(before) || is_scaled(after);
}

static struct metric_pair pair_of(const struct metric_row *row, const struct metric *metric,
				  const struct metric_side *before, const struct metric_side *after)
{
	const struct wanted_metric wanted = { row, metric->name };
	struct metric_pair pair = { .name = metric->name,
				    .unit = metric->unit,
				    .is_sum = metric->is_sum };

	pair.before = metric_side_estimate(before, value_of, &wanted, true);
	pair.after = metric_side_estimate(after, value_of, &wanted, true);
	pair.change = estimate_difference(&pair.after, &pair.before, 1);
	pair.unsure = metric->on_cpu && (!is_measured(before) || !is_measured(after));
	pair.by_length = metric->largest && metric_sides_are_scaled(before, after);
	return pair;
}

static double relative_size(const struct metric_pair *pair)
{
	const double before = fabs(pair->before.value);
	const double after = fabs(pair->after.value);

	return fabs(pair->change.value) / (before > after ? before : after);
}

static int by_relative_size(const void *left, const void *right)
{
	const double a = relative_size(left);
	const double b = relative_size(right);

	if (a != b)
		return a < b ? 1 : -1;
	return strcmp(((const struct metric_pair *)left)->name,
		      ((const struct metric_pair *)right)->name);
}

static void put_main_first(struct metric_change *change, const char *main)
{
	for (size_t i = 0; i < change->pair_count; i++) {
		const struct metric_pair pair = change->pairs[i];

		if (!main || strcmp(pair.name, main) != 0)
			continue;
		memmove(change->pairs + 1, change->pairs, i * sizeof(pair));
		change->pairs[0] = pair;
		change->pairs[0].is_main = true;
	}
	if (change->pair_count)
		change->size = fabs(change->pairs[0].change.value);
}

static void add_to_total(struct metric_diff *diff, size_t table, const struct metric_pair *pair)
{
	struct metric_total *total = NULL;

	for (size_t i = 0; i < diff->total_count && !total; i++)
		if (diff->totals[i].table == table && !strcmp(diff->totals[i].name, pair->name))
			total = &diff->totals[i];
	if (!total) {
		diff->totals = xgrow(diff->totals, diff->total_count, &diff->total_capacity,
				     sizeof(*diff->totals));
		total = &diff->totals[diff->total_count++];
		*total = (struct metric_total){ .table = table, .name = pair->name };
	}
	total->changed += fabs(pair->change.value);
	total->base += pair->before.value;
}

static struct metric_change change_of(struct metric_diff *diff, const struct metric_row *row,
				      size_t table, const struct metric_side *before,
				      const struct metric_side *after)
{
	struct metric_change change = { .row = row, .table = table };

	change.pairs = arena_array(&diff->arena, struct metric_pair, row->count + 1);
	for (size_t i = 0; i < row->count; i++) {
		const struct metric_pair pair = pair_of(row, &row->list[i], before, after);

		diff->compared += pair.change.known && !row->list[i].exact;
		add_to_total(diff, table, &pair);
		if (pair.change.value != 0)
			change.pairs[change.pair_count++] = pair;
	}
	return change;
}

static int by_size(const void *left, const void *right)
{
	const struct metric_change *a = left;
	const struct metric_change *b = right;

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->pairs->is_main != b->pairs->is_main)
		return a->pairs->is_main ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return strcmp(a->row->label, b->row->label);
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

static void add_rows(struct metric_diff *diff, const struct metric_side *before,
		     const struct metric_side *after, const char *main)
{
	const char **tables = xcalloc(diff->names.row_count + 1, sizeof(const char *));
	size_t table_count = 0;

	for (size_t i = 0; i < diff->names.row_count; i++) {
		const struct metric_row *row = diff->names.rows[i];
		struct metric_change change = change_of(
			diff, row, place_of(tables, &table_count, row->table), before, after);

		if (*row->table)
			put_main_first(&change, main_of(diff, row, main));
		else
			qsort(change.pairs, change.pair_count, sizeof(*change.pairs),
			      by_relative_size);
		if (change.pair_count)
			diff->rows[diff->count++] = change;
	}
	xfree(tables);
}

/* One run on each side: the more there is to compare, the more of it looks like a change. */
static void judge(struct metric_diff *diff, struct metric_pair *pair)
{
	const double alarms = isinf(pair->change.freedom) ? ESTIMATE_ALARMS / (double)diff->compared
							  : ESTIMATE_ALARMS;

	pair->noise = pair->change.known ? estimate_noise(&pair->change, alarms) : NAN;
	pair->is_noise = pair->change.known && fabs(pair->change.value) <= pair->noise;
	pair->unsure &= pair->change.known && !pair->is_noise && !diff->several;
	diff->unsure += pair->unsure;
	diff->by_length += pair->by_length;
	diff->beyond_noise +=
		pair->change.known && !pair->is_noise && !pair->unsure && !pair->by_length;
}

/* Inclusive times count in every caller; what they are shares of is exclusive. */
static const struct metric_total *total_of(const struct metric_diff *diff, size_t table,
					   const char *name)
{
	const bool inclusive = !strncmp(name, "inclusive", 9);

	for (size_t i = 0; i < diff->total_count; i++) {
		const struct metric_total *total = &diff->totals[i];

		if (total->table == table &&
		    !strcmp(total->name + (inclusive ? 9 : 0), name + (inclusive ? 9 : 0)) &&
		    (!inclusive || !strncmp(total->name, "exclusive", 9)))
			return total;
	}
	return NULL;
}

static void share_out(const struct metric_diff *diff, size_t table, struct metric_pair *pair)
{
	const struct metric_total *total = total_of(diff, table, pair->name);

	pair->has_share = pair->is_sum && total && total->changed > 0;
	if (!pair->has_share)
		return;
	pair->share = 100 * fabs(pair->change.value) / total->changed;
	pair->has_overweight = total->base > 0 && pair->before.value > 0;
	if (pair->has_overweight)
		pair->overweight = pair->share * total->base / pair->before.value;
}

static void add_names(struct metric_diff *diff, const struct metric_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		metrics_add(&diff->names, &side->runs[i].metrics);
}

struct metric_diff metric_diff_of(const struct metric_side *before, const struct metric_side *after,
				  const char *main)
{
	struct metric_diff diff = { .several = before->count > 1 && after->count > 1 };

	add_names(&diff, after);
	add_names(&diff, before);
	diff.rows = xcalloc(diff.names.row_count + 1, sizeof(*diff.rows));
	add_rows(&diff, before, after, main);
	qsort(diff.rows, diff.count, sizeof(*diff.rows), by_size);
	for (size_t i = 0; i < diff.count; i++)
		for (size_t j = 0; j < diff.rows[i].pair_count; j++) {
			judge(&diff, &diff.rows[i].pairs[j]);
			if (*diff.rows[i].row->table)
				share_out(&diff, diff.rows[i].table, &diff.rows[i].pairs[j]);
		}
	return diff;
}

void metric_diff_release(struct metric_diff *diff)
{
	xfree(diff->rows);
	xfree(diff->totals);
	metrics_release(&diff->names);
	arena_release(&diff->arena);
	*diff = (struct metric_diff){ 0 };
}
