/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stdio.h>

#include "trace_reading.h"

static void equal_texts_are_interned(void **state)
{
	struct arena arena = { 0 };
	struct strings strings = { .arena = &arena };
	const char *a = strings_intern(&strings, "abc", 3);

	(void)state;
	assert_ptr_equal(a, strings_intern(&strings, "abcd", 3));
	assert_ptr_not_equal(a, strings_intern(&strings, "abd", 3));
	assert_string_equal(strings_intern(&strings, "", 0), "");
	strings_release(&strings);
	arena_release(&arena);
}

static void stacks_share_their_callers(void **state)
{
	struct stack_tree tree = { 0 };
	uint32_t node = STACK_EMPTY;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		const uint32_t before = node;

		node = stack_tree_child(&tree, node, i % 7);
		assert_true(node > before);
		assert_int_equal(stack_tree_child(&tree, before, i % 7), node);
	}
	assert_int_equal(tree.count, 5001);
	stack_tree_release(&tree);
}

static uint32_t find_by_looking(const struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	for (uint32_t i = 1; i < tree->count; i++)
		if (tree->nodes[i].parent == parent && tree->nodes[i].frame == frame)
			return i;
	return tree->count;
}

/* A node directly follows its caller, or others come between, or it is the second child. */
static void a_node_is_found_in_a_chain_or_a_slot(void **state)
{
	struct stack_tree tree = { 0 };
	uint32_t chance = 1;

	(void)state;
	stack_tree_child(&tree, STACK_EMPTY, 0);
	for (int i = 0; i < 6000; i++) {
		chance = chance * 1664525 + 1013904223;
		const uint32_t parent = (chance >> 8) % tree.count;
		const uint32_t frame = chance >> 30;
		const uint32_t expected = find_by_looking(&tree, parent, frame);

		assert_int_equal(stack_tree_child(&tree, parent, frame), expected);
		assert_int_equal(find_by_looking(&tree, parent, frame), expected);
	}
	assert_true(tree.count > 1000);
	stack_tree_release(&tree);
}

#define START 0x7f0000001000

static struct model_method body(uint64_t id, int64_t from_ns, int64_t to_ns, const char *name)
{
	return (struct model_method){ .id = id,
				      .start = START,
				      .size = 0x100,
				      .from_ns = from_ns,
				      .to_ns = to_ns,
				      .type = "",
				      .name = name,
				      .signature = "",
				      .text = name };
}

static const char *name_at(const struct model *model, uint32_t entry)
{
	const uint32_t method = model->code.entries[entry].method;

	return method == MODEL_NONE ? "?" : model->methods[method].name;
}

static void an_address_means_the_code_loaded_at_the_time(void **state)
{
	const struct model_method first = body(1, 10, 20, "first");
	const struct model_method second = body(2, 30, INT64_MAX, "second");
	struct model model;
	uint32_t at[4];

	(void)state;
	model_init(&model);
	at[0] = code_find(&model.code, 0, START + 8, 5); /* before the load event */
	at[1] = code_find(&model.code, 0, START + 16, 15);
	assert_true(code_split(&model.code, 0, START, 0x100));
	at[2] = code_find(&model.code, 0, START + 16, 40);
	at[3] = code_find(&model.code, 0, START + 0x100, 40);
	model_add_method(&model, &first);
	model_add_method(&model, &second);
	model_resolve(&model);
	assert_string_equal(name_at(&model, at[0]), "first");
	assert_string_equal(name_at(&model, at[1]), "first");
	assert_string_equal(name_at(&model, at[2]), "second");
	assert_string_equal(name_at(&model, at[3]), "?");
	model_release(&model);
}

static void a_split_forgets_only_what_is_inside(void **state)
{
	struct code code = { 0 };
	const uint32_t in = code_find(&code, 0, START, 0);
	const uint32_t after = code_find(&code, 0, START + 0x100, 0);
	const uint32_t elsewhere = code_find(&code, 1, START, 0);

	(void)state;
	assert_true(code_split(&code, 0, START, 0x100));
	assert_false(code_split(&code, 0, START, 0x100));
	assert_int_not_equal(code_find(&code, 0, START, 1), in);
	assert_int_equal(code_find(&code, 0, START + 0x100, 1), after);
	assert_int_equal(code_find(&code, 1, START, 1), elsewhere);
	assert_false(code_split(&code, 0, UINT64_MAX - 1, UINT64_MAX));
	code_release(&code);
}

static void a_large_old_body_is_found_after_a_small_new_one(void **state)
{
	struct model_method large = body(1, INT64_MIN, 10, "large");
	struct model_method small = body(2, 20, INT64_MAX, "small");
	struct model model;
	uint32_t early, late;

	(void)state;
	model_init(&model);
	large.size = 0x1000;
	small.start += 0x100;
	early = code_find(&model.code, 0, START + 0x800, 5);
	late = code_find(&model.code, 0, START + 0x180, 30);
	model_add_method(&model, &large);
	model_add_method(&model, &small);
	model_resolve(&model);
	assert_string_equal(name_at(&model, early), "large");
	assert_string_equal(name_at(&model, late), "small");
	model_release(&model);
}

