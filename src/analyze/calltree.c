/* SPDX-License-Identifier: MIT */
#include "analyze/calltree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/call_rows.h"
#include "analyze/plumbing.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "model/frame_text.h"

/* The result for a stack of the model. */
struct call_place {
	uint32_t node; /* MODEL_NONE: it is excluded */
	uint32_t name; /* of its leaf, before folding */
};

/* The query's decision on a name. */
struct name_verdict {
	bool judged;
	uint64_t included;
	bool excluded;
	bool folded;
};

struct frame_verdict {
	enum grouped grouped;
	uint32_t name;		 /* its own, or the group's */
	struct name_verdict own; /* on its own name, where that matters */
};

struct applying {
	struct calltree *tree;
	const char *unknown; /* the name of code without one, or NULL */
	struct frame_verdict *frames;
	struct name_verdict *names;
	size_t name_count;
	struct buffer text;
};

static uint32_t add_name(struct calltree *tree, const struct call_name *name)
{
	const uint64_t key = hash_u64((uintptr_t)name->full) ^ ((uint64_t)name->process << 32);
	const void *known = map_find(&tree->by_name, key);

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	tree->names =
		xgrow(tree->names, tree->name_count, &tree->name_capacity, sizeof(*tree->names));
	tree->names[tree->name_count] = *name;
	map_put(&tree->by_name, key, (void *)(uintptr_t)(tree->name_count + 1));
	return (uint32_t)tree->name_count++;
}

static const char *kept(struct applying *a)
{
	return strings_intern(&a->tree->strings, (const char *)a->text.bytes, a->text.size);
}

static void put_full(struct buffer *text, const char *module, const struct model_frame *frame)
{
	buffer_rewind(text, 0);
	frame_put_full(text, module, frame);
}

/* Its own text is the frame's name, but for lines and inlined calls. */
static const char *shown_name(struct applying *a, const struct model_frame *frame)
{
	if (!frame->line && !frame->inlined)
		return frame->name;
	buffer_rewind(&a->text, 0);
	frame_put_name(&a->text, frame);
	return kept(a);
}

/* With the module's path in front, or with its name. */
static uint64_t matches(const struct pattern_list *list, const struct call_name *name)
{
	if (!list->count)
		return 0;
	return pattern_list_matches(list, name->with_path) | pattern_list_matches(list, name->full);
}

/* "module!class"; NULL: it has none, or no rule would use it. */
static const char *class_of(struct applying *a, const struct model_frame *frame)
{
	if (!a->tree->query->group.patterns.count || !frame->class_text)
		return NULL;
	buffer_rewind(&a->text, 0);
	buffer_text(&a->text, frame->module);
	if (*frame->module)
		buffer_u8(&a->text, '!');
	buffer_text(&a->text, frame->class_text);
	return kept(a);
}

/* The group's name is left in `text`. */
static enum grouped group_of(struct applying *a, const struct model_frame *frame,
			     const struct call_name *name)
{
	const struct frame_names names = { .full = name->full,
					   .with_path = name->with_path,
					   .module = frame->module,
					   .path = frame->path,
					   .class_name = class_of(a, frame) };

	return grouping_apply(&a->tree->query->group, &names, &a->text);
}

static void judge_unknown(struct applying *a, uint32_t number)
{
	const struct call_name name = { .full = a->unknown,
					.with_path = "?!?", /* as patterns know it */
					.name = a->unknown,
					.frame = MODEL_NONE,
					.process = a->tree->query->by_process
							   ? a->tree->model->frames[number].process
							   : MODEL_NONE };

	a->frames[number] = (struct frame_verdict){ .name = add_name(a->tree, &name) };
}

/* The size of a name without its parameters, and without what follows the name. */
static size_t bare_size(const struct call_name *name)
{
	const size_t own = strlen(name->name) - name->suffix;
	const size_t bare = strcspn(name->name, "(");

	return bare < own ? bare : own;
}

