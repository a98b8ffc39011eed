/* SPDX-License-Identifier: MIT */
/*
 * flame_graph.h - what a flame graph consists of: a tree with weights by thread and state, its
 * names, and which of its nodes are large enough to be seen.
 *
 *	struct flame_graph graph = flame_graph_make(source);
 *	for (uint32_t i = 0; i < graph.count; i++)
 *		use(graph.order[i]);		(callers first, and then by name)
 *	flame_graph_release(&graph);
 */
#ifndef EXPORT_FLAME_GRAPH_H
#define EXPORT_FLAME_GRAPH_H

#include "export/flame_names.h"
#include "export/flame_tree.h"
#include "export/output_buffer.h"

struct flame_graph {
	struct export_source *source;
	struct flame_tree tree;
	struct flame_name *names; /* by frame */
	uint32_t *order;	  /* nodes that are kept, the root first */
	uint32_t count;		  /* of them */
	uint32_t *place;	  /* by node: where it is in `order`, or its caller */
	enum flame_state shown;	  /* first; FLAME_STATES: all of them */
	uint64_t *all;		  /* by node: its weight as it is shown first */
	uint64_t *own;		  /* by node: the same without those below it */
};

struct flame_graph flame_graph_make(struct export_source *source);
void flame_graph_release(struct flame_graph *graph);

/* NULL: there is none in this state. */
const char *flame_graph_state(const struct flame_graph *graph, enum flame_state state);

/* The graph as JSON that neither HTML nor XML can take for markup; see flames.js. */
void flame_data_put(const struct flame_graph *graph, struct output_buffer *out);

#endif
