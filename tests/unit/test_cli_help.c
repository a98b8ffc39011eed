/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/command.h"
#include "cli/help.h"
#include "report/report.h"

/* The help of a command or a view, to be freed. */
static char *help_of(const struct command *command, const struct report_view *view)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	help_view(out, command, view);
	fclose(out);
	return text;
}

/* The line of an option, and the next one if its text is there, to be freed. */
static char *lines_of(const char *help, const char *name)
{
	const size_t size = strlen(name);

	for (const char *line = strstr(help, "Options"); line; line = strchr(line + 1, '\n')) {
		const char *option = line + strlen("\n  -o, --");
		const char *end = strchr(line + 1, '\n');

		if (!end || end - line < 9 || memcmp(option - 2, "--", 2) ||
		    strncmp(option, name, size) || !strchr(" \n", option[size]))
			continue;
		if (!strncmp(end + 1, "          ", 10))
			end = strchr(end + 1, '\n');
		return strndup(line + 1, (size_t)(end - line));
	}
	fail_msg("the help lacks --%s", name);
	return NULL;
}

static void check_option(const char *help, const struct option_spec *spec, const void *defaults)
{
	const struct option_default initial = option_default(spec, defaults);
	char *lines = lines_of(help, spec->name);
	const char *written = strstr(lines, "(default: ");
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "(default: %s)\n", initial.text);
	if (*initial.text && !strstr(lines, wanted))
		fail_msg("the help of --%s lacks %s", spec->name, wanted);
	if (written && strstr(written + 1, "(default: "))
		fail_msg("the help of --%s has two defaults", spec->name);
	if (!written && spec->help[strlen(spec->help) - 1] == ')')
		fail_msg("the default of --%s is not written as (default: ...): %s", spec->name,
			 spec->help);
	free(lines);
}

static void check_table(const char *help, const struct option_spec *table, const void *defaults)
{
	for (const struct option_spec *spec = table; spec && spec->name; spec++)
		check_option(help, spec, defaults);
}

static void shows_the_defaults_of_commands(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++) {
		char *help = help_of(commands[i], NULL);

		check_table(help, commands[i]->options, commands[i]->defaults);
		free(help);
	}
}

static void shows_the_defaults_of_views(void **state)
{
	struct pp_error err = { 0 };
	const struct command *report = command_find("report", &err);

	(void)state;
	for (size_t i = 0; report->views[i]; i++) {
		struct arena arena = { 0 };
		char *help = help_of(report, report->views[i]);

		check_table(help, report->views[i]->options,
			    report_default_args(report->views[i], &arena));
		free(help);
		arena_release(&arena);
	}
}

struct some_args {
	unsigned number, unset;
	uint64_t large, any;
	const char *text, *none;
	bool flag;
};

static void reads_defaults_from_the_struct(void **state)
{
	static const struct option_spec table[] = {
		OPTION(0, "number", struct some_args, number, "N", ""),
		OPTION(0, "unset", struct some_args, unset, "N", ""),
		OPTION(0, "large", struct some_args, large, "N", ""),
		OPTION(0, "any", struct some_args, any, "N", ""),
		OPTION(0, "text", struct some_args, text, "T", ""),
		OPTION(0, "none", struct some_args, none, "T", ""),
		OPTION(0, "flag", struct some_args, flag, NULL, ""),
		OPTION_LAST,
	};
	static const char *const wanted[] = { "256", "", "18446744073709551614", "", "2m", "", "" };
	const struct some_args defaults = { .number = 256,
					    .unset = UINT32_MAX,
					    .large = UINT64_MAX - 1,
					    .any = UINT64_MAX,
					    .text = "2m",
					    .flag = true };

	(void)state;
	for (size_t i = 0; table[i].name; i++) {
		assert_string_equal(option_default(&table[i], &defaults).text, wanted[i]);
		assert_string_equal(option_default(&table[i], NULL).text, "");
	}
}

static const char *refusal_of(const char *name, struct pp_error *err)
{
	*err = (struct pp_error){ 0 };
	assert_null(command_find(name, err));
	assert_int_equal(err->code, PP_ERROR_USAGE);
	return err->text;
}

static void suggests_what_other_tools_call_a_command(void **state)
{
	static const struct {
		const char *typed, *meant;
	} words[] = {
		{ "top", "ps --sort cpu, or report FILE cpu" },
		{ "trace", "collect" },
		{ "Record", "collect" },
		{ "monitor", "events -p PID" },
		{ "dump", "events FILE" },
		{ "analyze", "report FILE" },
		{ "gcstat", "report FILE gc" },
		{ "list", "ps, or list-profiles" },
		{ "jit", "report FILE jit" },
		{ "pprof", "convert FILE -f pprof" },
		{ "colect", "collect" },
	};
	struct pp_error err;
	char wanted[160];

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		snprintf(wanted, sizeof(wanted), "unknown command '%s'; did you mean %s?",
			 words[i].typed, words[i].meant);
		assert_string_equal(refusal_of(words[i].typed, &err), wanted);
	}
	assert_string_equal(refusal_of("nonsense", &err),
			    "unknown command 'nonsense'; perfpipe --help lists the commands");
}

/* The first word of what is suggested; a synonym that has become a command must go. */
static void suggests_only_commands_that_exist(void **state)
{
	(void)state;
	for (size_t i = 0; command_synonyms[i].typed; i++) {
		struct pp_error err = { 0 };
		const char *meant = command_synonyms[i].meant;
		char first[32];

		snprintf(first, sizeof(first), "%.*s", (int)strcspn(meant, " ,"), meant);
		if (strcmp(first, "perfpipe") != 0)
			assert_non_null(command_find(first, &err));
		if (command_find(command_synonyms[i].typed, &err))
			fail_msg("%s is a command by now", command_synonyms[i].typed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_the_defaults_of_commands),
		cmocka_unit_test(shows_the_defaults_of_views),
		cmocka_unit_test(reads_defaults_from_the_struct),
		cmocka_unit_test(suggests_what_other_tools_call_a_command),
		cmocka_unit_test(suggests_only_commands_that_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
