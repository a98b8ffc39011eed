/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - what a terminal can do, and names from outside on their way to it.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

/* Text of a trace or a process, made safe as text_safe() does, straight to a file. */
void text_put(FILE *out, const char *text);

/* Columns of a line: $COLUMNS, or the terminal's; 0 for a file or a pipe, which have any. */
size_t terminal_width(FILE *out);

/* Whether `out` is a terminal that wants colour. */
bool terminal_wants_colour(FILE *out);

#endif