static void known_bodies_are_not_added_again(void **state)
{
	const struct model_method method = body(1, 10, INT64_MAX, "a");
	struct model model;

	(void)state;
	model_init(&model);
	assert_int_equal(model_add_method(&model, &method), 0);
	assert_int_equal(model_add_method(&model, &method), MODEL_NONE);
	model.methods[0].to_ns = 20;
	assert_int_equal(model_add_method(&model, &method), 1);
	model_release(&model);
}

static void name_by_text(void *self, struct address_naming *naming)
{
	(void)self;
	if (naming->entry->method != MODEL_NONE)
		naming_add(naming,
			   &(const struct model_frame){
				   .name = naming->model->methods[naming->entry->method].text });
}

/* The body that took over is called by the other on the stack: both are one call. */
static void a_body_that_continues_its_caller_is_one_call_with_it(void **state)
{
	struct model_method slow = body(7, INT64_MIN, INT64_MAX, "M");
	struct model_method fast = body(7, INT64_MIN, INT64_MAX, "M");
	struct model model;
	uint32_t node;

	(void)state;
	model_init(&model);
	fast.start += 0x1000;
	fast.continues = true;
	model_add_namer(&model, (struct model_namer){ name_by_text, NULL });
	node = stack_tree_child(&model.stacks, 0, code_find(&model.code, 0, slow.start, 0));
	node = stack_tree_child(&model.stacks, node, code_find(&model.code, 0, fast.start, 0));
	model_add_method(&model, &slow);
	model_add_method(&model, &fast);
	model_resolve(&model);
	model_build(&model);
	assert_int_equal(model.frame_count, 1);
	assert_int_equal(model.stacks.count, 2);
	assert_int_equal(model_stack_now(&model, (struct recorded_stack){ node }), 1);
	model_release(&model);
}

static void an_unknown_address_shows_module_and_offset(void **state)
{
	const struct model_module module = { .id = 3,
					     .name = "libx.so",
					     .path = "/lib/libx.so",
					     .shown_path = "/lib/libx.so",
					     .mapped = true,
					     .start = START,
					     .end = START + 0x1000,
					     .file_offset = 0x200 };
	struct model model;

	(void)state;
	model_init(&model);
	model.offsets = true;
	model_add_module(&model, &module);
	stack_tree_child(&model.stacks, 0, code_find(&model.code, 0, START + 0x34, 0));
	stack_tree_child(&model.stacks, 0, code_find(&model.code, 0, 0x10, 0));
	model_resolve(&model);
	model_build(&model);
	assert_string_equal(model.frames[0].module, "libx.so");
	assert_string_equal(model.frames[0].name, "0x234");
	assert_string_equal(model.frames[1].module, "?");
	assert_int_equal(model.losses.frames_unresolved, 2);
	model_release(&model);
}

static void samples_weigh_until_the_next_and_the_last_the_median(void **state)
{
	static const int64_t times[] = { 0, 10, 30, 40, 1000 };
	static const int64_t weights[] = { 10, 20, 10, 960, 20 };
	struct model model;
	struct sample_walk walk;
	struct model_sample sample;

	(void)state;
	model_init(&model);
	model_thread(&model, model_process(&model, 1), 7);
	for (size_t i = 0; i < COUNT(times); i++)
		samples_add(&model.samples, &(const struct model_sample){ .time_ns = times[i],
									  .kind = SAMPLE_MANAGED });
	model_weigh(&model);
	sample_walk_begin(&walk, &model.samples, UNTIL_SAMPLE);
	for (size_t i = 0; i < COUNT(weights); i++) {
		assert_true(sample_walk_next(&walk, &sample));
		assert_int_equal(sample.weight, weights[i]);
	}
	assert_false(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
	model_release(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_interned),
		cmocka_unit_test(stacks_share_their_callers),
		cmocka_unit_test(a_node_is_found_in_a_chain_or_a_slot),
		cmocka_unit_test(an_address_means_the_code_loaded_at_the_time),
		cmocka_unit_test(a_split_forgets_only_what_is_inside),
		cmocka_unit_test(a_large_old_body_is_found_after_a_small_new_one),
		cmocka_unit_test(known_bodies_are_not_added_again),
		cmocka_unit_test(a_body_that_continues_its_caller_is_one_call_with_it),
		cmocka_unit_test(an_unknown_address_shows_module_and_offset),
		cmocka_unit_test(samples_weigh_until_the_next_and_the_last_the_median),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
