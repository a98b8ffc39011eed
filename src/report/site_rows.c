/* SPDX-License-Identifier: MIT */
/*
 * What happened at which stacks: events that an analysis counted by stack.
 */
#include <stdlib.h>
#include <string.h>

#include "report/methods.h"

static int by_place(const void *left, const void *right)
{
	const struct site_row *a = left;
	const struct site_row *b = right;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	for (int i = 0; i < SITE_LABELS; i++)
		if (a->labels[i] != b->labels[i])
			return (uintptr_t)a->labels[i] < (uintptr_t)b->labels[i] ? -1 : 1;
	return 0;
}

/* Addresses of labels differ from run to run, so their texts decide. */
static int by_text(const struct site_row *a, const struct site_row *b)
{
	int order = 0;

	for (int i = 0; i < SITE_LABELS && !order; i++)
		order = strcmp(a->labels[i] ? a->labels[i] : "", b->labels[i] ? b->labels[i] : "");
	return order;
}

static int by_amount(const void *left, const void *right)
{
	const struct site_row *a = left;
	const struct site_row *b = right;

	if (a->amount != b->amount)
		return a->amount < b->amount ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return by_text(a, b);
}

static size_t merge(struct site_row *sites, size_t count)
{
	size_t merged = 0;

	if (count)
		qsort(sites, count, sizeof(*sites), by_place);
	for (size_t i = 0; i < count; i++) {
		struct site_row *last = merged ? &sites[merged - 1] : NULL;

		if (!last || by_place(last, &sites[i])) {
			sites[merged++] = sites[i];
			continue;
		}
		last->count += sites[i].count;
		last->amount += sites[i].amount;
		last->max_ns = sites[i].max_ns > last->max_ns ? sites[i].max_ns : last->max_ns;
	}
	if (merged)
		qsort(sites, merged, sizeof(*sites), by_amount);
	return merged;
}

struct result_rows site_rows(struct report *report, struct site_row *sites, size_t count,
			     struct calltree **tree)
{
	size_t left = 0;

	*tree = report_new_tree(report);
	for (size_t i = 0; i < count; i++) {
		sites[i].stack = model_stack_now(&report->model, sites[i].recorded);
		sites[i].tree = *tree;
		calltree_add_sum(*tree, sites[i].stack,
				 &(const struct call_sum){ sites[i].count, sites[i].amount });
	}
	calltree_finish(*tree);
	for (size_t i = 0; i < count; i++)
		if (calltree_node(*tree, sites[i].stack) != MODEL_NONE)
			sites[left++] = sites[i];
	left = merge(sites, left);
	return ROWS_OF(sites, left);
}

void make_site_frames(const void *row, struct result_value *value, struct arena *arena)
{
	const struct site_row *site = row;
	const struct calltree *tree = site->tree;
	const uint32_t leaf = calltree_node(tree, site->stack);
	const char **frames;
	size_t count = 0;

	for (uint32_t at = leaf; at && at != MODEL_NONE; at = tree->nodes.nodes[at].parent)
		count++;
	frames = arena_array(arena, const char *, count + 1);
	count = 0;
	for (uint32_t at = leaf; at && at != MODEL_NONE; at = tree->nodes.nodes[at].parent)
		frames[count++] = tree->names[tree->nodes.nodes[at].frame].full;
	value->rows = ROWS_AT(frames, count);
}

const char *site_text(struct report *report, const struct site_row *site)
{
	const uint32_t node = calltree_node(site->tree, site->stack);

	if (!node || node == MODEL_NONE)
		return NULL;
	return method_text(report, &site->tree->names[site->tree->nodes.nodes[node].frame]);
}
