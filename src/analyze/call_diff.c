/* SPDX-License-Identifier: MIT */
#include "analyze/call_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"

static struct call_change *change_for(struct call_diff *diff, struct map *known,
				      const struct call_name *name)
{
	const uint64_t key = hash_bytes(name->full, strlen(name->full));
	const void *at = map_find(known, key);
	struct call_change *change = &diff->rows[at ? (uintptr_t)at - 1 : diff->count];

	if (!at)
		map_put(known, key, (void *)(uintptr_t)++diff->count);
	change->name = name;
	return change;
}

static int64_t difference(uint64_t after, uint64_t before)
{
	return (int64_t)(after - before);
}

static int interest_of(const struct call_change *change, uint64_t total)
{
	const double part = total ? (double)change->after.inclusive.ns / (double)total : 0;

	return (change->has_overweight && fabs(change->overweight) > 110) +
	       (fabs(change->responsibility) > 5) + (fabs(change->responsibility) > 20) +
	       (fabs(change->responsibility) > 100) + (part < 0.95) + (part < 0.75);
}

static void compare(struct call_change *change, const struct calltree *base,
		    const struct calltree *changed)
{
	const uint64_t before = change->before.inclusive.ns;
	const double total_change = (double)difference(changed->total.ns, base->total.ns);
	const double growth =
		base->total.ns ? (double)changed->total.ns / (double)base->total.ns - 1 : 0;

	change->inclusive_ns = difference(change->after.inclusive.ns, before);
	change->exclusive_ns = difference(change->after.exclusive.ns, change->before.exclusive.ns);
	change->inclusive =
		difference(change->after.inclusive.count, change->before.inclusive.count);
	change->exclusive =
		difference(change->after.exclusive.count, change->before.exclusive.count);
	change->has_responsibility = total_change != 0;
	if (change->has_responsibility)
		change->responsibility = 100 * (double)change->inclusive_ns / total_change;
	change->has_overweight = before && growth != 0;
	if (change->has_overweight)
		change->overweight = 100 * (double)change->inclusive_ns / ((double)before * growth);
	change->interest = interest_of(change, changed->total.ns);
}

static int by_interest(const void *left, const void *right)
{
	const struct call_change *a = left;
	const struct call_change *b = right;
	const double size_a = fabs((double)a->inclusive_ns);
	const double size_b = fabs((double)b->inclusive_ns);

	if (a->interest != b->interest)
		return b->interest - a->interest;
	if (a->has_overweight && b->has_overweight && a->overweight != b->overweight)
		return a->overweight < b->overweight ? 1 : -1;
	if (size_a != size_b)
		return size_a < size_b ? 1 : -1;
	return strcmp(a->name->full, b->name->full);
}

static bool is_change(const struct call_change *change)
{
	return change->inclusive_ns || change->exclusive_ns || change->inclusive ||
	       change->exclusive;
}

struct call_diff call_diff_of(const struct calltree *base, const struct calltree *changed)
{
	struct call_rows before = call_rows_by_name(base, CALL_EXCLUSIVE);
	struct call_rows after = call_rows_by_name(changed, CALL_EXCLUSIVE);
	struct call_diff diff = { 0 };
	struct map known = { 0 };
	size_t kept = 0;

	diff.rows = xcalloc(before.count + after.count + 1, sizeof(*diff.rows));
	for (size_t i = 0; i < before.count; i++)
		change_for(&diff, &known, &base->names[before.rows[i].name])->before =
			before.rows[i];
	for (size_t i = 0; i < after.count; i++)
		change_for(&diff, &known, &changed->names[after.rows[i].name])->after =
			after.rows[i];
	for (size_t i = 0; i < diff.count; i++) {
		compare(&diff.rows[i], base, changed);
		if (is_change(&diff.rows[i]))
			diff.rows[kept++] = diff.rows[i];
	}
	diff.count = kept;
	qsort(diff.rows, kept, sizeof(*diff.rows), by_interest);
	map_release(&known);
	call_rows_release(&before);
	call_rows_release(&after);
	return diff;
}

void call_diff_release(struct call_diff *diff)
{
	free(diff->rows);
	*diff = (struct call_diff){ 0 };
}
