/* SPDX-License-Identifier: MIT */
/*
 * safe_line.h - a name in a format of lines: valid UTF-8 in which no line ends and nothing is done
 * to a terminal.
 */
#ifndef EXPORT_SAFE_LINE_H
#define EXPORT_SAFE_LINE_H

#include "base/buffer.h"

/* What ends a line for some reader, all control characters and those of `forbidden` are
   replaced. */
void safe_line_put(struct buffer *out, const char *text, const char *forbidden, char replacement);

#endif
