/* SPDX-License-Identifier: MIT */
/*
 * The tables of the page. Rows are sorted by what weighs most; of very many, the first are shown.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "export/stack_table.h"
#include "export/html.h"
#include "export/stack_sums.h"
#include "export/string_table.h"

#define MOST_METHODS 5000
#define MOST_ROWS    500

struct row {
	uint32_t number; /* a frame, or what else is counted */
	uint64_t exclusive;
	uint64_t inclusive;
	uint64_t count;
};

static int by_weight(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	if (a->exclusive != b->exclusive)
		return a->exclusive > b->exclusive ? -1 : 1;
	if (a->inclusive != b->inclusive)
		return a->inclusive > b->inclusive ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a <= INT64_MAX - b ? a + b : INT64_MAX;
}

/* All samples by stack, and by leaf: frames that say what a sample is, and are no methods. */
struct methods {
	struct stack_table all;
	uint64_t *own; /* by node */
	size_t own_room;
	struct row *frames; /* by frame */
	struct row *leaves; /* by frame */
	uint64_t total;
};

static uint64_t *own_of(struct methods *m, uint32_t node)
{
	m->own = xroom(m->own, &m->own_room, node, sizeof(*m->own));
	return &m->own[node];
}

static void add_thread(struct methods *m, const struct export_thread *thread,
		       const struct stack_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct stack_sum *sum = &sums->list[i];
		uint64_t *own =
			own_of(m, stack_table_node(&m->all, thread->part, sum->stack, EXPORT_NONE));

		*own = plus(*own, sum->weight);
		m->total = plus(m->total, sum->weight);
		if (sum->leaf == EXPORT_NONE)
			continue;
		m->leaves[sum->leaf].exclusive = plus(m->leaves[sum->leaf].exclusive, sum->weight);
		m->leaves[sum->leaf].count += sum->count;
	}
}

static bool is_called_by_itself(const struct stack_node *nodes, uint32_t node)
{
	const uint32_t frame = nodes[node].frame;

	for (uint32_t at = nodes[node].parent; at; at = nodes[at].parent)
		if (nodes[at].frame == frame)
			return true;
	return false;
}

/* Callers have smaller numbers: downwards, all below a node is added before it is asked for. */
static void sum_up(struct methods *m)
{
	const struct stack_node *nodes = m->all.tree.nodes;

	own_of(m, m->all.tree.count);
	for (uint32_t i = m->all.tree.count; i-- > 1;) {
		struct row *row = &m->frames[nodes[i].frame];

		row->count = 1;
		row->exclusive = plus(row->exclusive, m->own[i]);
	}
	for (uint32_t i = m->all.tree.count; i-- > 1;) {
		struct row *row = &m->frames[nodes[i].frame];

		if (!is_called_by_itself(nodes, i))
			row->inclusive = plus(row->inclusive, m->own[i]);
		m->own[nodes[i].parent] = plus(m->own[nodes[i].parent], m->own[i]);
	}
}

static size_t keep_counted(struct row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].count)
			rows[kept++] = rows[i];
	qsort(rows, kept, sizeof(*rows), by_weight);
	return kept;
}

static void put_methods(struct export_source *source, struct output_buffer *out, struct methods *m)
{
	const size_t count = keep_counted(m->frames, source->frame_count);
	const size_t shown = count < MOST_METHODS ? count : MOST_METHODS;

	html_open_table(out, &(const struct html_table){
				     "methods",
				     "Methods",
				     { "Exclusive", "%", "Inclusive", "%", "Method", "Module" } });
	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &m->frames[i];

		html_open_row(out);
		html_cell_weight(out, source, row->exclusive);
		html_cell_share(out, row->exclusive, m->total);
		html_cell_weight(out, source, row->inclusive);
		html_cell_share(out, row->inclusive, m->total);
		html_cell_text(out, source->frames[row->number].name);
		html_cell_text(out, source->frames[row->number].module);
		html_close_row(out);
	}
	html_close_table(out, count - shown);
}

