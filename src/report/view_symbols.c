/* SPDX-License-Identifier: MIT */
/*
 * Native code by file: how much of it has names, where those come from, and how to get the others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/providers.h"
#include "report/report.h"
#include "symbols/symbols.h"

#define ROWS 25

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct view_args, query),
	SYMBOL_OPTIONS(struct view_args, stacks.symbols),
	OPTION_LAST,
};

/* A mapped file, in whichever processes; or what is not of any. */
struct symbols_row {
	const char *name, *path, *build_id;
	uint64_t frames; /* of samples' stacks */
	uint64_t named;
	uint64_t samples; /* whose innermost frame is in it */
	double percent;	  /* of all frames */
	double named_percent;
	const char *state;
	const char *problem, *remedy;
	const char *symbols_path, *lines_path;
	uint32_t module; /* of the model, or MODEL_NONE */
};

struct symbols_result {
	uint64_t frames, named;
	double named_percent;
	struct result_rows rows;
};

#define ROW struct symbols_row

static const struct result_field row_fields[] = {
	FIELD(ROW, frames, "frames", "Frames", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, percent, "percent", "%", UNIT_PERCENT),
	FIELD(ROW, named, "named", NULL, UNIT_COUNT),
	FIELD(ROW, named_percent, "named_percent", "Named %", UNIT_PERCENT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT),
	FIELD(ROW, state, "state", "Names", UNIT_TEXT),
	FIELD(ROW, path, "path", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, build_id, "build_id", NULL, UNIT_TEXT),
	FIELD(ROW, symbols_path, "symbols_path", NULL, UNIT_TEXT),
	FIELD(ROW, lines_path, "lines_path", NULL, UNIT_TEXT),
	FIELD(ROW, problem, "problem", NULL, UNIT_TEXT),
	FIELD(ROW, name, "name", "File", UNIT_TEXT),
	FIELD(ROW, remedy, "remedy", "Remedy", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

#define RESULT struct symbols_result

static const struct result_field fields[] = {
	FIELD(RESULT, frames, "frames", NULL, UNIT_COUNT),
	FIELD(RESULT, named, "named", NULL, UNIT_COUNT),
	FIELD(RESULT, named_percent, "named_percent", NULL, UNIT_PERCENT),
	LIST(RESULT, rows, "modules", "", SHAPE(row_fields), .flags = CSV),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Native", "{frames|frame|frames} in stacks, {named_percent} % of them named", NULL,
	  false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

/* The samples of the report, by their stack. */
static uint64_t *count_stacks(const struct report *report)
{
	const struct model *model = &report->model;
	uint64_t *counts = xcalloc((size_t)model->stacks.count + 1, sizeof(*counts));
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		if (!sample_is_event(&sample) && !sample.part &&
		    sample_query_passes(&report->samples, model, &sample))
			counts[sample.stack]++;
	sample_walk_end(&walk);
	return counts;
}

/* Native code, or what may be: .NET knows its own. */
static bool is_native(const struct model *model, const struct model_frame *frame)
{
	if (!*frame->module)
		return false;
	if (frame->module_number != MODEL_NONE)
		return model->modules[frame->module_number].mapped;
	return frame->unresolved;
}

static struct symbols_row *row_of(struct symbols_row *rows, const struct model *model,
				  const struct model_frame *frame)
{
	const uint32_t number = frame->module_number;

	return &rows[number == MODEL_NONE ? model->module_count : number];
}

/* Callees have larger numbers, so their samples are added to their callers' first. */
static void count_frames(const struct report *report, struct symbols_row *rows)
{
	const struct model *model = &report->model;
	uint64_t *counts = count_stacks(report);

	for (uint32_t i = model->stacks.count; i-- > 1;)
		if (is_native(model, &model->frames[model->stacks.nodes[i].frame]))
			row_of(rows, model, &model->frames[model->stacks.nodes[i].frame])
				->samples += counts[i];
	for (uint32_t i = model->stacks.count; i-- > 1;) {
		const struct stack_node *node = &model->stacks.nodes[i];
		const struct model_frame *frame = &model->frames[node->frame];

		counts[node->parent] += counts[i];
		if (frame->inlined || !is_native(model, frame))
			continue;
		row_of(rows, model, frame)->frames += counts[i];
		row_of(rows, model, frame)->named += frame->unresolved ? 0 : counts[i];
	}
	xfree(counts);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static int by_file(const void *left, const void *right)
{
	const struct symbols_row *a = left;
	const struct symbols_row *b = right;
	const int order = strcmp(a->path ? a->path : "", b->path ? b->path : "");

	return order ? order
		     : strcmp(a->build_id ? a->build_id : "", b->build_id ? b->build_id : "");
}

/* What lacks most names comes first. */
static int by_missing(const void *left, const void *right)
{
	const struct symbols_row *a = left;
	const struct symbols_row *b = right;
	const uint64_t missing_a = a->frames - a->named;
	const uint64_t missing_b = b->frames - b->named;

	if (missing_a != missing_b)
		return missing_a < missing_b ? 1 : -1;
	if (a->frames != b->frames)
		return a->frames < b->frames ? 1 : -1;
	return by_file(left, right);
}

/* Processes map the same file, and a file more than once. */
static size_t merge_files(struct symbols_row *rows, size_t count)
{
	size_t kept = 0;

	qsort(rows, count, sizeof(*rows), by_file);
	for (size_t i = 0; i < count; i++) {
		struct symbols_row *last = kept ? &rows[kept - 1] : NULL;

		if (!rows[i].frames)
			continue;
		if (last && is_same_text(last->path, rows[i].path) &&
		    is_same_text(last->build_id, rows[i].build_id)) {
			last->frames += rows[i].frames;
			last->named += rows[i].named;
			last->samples += rows[i].samples;
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

static const char *copy_remedy(struct report *report, const struct symbols_row *row)
{
	if (!row->build_id)
		return "the trace has no build id of it: put the file that ran where it was, with "
		       "its modification time";
	return report_text(report, "give --symbols DIR with the file of build id %s",
			   row->build_id);
}

static const char *package_remedy(const struct symbols_row *row)
{
	static const char *const of_libc[] = { "libc.so.", "libm.so.", "libpthread.", "ld-linux" };

	for (size_t i = 0; i < sizeof(of_libc) / sizeof(*of_libc); i++)
		if (!strncmp(row->name, of_libc[i], strlen(of_libc[i])))
			return "install libc6-dbg or glibc-debuginfo, or set DEBUGINFOD_URLS";
	return "install its debug package, set DEBUGINFOD_URLS, or give --symbols DIR with its "
	       "debug file";
}

static void set_found(struct report *report, struct symbols_row *row,
		      const struct symbol_module *module)
{
	const bool stripped = module->state == SYMBOLS_EXPORTED || module->state == SYMBOLS_NONE;
	const bool missing =
		module->state == SYMBOLS_NO_FILE || module->state == SYMBOLS_OTHER_BUILD;

	row->state = module->state == SYMBOLS_WHOLE ? "symbols" : symbols_state_text(module->state);
	row->problem = module->problem;
	row->symbols_path = module->symbols_path;
	row->lines_path = module->lines_path;
	if (stripped)
		row->remedy = package_remedy(row);
	else if (missing)
		row->remedy = copy_remedy(report, row);
}

static void set_state(struct report *report, struct symbols_row *row)
{
	const struct fill_module_symbols found =
		row->module == MODEL_NONE ? (struct fill_module_symbols){ 0 }
					  : fill_module_symbols(report->fill, row->module);

	if (found.module) {
		set_found(report, row, found.module);
	} else if (found.changed) {
		row->state = symbols_state_text(SYMBOLS_OTHER_BUILD);
		row->problem = "the trace has no build id of it, and the file here has one or has "
			       "changed since";
		row->remedy = copy_remedy(report, row);
	} else if (found.kernel) {
		row->state = "this kernel";
	} else if (row->named) {
		row->state = "in the trace";
	} else if (found.other_kernel) {
		row->state = "another boot";
		row->problem = "addresses of a kernel differ by boot, and are known to root only";
		row->remedy = "report on the machine that it was recorded on, as root, before the "
			      "next boot";
	} else {
		row->state = row->path ? "not a file" : "not mapped";
	}
}

static void finish_row(struct report *report, struct symbols_row *row, uint64_t frames)
{
	row->percent = report_percent(row->frames, frames);
	row->named_percent = report_percent(row->named, row->frames);
	set_state(report, row);
}

static struct symbols_row *new_rows(struct report *report)
{
	const struct model *model = &report->model;
	struct symbols_row *rows =
		REPORT_ROWS_NEW(report, struct symbols_row, model->module_count + 1);

	for (uint32_t i = 0; i < model->module_count; i++) {
		const struct model_module *module = &model->modules[i];

		rows[i] = (struct symbols_row){ .name = module->name,
						.path = module->path,
						.build_id = module->build_id,
						.module = i };
	}
	rows[model->module_count] = (struct symbols_row){ .name = "?", .module = MODEL_NONE };
	return rows;
}

static bool has_mappings(const struct model *model)
{
	for (size_t i = 0; i < model->module_count; i++)
		if (model->modules[i].mapped)
			return true;
	return false;
}

static const void *build(struct report *report)
{
	struct symbols_result *result = arena_new(&report->arena, struct symbols_result);
	struct symbols_row *rows = new_rows(report);
	size_t count;

	if (!has_mappings(&report->model))
		return NULL;
	count_frames(report, rows);
	count = merge_files(rows, report->model.module_count + 1);
	for (size_t i = 0; i < count; i++) {
		result->frames += rows[i].frames;
		result->named += rows[i].named;
	}
	for (size_t i = 0; i < count; i++)
		finish_row(report, &rows[i], result->frames);
	qsort(rows, count, sizeof(*rows), by_missing);
	result->named_percent = report_percent(result->named, result->frames);
	result->rows = report_first(report, ROWS_OF(rows, count), ROWS);
	return result;
}

static const struct view_event events[] = {
	{ UNIVERSAL_SYSTEM_PROVIDER, "ProcessMapping" },
	{ 0 },
};

const struct report_view view_symbols = {
	.name = "symbols",
	.summary = "native code by file: what has names, and how to get others",
	.events = events,
	.missing = "the trace does not say which files were mapped",
	.options = options,
	.shape = &shape,
	.metrics = STEADY,
	.explains_names = true,
	.build = build,
};
