/* SPDX-License-Identifier: MIT */
/*
 * distinct_names.h - names that are keys of one object, each of them once.
 *
 * A name that was there before gets a number that makes it differ from all others: of "a", "a",
 * "a_2" the second becomes "a_3". So no value is lost where a reader keeps one for each key.
 */
#ifndef BASE_DISTINCT_NAMES_H
#define BASE_DISTINCT_NAMES_H

#include <stddef.h>

#include "base/arena.h"

/* NULL names are left alone; new names are in the arena. */
void distinct_names(const char **names, size_t count, struct arena *arena);

#endif
