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

enum text_style {
	TEXT_PLAIN, /* ends any other */
	TEXT_BOLD,
	TEXT_DIM,
	TEXT_RED,
	TEXT_GREEN,
	TEXT_YELLOW,
};

/* Whether `out` is a terminal that wants colour. */
bool terminal_wants_colour(FILE *out);

/* What switches to the style; "" without colour. */
const char *text_style(FILE *out, enum text_style style);

#endif
