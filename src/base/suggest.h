/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - "did you mean": the known name nearest to what was typed.
 *
 * Offer every name there is; `best` is then the nearest one, or NULL if none
 * is near enough to be worth a guess.
 *
 *	struct suggest suggest = { .typed = "jsn" };
 *	suggest_offer(&suggest, "json");
 *	if (suggest.best)
 *		printf("did you mean %s?\n", suggest.best);
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

struct suggest {
	const char *typed;
	const char *best; /* borrowed from whoever offered it */
	size_t distance;  /* of best */
	bool whole;	  /* a common beginning is no reason, as with names made of parts */
};

/* Of two names equally near, the one offered first wins. */
void suggest_offer(struct suggest *suggest, const char *name);

#endif
