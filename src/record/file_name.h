/* SPDX-License-Identifier: MIT */
/*
 * file_name.h - what a recording's file is called.
 *
 * A pattern may hold {pid}, {name}, {time} (20261115_093000, local) and {n}, the number
 * of the file in a row of them (0001); {{ stands for a brace. A row of files whose
 * pattern has no {n} gets _{n} before the ending. A pattern that is a
 * folder, or NULL, gives {name}_{time}.nettrace, there or here.
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
	unsigned number;    /* in a row, from 1 on; 0: there is no row */
	const char *suffix; /* of the packing, added unless the name ends so; NULL: none */
};

/* Does the pattern make sense? The error says which braces do not. */
int file_name_check(const char *pattern, struct pp_error *err);

/* To be freed; NULL when memory is gone. "-" stays as it is. */
char *file_name_make(const char *pattern, const struct file_name_parts *parts);

#endif
