/* SPDX-License-Identifier: MIT */
/* Who names an address: the order of namers, inlined calls, lines. */
#include "model/namer.h"

#include <stdio.h>

#include "model/model.h"
#include "trace_reading.h"

#define START 0x1000u

/* Knows the addresses from `from` to `to`, as `depth` inlined calls in a function. */
struct fake_namer {
	uint64_t from, to;
	const char *name;
	const char *module; /* or NULL */
	const char *file;
	uint32_t depth;
	unsigned asked;
};

/* Lines are the offsets of addresses. */
static void name_fake(void *self, struct address_naming *naming)
{
	struct fake_namer *fake = self;
	const uint64_t address = naming->entry->address;
	char text[64];

	fake->asked++;
	if (address < fake->from || address >= fake->to)
		return;
	for (uint32_t i = fake->depth + 1; i-- > 0;) {
		snprintf(text, sizeof(text), i ? "%s.%u" : "%s", fake->name, i);
		naming_add(naming, &(const struct model_frame){
					   .name = model_text(naming->model, text),
					   .class_text = model_text(naming->model, fake->name),
					   .module = fake->module,
					   .path = fake->module,
					   .file = fake->file,
					   .line = (uint32_t)(address - START) + i });
	}
}

static void add_namer(struct model *model, struct fake_namer *fake)
{
	model_add_namer(model, (struct model_namer){ name_fake, fake });
}

/* The stack of these addresses, the root first, as it was added. */
static struct recorded_stack add_stack(struct model *model, const uint64_t *addresses, size_t count)
{
	uint32_t node = STACK_EMPTY;

	for (size_t i = 0; i < count; i++)
		node = stack_tree_child(&model->stacks, node,
					code_find(&model->code, 0, addresses[i], 0));
	return (struct recorded_stack){ node };
}

#define STACK(model, ...)                                                                          \
	add_stack((model), (const uint64_t[]){ __VA_ARGS__ },                                      \
		  sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void build(struct model *model)
{
	model_resolve(model);
	model_build(model);
}

static void add_mapping(struct model *model, uint64_t start, const char *name)
{
	const struct model_module module = { .id = start,
					     .name = model_text(model, name),
					     .path = model_text(model, name),
					     .shown_path = model_text(model, name),
					     .mapped = true,
					     .start = start,
					     .end = start + 0x1000 };

	model_add_module(model, &module);
}

/* "root;caller;leaf" */
static const char *text_of(struct model *model, struct recorded_stack recorded)
{
	const char *text = "";

	for (uint32_t node = model_stack_now(model, recorded); node;
	     node = model->stacks.nodes[node].parent)
		text = arena_printf(&model->arena, "%s%s%s",
				    model->frames[model->stacks.nodes[node].frame].name,
				    *text ? ";" : "", text);
	return text;
}

static const struct model_frame *leaf_of(const struct model *model, struct recorded_stack recorded)
{
	const uint32_t node = model_stack_now(model, recorded);

	return &model->frames[model->stacks.nodes[node].frame];
}

static void the_first_namer_that_knows_an_address_names_it(void **state)
{
	struct fake_namer first = { .from = START, .to = START + 0x10, .name = "first" };
	struct fake_namer second = { .from = START, .to = START + 0x20, .name = "second" };
	struct model model;
	struct recorded_stack stack;

	(void)state;
	model_init(&model);
	add_namer(&model, &first);
	add_namer(&model, &second);
	stack = STACK(&model, START, START + 0x10, START + 0x20);
	build(&model);
	assert_string_equal(text_of(&model, stack), "first;second;?");
	assert_int_equal(first.asked, 3);
	assert_int_equal(second.asked, 2);
	assert_int_equal(model.losses.frames_unresolved, 1);
	model_release(&model);
}

static void an_address_in_inlined_calls_becomes_several_frames(void **state)
{
	struct fake_namer plain = { .from = START, .to = START + 0x10, .name = "main" };
	struct fake_namer inlines = {
		.from = START + 0x10, .to = START + 0x20, .name = "work", .depth = 2
	};
	struct model model;
	struct recorded_stack stack, other;

	(void)state;
	model_init(&model);
	add_namer(&model, &plain);
	add_namer(&model, &inlines);
	stack = STACK(&model, START, START + 0x10, START + 1);
	other = STACK(&model, START, START + 0x18);
	build(&model);
	assert_string_equal(text_of(&model, stack), "main;work;work.1;work.2;main");
	assert_string_equal(text_of(&model, other), "main;work;work.1;work.2");
	assert_true(leaf_of(&model, other)->inlined);
	assert_string_equal(leaf_of(&model, other)->class_text, "work");
	assert_false(leaf_of(&model, stack)->inlined);
	assert_int_equal(model.losses.frames_unresolved, 0);
	assert_int_equal(model.stacks.count, 1 + 5);
	model_release(&model);
}

/* New numbers are larger than old ones here, and callers still come first. */
static void samples_follow_their_stacks_into_inlined_calls(void **state)
{
	struct fake_namer inlines = {
		.from = START, .to = START + 0x1000, .name = "f", .depth = 3
	};
	struct sample_walk walk;
	struct model_sample sample;
	struct model model;

	(void)state;
	model_init(&model);
	add_namer(&model, &inlines);
	model_thread(&model, model_process(&model, 1), 7);
	for (uint64_t i = 0; i < 100; i++)
		samples_add_recorded(
			&model.samples, STACK(&model, START, START + i, START + i / 2),
			&(struct model_sample){ .time_ns = (int64_t)i, .kind = SAMPLE_MANAGED });
	build(&model);
	sample_walk_begin(&walk, &model.samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample)) {
		unsigned depth = 0;

		for (uint32_t node = sample.stack; node; node = model.stacks.nodes[node].parent) {
			assert_true(model.stacks.nodes[node].parent < node);
			depth++;
		}
		assert_int_equal(depth, 3 * 4);
	}
	sample_walk_end(&walk);
	assert_int_equal(model.losses.samples, 100);
	assert_int_equal(model.losses.samples_unresolved, 0);
	model_release(&model);
}

