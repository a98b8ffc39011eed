/* SPDX-License-Identifier: MIT */
/*
 * Properties of any call tree: trees are random, with recursion, and their sums are compared
 * with each other.
 */
#include "analyze/call_rows.h"

#include "analyze/call_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "trace_reading.h"

#define FRAMES	9
#define SAMPLES 300
#define SEEDS	40
#define DEEPEST 8

static const char *const names[FRAMES] = { "A.X.a()", "A.X.b()", "A.Y.c()", "B.X.d()", "B.X.e()",
					   "B.Z.f()", "C.X.g()", "C.Y.h()", "C.Y.i()" };
static const char *const modules[FRAMES] = { "a", "a", "a", "b", "b", "b", "c", "c", "c" };

static unsigned dice(unsigned *seed, unsigned sides)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % sides;
}

static struct model make_model(unsigned seed)
{
	struct model model;

	model_init(&model);
	model_thread(&model, model_process(&model, 1), 1);
	model.frame_count = FRAMES;
	model.frames = xcalloc(FRAMES, sizeof(*model.frames));
	assert_non_null(model.frames);
	for (size_t i = 0; i < FRAMES; i++)
		model.frames[i] = (struct model_frame){ .name = model_text(&model, names[i]),
							.module = model_text(&model, modules[i]),
							.path = model_text(&model, modules[i]),
							.method = MODEL_NONE };
	for (unsigned i = 0; i < SAMPLES; i++) {
		const unsigned depth = dice(&seed, DEEPEST);
		struct model_sample sample = { .time_ns = i,
					       .weight = 1 + dice(&seed, 5),
					       .kind = SAMPLE_CPU };

		for (unsigned at = 0; at < depth; at++)
			sample.stack =
				stack_tree_child(&model.stacks, sample.stack, dice(&seed, FRAMES));
		samples_add(&model.samples, &sample);
	}
	return model;
}

struct query_texts {
	const char *group;
	const char *fold;
	const char *include;
	const char *exclude;
	double fold_percent;
};

struct made {
	struct model model;
	struct call_query query;
	struct calltree tree;
};

static void make(struct made *made, unsigned seed, struct query_texts texts)
{
	struct pp_error err = { 0 };
	struct sample_walk walk;
	struct model_sample sample;

	*made = (struct made){ .model = make_model(seed) };
	assert_int_equal(grouping_parse(&made->query.group, texts.group, &err), 0);
	assert_int_equal(pattern_list_parse(&made->query.fold, texts.fold, &err), 0);
	assert_int_equal(pattern_list_parse(&made->query.include, texts.include, &err), 0);
	assert_int_equal(pattern_list_parse(&made->query.exclude, texts.exclude, &err), 0);
	made->query.fold_percent = texts.fold_percent;
	calltree_init(&made->tree, &made->model, &made->query);
	sample_walk_begin(&walk, &made->model.samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		calltree_add(&made->tree, &sample, (uint64_t)sample.weight);
	sample_walk_end(&walk);
	calltree_finish(&made->tree);
	calltree_sum_up(&made->tree);
}

static void release(struct made *made)
{
	calltree_release(&made->tree);
	call_query_release(&made->query);
	model_release(&made->model);
}

static const struct query_texts queries[] = {
	{ 0 },
	{ .group = "modules" },
	{ .group = "{%}!=>module $1" },
	{ .fold = "!A.X" },
	{ .include = "a!;c!" },
	{ .exclude = "b!B.Z" },
	{ .group = "{%}!=>entry $1", .fold = "entry b", .exclude = "c!C.Y.h" },
	{ .fold_percent = 10 },
};

static struct call_sum sum_of(const struct call_rows *rows, bool inclusive)
{
	struct call_sum sum = { 0 };

	for (size_t i = 0; i < rows->count; i++) {
		const struct call_sum *part =
			inclusive ? &rows->rows[i].inclusive : &rows->rows[i].exclusive;

		sum.count += part->count;
		sum.weight += part->weight;
	}
	return sum;
}

static void expect_same(const struct call_sum *a, const struct call_sum *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->weight, b->weight);
}

/* Samples without a stack are the root's own. */
static void check_root(const struct calltree *tree)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_EXCLUSIVE);
	struct call_sum exclusive = sum_of(&rows, false);

	exclusive.count += tree->own[0].count;
	exclusive.weight += tree->own[0].weight;
	expect_same(&exclusive, &tree->all[0]);
	expect_same(&exclusive, &tree->total);
	call_rows_release(&rows);
}

