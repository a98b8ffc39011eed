/* SPDX-License-Identifier: MIT */
/*
 * A self-contained page: facts about the trace, a flame graph, and tables. Facts and tables are
 * results, which report/html_page.h renders.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/call_rows.h"
#include "base/alloc.h"
#include "base/record_set.h"
#include "export/flames.h"
#include "export/format.h"
#include "export/stack_sums.h"
#include "export/stack_table.h"
#include "report/figure_text.h"
#include "report/html_page.h"

#define METHODS_MOST 5000
#define ROWS_MOST    500
#define POINTS_MOST  200 /* of a counter's chart */

/* A method, a type, a thread, or the spans of one name, with its weight. */
struct weighed_row {
	const struct export_source *source;
	uint64_t exclusive, inclusive; /* of spans: all of them, and the longest */
	double exclusive_percent, inclusive_percent;
	uint64_t count;
	const char *name, *kind; /* a method and its module; spans and their kind */
	int64_t process_id, thread_id;
};

static void get_weight(const struct weighed_row *row, uint64_t weight, struct result_value *value)
{
	static const enum result_unit units[] = {
		[EXPORT_NANOSECONDS] = UNIT_TIME,
		[EXPORT_BYTES] = UNIT_SIZE,
		[EXPORT_COUNT] = UNIT_COUNT,
	};

	value->unit = units[row->source->view->unit];
	value->count = weight;
}

static void get_exclusive(const void *row, struct result_value *value)
{
	get_weight(row, ((const struct weighed_row *)row)->exclusive, value);
}

static void get_inclusive(const void *row, struct result_value *value)
{
	get_weight(row, ((const struct weighed_row *)row)->inclusive, value);
}

#define ROW struct weighed_row

/* clang-format off */
#define WEIGHT_FIELDS(title_) \
	COMPUTED("exclusive", (title_), UNIT_ANY, .get = get_exclusive), \
	FIELD(ROW, exclusive_percent, "exclusive_percent", "%", UNIT_PERCENT)
/* clang-format on */

static const struct result_field method_fields[] = {
	WEIGHT_FIELDS("Exclusive"),
	COMPUTED("inclusive", "Inclusive", UNIT_ANY, .get = get_inclusive),
	FIELD(ROW, inclusive_percent, "inclusive_percent", "%", UNIT_PERCENT),
	FIELD(ROW, name, "name", "Method", UNIT_TEXT, .flags = WIDE),
	FIELD(ROW, kind, "module", "Module", UNIT_TEXT),
	FIELD_END,
};

