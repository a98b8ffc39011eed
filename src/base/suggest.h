/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - "did you mean": the known name closest to what was typed.
 *
 * Offer every known name; `best` is then the closest, or NULL if none is close enough to be worth a
 * guess.
 *
 *	struct suggest suggest = { .typed = "jsn" };
 *	suggest_offer(&suggest, "json");
 *	return suggest_error(&suggest, "format", "perfpipe --help lists the formats", err);
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "perfpipe/error.h"

struct suggest {
	const char *typed;
	const char *best; /* borrowed from the caller */
	size_t distance;  /* of `best` */
	bool whole;	  /* a common prefix does not count, as for names made of parts */
};

/* Of two equally close names, the one offered first wins. */
void suggest_offer(struct suggest *suggest, const char *name);

/* "unknown format 'jsn'; did you mean json?", or else the hint in place of the question; -1. */
int suggest_error(const struct suggest *suggest, const char *what, const char *hint,
		  struct pp_error *err);

#endif
