/* SPDX-License-Identifier: MIT */
/* Names of native code, from files of this machine: see tests/data/record_native. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fill/fill.h"
#include "input/trace_file.h"
#include "model/frame_text.h"
#include "perfpipe/samples.h"
#include "places.h"
#include "symbols/symbols.h"

/* The model of native.nettrace. */
struct native {
	struct model model;
	struct pass pass;
	struct fill *fill;
};

static void fill_with(struct native *n, struct fill_symbols symbols)
{
	const struct fill_options options = { .model = &n->model, .symbols = symbols };
	struct trace_file *file;
	struct pp_error err = { 0 };

	pass_init(&n->pass, NULL);
	n->fill = pass_want(&n->pass, &fill_analysis,
			    &(const struct analysis_setup){ .options = &options });
	file = trace_file_open(place_of_data("native.nettrace"), NULL, &err);
	assert_non_null(file);
	assert_int_equal(pass_file(&n->pass, file, &err), PP_NEXT_END);
	pass_finish(&n->pass, file->trace);
	trace_file_close(file);
	fill_build(n->fill);
}

static void fill_named(struct native *n, bool lines)
{
	char folder[4096];
	const char *const folders[] = { folder };

	snprintf(folder, sizeof(folder), "%s", place_of_data("native"));
	fill_with(n, (struct fill_symbols){ .wanted = true,
					    .lines = lines,
					    .no_cache = true,
					    .no_network = true,
					    .folders = folders,
					    .folder_count = 1 });
}

static void release(struct native *n)
{
	pass_release(&n->pass);
	model_release(&n->model);
}

/* The stack of the sample with this number, "root;caller;leaf". */
static const char *stack_of(struct native *n, unsigned number)
{
	const struct model *model = &n->model;
	struct sample_walk walk;
	struct model_sample sample = { 0 };
	const char *text = "";

	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	for (unsigned i = 0; i <= number; i++)
		assert_true(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
	for (uint32_t node = sample.stack; node; node = model->stacks.nodes[node].parent) {
		const struct model_frame *frame = &model->frames[model->stacks.nodes[node].frame];
		struct buffer name = { 0 };

		frame_put_full(&name, frame->module, frame);
		text = arena_printf(&n->model.arena, "%.*s%s%s", (int)name.size,
				    (const char *)name.bytes, *text ? ";" : "", text);
		buffer_release(&name);
	}
	return text;
}

#ifdef HAVE_ELFUTILS

static void inlined_calls_are_frames_of_their_own(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, false);
	assert_string_equal(stack_of(&n, 0),
			    "?!?;libcart.so!cart_checkout;libcart.so!cart_sum;"
			    "libcart.so!hidden_total;libcart.so!discount [inlined];"
			    "libcart.so!tax [inlined]");
	release(&n);
}

static void recursion_is_as_deep_as_it_was(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, false);
	assert_string_equal(stack_of(&n, 4),
			    "?!?;libcart.so!cart_checkout;libcart.so!cart_recurse;"
			    "libcart.so!cart_recurse;libcart.so!cart_recurse;"
			    "libcart.so!cart_recurse;libcart.so!cart_sum;libcart.so!hidden_total;"
			    "libcart.so!discount [inlined];libcart.so!tax [inlined]");
	release(&n);
}

/* The address to return to is in the next function, and the leaf is a function's first byte. */
static void a_caller_is_the_function_of_the_call(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, false);
	assert_string_equal(stack_of(&n, 6),
			    "libcart.so!cart_checkout;libcart.so!cart_fail;libcart.so!cart_stop");
	release(&n);
}

/* Below code of the kernel the address is that of an instruction, here a function's first one. */
static void an_interrupted_function_did_not_call(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, false);
	assert_string_equal(stack_of(&n, 10), "libcart.so!cart_checkout;libcart.so!cart_sum;?!?");
	release(&n);
}

