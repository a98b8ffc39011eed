/* SPDX-License-Identifier: MIT */
/*
 * option_spec.h - options of a command or a view as a table.
 *
 * A row names a field of a struct of arguments, and the field's type decides what the option
 * takes, so that table and struct cannot disagree. Parsing, help and shell completion all read
 * the same table.
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
 * A placeholder with bars lists all values, and the parser accepts no others; FILE and DIR make
 * shells complete file names.
 */
#ifndef BASE_OPTION_SPEC_H
#define BASE_OPTION_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_NUMBER,	 /* unsigned; decimal, or hexadecimal after 0x */
	OPTION_NUMBER64, /* uint64_t, the same */
	OPTION_TEXT,	 /* const char *, borrowed from the command line */
	OPTION_TEXTS,	 /* struct option_texts: may be repeated */
	OPTION_SWITCH,	 /* struct option_switch; --name, --name true, --name false */
	OPTION_OPTIONAL, /* struct option_optional; --name, --name=value, --name value */
	OPTION_HELP,	 /* --help alone */
};

/* On, off or not given, where the default depends on something else. */
struct option_switch {
	bool given;
	bool on;
};

/* A text that may be left out. */
struct option_optional {
	bool given;
	const char *value;		   /* or NULL */
	bool (*accepts)(const char *word); /* whether the next word is the value; by default */
};

#define OPTION_TEXTS_MOST 32

struct option_texts {
	const char *list[OPTION_TEXTS_MOST];
	size_t count;
};

struct option_spec {
	char letter;	   /* 0: none */
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
			 struct option_optional: OPTION_OPTIONAL,                                  \
			 struct option_texts: OPTION_TEXTS,                                        \
			 const char *: OPTION_TEXT)                                                \
	}
/* clang-format on */

#define OPTION_LAST                                                                                \
	{                                                                                          \
		0                                                                                  \
	}

#endif
