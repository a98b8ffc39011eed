/* SPDX-License-Identifier: MIT */
#include "export/flame_tree.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "export/stack_table.h"

struct making {
	struct export_source *source;
	struct flame_tree *tree;
	struct stack_table stacks;
	size_t own_capacity;
};

static void add_weight(struct making *m, uint32_t node, uint64_t weight)
{
	m->tree->own = xroom(m->tree->own, &m->own_capacity, node, sizeof(*m->tree->own));
	m->tree->own[node] += weight;
}

static uint32_t process_root(struct making *m, const struct export_process *process)
{
	const char *name = process->name ? process->name : "";

	if (m->source->process_count < 2)
		return STACK_EMPTY;
	return stack_tree_child(&m->stacks.tree, STACK_EMPTY,
				export_source_label(m->source, "%s%s(%lld)", name,
						    process->name ? " " : "",
						    (long long)process->id));
}

static void add_samples(struct making *m, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(m->source, thread);
	struct export_sample sample;

	while (export_walk_next(&walk, &sample))
		add_weight(m, stack_table_node(&m->stacks, thread->part, sample.stack, sample.leaf),
			   sample.weight);
}

static void add_process(struct making *m, uint32_t number)
{
	const struct export_process *process = &m->source->processes[number];
	const uint32_t root = process_root(m, process);

	stack_table_begin_root(&m->stacks, process->part);
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			stack_table_mark(&m->stacks, &m->source->threads[i]);
	stack_table_end_root(&m->stacks, process->part, root);
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			add_samples(m, &m->source->threads[i]);
}

struct flame_tree flame_tree_of(struct export_source *source)
{
	struct flame_tree tree = { 0 };
	struct making m = { .source = source, .tree = &tree };

	stack_table_init(&m.stacks, source);
	for (uint32_t i = 0; i < source->process_count; i++)
		add_process(&m, i);
	tree.nodes = m.stacks.tree;
	m.stacks.tree = (struct stack_tree){ 0 };
	stack_table_release(&m.stacks);
	stack_tree_seal(&tree.nodes);
	add_weight(&m, tree.nodes.count, 0);
	tree.all = xcalloc((size_t)tree.nodes.count + 1, sizeof(*tree.all));
	for (uint32_t i = tree.nodes.count; i-- > 1;) {
		tree.all[i] += tree.own[i];
		tree.all[tree.nodes.nodes[i].parent] += tree.all[i];
	}
	tree.all[0] += tree.own[0];
	return tree;
}

void flame_tree_release(struct flame_tree *tree)
{
	stack_tree_release(&tree->nodes);
	free(tree->own);
	free(tree->all);
}
