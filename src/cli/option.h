/* SPDX-License-Identifier: MIT */
/*
 * option.h - a command's options as a table.
 *
 * A row names a field of the command's own argument struct, and the field's
 * type decides what the option takes, so that table and struct cannot
 * disagree. Parsing, help and shell completion all read the same table.
 *
 *	struct count_args { bool quiet; unsigned limit; const char *format; };
 *
 *	static const struct option_spec options[] = {
 *		OPTION('q', "quiet", struct count_args, quiet, NULL, "print the number alone"),
 *		OPTION('n', "limit", struct count_args, limit, "N", "stop after N events"),
 *		OPTION(0, "format", struct count_args, format, "text|json", "how to print"),
 *		OPTION_LAST,
 *	};
 *
 * A placeholder with bars lists all the values there are, and the parser
 * takes no other; FILE and DIR make shells complete file names.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_NUMBER,	 /* unsigned; decimal, or hexadecimal after 0x */
	OPTION_NUMBER64, /* uint64_t, the same */
	OPTION_TEXT,	 /* const char *, borrowed from the command line */
	OPTION_TEXTS,	 /* struct option_texts: it may be given several times */
	OPTION_SWITCH,	 /* struct option_switch; --name, --name true, --name false */
	OPTION_HELP,	 /* --help alone */
};

/* On, off or not said: for what has a default that is neither. */
struct option_switch {
	bool given;
	bool on;
};

#define OPTION_TEXTS_MOST 32

struct option_texts {
	const char *list[OPTION_TEXTS_MOST];
	size_t count;
};

struct option_spec {
	char letter;	   /* 0: it has none */
	const char *name;  /* without dashes; NULL ends the table */
	const char *value; /* placeholder; NULL for a flag */
	const char *help;  /* no capital, no full stop */
	size_t offset;
	enum option_kind kind;
};

/* clang-format off */
#define OPTION(letter, name, type, field, value, help)                                             \
	{                                                                                          \
		letter, name, value, help, offsetof(type, field),                                  \
		_Generic(((type *)0)->field,                                                       \
			 bool: OPTION_FLAG,                                                        \
			 unsigned: OPTION_NUMBER,                                                  \
			 uint64_t: OPTION_NUMBER64,                                                \
			 struct option_switch: OPTION_SWITCH,                                      \
			 struct option_texts: OPTION_TEXTS,                                        \
			 const char *: OPTION_TEXT)                                                \
	}
/* clang-format on */

#define OPTION_LAST                                                                                \
	{                                                                                          \
		0                                                                                  \
	}

/* -h, -? and --help: in every table without being written there. */
extern const struct option_spec option_help;

/* What follows a command's name. */
struct arguments {
	char **at;
	int count;
	bool help; /* help was asked for; what follows that was not looked at */
};

/*
 * Fill the fields of `args` that options name and leave the operands, in
 * order, in `arguments`. Takes --name value, --name=value, --name:value,
 * -n value, -nvalue, -n=value, -n:value, and flags in clusters, among the
 * operands; `--` ends options, and a lone `-` is an operand. A flag may be
 * given as =true or =false. The last of several wins, but for OPTION_TEXTS. `table` may be NULL.
 */
int options_parse(const struct option_spec *table, void *args, struct arguments *arguments,
		  struct pp_error *err);

/* Whether that option was given. One with a number cannot tell: its default is a number, too. */
bool option_is_given(const struct option_spec *table, const void *args, const char *name);

#endif
