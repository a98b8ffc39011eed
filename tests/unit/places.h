/* SPDX-License-Identifier: MIT */
/*
 * places.h - where files are that tests read.
 */
#ifndef PLACES_H
#define PLACES_H

/*
 * The path to `name` below the folder that the environment's `variable` names, or else below
 * `otherwise` of the repository. It stays until the next call.
 */
const char *place_of(const char *variable, const char *otherwise, const char *name);

/* The same for a file of tests/data. */
const char *place_of_data(const char *name);

#endif
