/* SPDX-License-Identifier: MIT */
#include "export/flame_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define UNUSED UINT32_MAX

struct making {
	struct export_source *source;
	struct flame_tree *tree;
	size_t own_capacity;
	uint32_t *nodes; /* by node of the part: of the tree, or UNUSED */
};

static void add_weight(struct making *m, uint32_t node, uint64_t weight)
{
	m->tree->own = xroom(m->tree->own, &m->own_capacity, node, sizeof(*m->tree->own));
	m->tree->own[node] += weight;
}

/* A frame with the process's name and number. */
static uint32_t process_root(struct making *m, const struct export_process *process)
{
	struct export_frame frame = { 0 };
	char text[200];

	if (m->source->process_count < 2)
		return STACK_EMPTY;
	snprintf(text, sizeof(text), "%s%s(%lld)", process->name ? process->name : "",
		 process->name ? " " : "", (long long)process->id);
	frame.full = frame.name = strings_intern(&m->source->strings, text, strlen(text));
	return stack_tree_child(&m->tree->nodes, STACK_EMPTY,
				export_source_frame(m->source, &frame));
}

/* Callers come first, so the node of each is known when it is asked for. */
static void make_nodes(struct making *m, const struct export_stacks *stacks, uint32_t root)
{
	for (uint32_t i = stacks->count; i-- > 1;)
		if (m->nodes[i] != UNUSED)
			m->nodes[export_caller(stacks, i)] = 0;
	m->nodes[0] = root;
	for (uint32_t i = 1; i < stacks->count; i++)
		if (m->nodes[i] != UNUSED)
			m->nodes[i] = stack_tree_child(&m->tree->nodes,
						       m->nodes[export_caller(stacks, i)],
						       export_frame(stacks, i));
}

static void add_samples(struct making *m, const struct export_thread *thread)
{
	struct export_walk walk;
	struct export_sample sample;

	export_walk_begin(&walk, m->source, thread);
	while (export_walk_next(&walk, &sample)) {
		uint32_t node = m->nodes[sample.stack];

		if (sample.leaf != EXPORT_NONE)
			node = stack_tree_child(&m->tree->nodes, node, sample.leaf);
		add_weight(m, node, sample.weight);
	}
	export_walk_end(&walk);
}

static void mark_stacks(struct making *m, const struct export_thread *thread)
{
	struct export_walk walk;
	struct export_sample sample;

	export_walk_begin(&walk, m->source, thread);
	while (export_walk_next(&walk, &sample))
		m->nodes[sample.stack] = 0;
	export_walk_end(&walk);
}

static void add_process(struct making *m, uint32_t number)
{
	const struct export_process *process = &m->source->processes[number];
	const struct export_stacks *stacks = &m->source->parts[process->part]->stacks;
	const uint32_t root = process_root(m, process);

	m->nodes = xrealloc(m->nodes, (size_t)stacks->count + 1, sizeof(*m->nodes));
	memset(m->nodes, 0xFF, ((size_t)stacks->count + 1) * sizeof(*m->nodes));
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			mark_stacks(m, &m->source->threads[i]);
	make_nodes(m, stacks, root);
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			add_samples(m, &m->source->threads[i]);
}

struct flame_tree flame_tree_of(struct export_source *source)
{
	struct flame_tree tree = { 0 };
	struct making m = { .source = source, .tree = &tree };

	for (uint32_t i = 0; i < source->process_count; i++)
		add_process(&m, i);
	add_weight(&m, tree.nodes.count, 0);
	tree.all = xcalloc((size_t)tree.nodes.count + 1, sizeof(*tree.all));
	for (uint32_t i = tree.nodes.count; i-- > 1;) {
		tree.all[i] += tree.own[i];
		tree.all[tree.nodes.nodes[i].parent] += tree.all[i];
	}
	tree.all[0] += tree.own[0];
	free(m.nodes);
	stack_tree_seal(&tree.nodes);
	return tree;
}

void flame_tree_release(struct flame_tree *tree)
{
	stack_tree_release(&tree->nodes);
	free(tree->own);
	free(tree->all);
	*tree = (struct flame_tree){ 0 };
}
