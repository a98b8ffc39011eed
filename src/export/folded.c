/* SPDX-License-Identifier: MIT */
/*
 * Collapsed stacks, a line each: the frames from the root with ; between them, a blank, and
 * what samples with this stack weigh together. With --flamegraph it is drawn: see flames.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "export/flame_tree.h"
#include "export/flames.h"
#include "export/format.h"
#include "export/line_text.h"

/* A ; or a line's end would cut the name in two. */
static void put_name(struct buffer *out, const char *name)
{
	line_text_put(out, name, ";", ':');
}

static void put_stack(struct export_out *out, const struct export_source *source,
		      const struct flame_tree *tree, uint32_t node, uint32_t **path,
		      size_t *capacity)
{
	size_t depth = 0;

	for (uint32_t at = node; at; at = tree->nodes.nodes[at].parent) {
		*path = xgrow(*path, depth, capacity, sizeof(**path));
		(*path)[depth++] = tree->nodes.nodes[at].frame;
	}
	if (!depth)
		put_name(&out->bytes, "(no stack)");
	while (depth--) {
		put_name(&out->bytes, source->frames[(*path)[depth]].full);
		if (depth)
			buffer_u8(&out->bytes, ';');
	}
	buffer_u8(&out->bytes, ' ');
	buffer_decimal(&out->bytes, tree->own[node]);
	buffer_u8(&out->bytes, '\n');
	export_out_flush(out);
}

static int write(struct export_source *source, struct export_out *out, struct pp_error *err)
{
	struct flame_tree tree;
	uint32_t *path = NULL;
	size_t capacity = 0;

	if (source->query->flames)
		return flames_write(source, out, err);
	tree = flame_tree_of(source);
	for (uint32_t i = 0; i < tree.nodes.count || i == 0; i++)
		if (tree.own[i])
			put_stack(out, source, &tree, i, &path, &capacity);
	free(path);
	flame_tree_release(&tree);
	return 0;
}

const struct export_format export_folded = {
	.name = "folded",
	.extensions = { ".folded", ".collapsed", ".collapsedstack.txt" },
	.summary = "collapsed stacks, one a line; with --flamegraph drawn as .svg or .html",
	.many = true,
	.write = write,
};
