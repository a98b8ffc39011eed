/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <string.h>

#include "cli/program.h"
#include "export/format.h"
#include "report/report.h"

#define COLUMN 26 /* of the explanations */

static const struct command_example examples[] = {
	{ "perfpipe ps", "list the .NET processes that can be traced" },
	{ "perfpipe profile -n orders", "record one of them, and show where its time goes" },
	{ "perfpipe collect -n orders --duration 10s -o app.nettrace", "record it into a file" },
	{ "perfpipe report app.nettrace cpu --tree", "show its calls" },
	{ "perfpipe info --json app.nettrace", "show what a trace contains, for a script" },
	{ "source <(perfpipe completion bash)", "enable completion in this shell" },
	{ 0 },
};

/* "  left      right"; a long left part gets a line of its own. */
static void put_row(FILE *out, const char *left, const char *right)
{
	if (strlen(left) > COLUMN - 4)
		fprintf(out, "  %s\n%*s%s\n", left, COLUMN, "", right);
	else
		fprintf(out, "  %-*s%s\n", COLUMN - 2, left, right);
}

static void put_examples(FILE *out, const struct command_example *list)
{
	fputs("\nExamples:\n", out);
	for (const struct command_example *example = list; example->line; example++)
		fprintf(out, "  %s\n%s%s%s", example->line, *example->what ? "      " : "",
			example->what, *example->what ? "\n" : "");
}

/* Defaults that depend on something else are written in the text of the option. */
static void put_option(FILE *out, const struct option_spec *spec, const void *defaults)
{
	const struct option_default initial = option_default(spec, defaults);
	const char letter[] = { '-', spec->letter, ',', '\0' };
	char left[80], right[160];

	snprintf(left, sizeof(left),
		 spec->kind == OPTION_OPTIONAL ? "%3s --%s%s[%s]" : "%3s --%s%s%s",
		 spec->letter ? letter : "", spec->name, spec->value ? " " : "",
		 spec->value ? spec->value : "");
	snprintf(right, sizeof(right), *initial.text ? "%s (default: %s)" : "%s", spec->help,
		 initial.text);
	put_row(out, left, right);
}

static void put_table(FILE *out, const struct option_spec *table, const void *defaults)
{
	for (const struct option_spec *spec = table; spec && spec->name; spec++)
		put_option(out, spec, defaults);
}

static void put_options(FILE *out, const struct option_spec *table, const void *defaults)
{
	fputs("\nOptions:\n", out);
	put_table(out, table, defaults);
	put_option(out, &option_help, NULL);
}

void help_usage(FILE *out)
{
	fputs("Usage: perfpipe COMMAND [options] [operands]\nCommands:", out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, " %s", commands[i]->name);
	fputs("\nTry perfpipe --help.\n", out);
}

void help_overview(FILE *out)
{
	fputs("perfpipe collects and analyses traces of .NET programs on Linux.\n\n"
	      "Usage: perfpipe COMMAND [options] [operands]\n\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; commands[i]; i++)
		put_row(out, commands[i]->name, commands[i]->summary);
	put_options(out, program_options, NULL);
	put_examples(out, examples);
	fputs("\nSee perfpipe help COMMAND for more about a command.\n", out);
}

static void put_views(FILE *out, const struct command *command)
{
	fputs("\nViews:\n", out);
	for (size_t i = 0; command->views[i]; i++)
		put_row(out, command->views[i]->name, command->views[i]->summary);
	fprintf(out, "\nSee perfpipe %s VIEW --help for the options of a view.\n", command->name);
}

void help_view(FILE *out, const struct command *command, const struct report_view *view)
{
	struct arena arena = { 0 };

	if (!view) {
		help_command(out, command);
		return;
	}
	fprintf(out, "%s: %s\n\nUsage: perfpipe %s [options] ", view->name, view->summary,
		command->name);
	fprintf(out, "%.*s %s\n\nOptions of %s:\n", (int)strcspn(command->operands, "[") - 1,
		command->operands, view->name, view->name);
	put_table(out, view->options, report_default_args(view, &arena));
	put_options(out, command->options, command->defaults);
	arena_release(&arena);
}

void help_command(FILE *out, const struct command *command)
{
	fprintf(out, "%s\n\nUsage: perfpipe %s [options]%s%s\n", command->summary, command->name,
		command->operands ? " " : "", command->operands ? command->operands : "");
	if (command->description)
		fprintf(out, "\n%s\n", command->description);
	if (command->views)
		put_views(out, command);
	for (size_t i = 0; command->formats && command->formats[i]; i++) {
		fputs(i ? "" : "\nFormats:\n", out);
		put_row(out, command->formats[i]->name, command->formats[i]->summary);
	}
	put_options(out, command->options, command->defaults);
	if (command->examples)
		put_examples(out, command->examples);
}
