/* SPDX-License-Identifier: MIT */
/*
 * The list of `dotnet-trace report FILE topN`, with its options and columns. Percentages
 * are of samples on a processor; --wall counts waiting, too, as that tool does, and then
 * they are of time, a thread's last sample left out.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/thread_time.h"
#include "base/alloc.h"
#include "cli/report_calls.h"
#include "cli/text.h"
#include "model/samples_by_time.h"

#define ROWS	   5
#define NAME_WIDTH 70
#define WIDTH	   20

static const struct sheet_column columns[] = {
	{ "process_id", "", SHEET_ID, 0 },
	{ "name", "", SHEET_TEXT, 0 },
	{ "module", "", SHEET_TEXT, 0 },
	{ "inclusive", "", SHEET_COUNT, 0 },
	{ "inclusive_percent", "", SHEET_PERCENT, 0 },
	{ "exclusive", "", SHEET_COUNT, 0 },
	{ "exclusive_percent", "", SHEET_PERCENT, 0 },
	{ "inclusive_ns", "", SHEET_TIME, 0 },
	{ "exclusive_ns", "", SHEET_TIME, 0 },
	{ 0 },
};

/*
 * The other tool adds milliseconds of single precision, each when its interval ends, to
 * every node from the leaf to the root. That shows in the second decimal, so the same is
 * done here.
 */
struct wall {
	float *own; /* by node */
	float *all;
	float *inclusive; /* by name */
	float *exclusive;
};

static void add_interval(struct wall *wall, const struct calltree *tree, uint32_t node, float ms)
{
	if (node == MODEL_NONE)
		return;
	wall->own[node] += ms;
	for (; node; node = tree->nodes.nodes[node].parent)
		wall->all[node] += ms;
	wall->all[0] += ms;
}

static double ms_of(int64_t time_ns)
{
	return (double)time_ns / 1e6;
}

/* A thread's last sample, while its interval lasts. */
struct open_interval {
	bool is_open;
	uint32_t stack;
	int64_t from_ns;
};

static void add_intervals(struct wall *wall, const struct report *report,
			  const struct calltree *tree)
{
	const struct model *model = &report->model;
	struct open_interval *open = xcalloc(model->thread_count + 1, sizeof(*open));
	struct samples_by_time walk;
	struct model_sample sample;

	samples_by_time_begin(&walk, &model->samples, UNTIL_EVENT);
	while (samples_by_time_next(&walk, &sample)) {
		struct open_interval *before = &open[sample.thread];

		if (before->is_open)
			add_interval(wall, tree, calltree_node(tree, before->stack),
				     (float)(ms_of(sample.time_ns) - ms_of(before->from_ns)));
		*before = (struct open_interval){
			.is_open = thread_time_weight(&report->samples, model, &sample, false) >= 0,
			.stack = sample.stack,
			.from_ns = sample.time_ns,
		};
	}
	samples_by_time_end(&walk);
	free(open);
}

static void sum_names(struct wall *wall, const struct calltree *tree)
{
	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		const uint32_t name = tree->nodes.nodes[i].frame;
		uint32_t above = tree->nodes.nodes[i].parent;

		wall->exclusive[name] += wall->own[i];
		while (above && tree->nodes.nodes[above].frame != name)
			above = tree->nodes.nodes[above].parent;
		if (!above) /* the outermost of the name */
			wall->inclusive[name] += wall->all[i];
	}
}

static struct wall sum_wall(struct report *report, struct calltree *tree)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;
	struct wall wall;

	calltree_init(tree, model, &report->calls);
	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(&report->samples, model, &sample, false);

		if (ns >= 0)
			calltree_add(tree, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
	calltree_finish(tree);
	wall.own = xcalloc((size_t)tree->nodes.count + 1, sizeof(float));
	wall.all = xcalloc((size_t)tree->nodes.count + 1, sizeof(float));
	wall.inclusive = xcalloc(tree->name_count + 1, sizeof(float));
	wall.exclusive = xcalloc(tree->name_count + 1, sizeof(float));
	add_intervals(&wall, report, tree);
	sum_names(&wall, tree);
	return wall;
}

static void wall_release(struct wall *wall)
{
	free(wall->own);
	free(wall->all);
	free(wall->inclusive);
	free(wall->exclusive);
}

struct percents {
	double inclusive;
	double exclusive;
};

static struct percents percents_of(const struct calltree *tree, const struct wall *wall,
				   const struct call_row *row)
{
	const float all = wall->all ? wall->all[0] : 0;

	if (!wall->all)
		return (struct percents){ report_percent(row->inclusive.count, tree->total.count),
					  report_percent(row->exclusive.count, tree->total.count) };
	return (struct percents){ all > 0 ? wall->inclusive[row->name] * 100 / all : 0,
				  all > 0 ? wall->exclusive[row->name] * 100 / all : 0 };
}

