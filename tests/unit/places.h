/* SPDX-License-Identifier: MIT */
/*
 * places.h - paths of files that tests read.
 */
#ifndef PLACES_H
#define PLACES_H

/*
 * The path of `name` below the directory in the environment variable `variable`, or else below
 * `otherwise` in the repository. Valid until the next call.
 */
const char *place_of(const char *variable, const char *otherwise, const char *name);

/* The same for a file of tests/data. */
const char *place_of_data(const char *name);

#endif
