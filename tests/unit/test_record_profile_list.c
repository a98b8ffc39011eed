/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/profile_list.h"
#include "report/render.h"

static void shows_what_enabled_each_provider(void **state)
{
	const struct provider_request request = {
		.verb = PROFILE_COLLECT,
		.providers = "Or\x1b"
			     "ders:1:0,Microsoft-Windows-DotNETRuntime:8000:2",
		.profiles = "gc-collect",
	};
	struct provider_set set = { 0 };
	struct pp_error err = { 0 };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	struct result result;

	(void)state;
	assert_int_equal(provider_set_fill(&set, &request, &err), 0);
	result = provider_set_result(&set, &arena);
	render_text.render(&result, &(struct render_options){ 0 }, &text);
	buffer_u8(&text, 0);
	assert_string_equal((const char *)text.bytes,
			    "Provider Name                           Keywords            "
			    "Level             Enabled By\n"
			    "Or\\x1bders                              0x0000000000000001  "
			    "LogAlways(0)      --providers\n"
			    "Microsoft-Windows-DotNETRuntime         0x0000000000008000  "
			    "Error(2)          --providers (replaces --profile gc-collect)\n"
			    "Microsoft-Windows-DotNETRuntimePrivate  0x0000000000000001  "
			    "Informational(4)  --profile gc-collect\n");
	buffer_release(&text);
	arena_release(&arena);
	provider_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_what_enabled_each_provider),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
