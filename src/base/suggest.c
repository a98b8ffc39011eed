/* SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* Longer than any name that could be meant; also bounds the work. */
#define LONGEST 80

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool swapped(const char *a, const char *b)
{
	return same(a[0], b[-1]) && same(a[-1], b[0]);
}

/*
 * The number of letters to insert, drop, replace or swap with their neighbour to get from a to b
 * (optimal string alignment). Three rows are enough, as a swap looks back two.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	const size_t width = strlen(b);

	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		const size_t *before = rows[(i + 1) % 3];
		const size_t *above = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j], above[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && swapped(a + i - 1, b + j - 1))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return rows[strlen(a) % 3][width];
}

/* One is a prefix of the other, as in "complete" or "information". */
static bool extends(const char *a, const char *b)
{
	const size_t common = least(strlen(a), strlen(b));

	return common > 1 && !strncasecmp(a, b, common);
}

/* One typo in a short word, up to three in a long one; never the whole word. */
static size_t most_typos(const char *typed)
{
	const size_t length = strlen(typed);

	return length < 2 ? 0 : least(1 + (length - 1) / 4, 3);
}

void suggest_offer(struct suggest *suggest, const char *name)
{
	size_t d;

	if (strlen(suggest->typed) > LONGEST || strlen(name) > LONGEST)
		return;
	d = distance(suggest->typed, name);
	if (d > 1 && !suggest->whole && extends(suggest->typed, name))
		d = 1;
	if (d > most_typos(suggest->typed) || (suggest->best && d >= suggest->distance))
		return;
	suggest->best = name;
	suggest->distance = d;
}

int suggest_error(const struct suggest *suggest, const char *what, const char *hint,
		  struct pp_error *err)
{
	if (suggest->best)
		return error_set(err, PP_ERROR_USAGE, "unknown %s '%s'; did you mean %s?", what,
				 suggest->typed, suggest->best);
	return error_set(err, PP_ERROR_USAGE, "unknown %s '%s'; %s", what, suggest->typed, hint);
}
