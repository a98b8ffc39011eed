/* SPDX-License-Identifier: MIT */
/* fish takes one `complete` for each command and each option. */
#include <stdlib.h>

#include "cli/command_view.h"
#include "cli/completion.h"

static const char head[] =
	"# perfpipe completion for fish; to use it: perfpipe completion fish | source\n"
	"complete -c perfpipe -f\n"
	"complete -c perfpipe -n __fish_use_subcommand -s h -l help -d 'show this help'\n"
	"complete -c perfpipe -n __fish_use_subcommand -l version -d 'show the version'\n";

/* __fish_seen_subcommand_from would also see "info" in "perfpipe help info". */
static void begin(const struct completion *script, const struct command *command)
{
	fprintf(script->out, "complete -c perfpipe -n 'contains -- %s (commandline -opc)[2]'",
		command->name);
}

/* -F: file names after all; -a: these words. */
static void put_values(const struct completion *script, const char *placeholder)
{
	fputs(completion_of(placeholder) == COMPLETION_FILES ? " -F" : "", script->out);
	fputs(" -a '", script->out);
	completion_words(script, placeholder);
	putc('\'', script->out);
}

static void put_description(const struct completion *script, const char *text)
{
	fputs(" -d '", script->out);
	completion_text(script, text, "\\");
	fputs("'\n", script->out);
}

static void put_option(const struct completion *script, const struct command *command,
		       const struct option_spec *spec)
{
	begin(script, command);
	if (spec->letter)
		fprintf(script->out, " -s %c", spec->letter);
	fprintf(script->out, " -l %s", spec->name);
	if (spec->value) {
		fputs(" -r", script->out);
		put_values(script, spec->value);
	}
	put_description(script, spec->help);
}

static void put_command(const struct completion *script, const struct command *command)
{
	struct option_spec *options = command_all_options(command);

	fprintf(script->out, "complete -c perfpipe -n __fish_use_subcommand -a %s", command->name);
	put_description(script, command->summary);
	for (const struct option_spec *spec = options; spec->name; spec++)
		put_option(script, command, spec);
	put_option(script, command, &option_help);
	if (command->operands) {
		begin(script, command);
		put_values(script, command->operands);
		putc('\n', script->out);
	}
	free(options);
}

void completion_fish(const struct completion *script)
{
	fputs(head, script->out);
	for (size_t i = 0; script->commands[i]; i++)
		put_command(script, script->commands[i]);
}