static void a_method_is_one_frame_unless_lines_are_asked_for(void **state)
{
	for (int lines = 0; lines < 2; lines++) {
		struct fake_namer namer = { .from = START, .to = START + 0x10, .name = "f" };
		struct model model;
		struct recorded_stack first, second;

		(void)state;
		model_init(&model);
		model.lines = lines;
		namer.file = model_text(&model, "f.c");
		add_namer(&model, &namer);
		first = STACK(&model, START + 3);
		second = STACK(&model, START + 5);
		build(&model);
		assert_int_equal(model.frame_count, lines ? 2 : 1);
		assert_string_equal(leaf_of(&model, second)->file, "f.c");
		assert_int_equal(leaf_of(&model, first)->line, lines ? 3 : 0);
		assert_int_equal(leaf_of(&model, second)->line, lines ? 5 : 0);
		model_release(&model);
	}
}

static void a_frame_is_of_its_mapping_unless_the_namer_knows_better(void **state)
{
	struct fake_namer in_module = { .from = START, .to = START + 0x10, .name = "f" };
	struct fake_namer of_other = { .from = START + 0x10, .to = START + 0x20, .name = "g" };
	struct model model;
	struct recorded_stack f, g, none;

	(void)state;
	model_init(&model);
	add_namer(&model, &in_module);
	add_namer(&model, &of_other);
	of_other.module = model_text(&model, "libother.so");
	add_mapping(&model, START, "libf.so");
	f = STACK(&model, START);
	g = STACK(&model, START + 0x10);
	none = STACK(&model, START + 0x5000);
	build(&model);
	assert_string_equal(leaf_of(&model, f)->module, "libf.so");
	assert_int_equal(leaf_of(&model, f)->module_number, 0);
	assert_string_equal(leaf_of(&model, g)->module, "libother.so");
	assert_string_equal(leaf_of(&model, none)->module, "?");
	assert_true(leaf_of(&model, none)->unresolved);
	assert_false(frame_is_named(leaf_of(&model, none)));
	assert_true(frame_is_named(leaf_of(&model, f)));
	model_release(&model);
}

/* A file of symbols can claim any depth; the function that has the address stays. */
static void too_many_inlined_calls_are_cut_in_the_middle(void **state)
{
	struct fake_namer endless = {
		.from = START, .to = START + 1, .name = "f", .depth = 10 * NAMING_MOST
	};
	struct model model;
	struct recorded_stack stack;
	uint32_t depth = 0;

	(void)state;
	model_init(&model);
	add_namer(&model, &endless);
	stack = STACK(&model, START);
	build(&model);
	for (uint32_t node = model_stack_now(&model, stack); node;
	     node = model.stacks.nodes[node].parent)
		depth++;
	assert_int_equal(depth, NAMING_MOST);
	assert_string_equal(leaf_of(&model, stack)->name, "f.640");
	assert_string_equal(model.frames[model.stacks.nodes[1].frame].name, "f");
	model_release(&model);
}

/* The body that continues is one call with its caller; what is inlined there is not shown twice. */
static void a_call_that_was_taken_over_is_that_of_its_caller(void **state)
{
	struct fake_namer inlines = {
		.from = START, .to = START + 0x200, .name = "loop", .depth = 1
	};
	struct model_method body = {
		.id = 7, .start = START, .size = 0x100, .from_ns = INT64_MIN, .to_ns = INT64_MAX
	};
	struct model model;
	struct recorded_stack stack;

	(void)state;
	model_init(&model);
	add_namer(&model, &inlines);
	model_add_method(&model, &body);
	body.start += 0x100;
	body.continues = true;
	model_add_method(&model, &body);
	stack = STACK(&model, START + 8, START + 0x108);
	build(&model);
	assert_string_equal(text_of(&model, stack), "loop;loop.1");
	model_release(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_namer_that_knows_an_address_names_it),
		cmocka_unit_test(an_address_in_inlined_calls_becomes_several_frames),
		cmocka_unit_test(samples_follow_their_stacks_into_inlined_calls),
		cmocka_unit_test(a_method_is_one_frame_unless_lines_are_asked_for),
		cmocka_unit_test(a_frame_is_of_its_mapping_unless_the_namer_knows_better),
		cmocka_unit_test(too_many_inlined_calls_are_cut_in_the_middle),
		cmocka_unit_test(a_call_that_was_taken_over_is_that_of_its_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