/* "Orders.Place" is found in "Shop.Orders.Place(int)", after a dot or colon or at the start. */
static bool is_called(const struct call_name *name, const char *wanted)
{
	const size_t size = strlen(wanted);
	const size_t bare = bare_size(name);

	if (!strcasecmp(name->full, wanted) || !strcasecmp(name->name, wanted))
		return true;
	if (bare < size || strncasecmp(name->name + bare - size, wanted, size) != 0)
		return false;
	return bare == size || strchr(".:", name->name[bare - size - 1]);
}

static bool is_folded(const struct call_query *query, const struct pattern_list *by,
		      const struct call_name *name)
{
	return matches(by, name) && !(query->kept && is_called(name, query->kept));
}

static struct name_verdict verdict_on(const struct call_query *query, const struct call_name *name)
{
	return (struct name_verdict){
		.judged = true,
		.included = matches(&query->include, name),
		.excluded = matches(&query->exclude, name) != 0,
		.folded = is_folded(query, &query->fold, name),
	};
}

/* On a frame before it is grouped. */
static struct name_verdict own_verdict(const struct call_query *query, const struct call_name *name)
{
	struct name_verdict verdict = { 0 };

	if (query->match_frames)
		verdict = verdict_on(query, name);
	verdict.folded |= is_folded(query, &query->fold_frames, name);
	return verdict;
}

static void judge_frame(struct applying *a, uint32_t number)
{
	struct calltree *tree = a->tree;
	const struct model_frame *frame = &tree->model->frames[number];
	struct frame_verdict *verdict = &a->frames[number];
	struct call_name name = { .name = shown_name(a, frame),
				  .frame = number,
				  .module = *frame->module ? frame->module : NULL,
				  .process =
					  tree->query->by_process ? frame->process : MODEL_NONE };

	name.suffix = (uint32_t)(strlen(name.name) - strlen(frame->name));
	put_full(&a->text, frame->module, frame);
	name.full = kept(a);
	put_full(&a->text, frame->path, frame);
	name.with_path = kept(a);
	verdict->own = own_verdict(tree->query, &name);
	tree->matched.exclude |= verdict->own.excluded;
	tree->matched.fold |= verdict->own.folded;
	verdict->grouped = group_of(a, frame, &name);
	if (verdict->grouped != GROUPED_NOT && a->text.size) {
		const bool unnamed = !tree->query->group.patterns.count;

		tree->matched.group |= name.full != kept(a);
		name.full = name.with_path = kept(a);
		if (!unnamed) {
			name.name = name.full;
			name.module = NULL;
			name.frame = MODEL_NONE;
			name.suffix = 0;
		}
	}
	verdict->name = add_name(tree, &name);
}

static void judge_name(struct applying *a, uint32_t number)
{
	const struct call_query *query = a->tree->query;
	const struct call_name *name = &a->tree->names[number];

	a->names = xroom(a->names, &a->name_count, number, sizeof(*a->names));
	if (a->names[number].judged)
		return;
	a->names[number] = verdict_on(query, name);
	a->tree->matched.exclude |= a->names[number].excluded;
	a->tree->matched.fold |= a->names[number].folded;
}

/* "NAME <<module!method>>" for the frame at which the group is entered. */
static uint32_t entry_name(struct applying *a, uint32_t group, const struct model_frame *frame)
{
	struct calltree *tree = a->tree;
	struct call_name name = tree->names[group];
	struct buffer text = { 0 };

	put_full(&text, frame->module, frame);
	buffer_rewind(&a->text, 0);
	buffer_text(&a->text, name.full);
	buffer_bytes(&a->text, " <<", 3);
	buffer_bytes(&a->text, text.bytes, text.size);
	buffer_bytes(&a->text, ">>", 2);
	buffer_release(&text);
	name.full = name.name = name.with_path = kept(a);
	name.group = group + 1;
	name.suffix = 0;
	return add_name(tree, &name);
}

