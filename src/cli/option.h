/* SPDX-License-Identifier: MIT */
/*
 * option.h - parsing what follows a command's name by its table of options.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "base/option_set.h"
#include "perfpipe/error.h"

/* -h, -? and --help: in every table without being written there. */
extern const struct option_spec option_help;

/* For errors of libraries, which have no options. */
#define FORCE_HINT " or replace it with --force"

#define OPTIONS_GIVEN_MOST 64

/* What follows a command's name. */
struct arguments {
	char **at;
	int count;
	bool help;	 /* help was asked for; what follows that was not looked at */
	bool two_lists;	 /* the first `--` does not end options, but a list of operands */
	int first_count; /* operands before the first `--`; -1: there was none */
	const struct option_spec *given[OPTIONS_GIVEN_MOST]; /* the first of them */
	size_t given_count;
};

/* A table of options, and the struct that its fields are in. */
struct option_group {
	const struct option_spec *table; /* or NULL */
	void *args;			 /* NULL: options are looked up, but set nothing */
};

/*
 * Fill the fields of `args` that options name and leave the operands, in
 * order, in `arguments`. Takes --name value, --name=value, --name:value,
 * -n value, -nvalue, -n=value, -n:value, and flags in clusters, among the
 * operands; `--` ends options (but see `two_lists`), and a lone `-` is an operand. A flag may be
 * given as =true or =false. The last of several wins, but for OPTION_TEXTS. `table` may be NULL.
 */
int options_parse(const struct option_spec *table, void *args, struct arguments *arguments,
		  struct pp_error *err);

/* The same for several tables, of which the first that has an option takes it. */
int options_parse_groups(const struct option_group *groups, size_t group_count,
			 struct arguments *arguments, struct pp_error *err);

struct option_default {
	char text[24];
};

/*
 * What the option is if it is not given, by the struct of defaults (or NULL). Empty if there is
 * none: a number of all ones, as zero, stands for no number.
 */
struct option_default option_default(const struct option_spec *spec, const void *defaults);

/* Whether that option was given; always false for numbers, whose default is a number, too. */
bool option_is_given(const struct option_spec *table, const void *args, const char *name);

#endif
