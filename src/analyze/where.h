/* SPDX-License-Identifier: MIT */
/*
 * where.h - filter expressions on the fields of events.
 *
 *	struct where *where = where_parse("Depth >= 1 and Reason == Induced", &err);
 *
 *	where_set_event(where, "Microsoft-Windows-DotNETRuntime", "GC/Start");
 *	if (where_matches(where, values, count))
 *		show(event);
 *	where_free(where);
 *
 * The one rule: a field that is missing, or could not be decoded, fails every comparison, != too;
 * so `not (Depth == 1)` holds for events without a Depth, and `Depth != 1` does not.
 *
 *	Count == 5   Count=5   Mean >= 0.5   Size > 85,000   Address = 0x7f00
 *	Name contains io   Name startswith System   Name endswith ".dll"
 *	Name match "^System[.](IO|Net)"   Name ~ ^System
 *	GC/Start::Depth > 1 && !(Type == BackgroundGC || Type == 2)
 *
 * Comparisons are == = != <> < <= > >= contains startswith endswith match ~; they
 * are joined by not, and, or, of which the first binds tightest, or by ! && ||, and
 * by parentheses. Words, names and texts are the same in any case (A to Z).
 *
 * Names: `Payload.Mean` is a field of an object, `Arguments.Key` one of the objects in an array;
 * one matching element of an array is enough. A part of the event's or its provider's name may
 * precede
 * ::. Names with other characters go in quotes.
 *
 * Values: text goes in quotes, "..." or '...', if it is empty, is `and` or `or`, holds
 * blanks, parentheses, && or ||, or starts with an operator; within quotes \" \' and
 * \\ are the second character, and any other \ is itself. How values are compared:
 *
 *	numbers  exactly, integers with fractions too; NaN is not less, equal or greater, but
 *		 `Mean == NaN` finds it, by its name
 *	named    Reason == Induced, Reason == 1; flags by contains, since all names
 *		 of their bits come as one text, "Generic|Jitted"
 *	texts    as texts; as numbers if both are, unless the value is in quotes
 *	booleans with true, false, 1 and 0, in quotes or not
 *	GUIDs, addresses, bytes  with their text: 0x7f00 and DEADBEEF
 *	times    in UTC, to the precision of the value: When <= 2026-11-15 is the whole day
 *	null     only with fields that are null
 *
 * A pattern is a POSIX extended regular expression that matches anywhere in the text. Expensive
 * ones are refused; see where_pattern.h.
 */
#ifndef ANALYZE_WHERE_H
#define ANALYZE_WHERE_H

#include <stdbool.h>
#include <stddef.h>

#include "perfpipe/error.h"

#define WHERE_LONGEST  8192 /* bytes of an expression */
#define WHERE_DEEPEST  64   /* nested parentheses */
#define WHERE_PATTERNS 32   /* in one expression */

struct value;
struct where;

/* NULL if it is not valid, with an error such as "column 7: a value was expected after ==". */
struct where *where_parse(const char *text, struct pp_error *err);

void where_free(struct where *where);

/*
 * The event whose values come next, for `Event::`, which fails before the first call. Both texts
 * are borrowed until the next one.
 */
void where_set_event(struct where *where, const char *provider, const char *name);

/*
 * The values of an event, as in payload/value.h; the caller adds those that are not in the payload,
 * such as ThreadID. Allocates nothing per event, except in regexec(). One thread at a time.
 */
bool where_matches(struct where *where, const struct value *values, size_t count);

/* The name of the field in each comparison; NULL after the last one. */
const char *where_path(const struct where *where, size_t index);

/* The expression needs the field of this name, or one inside it. */
bool where_uses(const struct where *where, const char *name);

#endif
