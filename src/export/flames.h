/* SPDX-License-Identifier: MIT */
/*
 * flames.h - a flame graph in one file that needs nothing else: SVG, alone or in a page.
 *
 * Width is weight, callers are above what they call. Without scripts it is a picture; with
 * them a click shows one call alone, and a search marks what matches. See flames.js.
 */
#ifndef EXPORT_FLAMES_H
#define EXPORT_FLAMES_H

#include "export/output_buffer.h"
#include "export/source.h"

/* source->query->svg says which of the two. */
void flames_write(struct export_source *source, struct output_buffer *out);

/* The drawing and its script, for a page that has more; and its search box, to be put before it. */
void flames_put_controls(struct buffer *out);
void flames_put(struct export_source *source, struct output_buffer *out);

#endif
