/* SPDX-License-Identifier: MIT */
/*
 * file_name.h - the names of a recording's files.
 *
 * A pattern may contain {pid}, {name}, {time} (20261115_093000, local) and {n}, the number of the
 * file in a series (0001); {{ stands for a brace. In a series, a pattern without {n} gets _{n}
 * before the extension. A directory, or NULL for the current one, gives {name}_{time}.nettrace in
 * it.
 */
#ifndef RECORD_FILE_NAME_H
#define RECORD_FILE_NAME_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"

/* The pattern for several processes, if none is given. */
#define FILE_NAME_SEVERAL "{name}_{pid}_{time}.nettrace"

struct file_name_parts {
	long process_id;
	const char *name; /* of the process */
	time_t time;
	unsigned number;    /* in a series, from 1; 0: it is the only file */
	const char *suffix; /* of the compressor, added if it is missing; NULL: none */
};

/* Is it well-formed? The error names the braces that are not. */
int file_name_check(const char *pattern, struct pp_error *err);

/* To be freed; NULL if memory is exhausted. "-" stays "-". */
char *file_name_make(const char *pattern, const struct file_name_parts *parts);

#endif
