/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/process_list.h"
#include "report/render.h"

static void a_start_that_is_not_known_is_not_shown(void **state)
{
	struct pp_process process = { .pid = 7, .name = "app", .traceable = true };
	const struct pp_processes processes = { &process, 1, NULL };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	const struct result result = process_list_result(&processes, true, &arena);

	(void)state;
	render_text.render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	assert_string_equal((const char *)text.bytes, "PID  NAME  RUNTIME  ARCH  USER  COMMAND\n"
						      "  7  app   -        -     -\n");
	buffer_release(&text);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_that_is_not_known_is_not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