/* "49.73%", "7.5%", "100%": no zeros behind. */
static void put_percent(char text[static 32], double percent)
{
	size_t size;

	snprintf(text, 32, "%.2f", percent);
	size = strlen(text);
	while (text[size - 1] == '0')
		size--;
	size -= text[size - 1] == '.';
	text[size] = '%';
	text[size + 1] = '\0';
}

/*
 * The last two parts between dots, and the arguments. Dots in brackets separate nothing, but
 * for raw names the other tool knows no brackets.
 */
static const char *short_name(const char *name, bool raw)
{
	const char *end = name + strcspn(name, "(");
	unsigned dots = 0;
	int depth = 0;

	for (const char *at = end; at > name; at--) {
		depth += at[-1] == '>' || at[-1] == ']';
		depth -= at[-1] == '<' || at[-1] == '[';
		if (at[-1] == '.' && (raw || depth <= 0) && ++dots == 2)
			return at;
	}
	return name;
}

/* Columns of a rank, its point and a blank. */
static int rank_width(size_t count)
{
	char text[24];

	return snprintf(text, sizeof(text), "%zu. ", count);
}

static void print_row(struct report *report, const char *full, const struct percents *percents,
		      const size_t rank[2])
{
	const char *name =
		strcmp(full, "?") ? short_name(full, report->args->raw_names) : "Missing Symbol";
	struct arena scratch = { 0 };
	const char *safe = text_safe(&scratch, name);
	char inclusive[32], exclusive[32];
	const int width = rank_width(rank[1]);
	char number[24];
	char shown[512];

	put_percent(inclusive, percents->inclusive);
	put_percent(exclusive, percents->exclusive);
	snprintf(number, sizeof(number), "%zu.", rank[0]);
	snprintf(shown, sizeof(shown), "%.*s", NAME_WIDTH, safe);
	if (report->args->verbose)
		fprintf(report->out, "%-*s%s\n%*s", width, number, safe, NAME_WIDTH + 4 + width,
			"");
	else
		fprintf(report->out, "%-*s%-*s    ", width, number, NAME_WIDTH, shown);
	fprintf(report->out, "%-*s%s\n", WIDTH, inclusive, exclusive);
	arena_release(&scratch);
}

static void print_title(const struct report *report, size_t count)
{
	char title[64];

	snprintf(title, sizeof(title), "Top %zu Functions (%s)", count,
		 report->args->inclusive ? "Inclusive" : "Exclusive");
	fprintf(report->out, "\n%-*s%-*sExclusive\n", NAME_WIDTH + 4 + rank_width(count), title,
		WIDTH, "Inclusive");
}

static void put_row(struct sheet *sheet, const struct report *report, const struct call_name *name,
		    const struct call_row *row, const struct percents *percents)
{
	if (name->process == MODEL_NONE)
		sheet_unknown(sheet);
	else
		sheet_number(sheet, report->model.processes[name->process].id);
	sheet_text(sheet, name->name);
	sheet_text(sheet, name->module);
	sheet_count(sheet, row->inclusive.count);
	sheet_percent(sheet, percents->inclusive);
	sheet_count(sheet, row->exclusive.count);
	sheet_percent(sheet, percents->exclusive);
	sheet_time(sheet, (int64_t)row->inclusive.ns);
	sheet_time(sheet, (int64_t)row->exclusive.ns);
}

static void show_rows(struct report *report, const struct calltree *tree, const struct wall *wall,
		      const struct call_rows *rows)
{
	const size_t most = report->args->rows == REPORT_ROWS_UNSET ? ROWS : report->args->rows;
	const size_t count = rows->count < most ? rows->count : most;
	const bool data = report->args->json || report->args->csv;
	struct sheet sheet = { .key = "methods", .columns = columns };

	sheet.hidden = report->calls.by_process ? 0 : 1;
	if (!data)
		print_title(report, count);
	for (size_t i = 0; i < count; i++) {
		const struct call_row *row = &rows->rows[i];
		const struct call_name *name = &tree->names[row->name];
		const struct percents percents = percents_of(tree, wall, row);

		if (data)
			put_row(&sheet, report, name, row, &percents);
		else
			print_row(report, name->name, &percents, (const size_t[]){ i + 1, count });
	}
	if (data)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show(struct report *report)
{
	const unsigned order = report->args->inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE;
	struct wall wall = { 0 };
	struct calltree tree;
	struct call_rows rows;

	if (report->args->wall)
		wall = sum_wall(report, &tree);
	else
		report_calltree(report, &tree, false);
	report_count(report, "samples", "Samples", tree.total.count);
	rows = call_rows_by_name(&tree, order | (report->args->wall ? CALL_BY_TIME : 0));
	show_rows(report, &tree, &wall, &rows);
	call_rows_release(&rows);
	calltree_release(&tree);
	wall_release(&wall);
}

const struct report_view report_topn = {
	.name = "topN",
	.summary = "the methods with most samples",
	.missing = "it has no samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.available = report_has_samples,
	.show = show,
};
