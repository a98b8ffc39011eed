/* SPDX-License-Identifier: MIT */
/*
 * cut_text.h - texts that are too long for their column, cut where it hurts least.
 *
 * The texts are safe (base/text.h); what is cut is marked with one character, and lives in the
 * arena.
 */
#ifndef REPORT_CUT_TEXT_H
#define REPORT_CUT_TEXT_H

#include "base/arena.h"

/* At most `width` columns: the start of the text. */
const char *cut_end(struct arena *arena, const char *safe, size_t width);

/* Its end, after the blanks that it begins with. */
const char *cut_start(struct arena *arena, const char *safe, size_t width);

/* Of a method: without its module, then without the types of arguments, then without namespaces. */
const char *cut_method(struct arena *arena, const char *safe, size_t width);

#endif