/* The name of the stack's leaf, which depends on its caller's. */
static uint32_t name_of(struct applying *a, const struct stack_node *node)
{
	struct calltree *tree = a->tree;
	const struct frame_verdict *verdict = &a->frames[node->frame];
	const uint32_t caller = node->parent ? tree->places[node->parent].name : MODEL_NONE;

	if (verdict->grouped != GROUPED_ENTRY)
		return verdict->name;
	if (caller != MODEL_NONE && tree->names[caller].group == verdict->name + 1)
		return caller;
	return entry_name(a, verdict->name, &tree->model->frames[node->frame]);
}

static void place_stack(struct applying *a, uint32_t stack)
{
	struct calltree *tree = a->tree;
	const struct stack_node *node = &tree->model->stacks.nodes[stack];
	const uint32_t parent = tree->places[node->parent].node;
	struct call_place *place = &tree->places[stack];
	const struct name_verdict *own = &a->frames[node->frame].own;
	const struct name_verdict *verdict;

	place->name = name_of(a, node);
	judge_name(a, place->name);
	verdict = &a->names[place->name];
	if (tree->included)
		tree->included[stack] =
			tree->included[node->parent] | verdict->included | own->included;
	if (parent == MODEL_NONE || verdict->excluded || own->excluded)
		place->node = MODEL_NONE;
	else if (parent &&
		 (verdict->folded || own->folded || tree->nodes.nodes[parent].frame == place->name))
		place->node = parent;
	else
		place->node = stack_tree_child(&tree->nodes, parent, place->name);
}

void calltree_init(struct calltree *tree, const struct model *model, const struct call_query *query)
{
	struct applying a = { .tree = tree };
	const size_t stacks = model->stacks.count ? model->stacks.count : 1;

	*tree = (struct calltree){ .model = model, .query = query };
	tree->strings.arena = &tree->arena;
	tree->places = xcalloc(stacks, sizeof(*tree->places));
	if (query->include.count)
		tree->included = xcalloc(stacks, sizeof(*tree->included));
	a.frames = xcalloc(model->frame_count + 1, sizeof(*a.frames));
	if (query->native_calls && !query->group.patterns.count)
		a.unknown = plumbing_unknown_name(model);
	for (uint32_t i = 0; i < model->frame_count; i++)
		if (a.unknown && plumbing_is_unknown(model, i))
			judge_unknown(&a, i);
		else
			judge_frame(&a, i);
	for (uint32_t i = 1; i < model->stacks.count; i++)
		place_stack(&a, i);
	xfree(a.frames);
	xfree(a.names);
	buffer_release(&a.text);
	tree->own = xcalloc((size_t)tree->nodes.count + 1, sizeof(*tree->own));
}

void calltree_release(struct calltree *tree)
{
	stack_tree_release(&tree->nodes);
	strings_release(&tree->strings);
	map_release(&tree->by_name);
	arena_release(&tree->arena);
	xfree(tree->own);
	xfree(tree->all);
	xfree(tree->names);
	xfree(tree->places);
	xfree(tree->included);
	*tree = (struct calltree){ 0 };
}

void call_query_release(struct call_query *query)
{
	grouping_release(&query->group);
	pattern_list_release(&query->fold);
	pattern_list_release(&query->fold_frames);
	pattern_list_release(&query->include);
	pattern_list_release(&query->exclude);
}

uint32_t calltree_node(const struct calltree *tree, uint32_t stack)
{
	const size_t wanted = tree->query->include.count;

	if (wanted &&
	    (!tree->included || !stack || tree->included[stack] != (UINT64_MAX >> (64 - wanted))))
		return MODEL_NONE;
	return tree->places[stack].node;
}

bool calltree_passes(const struct calltree *tree, struct recorded_stack stack)
{
	return calltree_node(tree, model_stack_now(tree->model, stack)) != MODEL_NONE;
}

