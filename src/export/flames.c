/* SPDX-License-Identifier: MIT */
#include "export/flames.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/markup.h"
#include "base/text.h"
#include "export/stack_table.h"

#define WIDTH	   1200.0
#define ROW	   16
#define TOP	   24 /* pixels above the first row */
#define CHARACTER  7.2
#define NARROWEST  0.01	  /* pixels; boxes narrower than twice that are left out */
#define MOST_NODES 100000 /* boxes drawn, the widest ones */

extern const char export_flames_js[];

static const char style[] =
	"<style>#flames text{font:12px monospace;pointer-events:none}"
	"#flames rect{stroke:#fff;stroke-width:.3}#flames rect.m{fill:#d030d0}"
	"#flames .f{cursor:pointer}#flames [data-do]{cursor:pointer;pointer-events:all;"
	"fill:#345;text-decoration:underline}</style>\n";

struct making {
	struct export_source *source;
	struct flame_tree *tree;
	struct stack_table stacks;
	size_t own_capacity;
};

static void add_weight(struct making *m, uint32_t node, uint64_t weight)
{
	m->tree->own = xroom(m->tree->own, &m->own_capacity, node, sizeof(*m->tree->own));
	m->tree->own[node] += weight;
}

static uint32_t process_root(struct making *m, const struct export_process *process)
{
	const char *name = process->name ? process->name : "";

	if (m->source->process_count < 2)
		return STACK_EMPTY;
	return stack_tree_child(&m->stacks.tree, STACK_EMPTY,
				export_source_label(m->source, "%s%s(%lld)", name,
						    process->name ? " " : "",
						    (long long)process->id));
}

static void add_samples(struct making *m, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(m->source, thread);
	struct export_sample sample;

	while (export_walk_next(&walk, &sample))
		add_weight(m, stack_table_node(&m->stacks, thread->part, sample.stack, sample.leaf),
			   sample.weight);
}

static void add_process(struct making *m, uint32_t number)
{
	const struct export_process *process = &m->source->processes[number];
	const uint32_t root = process_root(m, process);

	stack_table_begin_root(&m->stacks, process->part);
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			stack_table_mark(&m->stacks, &m->source->threads[i]);
	stack_table_end_root(&m->stacks, process->part, root);
	for (size_t i = 0; i < m->source->thread_count; i++)
		if (m->source->threads[i].process == number)
			add_samples(m, &m->source->threads[i]);
}

struct flame_tree flame_tree_of(struct export_source *source)
{
	struct flame_tree tree = { 0 };
	struct making m = { .source = source, .tree = &tree };

	stack_table_init(&m.stacks, source);
	for (uint32_t i = 0; i < source->process_count; i++)
		add_process(&m, i);
	tree.nodes = m.stacks.tree;
	m.stacks.tree = (struct stack_tree){ 0 };
	stack_table_release(&m.stacks);
	stack_tree_seal(&tree.nodes);
	add_weight(&m, tree.nodes.count, 0);
	tree.all = xcalloc((size_t)tree.nodes.count + 1, sizeof(*tree.all));
	for (uint32_t i = tree.nodes.count; i-- > 1;) {
		tree.all[i] += tree.own[i];
		tree.all[tree.nodes.nodes[i].parent] += tree.all[i];
	}
	tree.all[0] += tree.own[0];
	return tree;
}

void flame_tree_release(struct flame_tree *tree)
{
	stack_tree_release(&tree->nodes);
	free(tree->own);
	free(tree->all);
}

/* The framework's frames are orange, those of the program green, others grey and red. */
static void put_colour(struct buffer *out, const struct export_frame *frame)
{
	unsigned shade = 0;
	unsigned hue = 110;

	for (const char *at = frame->full; *at; at++)
		shade = shade * 31 + (unsigned char)*at;
	if (!frame->module)
		hue = 220;
	else if (!strncmp(frame->module, "System", 6) || !strncmp(frame->module, "Microsoft", 9))
		hue = 32;
	else if (!strcmp(frame->module, "?") || strstr(frame->module, ".so"))
		hue = 5;
	buffer_printf(out, "hsl(%u,%u%%,%u%%)", hue + shade % 14, frame->module ? 60 : 15,
		      68 + shade / 14 % 12);
}

