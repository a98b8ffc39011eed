/* SPDX-License-Identifier: MIT */
#include "report/methods.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/sparkline.h"
#include "base/alloc.h"
#include "clr/method_name.h"

#define ROW struct method_row

/* clang-format off */
#define PROCESS_FIELD \
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, \
	      .flags = SHOWN_BY_PROCESS | SHOWN_IF_ANY | NOT_NEGATIVE)
#define NAME_FIELDS \
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = KEY | METHOD), \
	FIELD(ROW, module, "module", NULL, UNIT_TEXT, .flags = KEY)
#define WHEN_FIELD \
	FIELD(ROW, when, "when", "When", UNIT_TEXT, .flags = SHOWN_IF_ANY)
#define TEXT_FIELD(title_) \
	FIELD(ROW, text, "text", title_, UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD)
#define INCLUSIVE_PERCENT \
	FIELD(ROW, inclusive_percent, "inclusive_percent", "Incl %", UNIT_PERCENT, .flags = SHOWN_PEOPLE)
#define EXCLUSIVE_PERCENT \
	FIELD(ROW, exclusive_percent, "exclusive_percent", "Excl %", UNIT_PERCENT, .flags = SHOWN_PEOPLE)
/* clang-format on */

/* clang-format off */
#define TIME_FIELDS \
	EXCLUSIVE_PERCENT, \
	FIELD(ROW, exclusive_amount, "exclusive_ns", "Excl time", UNIT_TIME, .flags = MAIN), \
	FIELD(ROW, exclusive, "exclusive", "Excl", UNIT_COUNT, .flags = SHOWN_IF_ROOM), \
	INCLUSIVE_PERCENT, \
	FIELD(ROW, inclusive_amount, "inclusive_ns", "Incl time", UNIT_TIME), \
	FIELD(ROW, inclusive, "inclusive", "Incl", UNIT_COUNT, .flags = SHOWN_IF_ROOM)
/* clang-format on */

/* clang-format off */
#define BYTE_FIELDS \
	EXCLUSIVE_PERCENT, \
	FIELD(ROW, exclusive, "exclusive", "Excl", UNIT_COUNT), \
	FIELD(ROW, exclusive_amount, "exclusive_bytes", "Excl bytes", UNIT_SIZE, .flags = MAIN), \
	FIELD(ROW, inclusive, "inclusive", "Incl", UNIT_COUNT), \
	FIELD(ROW, inclusive_amount, "inclusive_bytes", "Incl bytes", UNIT_SIZE)
#define COUNT_FIELDS \
	EXCLUSIVE_PERCENT, \
	FIELD(ROW, exclusive, "exclusive", "Excl", UNIT_COUNT, .flags = MAIN), \
	FIELD(ROW, inclusive, "inclusive", "Incl", UNIT_COUNT)

/* Of methods, modules and classes, which differ by a title. */
#define SHAPE_OF_ROWS(of_, by_, title_, ...) \
	static const struct result_field of_##_##by_##_fields[] = { \
		PROCESS_FIELD, NAME_FIELDS, __VA_ARGS__, TEXT_FIELD(title_), FIELD_END, \
	}; \
	const struct result_shape of_##_by_##by_ = { of_##_##by_##_fields, NULL }
#define SHAPES_BY(by_, ...) \
	SHAPE_OF_ROWS(methods, by_, "Method", __VA_ARGS__); \
	SHAPE_OF_ROWS(modules, by_, "Module", __VA_ARGS__); \
	SHAPE_OF_ROWS(classes, by_, "Class", __VA_ARGS__)
/* clang-format on */

SHAPES_BY(cpu, TIME_FIELDS, WHEN_FIELD);
SHAPES_BY(time, TIME_FIELDS);
SHAPES_BY(bytes, BYTE_FIELDS);
SHAPES_BY(count, COUNT_FIELDS);