bool calltree_add_sum(struct calltree *tree, uint32_t stack, const struct call_sum *sum)
{
	const uint32_t node = calltree_node(tree, stack);

	if (node == MODEL_NONE) {
		tree->dropped += sum->count;
		return false;
	}
	call_sum_add(&tree->own[node], sum);
	call_sum_add(&tree->total, sum);
	return true;
}

bool calltree_add(struct calltree *tree, const struct model_sample *sample, uint64_t weight)
{
	return calltree_add_sum(
		tree, sample->stack,
		&(const struct call_sum){ .count = !sample->part, .weight = weight });
}

bool calltree_add_time(struct calltree *tree, const struct model_sample *sample, uint64_t weight)
{
	return calltree_add_sum(tree, sample->stack, &(const struct call_sum){ .weight = weight });
}

void calltree_sum_up(struct calltree *tree)
{
	xfree(tree->all);
	tree->all = xcalloc((size_t)tree->nodes.count + 1, sizeof(*tree->all));
	for (uint32_t i = tree->nodes.count; i-- > 1;) {
		call_sum_add(&tree->all[i], &tree->own[i]);
		call_sum_add(&tree->all[tree->nodes.nodes[i].parent], &tree->all[i]);
	}
	call_sum_add(&tree->all[0], &tree->own[0]);
}

/* By name. */
static struct call_row *sum_names(const struct calltree *tree)
{
	struct call_row *rows = xcalloc(tree->name_count + 1, sizeof(*rows));

	call_rows_sum(&tree->nodes, tree->own, rows, tree->name_count);
	return rows;
}

/*
 * Small nodes are folded into their callers, unless their name is large elsewhere. All below a
 * folded node is smaller still and folded, too, but for names that are large elsewhere: those move
 * up.
 */
static void fold_small(struct calltree *tree)
{
	const double least = (double)tree->total.count * tree->query->fold_percent / 100;
	struct call_row *names = sum_names(tree);
	uint32_t *moved = xcalloc((size_t)tree->nodes.count + 1, sizeof(*moved));
	struct stack_tree old = tree->nodes;
	const struct call_sum *all = tree->all;
	struct call_sum *own = tree->own;

	assert(all);
	tree->nodes = (struct stack_tree){ 0 };
	for (uint32_t i = 1; i < old.count; i++) {
		const uint32_t parent = moved[old.nodes[i].parent];
		const uint32_t name = old.nodes[i].frame;
		const bool small =
			(double)all[i].count < least && (double)names[name].inclusive.count < least;

		moved[i] = small || (parent && tree->nodes.nodes &&
				     tree->nodes.nodes[parent].frame == name)
				   ? parent
				   : stack_tree_child(&tree->nodes, parent, name);
	}
	tree->own = xcalloc((size_t)tree->nodes.count + 1, sizeof(*own));
	for (uint32_t i = 0; i < old.count; i++)
		call_sum_add(&tree->own[moved[i]], &own[i]);
	for (uint32_t i = 1; i < tree->model->stacks.count; i++)
		if (tree->places[i].node != MODEL_NONE)
			tree->places[i].node = moved[tree->places[i].node];
	stack_tree_release(&old);
	xfree(own);
	xfree(moved);
	xfree(names);
}

void calltree_finish(struct calltree *tree)
{
	if (tree->query->fold_percent > 0 && tree->nodes.count) {
		calltree_sum_up(tree);
		fold_small(tree);
		xfree(tree->all);
		tree->all = NULL;
	}
	stack_tree_seal(&tree->nodes);
}

uint32_t calltree_find(const struct calltree *tree, const char *name)
{
	struct call_row *names = sum_names(tree);
	uint32_t best = MODEL_NONE;

	for (uint32_t i = 0; i < tree->name_count && tree->nodes.count; i++)
		if (is_called(&tree->names[i], name) &&
		    (best == MODEL_NONE || names[i].inclusive.count > names[best].inclusive.count))
			best = i;
	xfree(names);
	return best;
}
