/* SPDX-License-Identifier: MIT */
/*
 * unfinished.h - no partial file is left if a signal ends us.
 *
 *	unfinished_watch(&file);
 *	...
 *	unfinished_watch(NULL);
 */
#ifndef CLI_UNFINISHED_H
#define CLI_UNFINISHED_H

#include "base/partial_file.h"

/* The file that is being written; NULL: none any more. */
void unfinished_watch(struct partial_file *file);

/* For handlers of signals that end the program in their own way. */
void unfinished_discard(void);

#endif
