/* SPDX-License-Identifier: MIT */
/*
 * output_kinds.h - all outputs of the program that are JSON: each has a schema, and its keys are
 * listed in a man page, which a test compares with it. To add one, add it to output_kinds.c.
 *
 *	for (size_t i = 0; output_kind_at(i, &kind, &arena); i++)
 *		puts(kind.name);
 */
#ifndef CLI_OUTPUT_KINDS_H
#define CLI_OUTPUT_KINDS_H

#include "report/result.h"

/* The kind with that number; false past the last. Names that are made live in the arena. */
bool output_kind_at(size_t index, struct result_kind *kind, struct arena *arena);

#endif
