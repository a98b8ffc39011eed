/* SPDX-License-Identifier: MIT */
/*
 * The data of a flame graph, for its script:
 *
 *	states   what threads did, by number; null: nothing did
 *	state    the one that is shown first; their number: all
 *	threads  by number, from 1 on; 0 is none
 *	texts    modules and namespaces
 *	names    [module, namespace, Type.Method, arguments, colour]
 *	nodes    [caller, name, then pairs of: thread * states + state, weight]; the root is first
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "export/flame_graph.h"
#include "export/string_table.h"

#define THREADS_MOST 200

struct data {
	const struct flame_graph *graph;
	struct output_buffer *out;
	struct buffer quoted;
	uint32_t *threads; /* by thread of the source + 1: its number here */
	uint32_t *names;   /* by frame: its number here + 1 */
	struct string_table texts;
};

/* What HTML takes for markup, and what XML cannot represent; JSON has another way to write it. */
static const struct {
	const char *bytes, *escape;
} refused[] = {
	{ "<", "\\u003c" },
	{ ">", "\\u003e" },
	{ "&", "\\u0026" },
	{ "\xEF\xBF\xBE", "\\ufffe" },
	{ "\xEF\xBF\xBF", "\\uffff" },
};

static const char *escape_of(const char *at, size_t *size)
{
	for (size_t i = 0; i < ARRAY_COUNT(refused); i++) {
		*size = strlen(refused[i].bytes);
		if (!strncmp(at, refused[i].bytes, *size))
			return refused[i].escape;
	}
	return NULL;
}

static void put_text(struct data *d, const char *text, size_t text_size)
{
	struct buffer *out = &d->out->bytes;
	size_t size;

	buffer_rewind(&d->quoted, 0);
	json_quote(&d->quoted, text, text_size);
	buffer_u8(&d->quoted, 0);
	for (const char *at = (const char *)d->quoted.bytes; *at; at += size) {
		const char *escape = escape_of(at, &size);

		if (escape) {
			buffer_text(out, escape);
			continue;
		}
		size = 1;
		buffer_u8(out, (uint8_t)*at);
	}
}

static void put_states(struct data *d)
{
	buffer_text(&d->out->bytes, "\"states\":[");
	for (enum flame_state i = 0; i < FLAME_STATES; i++) {
		const char *name = flame_graph_state(d->graph, i);

		buffer_text(&d->out->bytes, i ? "," : "");
		if (name)
			put_text(d, name, strlen(name));
		else
			buffer_text(&d->out->bytes, "null");
	}
	buffer_printf(&d->out->bytes, "],\n\"state\":%u,\n", (unsigned)d->graph->shown);
}

static int by_total(const void *left, const void *right, void *source)
{
	const struct export_thread *threads = ((const struct export_source *)source)->threads;
	const uint64_t a = threads[*(const uint32_t *)left].total;
	const uint64_t b = threads[*(const uint32_t *)right].total;

	return a < b ? 1 : a > b ? -1 : 0;
}

static void put_thread(struct data *d, const struct export_thread *thread)
{
	const struct export_source *source = d->graph->source;
	struct buffer text = { 0 };

	if (source->process_count > 1)
		buffer_printf(&text, "%lld: ", (long long)source->processes[thread->process].id);
	buffer_printf(&text, "%lld", (long long)thread->id);
	if (thread->name && *thread->name) {
		buffer_u8(&text, ' ');
		buffer_text(&text, thread->name);
	}
	buffer_u8(&d->out->bytes, ',');
	put_text(d, (const char *)text.bytes, text.size);
	buffer_release(&text);
}

/* The largest ones; those that are too many are one. */
static void put_threads(struct data *d)
{
	const struct export_source *source = d->graph->source;
	uint32_t *order = xcalloc(source->thread_count + 1, sizeof(*order));
	uint32_t count = 0;
	uint32_t listed = 0;

	d->threads = xcalloc(source->thread_count + 1, sizeof(*d->threads));
	for (uint32_t i = 0; i < source->thread_count; i++)
		if (!source->threads[i].awaits)
			order[count++] = i;
	qsort_r(order, count, sizeof(*order), by_total, (void *)source);
	buffer_text(&d->out->bytes, "\"threads\":[null");
	for (uint32_t i = 0; i < count; i++) {
		if (i < THREADS_MOST)
			put_thread(d, &source->threads[order[i]]);
		else if (i == THREADS_MOST)
			buffer_printf(&d->out->bytes, ",\"%u others\"", count - i);
		listed += i <= THREADS_MOST;
		d->threads[order[i] + 1] = listed;
	}
	buffer_text(&d->out->bytes, "],\n");
	xfree(order);
}

