/* SPDX-License-Identifier: MIT */
/*
 * where_test.h - one comparison: a name, an operator, a value.
 */
#ifndef ANALYZE_WHERE_TEST_H
#define ANALYZE_WHERE_TEST_H

#include "analyze/where_pattern.h"
#include "analyze/where_text.h"
#include "base/arena.h"

/* Orders that pass, or a test of texts; with neither it matches a pattern. */
struct where_operator {
	const char *word;
	unsigned passes; /* a set of enum where_order */
	bool (*holds)(struct where_text text, struct where_text part);
};

/* The longer first where one begins with another; ends with a word of NULL. */
extern const struct where_operator where_operators[];

/* The value to compare with, in every form that fields may need. */
struct where_operand {
	struct where_text text;
	struct where_text inner; /* without the braces of a GUID or the 0x of bytes */
	struct where_text time;	 /* as time_text() writes it */
	struct where_number number;
	struct where_number truth; /* the same, but true is 1 and false is 0 */
	bool quoted;
	bool is_null;
};

struct where_test {
	struct where_test *next;
	const char *event; /* a part of the event's name; NULL: any */
	const char *path;
	const struct where_operator *relation;
	struct where_operand operand;
	regex_t pattern;
	bool has_pattern;
};

/* Texts live in the arena. */
void where_operand_init(struct where_operand *operand, const char *text, bool quoted,
			struct arena *arena);

/* The operator takes a pattern. */
bool where_operator_matches(const struct where_operator *relation);

/* A value at the path makes it true. `room` is scratch memory for texts. */
bool where_test_holds(const struct where_test *test, const struct value *values, size_t count,
		      struct buffer *room);

/* The rest of the path inside the field; "" if it is the field itself, NULL if it is another. */
const char *where_path_below(const char *path, const char *name);

#endif
