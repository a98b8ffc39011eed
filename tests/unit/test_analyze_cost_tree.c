/* SPDX-License-Identifier: MIT */
#include "analyze/cost_tree.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "trace_reading.h"

enum { START, POOL, SERVER, RUN, PARSE, MAIN, WORK, PRICE, FRAMES };

static const char *const names[FRAMES] = { "Thread.Start()", "Pool.Dispatch()", "Server.Loop()",
					   "Context.Run()",  "Server.Parse()",	"Program.Main()",
					   "Shop.Work()",    "Shop.Price()" };

struct made {
	struct model model;
	struct call_query query;
	struct calltree calls;
	struct cost_tree tree;
	bool own[FRAMES], plumbing[FRAMES];
};

static void add_frames(struct model *model)
{
	model_init(model);
	model->frame_count = FRAMES;
	model->frames = xcalloc(FRAMES, sizeof(*model->frames));
	assert_non_null(model->frames);
	for (size_t i = 0; i < FRAMES; i++)
		model->frames[i] = (struct model_frame){ .name = model_text(model, names[i]),
							 .module = model_text(model, "m"),
							 .path = model_text(model, "m"),
							 .method = MODEL_NONE };
}

static uint32_t stack_of(struct model *model, const int *frames)
{
	uint32_t stack = 0;

	for (; *frames >= 0; frames++)
		stack = stack_tree_child(&model->stacks, stack, (uint32_t)*frames);
	return stack;
}

/* Each stack costs 1, 2, 4, ... so that a sum says what is in it. */
static void make(struct made *made, const int (*stacks)[FRAMES + 1], size_t count)
{
	uint32_t leaves[8];

	*made = (struct made){ 0 };
	add_frames(&made->model);
	for (size_t i = 0; i < count; i++)
		leaves[i] = stack_of(&made->model, stacks[i]);
	calltree_init(&made->calls, &made->model, &made->query);
	calltree_finish(&made->calls);
	cost_tree_init(&made->tree, &made->calls);
	for (size_t i = 0; i < count; i++)
		cost_tree_add(&made->tree, calltree_node(&made->calls, leaves[i]),
			      (enum cost)(i % COSTS), UINT64_C(1) << i);
	cost_tree_sum_up(&made->tree);
	for (int i = 0; i < FRAMES; i++) {
		made->own[i] = i >= MAIN;
		made->plumbing[i] = i == START || i == RUN;
	}
}

static void release(struct made *made)
{
	cost_tree_release(&made->tree);
	calltree_release(&made->calls);
	model_release(&made->model);
}

static void fold(struct made *made, bool leading)
{
	cost_tree_fold(&made->tree, &(const struct cost_folding){ .own = made->own,
								  .plumbing = made->plumbing,
								  .leading = leading });
}

static uint64_t sum(const struct costs *costs)
{
	uint64_t all = 0;

	for (int i = 0; i < COSTS; i++)
		all += costs->of[i];
	return all;
}

/* The node below `parent` with the name, or the node of leading calls for -1; 0: none. */
static uint32_t find(const struct made *made, uint32_t parent, int name)
{
	const struct cost_tree *tree = &made->tree;

	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		const uint32_t frame = tree->nodes.nodes[i].frame;

		if (tree->nodes.nodes[i].parent != parent)
			continue;
		if (name < 0 ? frame == tree->leading
			     : frame != tree->leading && made->calls.names[frame].name ==
								 made->model.frames[name].name)
			return i;
	}
	return 0;
}

static void expect(const struct made *made, uint32_t node, uint64_t own, uint64_t all)
{
	assert_int_not_equal(node, 0);
	assert_int_equal(sum(&made->tree.own[node]), own);
	assert_int_equal(sum(&made->tree.all[node]), all);
}

static const int served[][FRAMES + 1] = {
	{ START, POOL, SERVER, WORK, PRICE, -1 }, { START, POOL, SERVER, WORK, -1 },
	{ START, POOL, SERVER, PARSE, -1 },	  { START, POOL, SERVER, -1 },
	{ START, POOL, RUN, WORK, -1 },		  { START, POOL, RUN, PARSE, -1 },
};