/* The children in the caller and callee trees of a name are its rows. */
static void check_tree_around(const struct calltree *tree, const struct call_row *row,
			      const struct call_rows *rows, enum caller_tree which)
{
	struct calltree around = caller_tree(tree, row->name, which);
	size_t met = 0;

	calltree_sum_up(&around);
	expect_same(&around.all[0], &row->inclusive);
	expect_same(&around.all[1], &row->inclusive);
	for (size_t i = 0; i < rows->count; i++)
		for (uint32_t node = 2; node < around.nodes.count; node++)
			if (around.nodes.nodes[node].parent == 1 &&
			    around.nodes.nodes[node].frame == rows->rows[i].name) {
				expect_same(&around.all[node], &rows->rows[i].inclusive);
				met++;
			}
	for (size_t i = 0; i < rows->count; i++)
		met += rows->rows[i].name == MODEL_NONE; /* the start of a thread has no node */
	assert_int_equal(met, rows->count);
	calltree_release(&around);
}

/* The part of the samples that callees leave to the name itself. */
static struct call_sum own_share(const struct calltree *tree, uint32_t name)
{
	struct calltree around = caller_tree(tree, name, CALLER_TREE_CALLEES);
	const struct call_sum own = around.own[1];

	calltree_release(&around);
	return own;
}

static void check_around(const struct calltree *tree)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);

	for (size_t i = 0; i < rows.count; i++) {
		const struct call_row *row = &rows.rows[i];
		struct call_rows callers =
			call_rows_around(tree, row->name, CALLER_TREE_CALLERS, 0);
		struct call_rows callees =
			call_rows_around(tree, row->name, CALLER_TREE_CALLEES, 0);
		const struct call_sum above = sum_of(&callers, true);
		const struct call_sum own = own_share(tree, row->name);
		struct call_sum below = sum_of(&callees, true);

		call_sum_add(&below, &own);
		expect_same(&above, &row->inclusive);
		expect_same(&below, &row->inclusive);
		assert_true(row->inclusive.count <= tree->total.count);
		check_tree_around(tree, row, &callers, CALLER_TREE_CALLERS);
		check_tree_around(tree, row, &callees, CALLER_TREE_CALLEES);

		call_rows_release(&callers);
		call_rows_release(&callees);
	}
	call_rows_release(&rows);
}

static void sums_of_a_tree_are_consistent(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++)
		for (size_t i = 0; i < COUNT(queries); i++) {
			struct made made;

			make(&made, seed, queries[i]);
			if (made.tree.nodes.count)
				check_root(&made.tree);
			if (made.tree.nodes.count)
				check_around(&made.tree);
			assert_int_equal(made.tree.total.count + made.tree.dropped, SAMPLES);
			release(&made);
		}
}

/* Samples with the stack of these frames, by their numbers in `names`. */
struct recursion {
	struct model model;
	struct call_query query;
	struct calltree tree;
};

static void recursion_init(struct recursion *r, const uint32_t *frames, size_t count,
			   uint64_t samples)
{
	uint32_t stack = 0;

	*r = (struct recursion){ .model = make_model(1) };
	for (size_t i = 0; i < count; i++)
		stack = stack_tree_child(&r->model.stacks, stack, frames[i]);
	calltree_init(&r->tree, &r->model, &r->query);
	for (uint64_t i = 0; i < samples; i++)
		calltree_add(&r->tree, &(const struct model_sample){ .stack = stack }, 10);
	calltree_finish(&r->tree);
}

static void recursion_release(struct recursion *r)
{
	calltree_release(&r->tree);
	model_release(&r->model);
}

/* `wanted` is "NAME SAMPLES " for each row; "-" is the start of a thread. */
static void expect_around(const struct recursion *r, uint32_t frame, enum caller_tree which,
			  const char *wanted)
{
	const uint32_t name = calltree_find(&r->tree, names[frame]);
	struct call_rows rows = call_rows_around(&r->tree, name, which, 0);
	char text[200] = "";

	for (size_t i = 0; i < rows.count; i++) {
		const struct call_row *row = &rows.rows[i];

		assert_int_equal(row->inclusive.weight, row->inclusive.count * 10);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %u ",
			 row->name == MODEL_NONE ? "-" : r->tree.names[row->name].name,
			 (unsigned)row->inclusive.count);
	}
	assert_string_equal(text, wanted);
	call_rows_release(&rows);
}

/* a > b > a > b > c */
static void occurrences_of_a_recursive_method_share_a_sample(void **state)
{
	struct recursion r;

	(void)state;
	recursion_init(&r, (const uint32_t[]){ 0, 1, 0, 1, 2 }, 5, 100);
	expect_around(&r, 0, CALLER_TREE_CALLERS, "- 50 A.X.b() 50 ");
	expect_around(&r, 0, CALLER_TREE_CALLEES, "A.X.b() 100 ");
	expect_around(&r, 1, CALLER_TREE_CALLERS, "A.X.a() 100 ");
	expect_around(&r, 1, CALLER_TREE_CALLEES, "A.Y.c() 50 A.X.a() 50 ");
	expect_around(&r, 2, CALLER_TREE_CALLERS, "A.X.b() 100 ");
	expect_around(&r, 2, CALLER_TREE_CALLEES, "");
	recursion_release(&r);
}

