/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/completion.h"

struct args {
	const char *format;
	const char *output;
	unsigned limit;
	bool quiet;
};

static const struct option_spec options[] = {
	OPTION('f', "format", struct args, format, "text|json", "how to print"),
	OPTION('o', "output", struct args, output, "FILE", "where to"),
	OPTION(0, "limit", struct args, limit, "N", "it's a [limit]: N"),
	OPTION('q', "quiet", struct args, quiet, NULL, "say less"),
	OPTION_LAST,
};

static const struct command count = {
	.name = "count",
	.operands = "FILE...",
	.max_operands = COMMAND_ANY,
	.summary = "Count the program's events",
	.options = options,
};

static const struct command plain = { .name = "plain", .summary = "Do nothing" };

static const struct command *const some_commands[] = { &count, &plain, NULL };

static void expect_lines(void (*print)(const struct completion *script), const char *const *lines)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(&(struct completion){ out, some_commands });
	fclose(out);
	for (; *lines; lines++)
		if (!strstr(text, *lines))
			fail_msg("the script lacks %s", *lines);
	free(text);
}

static void completes_values_by_their_placeholder(void **state)
{
	(void)state;
	assert_int_equal(completion_of(NULL), COMPLETION_NONE);
	assert_int_equal(completion_of("N"), COMPLETION_NONE);
	assert_int_equal(completion_of("FILE..."), COMPLETION_FILES);
	assert_int_equal(completion_of("DIR"), COMPLETION_FILES);
	assert_int_equal(completion_of("BASE NEW [VIEW]"), COMPLETION_FILES);
	assert_int_equal(completion_of("[-- COMMAND...]"), COMPLETION_FILES);
	assert_int_equal(completion_of("[NAME]"), COMPLETION_SCHEMAS);
	assert_int_equal(completion_of("[COMMAND]"), COMPLETION_COMMANDS);
	assert_int_equal(completion_of("PROFILE[,PROFILE]"), COMPLETION_PROFILES);
	assert_int_equal(completion_of("FORMAT"), COMPLETION_FORMATS);
	assert_int_equal(completion_of("VIEW"), COMPLETION_VIEWS);
	assert_int_equal(completion_of("text|json"), COMPLETION_CHOICES);
}

static void completes_the_values_of_options_in_bash(void **state)
{
	static const char *const lines[] = {
		"\n\t*:) options=\"--help --version\" words=\"count plain\" ;;\n",
		"\n\tcount:--format | count:-f) words=\"text json\" ;;\n",
		"\n\tcount:--output | count:-o) files=1 words=\"\" ;;\n",
		"\n\tcount:--limit) words=\"\" ;;\n",
		"\n\tcount:*) options=\"--format --output --limit --quiet --help\" files=1 "
		"words=\"\" ;;\n",
		"\n\tplain:*) options=\"--help\" words=\"\" ;;\n",
		NULL,
	};

	(void)state;
	expect_lines(completion_bash, lines);
}

static void completes_the_values_of_options_in_zsh(void **state)
{
	static const char *const lines[] = {
		"\n\t\t'count:Count the program'\\''s events'\n",
		"'(-f --format)'{-f+,--format=}'[how to print]:text|json:(text json)' \\\n",
		"'(-o --output)'{-o+,--output=}'[where to]:FILE:_files' \\\n",
		"'--limit=[it'\\''s a \\[limit\\]\\: N]:N:()' \\\n",
		"'(-q --quiet)'{-q,--quiet}'[say less]' \\\n",
		"'*:FILE...:_files'\n",
		NULL,
	};

	(void)state;
	expect_lines(completion_zsh, lines);
}

static void completes_the_values_of_options_in_fish(void **state)
{
	static const char *const lines[] = {
		" -n __fish_use_subcommand -a count -d 'Count the program'\\''s events'\n",
		" -s f -l format -r -a 'text json' -d 'how to print'\n",
		" -s o -l output -r -F -a '' -d 'where to'\n",
		" -l limit -r -a '' -d 'it'\\''s a [limit]: N'\n",
		" -s q -l quiet -d 'say less'\n",
		"'contains -- count (commandline -opc)[2]' -F -a ''\n",
		NULL,
	};

	(void)state;
	expect_lines(completion_fish, lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(completes_values_by_their_placeholder),
		cmocka_unit_test(completes_the_values_of_options_in_bash),
		cmocka_unit_test(completes_the_values_of_options_in_zsh),
		cmocka_unit_test(completes_the_values_of_options_in_fish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