static void calls_that_lead_to_own_code_become_one(void **state)
{
	struct made made;
	uint32_t leading;

	(void)state;
	make(&made, served, 6);
	fold(&made, true);
	leading = find(&made, 0, -1);
	expect(&made, leading, 8, 8);
	assert_int_equal(made.tree.folded[leading], 4);
	expect(&made, find(&made, 0, WORK), 2 + 16, 1 + 2 + 16);
	expect(&made, find(&made, find(&made, 0, WORK), PRICE), 1, 1);
	expect(&made, find(&made, 0, PARSE), 4 + 32, 4 + 32);
	assert_int_equal(sum(&made.tree.all[0]), 63);
	assert_int_equal(sum(&made.tree.own[0]), 0);
	release(&made);
}

static void plumbing_is_folded_into_its_caller(void **state)
{
	static const int stacks[][FRAMES + 1] = {
		{ MAIN, RUN, WORK, -1 },    { MAIN, RUN, -1 }, { MAIN, WORK, RUN, WORK, PRICE, -1 },
		{ START, POOL, PARSE, -1 }, { START, -1 },
	};
	struct made made;
	uint32_t main;

	(void)state;
	make(&made, stacks, 5);
	fold(&made, true);
	main = find(&made, 0, MAIN);
	expect(&made, main, 2, 1 + 2 + 4);
	assert_int_equal(made.tree.folded[main], 1);
	expect(&made, find(&made, main, WORK), 1, 1 + 4);
	assert_int_equal(find(&made, find(&made, main, WORK), WORK), 0);
	expect(&made, find(&made, 0, START), 16, 8 + 16);
	assert_int_equal(find(&made, 0, -1), 0);
	release(&made);
}

static void what_costs_nothing_is_left_out(void **state)
{
	struct made made;

	(void)state;
	make(&made, served, 6);
	for (uint32_t i = 0; i < made.tree.nodes.count; i++)
		if (made.tree.own[i].of[0])
			made.tree.own[i].of[0] = 0;
	fold(&made, true);
	assert_int_equal(find(&made, find(&made, 0, WORK), PRICE), 0);
	release(&made);
}

static void a_tree_can_start_at_a_method(void **state)
{
	static const int stacks[][FRAMES + 1] = {
		{ MAIN, WORK, -1 },
		{ START, WORK, PRICE, WORK, -1 },
		{ MAIN, -1 },
		{ START, POOL, WORK, RUN, PRICE, -1 },
	};
	struct made made;
	uint32_t work;

	(void)state;
	make(&made, stacks, 4);
	cost_tree_start_at(&made.tree, made.calls.nodes.nodes[calltree_node(&made.calls, 2)].frame);
	work = find(&made, 0, WORK);
	expect(&made, work, 1, 1 + 2 + 8);
	expect(&made, find(&made, work, PRICE), 0, 2);
	expect(&made, find(&made, find(&made, work, PRICE), WORK), 2, 2);
	assert_int_equal(sum(&made.tree.all[0]), 11);
	fold(&made, false);
	expect(&made, find(&made, find(&made, 0, WORK), PRICE), 8, 2 + 8);
	release(&made);
}

static void costs_without_a_stack_stay(void **state)
{
	struct made made;

	(void)state;
	make(&made, served, 0);
	cost_tree_add(&made.tree, 0, COST_BYTES, 100);
	cost_tree_add(&made.tree, MODEL_NONE, COST_BYTES, 100);
	fold(&made, true);
	assert_int_equal(made.tree.own[0].of[COST_BYTES], 100);
	assert_int_equal(made.tree.all[0].of[COST_BYTES], 100);
	cost_tree_start_at(&made.tree, MODEL_NONE);
	assert_false(costs_any(&made.tree.all[0]));
	release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_lead_to_own_code_become_one),
		cmocka_unit_test(plumbing_is_folded_into_its_caller),
		cmocka_unit_test(what_costs_nothing_is_left_out),
		cmocka_unit_test(a_tree_can_start_at_a_method),
		cmocka_unit_test(costs_without_a_stack_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
