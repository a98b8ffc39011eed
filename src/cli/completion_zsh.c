/* SPDX-License-Identifier: MIT */
/* zsh takes the options as specs of its own _arguments, one set for each command. */
#include <stdlib.h>

#include "cli/command_view.h"
#include "cli/completion.h"

#define SPECIAL ":[]\\"

static const char head[] =
	"#compdef perfpipe\n"
	"# perfpipe completion for zsh; to use it: source <(perfpipe completion zsh)\n"
	"_perfpipe()\n"
	"{\n"
	"	local -a commands=(\n";

/* Without the command's own word, what is left looks to _arguments like a whole line. */
static const char middle[] =
	"	)\n"
	"	local command=$words[2]\n"
	"\n"
	"	if ((CURRENT == 2)) && [[ $PREFIX == -* ]]; then\n"
	"		_arguments '--help[show this help]' '--version[show the version]'\n"
	"		return\n"
	"	elif ((CURRENT == 2)); then\n"
	"		_describe command commands\n"
	"		return\n"
	"	fi\n"
	"	shift words\n"
	"	((CURRENT--))\n"
	"	case $command in\n";

/* As a function in $fpath it is called at once; as a script it is only defined. */
static const char tail[] = "	esac\n"
			   "}\n"
			   "if [[ $funcstack[1] == _perfpipe ]]; then\n"
			   "	_perfpipe \"$@\"\n"
			   "else\n"
			   "	compdef _perfpipe perfpipe\n"
			   "fi\n";

/* ":MESSAGE:ACTION" */
static void put_values(const struct completion *script, const char *placeholder)
{
	const enum completion_kind kind = completion_of(placeholder);

	putc(':', script->out);
	completion_text(script, placeholder, SPECIAL);
	putc(':', script->out);
	if (kind == COMPLETION_FILES && !completion_has_views(placeholder)) {
		fputs("_files", script->out);
		return;
	}
	fputs(kind == COMPLETION_FILES ? "{_files; compadd -- " : "(", script->out);
	completion_words(script, placeholder);
	putc(kind == COMPLETION_FILES ? '}' : ')', script->out);
}

static void put_option(const struct completion *script, const struct option_spec *spec)
{
	const char *equals = spec->value ? "=" : "";
	const char *plus = spec->value ? "+" : ""; /* its value may follow without a blank */

	fputs(" \\\n\t\t\t'", script->out);
	if (spec->letter)
		fprintf(script->out, "(-%c --%s)'{-%c%s,--%s%s}'", spec->letter, spec->name,
			spec->letter, plus, spec->name, equals);
	else
		fprintf(script->out, "--%s%s", spec->name, equals);
	putc('[', script->out);
	completion_text(script, spec->help, SPECIAL);
	putc(']', script->out);
	if (spec->value)
		put_values(script, spec->value);
	putc('\'', script->out);
}

static void put_command(const struct completion *script, const struct command *command)
{
	struct option_spec *options = command_all_options(command);

	fprintf(script->out, "\t%s)\n\t\t_arguments -s -S", command->name);
	for (const struct option_spec *spec = options; spec->name; spec++)
		put_option(script, spec);
	put_option(script, &option_help);
	if (command->operands) {
		fprintf(script->out, " \\\n\t\t\t'%s", command->max_operands == 1 ? "1" : "*");
		put_values(script, command->operands);
		putc('\'', script->out);
	}
	fputs("\n\t\t;;\n", script->out);
	free(options);
}

void completion_zsh(const struct completion *script)
{
	fputs(head, script->out);
	for (size_t i = 0; script->commands[i]; i++) {
		fprintf(script->out, "\t\t'%s:", script->commands[i]->name);
		completion_text(script, script->commands[i]->summary, SPECIAL);
		fputs("'\n", script->out);
	}
	fputs(middle, script->out);
	for (size_t i = 0; script->commands[i]; i++)
		put_command(script, script->commands[i]);
	fputs(tail, script->out);
}
