/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record/process_list.h"
#include "report/render.h"

static void a_start_that_is_not_known_is_not_shown(void **state)
{
	struct pp_process process = { .pid = 7, .name = "app", .traceable = true };
	const struct pp_processes processes = { &process, 1, NULL };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	const struct process_list_options options = { .verbose = true };
	const struct result result = process_list_result(&processes, &options, &arena);

	(void)state;
	render_text.render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	assert_string_equal((const char *)text.bytes,
			    "PID  NAME  RUNTIME  ARCH  USER  CPU %  THREADS  COMMAND\n"
			    "  7  app   -        -     -      0.00        0\n");
	buffer_release(&text);
	arena_release(&arena);
}

static struct pp_process processes_to_sort[] = {
	{ .pid = 1, .name = "a", .threads = 3, .cpu_ns = 5, .cpu_interval_ns = 100 },
	{ .pid = 2, .name = "b", .threads = 9, .cpu_ns = 10, .cpu_interval_ns = 1000 },
	{ .pid = 3, .name = "c", .threads = 3, .cpu_ns = 300, .cpu_interval_ns = 100 },
};

static void expect_order(const char *sort, const char *order)
{
	const struct pp_processes processes = { processes_to_sort, 3, NULL };
	const struct process_list_options options = { .sort = sort };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	const struct result result = process_list_result(&processes, &options, &arena);
	const char *at;

	render_csv.render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	at = (const char *)text.bytes;
	for (size_t i = 0; order[i]; i++) {
		at = strchr(at, '\n');
		assert_non_null(at);
		assert_int_equal(*++at, order[i]);
	}
	buffer_release(&text);
	arena_release(&arena);
}

static void sorts_by_name_cpu_and_threads(void **state)
{
	(void)state;
	expect_order(NULL, "123");
	expect_order("name", "123");
	expect_order("cpu", "312");
	expect_order("threads", "213");
}

static void names_native_aot(void **state)
{
	struct pp_process process = {
		.name = "app", .runtime = "9.0.1", .native_aot = true, .traceable = true
	};
	const struct pp_processes processes = { &process, 1, NULL };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	const struct result result = process_list_result(&processes, NULL, &arena);

	(void)state;
	render_text.render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	assert_non_null(strstr((const char *)text.bytes, "  9.0.1 NativeAOT  "));
	buffer_release(&text);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_that_is_not_known_is_not_shown),
		cmocka_unit_test(sorts_by_name_cpu_and_threads),
		cmocka_unit_test(names_native_aot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