static const struct result_field leaf_fields[] = {
	WEIGHT_FIELDS("Weight"),
	FIELD(ROW, count, "count", "Samples", UNIT_COUNT),
	FIELD(ROW, name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

static const struct result_field thread_fields[] = {
	WEIGHT_FIELDS("Weight"),
	FIELD(ROW, count, "count", "Samples", UNIT_COUNT),
	FIELD(ROW, thread_id, "thread_id", "Thread", UNIT_ID),
	FIELD(ROW, name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID),
	FIELD_END,
};

static const struct result_field span_fields[] = {
	FIELD(ROW, exclusive, "total_ns", "Total", UNIT_TIME),
	FIELD(ROW, inclusive, "max_ns", "Longest", UNIT_TIME),
	FIELD(ROW, count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, kind, "kind", "Kind", UNIT_TEXT),
	FIELD(ROW, name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

static const struct result_field process_fields[] = {
	FIELD(struct export_process, id, "process_id", "Process", UNIT_ID),
	FIELD(struct export_process, name, "name", "Name", UNIT_TEXT),
	FIELD(struct export_process, command_line, "command_line", "Command line", UNIT_TEXT,
	      .flags = WIDE),
	FIELD_END,
};

static bool gc_note(const void *row, size_t index, struct result_entry *entry, struct arena *arena)
{
	const struct export_note *note = &((const struct export_span *)row)->notes[index];

	(void)arena;
	if (index >= EXPORT_NOTES || !note->key)
		return false;
	*entry = (struct result_entry){ .key = note->key };
	entry->value.known = true;
	entry->value.unit = note->text ? UNIT_TEXT : UNIT_ID;
	if (note->text)
		entry->value.text = note->text;
	else
		entry->value.number = note->number;
	return true;
}

static void get_duration(const void *row, struct result_value *value)
{
	const struct export_span *span = row;

	value->number = span->end_ns - span->start_ns;
}

static const struct result_field gc_fields[] = {
	FIELD(struct export_span, start_ns, "start_ns", "Start", UNIT_TIME),
	COMPUTED("duration_ns", "Duration", UNIT_TIME, .get = get_duration),
	FIELD(struct export_span, name, "name", "Collection", UNIT_TEXT),
	COMPUTED("notes", "Details", UNIT_MAP, .entry = gc_note),
	FIELD_END,
};

struct page_counter {
	const struct export_counter *counter;
	double first, least, most, last;
	struct result_rows points;
};

static const struct result_field point_fields[] = {
	FIELD(struct export_point, time_ns, "time_ns", NULL, UNIT_TIME),
	FIELD(struct export_point, value, "value", NULL, UNIT_REAL),
	FIELD_END,
};

static const struct result_chart point_chart = {
	.kind = CHART_TIMELINE,
	.title = "Over time",
	.label = "time_ns",
	.series = { { "value", "Value", '#' } },
};

#undef ROW
#define ROW struct page_counter

static const struct result_field counter_fields[] = {
	FIELD(ROW, first, "first", "First", UNIT_REAL),
	FIELD(ROW, least, "min", "Min", UNIT_REAL),
	FIELD(ROW, most, "max", "Max", UNIT_REAL),
	FIELD(ROW, last, "last", "Last", UNIT_REAL),
	FIELD_THROUGH(ROW, counter, struct export_counter, count, "readings", "Readings",
		      UNIT_COUNT),
	FIELD_THROUGH(ROW, counter, struct export_counter, unit, "unit", "Unit", UNIT_TEXT),
	FIELD_THROUGH(ROW, counter, struct export_counter, name, "name", "Counter", UNIT_TEXT,
		      .flags = WIDE),
	LIST(ROW, points, "points", NULL, SHAPE(point_fields), .chart = &point_chart),
	FIELD_END,
};

struct trace_page {
	const char *view;
	struct weighed_row total;
	const char *started;
	int64_t duration_ns;
	uint64_t threads;
	const char *lost;
	bool cut;
	struct result_rows processes, spans, gcs, methods, leaves, thread_rows, counters;
	struct arena arena;
};

static void get_total(const void *data, struct result_value *value)
{
	get_exclusive(&((const struct trace_page *)data)->total, value);
}

#define PAGE struct trace_page

static const struct result_field fact_fields[] = {
	FIELD(PAGE, started, "started", "Started", UNIT_TEXT),
	FIELD(PAGE, duration_ns, "duration_ns", "Duration", UNIT_TIME),
	FIELD(PAGE, view, "view", "View", UNIT_TEXT),
	COMPUTED("total", "Total", UNIT_ANY, .get = get_total),
	FIELD(PAGE, total.count, "samples", "Samples", UNIT_COUNT),
	FIELD(PAGE, threads, "threads", "Threads", UNIT_COUNT),
	FIELD(PAGE, lost, "lost", "Lost", UNIT_TEXT),
	FIELD(PAGE, cut, "cut", "Truncated", UNIT_FLAG),
	LIST(PAGE, processes, "processes", "Processes", SHAPE(process_fields)),
	FIELD_END,
};
static const struct result_kind fact_kind = { .shape = SHAPE(fact_fields) };

static const struct result_field table_fields[] = {
	LIST(PAGE, methods, "methods", "Methods", SHAPE(method_fields)),
	LIST(PAGE, leaves, "leaves", "Leaves", SHAPE(leaf_fields)),
	LIST(PAGE, thread_rows, "threads", "Threads", SHAPE(thread_fields)),
	LIST(PAGE, gcs, "gcs", "Garbage collections", SHAPE(gc_fields)),
	LIST(PAGE, spans, "spans", "Spans by name", SHAPE(span_fields)),
	LIST(PAGE, counters, "counters", "Counters", SHAPE(counter_fields)),
	FIELD_END,
};
static const struct result_kind table_kind = { .shape = SHAPE(table_fields) };

static void set_percents(struct weighed_row *row, uint64_t all)
{
	row->exclusive_percent = all ? 100 * (double)row->exclusive / (double)all : 0;
	row->inclusive_percent = all ? 100 * (double)row->inclusive / (double)all : 0;
}

static int by_weight(const void *left, const void *right)
{
	const struct weighed_row *a = left;
	const struct weighed_row *b = right;

	if (a->exclusive != b->exclusive)
		return a->exclusive > b->exclusive ? -1 : 1;
	if (a->inclusive != b->inclusive)
		return a->inclusive > b->inclusive ? -1 : 1;
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

/* Samples by stack, and by leaf: a frame that is a state or a type rather than a method. */
struct frame_sums {
	struct stack_table all;
	struct call_sum *own; /* by node */
	size_t own_room;
	struct call_sum *leaves; /* by frame */
};

static void add_thread(struct frame_sums *f, const struct export_thread *thread,
		       const struct stack_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct stack_sum *sum = &sums->list[i];
		const uint32_t node =
			stack_table_node(&f->all, thread->part, sum->stack, EXPORT_NONE);

		f->own = xroom(f->own, &f->own_room, node, sizeof(*f->own));
		f->own[node].count += sum->count;
		f->own[node].weight = weight_sum(f->own[node].weight, sum->weight);
		if (sum->leaf == EXPORT_NONE)
			continue;
		f->leaves[sum->leaf].count += sum->count;
		f->leaves[sum->leaf].weight = weight_sum(f->leaves[sum->leaf].weight, sum->weight);
	}
}

static struct result_rows sorted_rows(struct weighed_row *rows, size_t count, size_t most,
				      uint64_t all)
{
	for (size_t i = 0; i < count; i++)
		set_percents(&rows[i], all);
	qsort(rows, count, sizeof(*rows), by_weight);
	return result_rows_first(ROWS_OF(rows, count), most);
}

static void list_methods(struct trace_page *page, struct export_source *source,
			 struct frame_sums *f)
{
	struct call_row *sums = xcalloc(source->frame_count + 1, sizeof(*sums));
	struct weighed_row *rows =
		arena_array(&page->arena, struct weighed_row, source->frame_count + 1);
	size_t count = 0;

	f->own = xroom(f->own, &f->own_room, f->all.tree.count, sizeof(*f->own));
	call_rows_sum(&f->all.tree, f->own, sums, source->frame_count);
	for (size_t i = 0; i < source->frame_count; i++)
		if (sums[i].inclusive.count || sums[i].inclusive.weight)
			rows[count++] = (struct weighed_row){ .source = source,
							      .exclusive = sums[i].exclusive.weight,
							      .inclusive = sums[i].inclusive.weight,
							      .name = source->frames[i].name,
							      .kind = source->frames[i].module };
	page->methods = sorted_rows(rows, count, METHODS_MOST, page->total.exclusive);
	xfree(sums);
}

static void list_leaves(struct trace_page *page, struct export_source *source,
			const struct frame_sums *f)
{
	struct weighed_row *rows =
		arena_array(&page->arena, struct weighed_row, source->frame_count + 1);
	size_t count = 0;

	for (size_t i = 0; i < source->frame_count; i++)
		if (f->leaves[i].count)
			rows[count++] = (struct weighed_row){ .source = source,
							      .exclusive = f->leaves[i].weight,
							      .count = f->leaves[i].count,
							      .name = source->frames[i].full };
	page->leaves = sorted_rows(rows, count, ROWS_MOST, page->total.exclusive);
}

static void list_frames(struct trace_page *page, struct export_source *source)
{
	struct frame_sums f = { .leaves = xcalloc(source->frame_count + 1, sizeof(*f.leaves)) };
	struct stack_sums sums = { 0 };

	stack_table_init(&f.all, source);
	for (size_t i = 0; i < source->thread_count; i++) {
		stack_sums_of_thread(&sums, source, &source->threads[i]);
		add_thread(&f, &source->threads[i], &sums);
	}
	list_methods(page, source, &f);
	list_leaves(page, source, &f);
	stack_sums_release(&sums);
	stack_table_release(&f.all);
	xfree(f.own);
	xfree(f.leaves);
}

static void list_threads(struct trace_page *page, const struct export_source *source)
{
	struct weighed_row *rows =
		arena_array(&page->arena, struct weighed_row, source->thread_count + 1);

	for (size_t i = 0; i < source->thread_count; i++) {
		const struct export_thread *thread = &source->threads[i];

		rows[i] =
			(struct weighed_row){ .source = source,
					      .exclusive = thread->total,
					      .count = thread->count,
					      .name = thread->name,
					      .thread_id = thread->id,
					      .process_id = source->processes[thread->process].id };
		set_percents(&rows[i], page->total.exclusive);
	}
	page->thread_rows = ROWS_OF(rows, source->thread_count);
}

/* A row for the spans of one kind and name. */
struct named_spans {
	struct named_spans *next;
	const char *name; /* of `strings` */
	uint64_t span_kind;
	struct weighed_row row;
};

static void add_span(struct record_set *set, struct trace_page *page, struct strings *strings,
		     const struct export_span *span)
{
	const uint64_t length = (uint64_t)(span->end_ns - span->start_ns);
	const char *name = strings_intern(strings, span->name, strlen(span->name));
	struct named_spans *known = record_set_add(
		set, &page->arena, &(struct named_spans){ .name = name, .span_kind = span->kind });

	known->row.name = name;
	known->row.kind = export_span_names[span->kind];
	known->row.count++;
	known->row.exclusive = weight_sum(known->row.exclusive, length);
	if (length > known->row.inclusive)
		known->row.inclusive = length;
}

static struct result_rows span_rows(struct trace_page *page, struct record_set *set)
{
	size_t count;
	struct named_spans **list = record_set_list(set, NULL, &count);
	struct weighed_row *rows = arena_array(&page->arena, struct weighed_row, count + 1);

	for (size_t i = 0; i < count; i++)
		rows[i] = list[i]->row;
	return sorted_rows(rows, count, ROWS_MOST, 0);
}

/* The reader's texts are valid until the next span. */
static struct export_span kept_gc(struct trace_page *page, const struct export_span *span)
{
	struct export_span kept = *span;

	kept.name = arena_text(&page->arena, span->name, strlen(span->name));
	for (size_t i = 0; i < EXPORT_NOTES; i++)
		if (span->notes[i].key && span->notes[i].text)
			kept.notes[i].text = arena_text(&page->arena, span->notes[i].text,
							strlen(span->notes[i].text));
	return kept;
}

static void list_spans(struct trace_page *page, struct export_source *source)
{
	struct record_set set = RECORD_SET(struct named_spans, span_kind);
	struct export_span *gcs = arena_array(&page->arena, struct export_span, ROWS_MOST);
	struct span_reader reader = { .source = source };
	struct strings strings = { .arena = &page->arena };
	const struct export_span *span;
	size_t gc_count = 0;

	while ((span = span_next(&reader)))
		if (span->kind != EXPORT_GC)
			add_span(&set, page, &strings, span);
		else if (gc_count++ < ROWS_MOST)
			gcs[gc_count - 1] = kept_gc(page, span);
	span_reader_release(&reader);
	page->gcs = result_rows_first(ROWS_OF(gcs, gc_count), ROWS_MOST);
	page->spans = span_rows(page, &set);
	record_set_release(&set);
	strings_release(&strings);
}

/* Every Nth point, so that the chart has at most POINTS_MOST. */
static struct page_counter read_counter(struct trace_page *page, struct export_source *source,
					const struct export_counter *counter)
{
	struct point_reader reader = { .source = source, .counter = counter };
	const struct export_point *point = point_next(&reader);
	const size_t step = counter->count / POINTS_MOST + 1;
	struct export_point *points = arena_array(&page->arena, struct export_point, POINTS_MOST);
	struct page_counter row = { .counter = counter };

	if (point)
		row.first = row.least = row.most = point->value;
	for (size_t i = 0; point; i++, point = point_next(&reader)) {
		row.last = point->value;
		row.least = point->value < row.least ? point->value : row.least;
		row.most = point->value > row.most ? point->value : row.most;
		if (i % step == 0)
			points[row.points.count++] = *point;
	}
	reel_reader_release(&reader.reel);
	row.points = ROWS_OF(points, row.points.count);
	return row;
}

static void list_counters(struct trace_page *page, struct export_source *source)
{
	struct page_counter *rows =
		arena_array(&page->arena, struct page_counter, source->counter_count + 1);
	size_t count = 0;

	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].count)
			rows[count++] = read_counter(page, source, &source->counters[i]);
	page->counters = ROWS_OF(rows, count);
}

static const char *start_text(struct trace_page *page, const struct export_source *source)
{
	const time_t start = (time_t)(source->start_unix_ns / 1000000000);
	char *text = arena_alloc(&page->arena, 64);
	struct tm parts;

	return source->start_unix_ns > 0 && gmtime_r(&start, &parts) &&
			       strftime(text, 64, "%Y-%m-%d %H:%M:%S UTC", &parts)
		       ? text
		       : NULL;
}

static void set_losses(struct trace_page *page, const struct export_source *source)
{
	struct model_losses all = { 0 };

	for (size_t i = 0; i < source->part_count; i++) {
		const struct model_losses *losses = &source->parts[i]->model.losses;

		losses_add_all(&all, losses);
		page->cut |= losses->cut;
	}
	page->lost = losses_text(&all, &page->arena);
}

static void set_facts(struct trace_page *page, struct export_source *source)
{
	page->total.source = source;
	page->view = source->view->name;
	page->started = start_text(page, source);
	page->duration_ns = source->last_ns > 0 ? source->last_ns : 0;
	page->threads = source->thread_count;
	page->processes = ROWS_OF(source->processes, source->process_count);
	for (size_t i = 0; i < source->thread_count; i++) {
		page->total.count += source->threads[i].count;
		page->total.exclusive = weight_sum(page->total.exclusive, source->threads[i].total);
	}
	set_losses(page, source);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct trace_page page = { 0 };

	set_facts(&page, source);
	html_open(&out->bytes, export_title(source));
	html_put_result(&(const struct result){ .kind = &fact_kind, .data = &page }, &out->bytes);
	if (source->thread_count) {
		list_frames(&page, source);
		list_threads(&page, source);
		buffer_text(&out->bytes, "<h2>Flame graph</h2>\n");
		flames_put(source, out);
	}
	list_spans(&page, source);
	list_counters(&page, source);
	html_put_result(&(const struct result){ .kind = &table_kind, .data = &page }, &out->bytes);
	html_close(&out->bytes);
	arena_release(&page.arena);
}

const struct export_format export_html = {
	.name = "html",
	.extensions = { ".html" },
	.summary = "a page to mail: a summary, a flame graph and tables",
	.opens = "in a browser",
	.many = true,
	.spans = true,
	.write = write_output,
};
