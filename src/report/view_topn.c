/* SPDX-License-Identifier: MIT */
/*
 * The list of `dotnet-trace report FILE topN`, with its options. Percentages are of on-CPU samples;
 * --wall counts waiting, too, as that tool does, and then they are of time.
 */
#include <stdio.h>
#include <string.h>

#include "analyze/wall_time.h"
#include "report/methods.h"

#define ROWS 5

struct topn_args {
	struct view_args common;
	bool wall;
	bool verbose;
};

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct topn_args, common.query),
	ACTIVITY_OPTION(struct topn_args, common.stacks),
	INCLUSIVE_OPTION(struct topn_args, common.inclusive),
	OPTION(0, "wall", struct topn_args, wall, NULL, "count waiting as well"),
	OPTION('v', "verbose", struct topn_args, verbose, NULL, "show names in full"),
	STACK_OPTIONS(struct topn_args, common.stacks),
	OPTION_LAST,
};

struct topn_row {
	const char *rank;
	struct method_row method;
	const char *shown;
	const char *inclusive_text;
	const char *exclusive_text;
};

#define ROW struct topn_row

static const struct result_field row_fields[] = {
	FIELD(ROW, rank, "rank", "", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, method.process_id, "process_id", "Process", UNIT_ID,
	      .flags = SHOWN_BY_PROCESS | SHOWN_IF_ANY | NOT_NEGATIVE),
	FIELD(ROW, method.name, "name", NULL, UNIT_TEXT, .flags = KEY | METHOD),
	FIELD(ROW, method.module, "module", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, method.inclusive, "inclusive", NULL, UNIT_COUNT),
	FIELD(ROW, method.inclusive_percent, "inclusive_percent", NULL, UNIT_PERCENT,
	      .flags = MOST),
	FIELD(ROW, method.exclusive, "exclusive", NULL, UNIT_COUNT),
	FIELD(ROW, method.exclusive_percent, "exclusive_percent", NULL, UNIT_PERCENT,
	      .flags = MOST),
	FIELD(ROW, method.inclusive_amount, "inclusive_ns", NULL, UNIT_TIME),
	FIELD(ROW, method.exclusive_amount, "exclusive_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD(ROW, inclusive_text, "inclusive_text", "Inclusive", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, exclusive_text, "exclusive_text", "Exclusive", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, shown, "shown", "Function", UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD),
	FIELD_END,
};

struct topn_result {
	uint64_t samples;
	bool wall;
	uint64_t cut_events; /* with a field whose value is not told apart */
	const char *title;
	struct result_rows methods;
};

static const struct result_field fields[] = {
	FIELD(struct topn_result, samples, "samples", NULL, UNIT_COUNT),
	FIELD(struct topn_result, cut_events, "cut_events", NULL, UNIT_COUNT,
	      KNOWN_IF(struct topn_result, wall)),
	FIELD(struct topn_result, title, "title", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	LIST(struct topn_result, methods, "methods", "", SHAPE(row_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_line lines[] = {
	{ "Samples", "{samples}", NULL, false },
	{ "Note", "{cut_events} events have values that are not told apart: there are too many",
	  "cut_events", false },
	{ "{title}", "", NULL, false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

/* "49.73%", "7.5%", "100%": no zeros at the end. */
static const char *percent_text(struct report *report, double percent)
{
	char text[64];
	size_t size;

	snprintf(text, sizeof(text), "%.2f", percent);
	size = strlen(text);
	while (text[size - 1] == '0')
		size--;
	size -= text[size - 1] == '.';
	return report_text(report, "%.*s%%", (int)size, text);
}

/* The last two parts between dots, and the arguments. Dots in brackets separate nothing. */
static const char *short_name(const char *name)
{
	const char *end = name + strcspn(name, "(");
	unsigned dots = 0;
	int depth = 0;

	for (const char *at = end; at > name; at--) {
		depth += at[-1] == '>' || at[-1] == ']';
		depth -= at[-1] == '<' || at[-1] == '[';
		if (at[-1] == '.' && depth <= 0 && ++dots == 2)
			return at;
	}
	return name;
}

static const char *last_of(const char *from, const char *end, char wanted)
{
	while (end > from && end[-1] != wanted)
		end--;
	return end > from ? end - 1 : NULL;
}

/*
 * The same of raw names as the other tool shows them: with the module, if that is needed for two
 * parts; without regard to brackets; and the arguments are the last parentheses.
 */
static const char *raw_short_name(struct report *report, const char *full)
{
	const char *close = strrchr(full, ')');
	const char *open = close ? last_of(full, close, '(') : NULL;
	const char *last = open ? last_of(full, open, '.') : NULL;
	const char *before = last ? last_of(full, last, '.') : NULL;

	if (!last)
		return full;
	before = before ? before + 1 : full;
	return report_text(report, "%.*s", (int)(close + 1 - before), before);
}

/* The other tool takes what follows a brace for a remark. */
static const char *wall_name(struct report *report, const char *name)
{
	const size_t size = strcspn(name, "{");

	return size && name[size] ? report_text(report, "%.*s", (int)size, name) : name;
}

static const char *shown_name(struct report *report, const struct method_row *row)
{
	const struct topn_args *args = report->args;
	const char *name = row->name;

	if (!strcmp(name, "?"))
		return "Missing Symbol";
	if (args->common.stacks.raw_names && !args->verbose && row->module)
		name = report_text(report, "%s!%s", row->module, name);
	if (args->wall)
		name = wall_name(report, name);
	if (args->verbose)
		return name;
	return args->common.stacks.raw_names ? raw_short_name(report, name) : short_name(name);
}

static void set_wall_percents(struct method_row *row, const struct wall_time *wall, uint32_t name)
{
	row->inclusive_percent = wall->total > 0 ? wall->inclusive[name] * 100 / wall->total : 0;
	row->exclusive_percent = wall->total > 0 ? wall->exclusive[name] * 100 / wall->total : 0;
}

static struct result_rows make_rows(struct report *report, const struct calltree *tree,
				    const struct call_rows *rows, const struct wall_time *wall)
{
	const size_t most = report->setup.rows == REPORT_ROWS_UNSET ? ROWS : report->setup.rows;
	const struct result_rows methods = method_rows(report, tree, rows, BY_COUNT, most);
	struct topn_row *made = REPORT_ROWS_NEW(report, struct topn_row, methods.count);

	for (size_t i = 0; i < methods.count; i++) {
		struct method_row row = *(const struct method_row *)result_row(&methods, i);

		if (wall)
			set_wall_percents(&row, wall, rows->rows[i].name);
		made[i] = (struct topn_row){
			.rank = report_text(report, "%zu.", i + 1),
			.method = row,
			.shown = shown_name(report, &row),
			.inclusive_text = percent_text(report, row.inclusive_percent),
			.exclusive_text = percent_text(report, row.exclusive_percent),
		};
	}
	return ROWS_OF(made, methods.count);
}

/* That tool leaves out its own frames for processes, and with them all that is called so. */
static void hide_processes(struct report *report, struct call_rows *rows,
			   const struct calltree *tree)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const char *name = wall_name(report, tree->names[rows->rows[i].name].full);

		if (!strstr(name, "Process") && !strstr(name, "ROOT"))
			rows->rows[count++] = rows->rows[i];
	}
	rows->count = count;
}

static bool has_rows(const struct report *report)
{
	const struct topn_args *args = report->args;
	const struct samples *samples = &report->model.samples;

	return samples_has_any(samples) || (args->wall && samples_count(samples));
}

static const void *build(struct report *report)
{
	const struct topn_args *args = report->args;
	struct topn_result *result = arena_new(&report->arena, struct topn_result);
	struct wall_tasks *tasks = pass_find(&report->pass, &wall_tasks_analysis);
	struct wall_time wall = { 0 };
	struct calltree *tree;
	struct call_rows rows;

	if (!has_rows(report))
		return NULL;
	if (args->wall)
		wall_tasks_join(tasks, &report->model);
	tree = args->wall ? report_new_tree(report) : report_cpu_tree(report, NULL);
	if (args->wall)
		wall = wall_time_of(tree, &report->model, tasks, &report->samples);
	report_matches_cpu(report, tree->total.count + tree->total.weight);
	rows = call_rows_by_name(tree, (args->common.inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE) |
					       (args->wall ? CALL_BY_WEIGHT : 0));
	if (args->wall)
		hide_processes(report, &rows, tree);
	result->wall = args->wall;
	result->cut_events = tasks ? tasks->cut_notes : 0;
	result->samples = tree->total.count;
	result->methods = make_rows(report, tree, &rows, args->wall ? &wall : NULL);
	result->title = report_text(report, "Top %zu Functions (%s)", result->methods.count,
				    args->common.inclusive ? "Inclusive" : "Exclusive");
	call_rows_release(&rows);
	wall_time_release(&wall);
	return result;
}

static const struct analysis *const wall_analyses[] = { &wall_tasks_analysis, NULL };

/* Waiting is known by what else a thread wrote, too. */
static int prepare(struct report *report)
{
	const struct topn_args *args = report->args;

	report->fill_options.marks = args->wall;
	report->fill_options.notes = args->wall;
	report->fill_options.activities |= args->wall;
	if (args->wall)
		report->analyses = wall_analyses;
	return 0;
}

const struct report_view view_topn = {
	.name = "topN",
	.summary = "the methods with the most samples, as in dotnet-trace",
	.events = sample_events,
	.missing = "the trace has no samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.native_aot = REPORT_NO_SAMPLER,
	.never_native_aot = true,
	.options = options,
	.args_size = sizeof(struct topn_args),
	.shape = &shape,
	.as_sampled = true,
	.metrics = ON_CPU,
	.prepare = prepare,
	.build = build,
};