/* clang-format off */
#define TREE_START \
	FIELD(ROW, depth, "depth", NULL, UNIT_COUNT, .flags = WHEN), \
	PROCESS_FIELD, \
	INCLUSIVE_PERCENT
#define TREE_END \
	FIELD(ROW, hot, "hot", "Hot", UNIT_FLAG), \
	NAME_FIELDS, \
	TEXT_FIELD("Method"), \
	FIELD_END
#define INCLUSIVE(key_, title_, unit_) \
	FIELD(ROW, inclusive, "inclusive", "Incl", UNIT_COUNT, .flags = SHOWN_DATA), \
	FIELD(ROW, inclusive_amount, key_, title_, unit_)
#define EXCLUSIVE(key_, title_, unit_) \
	EXCLUSIVE_PERCENT, \
	FIELD(ROW, exclusive, "exclusive", "Excl", UNIT_COUNT, .flags = SHOWN_DATA), \
	FIELD(ROW, exclusive_amount, key_, title_, unit_)

#define INCLUSIVE_TIME	INCLUSIVE("inclusive_ns", "Incl time", UNIT_TIME)
#define INCLUSIVE_BYTES INCLUSIVE("inclusive_bytes", "Incl bytes", UNIT_SIZE)
#define INCLUSIVE_COUNT FIELD(ROW, inclusive, "inclusive", "Incl", UNIT_COUNT)
#define EXCLUSIVE_TIME	EXCLUSIVE("exclusive_ns", "Excl time", UNIT_TIME)
#define EXCLUSIVE_BYTES EXCLUSIVE("exclusive_bytes", "Excl bytes", UNIT_SIZE)
#define EXCLUSIVE_COUNT EXCLUSIVE_PERCENT, FIELD(ROW, exclusive, "exclusive", "Excl", UNIT_COUNT)

/* A caller's own figures have no part in what it calls. */
#define TREE_SHAPES(by_, inclusive_, ...) \
	static const struct result_field tree_##by_##_fields[] = { \
		TREE_START, inclusive_, __VA_ARGS__, TREE_END, \
	}; \
	static const struct result_field caller_##by_##_fields[] = { \
		TREE_START, inclusive_, TREE_END, \
	}; \
	const struct result_shape tree_by_##by_ = { tree_##by_##_fields, NULL }; \
	const struct result_shape caller_tree_by_##by_ = { caller_##by_##_fields, NULL }
/* clang-format on */

TREE_SHAPES(time, INCLUSIVE_TIME, EXCLUSIVE_TIME);
TREE_SHAPES(bytes, INCLUSIVE_BYTES, EXCLUSIVE_BYTES);
TREE_SHAPES(count, INCLUSIVE_COUNT, EXCLUSIVE_COUNT);

/* Such as "libcoreclr.so [no symbols]", which is not a method of that file. */
static bool is_of_module(const struct model *model, const struct call_name *name)
{
	return name->frame != MODEL_NONE && model->frames[name->frame].of_module;
}

const char *method_text(struct report *report, const struct call_name *name)
{
	const struct view_args *args = report->args;

	if (!name->module || args->stacks.raw_names || is_of_module(&report->model, name))
		return name->full;
	return report_text(report, "%s [%s]", name->name, name->module);
}

