/* SPDX-License-Identifier: MIT */
/*
 * flames.h - a flame graph in one self-contained file: SVG, alone or in a page.
 *
 * Width is weight, and callers are above what they call. Without scripts it is a picture of what is
 * shown first; with them frames are zoomed in on and searched for, and a thread and what threads
 * did can be chosen. See flames.js.
 */
#ifndef EXPORT_FLAMES_H
#define EXPORT_FLAMES_H

#include "export/output_buffer.h"
#include "export/source.h"

/* As source->query->svg says. */
void flames_write(struct export_source *source, struct output_buffer *out);

/* The drawing, its data and its script, for a page that has more. */
void flames_put(struct export_source *source, struct output_buffer *out);

#endif
