/* SPDX-License-Identifier: MIT */
/*
 * command.h - what a subcommand is.
 *
 * A command is a file cmd_NAME.c with a `const struct command` at its end,
 * and one pointer in commands.c. By the time `run` is called its options are
 * in its own struct and its operands are counted; --help, usage errors and
 * the printing of errors are done for it.
 *
 *	static enum exit_code run(const struct invocation *call, struct pp_error *err)
 *	{
 *		const struct count_args *args = call->args;
 *
 *		if (count_events(call->operands[0], args->limit, err))
 *			return exit_code_for(err);
 *		return EXIT_DONE;
 *	}
 *
 *	const struct command cmd_count = {
 *		.name = "count",
 *		.operands = "FILE",
 *		.min_operands = 1,
 *		.max_operands = 1,
 *		.summary = "Count the events of a trace",
 *		.options = options,
 *		.defaults = &(const struct count_args){ .limit = 1000 },
 *		.args_size = sizeof(struct count_args),
 *		.run = run,
 *	};
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <limits.h>
#include <stddef.h>

#include "cli/exit_code.h"
#include "cli/option.h"
#include "perfpipe/error.h"

#define COMMAND_ANY  INT_MAX /* max_operands of a command that takes any number */
#define COMMAND_LAST (-1)    /* view_operand, if that is the last one, after any number of traces */

/* One use of a command. */
struct invocation {
	const void *args; /* the command's own struct: its defaults, then its options */
	char **operands;
	int operand_count;
	int first_count;		/* operands before the first `--`; -1: there was none */
	const struct report_view *view; /* with `view_operand` */
	const void *view_args;		/* its own struct, the same */
};

struct export_format;
struct report_view;

struct command_example {
	const char *line; /* NULL ends the list */
	const char *what; /* explanation, or "" */
};

struct command {
	const char *name;
	const char *operands; /* "FILE"; "[COMMAND]" may be left out; "a|b" lists all choices */
	int min_operands;
	int max_operands;
	const char *summary;			/* one line: a capital, no full stop */
	const char *description;		/* paragraphs in lines of 80 columns; or NULL */
	const struct command_example *examples; /* or NULL */
	const struct option_spec *options;	/* NULL: --help alone */
	const void *defaults;			/* NULL: all zero */
	size_t args_size;			/* of the struct that options fill */

	/* Which operand names a view of a report, whose options the command takes, too; 0: none.
	   Without it the default is meant, or else the first that takes all options given. */
	int view_operand;
	bool two_lists; /* `--` separates operands, and the view is given by --view then */
	const struct report_view *const *views; /* NULL ends them */
	const char *default_view;

	const struct export_format *const *formats; /* that the help lists; NULL: none */

	/* Returns EXIT_DONE, or the code that goes with `err`: exit_code_for() unless it
	   knows better. Data goes to stdout, notes to stderr, errors nowhere but `err`. */
	enum exit_code (*run)(const struct invocation *call, struct pp_error *err);
};

extern const struct command *const commands[]; /* in the order of the help; NULL ends it */

/* What other tools call a command, or what people ask for; NULL ends them. */
struct command_synonym {
	const char *typed;
	const char *meant; /* begins with a command */
};

extern const struct command_synonym command_synonyms[];

/* NULL and an error if it is unknown: with a command that is meant by it, or the nearest name. */
const struct command *command_find(const char *name, struct pp_error *err);

/* Parse what follows the command's name, then run it or print its help. */
enum exit_code command_run(const struct command *command, int argc, char **argv,
			   struct pp_error *err);

#endif
