/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cli/provider_table.h"

static void shows_who_enabled_what(void **state)
{
	const struct provider_request request = {
		.verb = PROFILE_COLLECT,
		.providers = "Or\x1b"
			     "ders:1:0,Microsoft-Windows-DotNETRuntime:8000:2",
		.profiles = "gc-collect",
	};
	struct provider_set set = { 0 };
	struct pp_error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(provider_set_fill(&set, &request, &err), 0);
	provider_table_print(&set, out);
	fclose(out);
	assert_string_equal(text, "Provider Name                           Keywords            "
				  "Level             Enabled By\n"
				  "Or\\x1bders                              0x0000000000000001  "
				  "LogAlways(0)      --providers\n"
				  "Microsoft-Windows-DotNETRuntime         0x0000000000008001  "
				  "Informational(4)  --providers, --profile gc-collect\n"
				  "Microsoft-Windows-DotNETRuntimePrivate  0x0000000000000001  "
				  "Informational(4)  --profile gc-collect\n");
	free(text);
	provider_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_who_enabled_what),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
