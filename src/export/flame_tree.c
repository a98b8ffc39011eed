/* SPDX-License-Identifier: MIT */
#include "export/flame_tree.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/plumbing.h"
#include "base/alloc.h"
#include "export/stack_table.h"

struct making {
	struct export_source *source;
	struct flame_tree *tree;
	struct stack_table stacks;
	size_t own_capacity;
	bool graph;
	size_t *latest; /* by node and state: its last weight + 1 */
	size_t latest_capacity;
};

static enum flame_state state_of(const struct export_thread *thread, const struct export_view *view,
				 enum sample_kind kind)
{
	if (thread->awaits)
		return FLAME_AWAITING;
	if (!view->states || kind == SAMPLE_MANAGED || kind == SAMPLE_CPU || kind == SAMPLE_MARK)
		return FLAME_RUNNING;
	return FLAME_WAITING;
}

static void add_own(struct making *m, uint32_t node, uint64_t weight)
{
	m->tree->own = xroom(m->tree->own, &m->own_capacity, node, sizeof(*m->tree->own));
	m->tree->own[node] += weight;
}

/* Threads are added one after the other, so the last weight of a node is the thread's or is old. */
static void add_weight(struct making *m, const struct flame_weight *added)
{
	struct flame_tree *tree = m->tree;
	const size_t slot = (size_t)added->node * FLAME_STATES + added->state;

	m->latest = xroom(m->latest, &m->latest_capacity, slot, sizeof(*m->latest));
	if (m->latest[slot] && tree->weights[m->latest[slot] - 1].thread == added->thread) {
		tree->weights[m->latest[slot] - 1].weight += added->weight;
		return;
	}
	tree->weights = xgrow(tree->weights, tree->weight_count, &tree->weight_capacity,
			      sizeof(*tree->weights));
	tree->weights[tree->weight_count++] = *added;
	m->latest[slot] = tree->weight_count;
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
	const uint32_t number = (uint32_t)(thread - m->source->threads) + 1;
	struct export_walk walk = export_walk_of(m->source, thread);
	struct export_sample sample;

	while (export_walk_next(&walk, &sample)) {
		const enum flame_state state = state_of(thread, m->source->view, sample.kind);
		const bool plain = m->graph && m->source->view->states && state == FLAME_RUNNING;
		const uint32_t node = stack_table_node(&m->stacks, thread->part, sample.stack,
						       plain ? EXPORT_NONE : sample.leaf);

		if (!m->graph)
			add_own(m, node, sample.weight);
		else
			add_weight(m, &(const struct flame_weight){
					      .node = node,
					      .thread = thread->awaits ? FLAME_NO_THREAD : number,
					      .state = state,
					      .weight = sample.weight });
	}
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

static struct flame_tree make_tree(struct export_source *source, bool graph)
{
	struct flame_tree tree = { 0 };
	struct making m = { .source = source, .tree = &tree, .graph = graph };

	stack_table_init(&m.stacks, source);
	for (uint32_t i = 0; i < source->process_count; i++)
		add_process(&m, i);
	tree.nodes = m.stacks.tree;
	m.stacks.tree = (struct stack_tree){ 0 };
	stack_table_release(&m.stacks);
	stack_tree_seal(&tree.nodes);
	if (!graph)
		add_own(&m, tree.nodes.count, 0);
	xfree(m.latest);
	return tree;
}

struct flame_tree flame_tree_of(struct export_source *source)
{
	return make_tree(source, false);
}

static bool is_unknown(const struct export_frame *frame)
{
	return frame->module && !strcmp(frame->full, "?!?");
}

/* By frame: whether it goes into its caller. */
static bool *plumbing_of(const struct export_source *source)
{
	bool *folded = xcalloc(source->frame_count + 1, sizeof(*folded));
	struct pattern_list list = { 0 };
	struct pp_error never = { 0 };

	if (!source->query->folds)
		pattern_list_append(&list, plumbing_frames, &never);
	for (size_t i = 0; i < source->frame_count; i++)
		folded[i] = source->frames[i].module &&
			    pattern_list_matches(&list, source->frames[i].full);
	pattern_list_release(&list);
	return folded;
}

struct folding {
	const struct export_source *source;
	const struct stack_tree *from;
	struct stack_tree to;
	const bool *plumbing; /* by frame */
	uint32_t *moved;      /* by node of `from` */
};

/* Below the root, or below a process. */
static bool is_outermost(const struct folding *f, uint32_t node)
{
	const uint32_t caller = f->from->nodes[node].parent;

	return !caller || (f->source->process_count > 1 && !f->from->nodes[caller].parent);
}

/* Unknown code that calls unknown code is one call, since it has one name. */
static uint32_t place_node(struct folding *f, uint32_t node)
{
	const uint32_t caller = f->moved[f->from->nodes[node].parent];
	const uint32_t frame = f->from->nodes[node].frame;

	if (!is_outermost(f, node) &&
	    (f->plumbing[frame] ||
	     (f->to.nodes[caller].frame == frame && is_unknown(&f->source->frames[frame]))))
		return caller;
	return stack_tree_child(&f->to, caller, frame);
}

static void fold_plumbing(const struct export_source *source, struct flame_tree *tree)
{
	bool *plumbing = plumbing_of(source);
	struct folding f = {
		.source = source,
		.from = &tree->nodes,
		.plumbing = plumbing,
		.moved = xcalloc((size_t)tree->nodes.count + 1, sizeof(*f.moved)),
	};

	for (uint32_t i = 1; i < tree->nodes.count; i++)
		f.moved[i] = place_node(&f, i);
	stack_tree_seal(&f.to);
	for (size_t i = 0; i < tree->weight_count; i++)
		tree->weights[i].node = f.moved[tree->weights[i].node];
	stack_tree_release(&tree->nodes);
	tree->nodes = f.to;
	xfree(f.moved);
	xfree(plumbing);
}

struct flame_tree flame_graph_of(struct export_source *source)
{
	struct flame_tree tree = make_tree(source, true);

	fold_plumbing(source, &tree);
	return tree;
}

uint64_t *flame_tree_sum(const struct flame_tree *tree, enum flame_state state)
{
	uint64_t *all = xcalloc((size_t)tree->nodes.count + 1, sizeof(*all));

	for (size_t i = 0; i < tree->weight_count; i++)
		if (state == FLAME_STATES || tree->weights[i].state == state)
			all[tree->weights[i].node] += tree->weights[i].weight;
	for (uint32_t i = tree->nodes.count; i-- > 1;)
		all[tree->nodes.nodes[i].parent] += all[i];
	return all;
}

void flame_tree_release(struct flame_tree *tree)
{
	stack_tree_release(&tree->nodes);
	xfree(tree->own);
	xfree(tree->weights);
}