static uint32_t number_of_space(struct data *d, const struct flame_name *name)
{
	char *space = xcalloc(1, name->space + 1);
	uint32_t number;

	memcpy(space, name->text, name->space);
	number = string_table_number(&d->texts, space);
	xfree(space);
	return number;
}

static void put_name(struct data *d, const struct flame_name *name)
{
	struct buffer *out = &d->out->bytes;

	buffer_printf(out, "[%u,%u,", string_table_number(&d->texts, name->module),
		      number_of_space(d, name));
	put_text(d, name->text + name->space, name->method - name->space);
	buffer_u8(out, ',');
	put_text(d, name->text + name->method, strlen(name->text + name->method));
	buffer_printf(out, ",%u]", name->colour);
	output_buffer_flush(d->out);
}

/* Those of nodes that are kept. */
static void put_names(struct data *d)
{
	const struct flame_graph *graph = d->graph;
	uint32_t count = 0;

	d->names = xcalloc(graph->source->frame_count + 1, sizeof(*d->names));
	buffer_text(&d->out->bytes, "\"names\":[");
	for (uint32_t i = 1; i < graph->count; i++) {
		const uint32_t frame = graph->tree.nodes.nodes[graph->order[i]].frame;

		if (d->names[frame])
			continue;
		if (count)
			buffer_text(&d->out->bytes, ",\n");
		d->names[frame] = ++count;
		put_name(d, &graph->names[frame]);
	}
	buffer_text(&d->out->bytes, "],\n\"texts\":[");
	for (size_t i = 0; i < d->texts.count; i++) {
		if (i)
			buffer_text(&d->out->bytes, ",");
		put_text(d, d->texts.list[i], strlen(d->texts.list[i]));
	}
	buffer_text(&d->out->bytes, "],\n");
}

/* A weight where it is written. */
struct placed_weight {
	uint32_t place, key;
	uint64_t weight;
};

static int by_place(const void *left, const void *right)
{
	const struct placed_weight *a = left;
	const struct placed_weight *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* In the order of nodes, each key once; to be freed. */
static struct placed_weight *weights_of(const struct data *d, size_t *count)
{
	const struct flame_tree *tree = &d->graph->tree;
	struct placed_weight *list = xcalloc(tree->weight_count + 1, sizeof(*list));
	size_t kept = 0;

	for (size_t i = 0; i < tree->weight_count; i++)
		list[i] = (struct placed_weight){
			.place = d->graph->place[tree->weights[i].node],
			.key = d->threads[tree->weights[i].thread] * FLAME_STATES +
			       tree->weights[i].state,
			.weight = tree->weights[i].weight,
		};
	qsort(list, tree->weight_count, sizeof(*list), by_place);
	for (size_t i = 0; i < tree->weight_count; i++)
		if (kept && !by_place(&list[kept - 1], &list[i]))
			list[kept - 1].weight += list[i].weight;
		else
			list[kept++] = list[i];
	*count = kept;
	return list;
}

static void put_node(struct data *d, uint32_t place)
{
	const struct flame_graph *graph = d->graph;
	const struct stack_node *node;

	if (!place) {
		buffer_text(&d->out->bytes, "[0,0");
		return;
	}
	node = &graph->tree.nodes.nodes[graph->order[place]];
	buffer_printf(&d->out->bytes, ",\n[%u,%u", graph->place[node->parent],
		      d->names[node->frame] - 1);
}

static void put_nodes(struct data *d)
{
	size_t count;
	struct placed_weight *weights = weights_of(d, &count);
	const struct placed_weight *next = weights;

	buffer_text(&d->out->bytes, "\"nodes\":[");
	for (uint32_t i = 0; i < d->graph->count; i++) {
		put_node(d, i);
		for (; next < weights + count && next->place == i; next++)
			buffer_printf(&d->out->bytes, ",%u,%llu", next->key,
				      (unsigned long long)next->weight);
		buffer_u8(&d->out->bytes, ']');
		output_buffer_flush(d->out);
	}
	buffer_u8(&d->out->bytes, ']');
	xfree(weights);
}

void flame_data_put(const struct flame_graph *graph, struct output_buffer *out)
{
	struct data d = { .graph = graph, .out = out };

	string_table_init(&d.texts);
	buffer_printf(&out->bytes, "{\"unit\":\"%s\",",
		      export_unit_names[graph->source->view->unit]);
	put_states(&d);
	put_threads(&d);
	put_names(&d);
	put_nodes(&d);
	buffer_text(&out->bytes, "}\n");
	string_table_release(&d.texts);
	buffer_release(&d.quoted);
	xfree(d.threads);
	xfree(d.names);
}