/* The model has each text once, so that names of one type are one. */
const char *type_text(struct report *report, const char *type)
{
	const struct view_args *args = report->args;
	struct buffer text = { 0 };

	if (args->stacks.raw_names || !strpbrk(type, "`[+"))
		return type;
	type_name_source(&text, type);
	if (!text.failed)
		type = strings_intern(&report->model.strings, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return type;
}

static uint64_t size_of(const struct call_sum *sum, enum method_order order)
{
	return order == BY_AMOUNT ? sum->weight : sum->count;
}

struct method_row method_row_of(struct report *report, const struct call_name *name,
				const struct call_sum *exclusive, const struct call_sum *inclusive)
{
	return (struct method_row){
		.process_id = name->process == MODEL_NONE
				      ? -1
				      : report->model.processes[name->process].id,
		.name = name->name,
		.module = name->module,
		.text = method_text(report, name),
		.exclusive = exclusive->count,
		.inclusive = inclusive->count,
		.exclusive_amount = exclusive->weight,
		.inclusive_amount = inclusive->weight,
	};
}

void method_row_set_percents(struct method_row *row, const struct call_sum *total,
			     enum method_order order)
{
	const struct call_sum exclusive = { row->exclusive, row->exclusive_amount };
	const struct call_sum inclusive = { row->inclusive, row->inclusive_amount };

	row->exclusive_percent = report_percent(size_of(&exclusive, order), size_of(total, order));
	row->inclusive_percent = report_percent(size_of(&inclusive, order), size_of(total, order));
}

struct result_rows method_rows(struct report *report, const struct calltree *tree,
			       const struct call_rows *rows, enum method_order order, size_t most)
{
	static const struct call_name none = { .full = "(thread start)",
					       .name = "(thread start)",
					       .process = MODEL_NONE };
	const size_t count = rows->count < most ? rows->count : most;
	struct method_row *made = REPORT_ROWS_NEW(report, struct method_row, count);

	for (size_t i = 0; i < count; i++) {
		const struct call_row *row = &rows->rows[i];

		made[i] = method_row_of(report,
					row->name == MODEL_NONE ? &none : &tree->names[row->name],
					&row->exclusive, &row->inclusive);
		method_row_set_percents(&made[i], &tree->total, order);
	}
	return FIRST_ROWS(made, count, rows->count);
}

/* When the rows' names were on the stacks, by row. */
struct when_rows {
	struct sparkline *lines;
	uint32_t *row_of; /* by name: row + 1 */
	size_t *stamps;	  /* by row: the last sample that counted */
	size_t stamp;
};

/* A name counts once for a sample, however often it is on the stack. */
static void add_sample(struct when_rows *when, const struct calltree *tree, uint32_t node,
		       const struct model_sample *sample)
{
	when->stamp++;
	for (uint32_t at = node; at; at = tree->nodes.nodes[at].parent) {
		const uint32_t row = when->row_of[tree->nodes.nodes[at].frame];

		if (!row || when->stamps[row - 1] == when->stamp)
			continue;
		when->stamps[row - 1] = when->stamp;
		sparkline_add(&when->lines[row - 1], sample->time_ns, sample->weight);
	}
}

static void add_samples(struct report *report, const struct calltree *tree, struct when_rows *when)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint32_t node = calltree_node(tree, sample.stack);

		if (sample_is_cpu(&sample) && node != MODEL_NONE &&
		    sample_query_passes(&report->samples, model, &sample))
			add_sample(when, tree, node, &sample);
	}
	sample_walk_end(&walk);
}

void method_rows_add_when(struct report *report, const struct calltree *tree,
			  const struct call_rows *from, struct result_rows *rows)
{
	struct method_row *made = (struct method_row *)rows->first;
	struct when_rows when = {
		.lines = xcalloc(rows->count + 1, sizeof(struct sparkline)),
		.row_of = xcalloc(tree->name_count + 1, sizeof(uint32_t)),
		.stamps = xcalloc(rows->count + 1, sizeof(size_t)),
	};

	for (size_t i = 0; i < rows->count; i++) {
		when.lines[i].from_ns =
			event_query_from(&report->samples.events, report->model.first_ns);
		when.lines[i].to_ns =
			event_query_to(&report->samples.events, report->model.last_ns);
		if (from->rows[i].name != MODEL_NONE)
			when.row_of[from->rows[i].name] = (uint32_t)i + 1;
	}
	add_samples(report, tree, &when);
	for (size_t i = 0; i < rows->count; i++) {
		char text[SPARKLINE_BUCKETS + 1];

		sparkline_text(&when.lines[i], text);
		made[i].when = report_text(report, "%s", text);
	}
	xfree(when.lines);
	xfree(when.row_of);
	xfree(when.stamps);
}
