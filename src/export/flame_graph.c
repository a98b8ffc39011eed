/* SPDX-License-Identifier: MIT */
#include "export/flame_graph.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "base/alloc.h"

#define SMALLEST   1e-5	  /* of the time in a state; nodes below twice that go into their callers */
#define MOST_NODES 100000 /* the largest ones */

/* Sums by state, of which a node's largest share decides whether it is seen. */
struct sizes {
	uint64_t *sums[FLAME_STATES];
};

static double size_of(const struct sizes *sizes, uint32_t node)
{
	double largest = 0;

	for (size_t i = 0; i < FLAME_STATES; i++) {
		const uint64_t whole = sizes->sums[i][0];
		const double size = whole ? (double)sizes->sums[i][node] / (double)whole : 0;

		largest = size > largest ? size : largest;
	}
	return largest;
}

static double smallest_of(const struct flame_graph *graph, const struct sizes *sizes)
{
	double smallest = SMALLEST;
	size_t count;

	do {
		count = 0;
		smallest *= 2;
		for (uint32_t i = 1; i < graph->tree.nodes.count; i++)
			count += size_of(sizes, i) >= smallest;
	} while (count > MOST_NODES);
	return smallest;
}

static int by_name(const void *left, const void *right, void *data)
{
	const struct flame_graph *graph = data;
	const struct stack_node *a = &graph->tree.nodes.nodes[*(const uint32_t *)left];
	const struct stack_node *b = &graph->tree.nodes.nodes[*(const uint32_t *)right];

	return strcmp(graph->source->frames[a->frame].full, graph->source->frames[b->frame].full);
}

/* By caller, and then by name, so that pictures of the same program look alike. */
static uint32_t *nodes_in_order(struct flame_graph *graph)
{
	const uint32_t count = graph->tree.nodes.count;
	const struct stack_node *nodes = graph->tree.nodes.nodes;
	uint32_t *order = xcalloc((size_t)count + 1, sizeof(*order));
	uint32_t *ends = xcalloc((size_t)count + 1, sizeof(*ends)); /* by caller */
	uint32_t end = 1;

	for (uint32_t i = 1; i < count; i++)
		ends[nodes[i].parent]++;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t callees = ends[i];

		ends[i] = end;
		end += callees;
	}
	for (uint32_t i = 1; i < count; i++)
		order[ends[nodes[i].parent]++] = i;
	for (uint32_t i = 0, start = 1; i < count; start = ends[i++])
		if (ends[i] - start > 1)
			qsort_r(order + start, ends[i] - start, sizeof(*order), by_name, graph);
	xfree(ends);
	return order;
}

/* A caller is at least as large as what it calls, so the callers of a node that is kept are, too.
 */
static void keep_large(struct flame_graph *graph, const struct sizes *sizes)
{
	const double smallest = smallest_of(graph, sizes);
	const uint32_t count = graph->tree.nodes.count;

	graph->order = nodes_in_order(graph);
	graph->place = xcalloc((size_t)count + 1, sizeof(*graph->place));
	graph->count = 1;
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t node = graph->order[i];

		if (size_of(sizes, node) < smallest) {
			graph->place[node] = graph->place[graph->tree.nodes.nodes[node].parent];
			continue;
		}
		graph->place[node] = graph->count;
		graph->order[graph->count++] = node;
	}
}

/* What runs, unless all was asked for, or nothing does. */
static enum flame_state choose_state(const struct flame_graph *graph, const struct sizes *sizes)
{
	enum flame_state state = FLAME_RUNNING;

	if (graph->source->query->view && graph->source->view->states)
		return FLAME_STATES;
	while (state + 1 < FLAME_STATES && !sizes->sums[state][0])
		state++;
	return state;
}

static void sum_up(struct flame_graph *graph)
{
	graph->all = flame_tree_sum(&graph->tree, graph->shown);
	graph->own = xcalloc((size_t)graph->tree.nodes.count + 1, sizeof(*graph->own));
	for (size_t i = 0; i < graph->tree.weight_count; i++) {
		const struct flame_weight *weight = &graph->tree.weights[i];

		if (graph->shown == FLAME_STATES || graph->shown == weight->state)
			graph->own[graph->order[graph->place[weight->node]]] += weight->weight;
	}
}

struct flame_graph flame_graph_make(struct export_source *source)
{
	struct flame_graph graph = { .source = source, .tree = flame_graph_of(source) };
	struct sizes sizes;

	graph.names = flame_names_of(source);
	for (enum flame_state i = 0; i < FLAME_STATES; i++)
		sizes.sums[i] = flame_tree_sum(&graph.tree, i);
	keep_large(&graph, &sizes);
	graph.shown = choose_state(&graph, &sizes);
	sum_up(&graph);
	for (size_t i = 0; i < FLAME_STATES; i++)
		xfree(sizes.sums[i]);
	return graph;
}

void flame_graph_release(struct flame_graph *graph)
{
	flame_tree_release(&graph->tree);
	xfree(graph->names);
	xfree(graph->order);
	xfree(graph->place);
	xfree(graph->all);
	xfree(graph->own);
}

/* Without it, a thread in managed code may have had no processor, and one in native code one. */
static bool has_cpu_time(const struct export_source *source)
{
	for (size_t i = 0; i < source->part_count; i++) {
		const struct model *model = &source->parts[i]->model;

		if (!model->samples.counts[SAMPLE_CPU] && !cpu_was_measured(model))
			return false;
	}
	return true;
}

const char *flame_graph_state(const struct flame_graph *graph, enum flame_state state)
{
	static const char *const names[FLAME_STATES][2] = {
		[FLAME_RUNNING] = { "Managed code", "CPU time" },
		[FLAME_WAITING] = { "Native code or waiting", "Waiting" },
		[FLAME_AWAITING] = { "Awaiting", "Awaiting" },
	};

	for (size_t i = 0; i < graph->tree.weight_count && graph->source->view->states; i++)
		if (graph->tree.weights[i].state == state)
			return names[state][has_cpu_time(graph->source)];
	return NULL;
}
