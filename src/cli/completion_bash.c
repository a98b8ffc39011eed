/* SPDX-License-Identifier: MIT */
/*
 * The script is one function around one `case`, whose patterns are
 * COMMAND:PREVIOUS-WORD. The row of an option with a value comes before its
 * command's own row, "COMMAND:*".
 */
#include <stdlib.h>

#include "cli/command_view.h"
#include "cli/completion.h"

static const char head[] =
	"# perfpipe completion for bash; to use it: source <(perfpipe completion bash)\n"
	"_perfpipe()\n"
	"{\n"
	"	local word=${COMP_WORDS[COMP_CWORD]}\n"
	"	local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"	local options= words= files=\n"
	"\n"
	"	# bash splits --name=value at the sign\n"
	"	[[ $before == [=:] ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"	[[ $word == [=:] ]] && word=\n"
	"	((COMP_CWORD == 1)) && before=\n"
	"	case ${COMP_WORDS[1]}:$before in\n";

static const char tail[] = "	esac\n"
			   "	[[ $options && $word == -* ]] && words=$options files=\n"
			   "	mapfile -t COMPREPLY < <(\n"
			   "		compgen -W \"$words\" -- \"$word\"\n"
			   "		[[ $files ]] && compgen -f -- \"$word\"\n"
			   "	)\n"
			   "	[[ $files ]] && compopt -o filenames 2> /dev/null\n"
			   "	return 0\n"
			   "}\n"
			   "complete -F _perfpipe perfpipe\n";

/* What a placeholder sets: words="...", and files=1 for names of files. */
static void put_values(const struct completion *script, const char *placeholder)
{
	fputs(completion_of(placeholder) == COMPLETION_FILES ? " files=1" : "", script->out);
	fputs(" words=\"", script->out);
	completion_words(script, placeholder);
	fputs("\" ;;\n", script->out);
}

static void put_option_row(const struct completion *script, const struct command *command,
			   const struct option_spec *spec)
{
	fprintf(script->out, "\t%s:--%s", command->name, spec->name);
	if (spec->letter)
		fprintf(script->out, " | %s:-%c", command->name, spec->letter);
	putc(')', script->out);
	put_values(script, spec->value);
}

static void put_command_row(const struct completion *script, const struct command *command,
			    const struct option_spec *options)
{
	fprintf(script->out, "\t%s:*) options=\"", command->name);
	for (const struct option_spec *spec = options; spec->name; spec++)
		fprintf(script->out, "--%s ", spec->name);
	fprintf(script->out, "--%s\"", option_help.name);
	put_values(script, command->operands);
}

void completion_bash(const struct completion *script)
{
	fputs(head, script->out);
	fputs("\t*:) options=\"--help --version\"", script->out);
	put_values(script, "COMMAND");
	for (size_t i = 0; script->commands[i]; i++) {
		const struct command *command = script->commands[i];
		struct option_spec *options = command_all_options(command);

		for (const struct option_spec *spec = options; spec->name; spec++)
			if (spec->value)
				put_option_row(script, command, spec);
		put_command_row(script, command, options);
		free(options);
	}
	fputs(tail, script->out);
}
