/* SPDX-License-Identifier: MIT */
/*
 * options.h - reading a struct of options that was compiled with another version of its header.
 *
 * Such a struct begins with its size, as the caller knows it. Fields that the caller does not have
 * are 0, which is their default; fields that we do not have must be 0.
 *
 *	struct pp_thing_options known;
 *
 *	if (OPTIONS_READ(&known, options, err))
 *		return -1;
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/* -1 if what a call cannot do without is NULL: "path". */
int argument_check(const void *argument, const char *what, struct pp_error *err);

/* A copy of the caller's struct, of our size. */
int options_read(void *known, size_t size, const void *given, struct pp_error *err);

#define OPTIONS_READ(known, given, err) options_read((known), sizeof(*(known)), (given), (err))

#endif
