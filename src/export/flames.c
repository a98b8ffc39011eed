/* SPDX-License-Identifier: MIT */
#include "export/flames.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/markup.h"
#include "export/flame_graph.h"

#define WIDTH	  1200.0
#define ROW	  16
#define TOP	  24 /* pixels above the first row */
#define CHARACTER 7.2
#define NARROWEST 0.25 /* pixels of a box; the data has more */

extern const char export_flames_js[];

static const char style[] =
	"<style>#flames text{font:12px monospace;pointer-events:none}"
	"#flames rect{stroke:#fff;stroke-width:.3}#flames .m rect{fill:#d030d0}"
	"#flames .f{cursor:pointer;outline:none}#flames .f:focus rect{stroke:#000;stroke-width:2}"
	"</style>\n";

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
	double x, width;
	unsigned depth;
};

struct drawing {
	const struct flame_graph *graph;
	struct output_buffer *out;
	struct box *boxes; /* by place */
	unsigned deepest;
};

/* Callers come before their callees, so their place is known. */
static void lay_out(struct drawing *d)
{
	const struct flame_graph *graph = d->graph;
	double *ends = xcalloc(graph->count, sizeof(*ends)); /* of callees, by place */

	d->boxes = xcalloc(graph->count, sizeof(*d->boxes));
	d->boxes[0].width = WIDTH;
	for (uint32_t i = 1; i < graph->count; i++) {
		const uint32_t node = graph->order[i];
		const uint32_t caller = graph->place[graph->tree.nodes.nodes[node].parent];
		const double width =
			graph->all[0] ? WIDTH * (double)graph->all[node] / (double)graph->all[0]
				      : 0;

		d->boxes[i] = (struct box){ .x = ends[caller],
					    .width = width,
					    .depth = d->boxes[caller].depth + 1 };
		ends[i] = ends[caller];
		ends[caller] += width;
		if (width >= NARROWEST && d->boxes[i].depth > d->deepest)
			d->deepest = d->boxes[i].depth;
	}
	xfree(ends);
}

static void put_share(const struct drawing *d, const char *title, uint64_t weight)
{
	const uint64_t whole = d->graph->all[0];
	struct buffer *out = &d->out->bytes;

	buffer_text(out, title);
	put_weight(out, d->graph->source, weight);
	buffer_printf(out, " (%.2f %%)", whole ? 100 * (double)weight / (double)whole : 0);
}

/* As those of flames.js, but short where most are alike. */
static void put_tip(const struct drawing *d, uint32_t node, const struct flame_name *name)
{
	struct buffer *out = &d->out->bytes;

	buffer_text(out, "<title>");
	if (node) {
		markup_text(out, name->text);
		buffer_u8(out, '\n');
	}
	if (*name->module) {
		buffer_text(out, "Module: ");
		markup_text(out, name->module);
		buffer_u8(out, '\n');
	}
	put_share(d, "Total: ", d->graph->all[node]);
	if (d->graph->own[node])
		put_share(d, "\nSelf: ", d->graph->own[node]);
	buffer_text(out, "</title>");
}

static void put_label(struct buffer *out, const struct flame_name *name, const struct box *box)
{
	const double room = (box->width - 4) / CHARACTER;

	if (room < 3)
		return;
	buffer_printf(out, "<text x=\"%.1f\" y=\"%u\">", box->x + 3, TOP + box->depth * ROW + 12);
	flame_label_put(out, name, (size_t)room);
	buffer_text(out, "</text>");
}

static void put_box(struct drawing *d, uint32_t place)
{
	static const struct flame_name total = {
		.module = "", .text = "Total", .method = 5, .colour = FLAME_COLOURS - FLAME_SHADES
	};
	const struct flame_graph *graph = d->graph;
	const uint32_t node = graph->order[place];
	const struct flame_name *name =
		place ? &graph->names[graph->tree.nodes.nodes[node].frame] : &total;
	const struct box *box = &d->boxes[place];
	struct buffer *out = &d->out->bytes;

	buffer_text(out, "<g class=\"f\">");
	put_tip(d, node, name);
	buffer_printf(out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"", box->x,
		      TOP + box->depth * ROW, box->width, ROW - 1);
	flame_colour_put(out, name->colour);
	buffer_text(out, "\"/>");
	put_label(out, name, box);
	buffer_text(out, "</g>\n");
	output_buffer_flush(d->out);
}

static void put_title(const struct flame_graph *graph, struct buffer *out)
{
	const char *state =
		graph->shown == FLAME_STATES ? NULL : flame_graph_state(graph, graph->shown);

	buffer_text(out, "<text x=\"3\" y=\"15\" id=\"flames-title\">");
	markup_text(out, export_title(graph->source));
	buffer_printf(out, " (%s)</text>\n<g id=\"flames-boxes\">\n",
		      state ? state : graph->source->view->name);
}

static void put_picture(struct drawing *d)
{
	struct buffer *out = &d->out->bytes;

	lay_out(d);
	buffer_printf(out,
		      "<svg id=\"flames\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		      "aria-label=\"Flame graph\" viewBox=\"0 0 %d %u\" width=\"100%%\" "
		      "preserveAspectRatio=\"xMinYMin\">\n%s",
		      (int)WIDTH, TOP + (d->deepest + 1) * ROW + 8, style);
	put_title(d->graph, out);
	for (uint32_t i = 0; i < d->graph->count; i++)
		if (d->boxes[i].width >= NARROWEST)
			put_box(d, i);
	buffer_text(out, "</g>\n");
	xfree(d->boxes);
}

void flames_put(struct export_source *source, struct output_buffer *out)
{
	struct flame_graph graph = flame_graph_make(source);
	struct drawing d = { .graph = &graph, .out = out };

	put_picture(&d);
	buffer_text(&out->bytes, "<script type=\"application/json\" id=\"flames-data\">");
	flame_data_put(&graph, out);
	buffer_text(&out->bytes, "</script>\n<script>//<![CDATA[\n");
	buffer_text(&out->bytes, export_flames_js);
	buffer_text(&out->bytes, "//]]></script>\n</svg>\n");
	flame_graph_release(&graph);
}

void flames_write(struct export_source *source, struct output_buffer *out)
{
	if (source->query->svg) {
		buffer_text(&out->bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
		flames_put(source, out);
		return;
	}
	buffer_text(&out->bytes,
		    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	markup_text(&out->bytes, export_title(source));
	buffer_text(&out->bytes, "</title><style>body{margin:8px;font:14px sans-serif}</style>"
				 "</head><body>\n");
	flames_put(source, out);
	buffer_text(&out->bytes, "</body></html>\n");
}
