/* SPDX-License-Identifier: MIT */
/*
 * markup.h - text in HTML, SVG and XML, in elements and in quoted attributes.
 */
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include "base/buffer.h"

/* What has a meaning in markup is escaped; what XML cannot have is replaced. */
void markup_text(struct buffer *out, const char *text);

/* The same for at most `most` characters. */
void markup_first(struct buffer *out, const char *text, size_t most);

#endif
