/* SPDX-License-Identifier: MIT */
/*
 * line_text.h - a name in a format of lines: valid UTF-8 in which no line ends and nothing is done
 * to a terminal.
 */
#ifndef EXPORT_LINE_TEXT_H
#define EXPORT_LINE_TEXT_H

#include "base/buffer.h"

/* What ends a line for some reader, all control characters and those of `forbidden` are
   replaced. */
void line_text_put(struct buffer *out, const char *text, const char *forbidden, char replacement);

#endif