static void put_weight(struct buffer *out, const struct export_source *source, uint64_t weight)
{
	if (source->view->unit == EXPORT_NANOSECONDS)
		buffer_printf(out, "%.3f ms", (double)weight / 1e6);
	else if (source->view->unit == EXPORT_BYTES)
		buffer_printf(out, "%.3f MB", (double)weight / 1e6);
	else
		buffer_printf(out, "%llu", (unsigned long long)weight);
}

struct box {
	double x;
	unsigned depth;
	bool drawn;
};

struct drawing {
	struct export_source *source;
	struct output_buffer *out;
	struct flame_tree tree;
	struct box *boxes; /* by node */
	unsigned deepest;
};

static double width_of(const struct drawing *d, uint32_t node)
{
	return d->tree.all[0] ? WIDTH * (double)d->tree.all[node] / (double)d->tree.all[0] : 0;
}

static double narrowest(const struct drawing *d)
{
	double least = NARROWEST;
	size_t count;

	do {
		count = 0;
		least *= 2;
		for (uint32_t i = 1; i < d->tree.nodes.count; i++)
			count += width_of(d, i) >= least;
	} while (count > MOST_NODES);
	return least;
}

static int by_name(const void *left, const void *right, void *drawing)
{
	const struct drawing *d = drawing;
	const struct stack_node *a = &d->tree.nodes.nodes[*(const uint32_t *)left];
	const struct stack_node *b = &d->tree.nodes.nodes[*(const uint32_t *)right];

	return strcmp(d->source->frames[a->frame].full, d->source->frames[b->frame].full);
}

/* By caller, and then by name, so that pictures of the same program look alike. */
static uint32_t *nodes_in_order(struct drawing *d)
{
	const uint32_t count = d->tree.nodes.count;
	const struct stack_node *nodes = d->tree.nodes.nodes;
	uint32_t *order = xcalloc((size_t)count + 1, sizeof(*order));
	uint32_t *ends = xcalloc((size_t)count + 1, sizeof(*ends)); /* by caller */
	uint32_t end = 1;

	for (uint32_t i = 1; i < count; i++)
		ends[nodes[i].parent]++;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t callees = ends[i];

		ends[i] = end;
		end += callees;
	}
	for (uint32_t i = 1; i < count; i++)
		order[ends[nodes[i].parent]++] = i;
	for (uint32_t i = 0, start = 1; i < count; start = ends[i++])
		if (ends[i] - start > 1)
			qsort_r(order + start, ends[i] - start, sizeof(*order), by_name, d);
	free(ends);
	return order;
}

/* Callers come before their callees, so their place is known. */
static void lay_out(struct drawing *d)
{
	const double least = narrowest(d);
	uint32_t *order = nodes_in_order(d);
	uint32_t last = STACK_EMPTY;
	double x = 0;

	d->boxes = xcalloc((size_t)d->tree.nodes.count + 1, sizeof(*d->boxes));
	d->boxes[0].drawn = true;
	for (uint32_t i = 1; i < d->tree.nodes.count; i++) {
		const uint32_t caller = d->tree.nodes.nodes[order[i]].parent;
		const struct box *above = &d->boxes[caller];
		const double width = width_of(d, order[i]);
		const bool drawn = above->drawn && width >= least;

		if (caller != last)
			x = above->x;
		d->boxes[order[i]] = (struct box){ x, above->depth + 1, drawn };
		if (drawn && above->depth + 1 > d->deepest)
			d->deepest = above->depth + 1;
		x += width;
		last = caller;
	}
	free(order);
}