static void a_stripped_file_has_exported_names_and_is_else_one_frame(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, false);
	assert_string_equal(stack_of(&n, 7), "libcart.so!cart_checkout;libtill.so!till_open;"
					     "libtill.so [no symbols]");
	release(&n);
}

static void lines_tell_frames_apart(void **state)
{
	struct native n;

	(void)state;
	fill_named(&n, true);
	assert_string_equal(stack_of(&n, 0),
			    "?!?;libcart.so!cart_checkout cart.c:46;libcart.so!cart_sum cart.c:24;"
			    "libcart.so!hidden_total cart.c:19;"
			    "libcart.so!discount cart.c:14 [inlined];"
			    "libcart.so!tax cart.c:8 [inlined]");
	release(&n);
}

static void samples_of_the_library_have_the_same_frames(void **state)
{
	char folder[4096];
	const char *const folders[] = { folder };
	const struct pp_samples_options options = { .size = sizeof(options),
						    .symbol_folders = folders,
						    .symbol_folder_count = 1,
						    .lines = true };
	struct pp_error err = { 0 };
	struct pp_samples *samples;
	struct pp_sample sample;
	const struct pp_frame *leaf;

	(void)state;
	snprintf(folder, sizeof(folder), "%s", place_of_data("native"));
	samples = pp_samples_open(place_of_data("native.nettrace"), &options, &err);
	assert_non_null(samples);
	assert_true(pp_samples_next(samples, &sample, &err));
	leaf = pp_stack_frame(samples, sample.stack);
	assert_string_equal(leaf->name, "tax");
	assert_true(leaf->inlined);
	assert_int_equal(leaf->line, 8);
	assert_non_null(strstr(leaf->file, "cart.c"));
	pp_samples_close(samples);
}

/* The mappings are numbered in the order of the trace. */
static void each_file_has_a_state(void **state)
{
	static const enum symbols_state states[] = { SYMBOLS_WHOLE, SYMBOLS_EXPORTED,
						     SYMBOLS_NO_FILE, SYMBOLS_NO_FILE };
	struct native n;

	(void)state;
	fill_named(&n, false);
	for (uint32_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		const struct fill_module_symbols found = fill_module_symbols(n.fill, i);

		assert_non_null(found.module);
		assert_int_equal(found.module->state, states[i]);
		assert_false(found.kernel);
	}
	assert_int_equal(n.model.losses.frames_unresolved, 5);
	assert_int_equal(n.model.losses.frames_unresolved_native, 3);
	release(&n);
}

#endif

static void what_is_not_here_is_one_frame_by_file(void **state)
{
	struct native n;

	(void)state;
	fill_with(&n,
		  (struct fill_symbols){ .wanted = true, .no_cache = true, .no_network = true });
	assert_string_equal(stack_of(&n, 8),
			    "libcart.so [not on this machine];libgone.so [not on this machine]");
	assert_int_equal(n.model.losses.frames_unresolved, 14);
	release(&n);
}

static void without_symbols_there_are_offsets(void **state)
{
	struct native n;

	(void)state;
	fill_with(&n, (struct fill_symbols){ 0 });
	assert_string_equal(stack_of(&n, 8), "libcart.so!0x38f;libgone.so!0x1234");
	assert_null(fill_module_symbols(n.fill, 0).module);
	assert_int_equal(n.model.losses.frames_unresolved, 14);
	release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_ELFUTILS
		cmocka_unit_test(inlined_calls_are_frames_of_their_own),
		cmocka_unit_test(recursion_is_as_deep_as_it_was),
		cmocka_unit_test(a_caller_is_the_function_of_the_call),
		cmocka_unit_test(an_interrupted_function_did_not_call),
		cmocka_unit_test(a_stripped_file_has_exported_names_and_is_else_one_frame),
		cmocka_unit_test(lines_tell_frames_apart),
		cmocka_unit_test(samples_of_the_library_have_the_same_frames),
		cmocka_unit_test(each_file_has_a_state),
#endif
		cmocka_unit_test(what_is_not_here_is_one_frame_by_file),
		cmocka_unit_test(without_symbols_there_are_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