static void put_leaves(struct export_source *source, struct output_buffer *out, struct methods *m)
{
	const size_t count = keep_counted(m->leaves, source->frame_count);
	const size_t shown = count < MOST_ROWS ? count : MOST_ROWS;

	if (!count)
		return;
	html_open_table(
		out, &(const struct html_table){ "kinds",
						 source->view->marks ? "What threads did" : "Types",
						 { "Weight", "%", "Samples", "Name" } });
	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &m->leaves[i];

		html_open_row(out);
		html_cell_weight(out, source, row->exclusive);
		html_cell_share(out, row->exclusive, m->total);
		html_cell_count(out, (int64_t)row->count);
		html_cell_text(out, source->frames[row->number].full);
		html_close_row(out);
	}
	html_close_table(out, count - shown);
}

void html_put_methods(struct export_source *source, struct output_buffer *out)
{
	struct methods m = { 0 };
	struct stack_sums sums = { 0 };

	stack_table_init(&m.all, source);
	m.frames = xcalloc(source->frame_count + 1, sizeof(*m.frames));
	m.leaves = xcalloc(source->frame_count + 1, sizeof(*m.leaves));
	for (uint32_t i = 0; i < source->frame_count; i++)
		m.frames[i].number = m.leaves[i].number = i;
	for (size_t i = 0; i < source->thread_count; i++) {
		stack_sums_of_thread(&sums, source, &source->threads[i]);
		add_thread(&m, &source->threads[i], &sums);
	}
	sum_up(&m);
	put_methods(source, out, &m);
	put_leaves(source, out, &m);
	free(m.frames);
	free(m.leaves);
	free(m.own);
	stack_sums_release(&sums);
	stack_table_release(&m.all);
}

void html_put_threads(struct export_source *source, struct output_buffer *out)
{
	uint64_t total = 0;

	for (size_t i = 0; i < source->thread_count; i++)
		total = plus(total, source->threads[i].total);
	html_open_table(out, &(const struct html_table){
				     "threads",
				     "Threads",
				     { "Weight", "%", "Samples", "Thread", "Name", "Process" } });
	for (size_t i = 0; i < source->thread_count; i++) {
		const struct export_thread *thread = &source->threads[i];

		html_open_row(out);
		html_cell_weight(out, source, thread->total);
		html_cell_share(out, thread->total, total);
		html_cell_count(out, (int64_t)thread->count);
		html_cell_count(out, thread->id);
		html_cell_text(out, thread->name);
		html_cell_count(out, source->processes[thread->process].id);
		html_close_row(out);
	}
	html_close_table(out, 0);
}

static void put_notes(struct output_buffer *out, const struct export_span *span)
{
	struct buffer text = { 0 };

	for (size_t i = 0; i < EXPORT_NOTES && span->notes[i].key; i++) {
		const struct export_note *note = &span->notes[i];

		if (i)
			buffer_bytes(&text, ", ", 2);
		buffer_text(&text, note->key);
		buffer_u8(&text, ' ');
		if (note->text)
			buffer_text(&text, note->text);
		else
			buffer_signed(&text, note->number);
	}
	buffer_u8(&text, 0);
	html_cell_text(out, text.failed ? "" : (const char *)text.bytes);
	buffer_release(&text);
}

static void put_collections(struct export_source *source, struct output_buffer *out)
{
	struct span_reader reader = { .source = source };
	const struct export_span *span;
	size_t count = 0;

	while ((span = span_next(&reader))) {
		if (span->kind != EXPORT_GC)
			continue;
		if (!count)
			html_open_table(out, &(const struct html_table){
						     "collections",
						     "Collections",
						     { "At", "Length", "Collection", "Facts" } });
		if (count++ >= MOST_ROWS)
			continue;
		html_open_row(out);
		html_cell_time(out, span->start_ns);
		html_cell_time(out, span->end_ns - span->start_ns);
		html_cell_text(out, span->name);
		put_notes(out, span);
		html_close_row(out);
	}
	span_reader_release(&reader);
	if (count)
		html_close_table(out, count > MOST_ROWS ? count - MOST_ROWS : 0);
}

