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
	const char *kinds;
	struct option_switch now;
};

static const struct option_spec options[] = {
	OPTION('f', "format", struct args, format, "text|json", "how to print"),
	OPTION('o', "output", struct args, output, "FILE", "where to"),
	OPTION(0, "limit", struct args, limit, "N", "it's a [limit]: N"),
	OPTION('q', "quiet", struct args, quiet, NULL, "say less"),
	OPTION(0, "kinds", struct args, kinds, "PROFILE,...", "several"),
	OPTION(0, "now", struct args, now, "true|false", "or not"),
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

static const struct command run = {
	.name = "run",
	.operands = "[-- COMMAND...]",
	.max_operands = COMMAND_ANY,
	.summary = "Run another",
};

static const struct command *const some_commands[] = { &count, &plain, &run, NULL };

/* The answer for these words, of which the last is being typed. */
static void expect(const char *wanted, int word_count, char **words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct completion completion = {
		.out = out, .commands = some_commands, .words = words, .count = word_count
	};

	completion_answer(&completion);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

#define EXPECT(wanted, ...)                                                                        \
	do {                                                                                       \
		char *words_[] = { __VA_ARGS__ };                                                  \
		expect(wanted, (int)(sizeof(words_) / sizeof(words_[0])), words_);                 \
	} while (0)

#define OPTIONS                                                                                    \
	"--format\thow to print\n--output\twhere to\n--limit\tit's a [limit]: N\n"                 \
	"--quiet\tsay less\n--kinds\tseveral\n--now\tor not\n--help\tshow this help\n"

#define TRACES                                                                                     \
	":traces *.nettrace *.nettrace.zst *.nettrace.gz *.netperf *.zip *.nettrace.partial "      \
	"*.nettrace.zst.partial *.nettrace.gz.partial\n"

static void offers_commands_and_options(void **state)
{
	(void)state;
	EXPECT("count\tCount the program's events\nplain\tDo nothing\nrun\tRun another\n", "");
	EXPECT("--help\tshow this help\n--version\tshow the version\n", "--v");
	EXPECT(OPTIONS, "count", "--o");
	EXPECT(OPTIONS, "count", "x", "-");
	EXPECT("--help\tshow this help\n", "plain", "");
	EXPECT("", "nothing", "");
}

static void offers_values_by_their_placeholder(void **state)
{
	(void)state;
	EXPECT("text\t\njson\t\n", "count", "--format", "");
	EXPECT("text\t\njson\t\n", "count", "-f", "t");
	EXPECT(":prefix --format=\ntext\t\njson\t\n", "count", "--format=");
	EXPECT(":prefix --format:\ntext\t\njson\t\n", "count", "--format:j");
	EXPECT(":prefix -f\ntext\t\njson\t\n", "count", "-fj");
	EXPECT(":files\n", "count", "-o", "");
	EXPECT("", "count", "--limit", "");
	EXPECT("", "count", "--limit", "5");
}

static void a_value_that_was_given_is_not_an_operand(void **state)
{
	(void)state;
	EXPECT(TRACES, "count", "--format", "text", "");
	EXPECT(TRACES, "count", "--format=text", "a", "");
	EXPECT(TRACES, "count", "--", "");
	EXPECT(TRACES, "count", "--", "-");
	EXPECT(OPTIONS, "count", "--format", "-");
}

static void a_switch_may_stand_alone(void **state)
{
	(void)state;
	EXPECT("true\t\nfalse\t\n" TRACES, "count", "--now", "");
	EXPECT(TRACES, "count", "--now", "true", "");
}

static void lists_offer_what_is_not_in_them(void **state)
{
	static const char common[] = "dotnet-common\t";
	char *words[] = { "count", "--kinds", "dotnet-common,gc-verbose,d" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	completion_answer(&(struct completion){
		.out = out, .commands = some_commands, .words = words, .count = 3 });
	fclose(out);
	assert_ptr_equal(strstr(text, ":prefix dotnet-common,gc-verbose,\n:list ,\n"), text);
	assert_null(strstr(text, common));
	assert_null(strstr(text, "gc-verbose\t"));
	assert_non_null(strstr(text, "gc-collect\t"));
	free(text);
}

static void another_command_line_is_left_to_the_shell(void **state)
{
	(void)state;
	EXPECT(":command 3\n", "run", "--", "");
	EXPECT(":command 3\n", "run", "--", "ls", "--", "-l");
}

static void what_cannot_be_typed_is_not_offered(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct completion completion = { .out = out };

	(void)state;
	completion_offer(&completion, "a\tb", NULL);
	completion_offer(&completion, "a\nb", NULL);
	completion_offer(&completion, ":files", NULL);
	completion_offer(&completion, "", NULL);
	completion_offer(&completion, "good", "a\tb\nc\x1b[m");
	fclose(out);
	assert_string_equal(text, "good\ta\\x09b\\x0ac\\x1b[m\n");
	free(text);
	arena_release(&completion.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offers_commands_and_options),
		cmocka_unit_test(offers_values_by_their_placeholder),
		cmocka_unit_test(a_value_that_was_given_is_not_an_operand),
		cmocka_unit_test(a_switch_may_stand_alone),
		cmocka_unit_test(lists_offer_what_is_not_in_them),
		cmocka_unit_test(another_command_line_is_left_to_the_shell),
		cmocka_unit_test(what_cannot_be_typed_is_not_offered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
