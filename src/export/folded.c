/* SPDX-License-Identifier: MIT */
/*
 * Collapsed stacks, one per line: the frames from the root with ; between them, a blank, and the
 * weight of all samples with this stack. With --flamegraph they are drawn: see flames.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "export/flame_tree.h"
#include "export/flames.h"
#include "export/format.h"
#include "export/frame_texts.h"

/* A ; or a line's end would cut the name in two. */
static void put_name(struct buffer *out, const struct export_frame *frame, size_t number)
{
	(void)number;
	put_safe_line(out, frame->full, ";", ':');
}

struct folded {
	struct output_buffer *out;
	struct flame_tree tree;
	struct frame_texts names;
	uint32_t *path; /* of frames, the innermost first */
	size_t path_capacity;
};

static void put_stack(struct folded *f, uint32_t node)
{
	struct buffer *out = &f->out->bytes;
	size_t depth = 0;

	for (uint32_t at = node; at; at = f->tree.nodes.nodes[at].parent) {
		f->path = xgrow(f->path, depth, &f->path_capacity, sizeof(*f->path));
		f->path[depth++] = f->tree.nodes.nodes[at].frame;
	}
	if (!depth)
		buffer_bytes(out, "(no stack)", 10);
	while (depth--) {
		frame_texts_put(&f->names, out, f->path[depth]);
		if (depth)
			buffer_u8(out, ';');
	}
	buffer_u8(out, ' ');
	buffer_decimal(out, f->tree.own[node]);
	buffer_u8(out, '\n');
	output_buffer_flush(f->out);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct folded f = { .out = out };

	if (source->query->flames) {
		flames_write(source, out);
		return;
	}
	f.tree = flame_tree_of(source);
	frame_texts_make(&f.names, source, put_name);
	for (uint32_t i = 0; i < f.tree.nodes.count || i == 0; i++)
		if (f.tree.own[i])
			put_stack(&f, i);
	xfree(f.path);
	frame_texts_release(&f.names);
	flame_tree_release(&f.tree);
}

const struct export_format export_folded = {
	.name = "folded",
	.extensions = { ".folded", ".collapsed", ".collapsedstack.txt" },
	.summary = "collapsed stacks; --flamegraph draws .svg or .html",
	.opens = "at https://www.speedscope.app",
	.many = true,
	.write = write_output,
};