/* Spans of one kind and name are a row; the inclusive figure is the longest. */
struct happenings {
	struct string_table names; /* behind a character for the kind */
	struct row *rows;
	size_t count, capacity;
};

static void add_span(struct happenings *h, const struct export_span *span)
{
	const uint64_t length = (uint64_t)(span->end_ns - span->start_ns);
	struct buffer name = { 0 };
	uint32_t number;

	buffer_u8(&name, (uint8_t)('A' + span->kind));
	buffer_bytes(&name, span->name, strlen(span->name) + 1);
	number = string_table_number(&h->names, (const char *)name.bytes);
	buffer_release(&name);
	if (number > h->count) {
		h->rows = xgrow(h->rows, h->count, &h->capacity, sizeof(*h->rows));
		h->rows[h->count++] = (struct row){ .number = number };
	}
	h->rows[number - 1].count++;
	h->rows[number - 1].exclusive = plus(h->rows[number - 1].exclusive, length);
	if (length > h->rows[number - 1].inclusive)
		h->rows[number - 1].inclusive = length;
}

void html_put_spans(struct export_source *source, struct output_buffer *out)
{
	struct span_reader reader = { .source = source };
	const struct export_span *span;
	struct happenings h = { 0 };

	put_collections(source, out);
	string_table_init(&h.names);
	while ((span = span_next(&reader)))
		if (span->kind != EXPORT_GC)
			add_span(&h, span);
	span_reader_release(&reader);
	if (h.count) {
		qsort(h.rows, h.count, sizeof(*h.rows), by_weight);
		html_open_table(out, &(const struct html_table){
					     "happenings",
					     "What happened",
					     { "Together", "Longest", "Count", "Kind", "Name" } });
		for (size_t i = 0; i < h.count && i < MOST_ROWS; i++) {
			const char *name = h.names.list[h.rows[i].number];

			html_open_row(out);
			html_cell_time(out, (int64_t)h.rows[i].exclusive);
			html_cell_time(out, (int64_t)h.rows[i].inclusive);
			html_cell_count(out, (int64_t)h.rows[i].count);
			html_cell_text(out, export_span_names[*name - 'A']);
			html_cell_text(out, name + 1);
			html_close_row(out);
		}
		html_close_table(out, h.count > MOST_ROWS ? h.count - MOST_ROWS : 0);
	}
	free(h.rows);
	string_table_release(&h.names);
}

static void put_counter(struct export_source *source, struct output_buffer *out,
			const struct export_counter *counter)
{
	struct point_reader reader = { .source = source, .counter = counter };
	const struct export_point *point = point_next(&reader);
	const double first = point ? point->value : 0;
	double last = first, least = first, most = first;

	while ((point = point_next(&reader))) {
		last = point->value;
		least = last < least ? last : least;
		most = last > most ? last : most;
	}
	point_reader_release(&reader);
	html_open_row(out);
	html_cell_real(out, first);
	html_cell_real(out, least);
	html_cell_real(out, most);
	html_cell_real(out, last);
	html_cell_count(out, (int64_t)counter->count);
	html_cell_text(out, counter->unit);
	html_cell_text(out, counter->name);
	html_close_row(out);
}

void html_put_counters(struct export_source *source, struct output_buffer *out)
{
	if (!source->counter_count)
		return;
	html_open_table(out, &(const struct html_table){ "counters",
							 "Counters",
							 { "First", "Least", "Most", "Last",
							   "Readings", "Unit", "Counter" } });
	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].count)
			put_counter(source, out, &source->counters[i]);
	html_close_table(out, 0);
}
