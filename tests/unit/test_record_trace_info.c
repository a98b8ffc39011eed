/* SPDX-License-Identifier: MIT */
/* What info says about traces, also about hostile ones. */
#include <stdio.h>
#include <unistd.h>

#include "packed_input.h"
#include "record/trace_info.h"
#include "report/render.h"
#include "test_nettrace_writer.h"

/* A trace with these properties and two events at these times. */
static void write_trace(char path[32], const struct pp_pair *properties, size_t count,
			const int64_t ticks[static 2])
{
	struct memory m = { 0 };
	struct pp_writer_options options = options_to(&m);
	struct pp_error err = { 0 };
	struct pp_writer *w;
	uint32_t kind;
	uint64_t thread;

	options.properties = properties;
	options.property_count = count;
	w = pp_writer_new(&options, &err);
	kind = a_kind(w);
	thread = a_thread(w, 1);
	write_event(w, .kind = kind, .thread = thread, .ticks = ticks[0]);
	write_event(w, .kind = kind, .thread = thread, .ticks = ticks[1]);
	assert_int_equal(pp_writer_close(w, &err), 0);
	packed_to_file(&(const struct packed){ m.b.bytes, m.b.size, m.b.size }, path);
	buffer_release(&m.b);
}

static void expect(const struct renderer *renderer, const struct pp_pair *properties, size_t count,
		   const int64_t ticks[static 2], const char *wanted, const char *unwanted)
{
	const struct manifest_found manifest = { 0 };
	struct trace_info_setup setup = { .path = "t", .manifest = &manifest };
	struct pp_error err = { 0 };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	struct trace_file *file;
	struct result result;
	struct pass pass;
	char path[32];

	write_trace(path, properties, count, ticks);
	file = trace_file_open(path, NULL, &err);
	unlink(path);
	pass_init(&pass, NULL);
	setup.file = file;
	setup.inventory = pass_want(&pass, &inventory_analysis, NULL);
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_END);
	pass_finish(&pass, file->trace);
	result = trace_info_result(&setup, &arena);
	renderer->render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	if (!strstr((const char *)text.bytes, wanted) ||
	    (unwanted && strstr((const char *)text.bytes, unwanted)))
		fail_msg("wanted %s, not %s:\n%.4000s", wanted, unwanted, (char *)text.bytes);
	buffer_release(&text);
	arena_release(&arena);
	pass_release(&pass);
	trace_file_close(file);
}

static const int64_t moments[2] = { 1000, 3000 };

static void without_properties_there_is_no_line(void **state)
{
	(void)state;
	expect(&render_text, NULL, 0, moments, "Duration", "Properties");
	expect(&render_json, NULL, 0, moments, "\"properties\": {}", NULL);
}

static void the_last_property_of_a_name_counts(void **state)
{
	static const struct pp_pair pairs[] = { { "a", "1" }, { "b", "2" }, { "a", "3" } };

	(void)state;
	expect(&render_text, pairs, 3, moments, "b 2, a 3\n", "a 1");
}

static void many_properties_take_no_time(void **state)
{
	enum { COUNT = 20000 };
	static char texts[COUNT][16];
	static struct pp_pair pairs[COUNT];

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		snprintf(texts[i], sizeof(texts[i]), "p%zu", i);
		pairs[i] = (struct pp_pair){ texts[i], "1" };
	}
	expect(&render_json, pairs, COUNT, moments, "\"p19999\": \"1\"", NULL);
}

static void a_time_that_no_number_holds_is_not_known(void **state)
{
	static const int64_t ends[2] = { INT64_MIN, INT64_MAX };

	(void)state;
	expect(&render_json, NULL, 0, ends, "\"duration_ns\": null", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_properties_there_is_no_line),
		cmocka_unit_test(the_last_property_of_a_name_counts),
		cmocka_unit_test(many_properties_take_no_time),
		cmocka_unit_test(a_time_that_no_number_holds_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
