/* SPDX-License-Identifier: MIT */
/*
 * flames.h - a flame graph in one self-contained file: SVG, alone or in a page.
 *
 * Width is weight, and callers are above what they call. Without scripts it is a picture; with them
 * a click zooms in on a call, and a search marks matches. See flames.js.
 */
#ifndef EXPORT_FLAMES_H
#define EXPORT_FLAMES_H

#include "export/output_buffer.h"
#include "export/source.h"

/*
 * All samples of a source as one tree, of which flame graphs and folded stacks are made. Frames are
 * the source's. A sample's leaf is a node of its own and, where there are several processes, so is
 * each process. Callers have smaller numbers than what they call.
 */
struct flame_tree {
	struct stack_tree nodes; /* node 0 is the root, which has no frame */
	uint64_t *own;		 /* by node: weight of samples that end there */
	uint64_t *all;		 /* by node: the same, including nodes below */
};

struct flame_tree flame_tree_of(struct export_source *source);
void flame_tree_release(struct flame_tree *tree);

/* As source->query->svg says. */
void flames_write(struct export_source *source, struct output_buffer *out);

/* The drawing and its script, for a page that has more; and its search box, which comes first. */
void flames_put_controls(struct buffer *out);
void flames_put(struct export_source *source, struct output_buffer *out);

#endif
