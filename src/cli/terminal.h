/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - properties of the terminal, and text on its way to it.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

/* Text from a trace or a process, made safe by text_safe(). */
void text_put(FILE *out, const char *text);

/* "perfpipe: " and a sentence, made safe as a whole, as a line on standard error. */
void terminal_say(const char *format, ...) PRINTF_LIKE(1, 2);

/* Columns of a line: $COLUMNS, or the terminal's; 0 for a file or a pipe, which have any. */
size_t terminal_width(FILE *out);

/*
 * Makes output for `fd` safe by text_put_lines() if that is a terminal: formats for programs have
 * names as they are.
 */
void terminal_guard(int fd, struct buffer *output);

/* Whether `out` is a terminal that wants colour. */
bool terminal_wants_colour(FILE *out);

#endif
