/* SPDX-License-Identifier: MIT */
/*
 * where_scan.h - an expression's characters as words, and where it goes wrong.
 *
 * Where a name or a value ends depends on what is expected: `List<int>` is a value,
 * but `Depth<5` is a name and more. So the grammar asks for what it wants.
 */
#ifndef ANALYZE_WHERE_SCAN_H
#define ANALYZE_WHERE_SCAN_H

#include "analyze/where_text.h"
#include "base/arena.h"
#include "base/error.h"

struct where_scan {
	const char *text; /* all of it */
	const char *at;
	struct where_text last; /* what was read last */
	struct arena *arena;	/* for names and values */
	struct pp_error *err;
};

/* A name or a value as it was meant, in the arena. */
struct where_word {
	const char *text;
	const char *at; /* where it begins */
	bool quoted;
};

/* Counted in characters, from 1. */
size_t where_scan_column(const struct where_scan *scan, const char *at);

/* Returns -1. The message gets the column in front. */
int where_scan_fail(struct where_scan *scan, const char *at, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* The same for what comes next: "column 7: a value was expected after ==". */
int where_scan_expected(struct where_scan *scan, const char *what);

bool where_scan_ended(struct where_scan *scan);

/* Steps over this word or sign if it comes next. */
bool where_scan_takes(struct where_scan *scan, const char *word);

/* What comes next, for messages: not long, and nothing is stepped over. */
struct where_text where_scan_next(const struct where_scan *scan);

int where_scan_name(struct where_scan *scan, struct where_word *name);
int where_scan_value(struct where_scan *scan, struct where_word *value);

#endif