/* a > b > a: of a's samples half are its own, half those of what it called. */
static void a_recursive_leaf_is_below_its_callee(void **state)
{
	struct recursion r;

	(void)state;
	recursion_init(&r, (const uint32_t[]){ 0, 1, 0 }, 3, 10);
	expect_around(&r, 0, CALLER_TREE_CALLEES, "A.X.b() 5 ");
	assert_int_equal(own_share(&r.tree, calltree_find(&r.tree, names[0])).count, 5);
	recursion_release(&r);
}

/* a > b > a > c > a */
static void samples_that_do_not_divide_are_not_lost(void **state)
{
	struct recursion r;

	(void)state;
	recursion_init(&r, (const uint32_t[]){ 0, 1, 0, 2, 0 }, 5, 9);
	expect_around(&r, 0, CALLER_TREE_CALLERS, "- 3 A.X.b() 3 A.Y.c() 3 ");
	recursion_release(&r);
}

/* Deeper than any runtime records, as in a hostile file. */
static void deep_recursion_ends(void **state)
{
	static uint32_t frames[20000];
	struct recursion r;

	(void)state;
	for (size_t i = 0; i < COUNT(frames); i++)
		frames[i] = i % 2;
	recursion_init(&r, frames, COUNT(frames), 64);
	expect_around(&r, 1, CALLER_TREE_CALLERS, "A.X.a() 64 ");
	expect_around(&r, 0, CALLER_TREE_CALLEES, "A.X.b() 64 ");
	recursion_release(&r);
}

static uint64_t total(unsigned seed, struct query_texts texts)
{
	struct made made;
	uint64_t count;

	make(&made, seed, texts);
	count = made.tree.total.count;
	release(&made);
	return count;
}

/* Include and exclude are the two halves; the order of patterns does not matter. */
static void filters_commute(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		assert_int_equal(total(seed, (struct query_texts){ .include = "b!" }) +
					 total(seed, (struct query_texts){ .exclude = "b!" }),
				 SAMPLES);
		assert_int_equal(total(seed, (struct query_texts){ .include = "a!;c!" }),
				 total(seed, (struct query_texts){ .include = "c!;a!" }));
		assert_int_equal(total(seed, (struct query_texts){ .exclude = "a!;c!" }),
				 total(seed, (struct query_texts){ .exclude = "c!|a!" }));
		assert_int_equal(total(seed, (struct query_texts){ .fold = "*" }), SAMPLES);
		assert_int_equal(total(seed, (struct query_texts){ .group = "modules" }), SAMPLES);
	}
}

/* main -> group -> group -> other: only the entry is kept; folded frames count for their caller. */
static void an_entry_group_keeps_its_entry_method(void **state)
{
	struct made made;
	uint32_t entry;

	(void)state;
	make(&made, 1, (struct query_texts){ .group = "a!=>A" });
	for (uint32_t i = 1; i < made.tree.nodes.count; i++) {
		const struct stack_node *node = &made.tree.nodes.nodes[i];
		const char *full = made.tree.names[node->frame].full;

		if (strncmp(full, "A <<", 4) != 0 || !node->parent)
			continue;
		full = made.tree.names[made.tree.nodes.nodes[node->parent].frame].full;
		assert_int_not_equal(strncmp(full, "A <<", 4), 0);
	}
	entry = calltree_find(&made.tree, "A <<a!A.X.a()>>");
	assert_int_not_equal(entry, MODEL_NONE);
	release(&made);
}

static void methods_are_found_by_the_end_of_their_name(void **state)
{
	struct made made;
	uint32_t name;

	(void)state;
	make(&made, 1, queries[0]);
	name = calltree_find(&made.tree, "X.b");
	assert_string_equal(made.tree.names[name].full, "a!A.X.b()");
	assert_int_equal(calltree_find(&made.tree, "b!B.X.d()"), calltree_find(&made.tree, "d"));
	assert_int_equal(calltree_find(&made.tree, "nobody"), MODEL_NONE);
	release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_a_tree_are_consistent),
		cmocka_unit_test(occurrences_of_a_recursive_method_share_a_sample),
		cmocka_unit_test(a_recursive_leaf_is_below_its_callee),
		cmocka_unit_test(samples_that_do_not_divide_are_not_lost),
		cmocka_unit_test(deep_recursion_ends),
		cmocka_unit_test(filters_commute),
		cmocka_unit_test(an_entry_group_keeps_its_entry_method),
		cmocka_unit_test(methods_are_found_by_the_end_of_their_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