static void put_label(struct buffer *out, const char *name, const struct box *box, double width)
{
	const double room = (width - 4) / CHARACTER;
	const size_t most = room > 0 ? (size_t)room : 0;

	if (most <= 2)
		return;
	buffer_printf(out, "<text x=\"%.2f\" y=\"%u\">", box->x + 3, TOP + box->depth * ROW + 12);
	if (text_width(name) <= most) {
		markup_text(out, name);
	} else {
		markup_first(out, name, most - 2);
		buffer_text(out, "..");
	}
	buffer_text(out, "</text>");
}

static void put_box(struct drawing *d, uint32_t node)
{
	const struct box *box = &d->boxes[node];
	const struct export_frame all = { .full = "all", .name = "all" };
	const struct export_frame *frame =
		node ? &d->source->frames[d->tree.nodes.nodes[node].frame] : &all;
	const double width = node ? width_of(d, node) : WIDTH;
	struct buffer *out = &d->out->bytes;

	buffer_text(out, "<g class=\"f\"><title>");
	markup_text(out, frame->full);
	buffer_text(out, " (");
	put_weight(out, d->source, d->tree.all[node]);
	buffer_printf(
		out,
		", %.2f %%)</title><rect x=\"%.4f\" y=\"%u\" width=\"%.4f\" height=\"%d\" fill=\"",
		d->tree.all[0] ? 100 * (double)d->tree.all[node] / (double)d->tree.all[0] : 0,
		box->x, TOP + box->depth * ROW, width, ROW - 1);
	put_colour(out, frame);
	buffer_text(out, "\"/>");
	put_label(out, frame->name, box, width);
	buffer_text(out, "</g>\n");
	output_buffer_flush(d->out);
}

void flames_put(struct export_source *source, struct output_buffer *out)
{
	struct drawing d = { .source = source, .out = out, .tree = flame_tree_of(source) };

	lay_out(&d);
	buffer_printf(&out->bytes,
		      "<svg id=\"flames\" xmlns=\"http://www.w3.org/2000/svg\" data-width=\"%d\" "
		      "viewBox=\"0 0 %d %u\" width=\"100%%\">\n",
		      (int)WIDTH, (int)WIDTH, TOP + (d.deepest + 1) * ROW + 8);
	buffer_text(&out->bytes, style);
	buffer_text(&out->bytes, "<text x=\"3\" y=\"15\">");
	markup_text(&out->bytes, export_title(source));
	buffer_printf(&out->bytes, " (%s)</text>\n", source->view->name);
	buffer_text(&out->bytes, "<text x=\"900\" y=\"15\" data-do=\"search\">Search</text>"
				 "<text x=\"970\" y=\"15\" data-do=\"reset\">Reset zoom</text>"
				 "<text x=\"640\" y=\"15\" id=\"flames-status\"></text>\n");
	for (uint32_t i = 0; i < d.tree.nodes.count || i == 0; i++)
		if (d.boxes[i].drawn)
			put_box(&d, i);
	buffer_text(&out->bytes, "<script>//<![CDATA[\n");
	buffer_text(&out->bytes, export_flames_js);
	buffer_text(&out->bytes, "//]]></script>\n</svg>\n");
	free(d.boxes);
	flame_tree_release(&d.tree);
}

void flames_put_controls(struct buffer *out)
{
	buffer_text(out, "<p><input id=\"flames-search\" type=\"search\" size=\"40\" "
			 "placeholder=\"Search: a regular expression\"> "
			 "<button id=\"flames-reset\">Reset zoom</button> "
			 "Click a frame to zoom in.</p>\n");
}

void flames_write(struct export_source *source, struct output_buffer *out)
{
	if (source->query->svg) {
		buffer_text(&out->bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
		flames_put(source, out);
		return;
	}
	buffer_text(&out->bytes, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
	markup_text(&out->bytes, export_title(source));
	buffer_text(&out->bytes, "</title><style>body{margin:8px;font:14px sans-serif}"
				 "#flames [data-do]{display:none}</style></head><body>\n");
	flames_put_controls(&out->bytes);
	flames_put(source, out);
	buffer_text(&out->bytes, "</body></html>\n");
}
