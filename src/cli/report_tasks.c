/* SPDX-License-Identifier: MIT */
#include "analyze/task_time.h"
#include "cli/report.h"

#define ROWS   20
#define CHAINS 5

static const struct sheet_column task_columns[] = {
	{ "kind", "Kind", SHEET_TEXT, 0 },
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "unstarted", "Unstarted", SHEET_COUNT, SHEET_DATA },
	{ "wait_ns", "Waited", SHEET_TIME, 0 },
	{ "longest_wait_ns", "Longest", SHEET_TIME, 0 },
	{ "run_ns", "Ran", SHEET_TIME, 0 },
	{ "module", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "Made in", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

static const struct sheet_column chain_columns[] = {
	{ "tasks", "Tasks", SHEET_COUNT, 0 },
	{ "wall_ns", "Wall", SHEET_TIME, 0 },
	{ "wait_ns", "Waited", SHEET_TIME, 0 },
	{ "first", "", SHEET_TEXT, SHEET_DATA },
	{ "last", "Last made in", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

static bool available(const struct report *report)
{
	return report->model.task_count > 0;
}

static const char *frame_name(const struct report *report, uint32_t frame)
{
	return frame == MODEL_NONE ? NULL : report->model.frames[frame].name;
}

static void show_rows(struct report *report, const struct task_time *time)
{
	struct sheet sheet = { .key = "tasks", .columns = task_columns };
	const size_t most = report_rows(report, ROWS);

	for (size_t i = 0; i < time->row_count && i < most; i++) {
		const struct task_row *row = &time->rows[i];

		sheet_text(&sheet, row->await ? "await" : "task");
		sheet_count(&sheet, row->count);
		sheet_count(&sheet, row->unstarted);
		sheet_time(&sheet, (int64_t)row->wait_ns);
		sheet_time(&sheet, (int64_t)row->longest_wait_ns);
		sheet_time(&sheet, (int64_t)row->run_ns);
		sheet_text(&sheet, row->frame == MODEL_NONE
					   ? NULL
					   : report->model.frames[row->frame].module);
		sheet_text(&sheet, frame_name(report, row->frame));
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show_chains(struct report *report, const struct task_time *time)
{
	const struct model *model = &report->model;
	struct sheet sheet = { .key = "chains", .columns = chain_columns };
	const size_t most = report_rows(report, CHAINS);

	for (size_t i = 0; i < time->chain_count && i < most; i++) {
		const struct task_chain *chain = &time->chains[i];

		sheet_count(&sheet, chain->length);
		sheet_time(&sheet, chain->wall_ns);
		sheet_time(&sheet, (int64_t)chain->wait_ns);
		sheet_text(&sheet,
			   frame_name(report, task_made_in(model, &model->tasks[chain->first])));
		sheet_text(&sheet,
			   frame_name(report, task_made_in(model, &model->tasks[chain->last])));
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show(struct report *report)
{
	struct task_time time = task_time_of(&report->model, &report->samples);

	report_count(report, "count", "Tasks", time.tasks);
	report_time(report, "wait_ns", "Waited", (int64_t)time.wait_ns);
	report_time(report, "run_ns", "Ran", (int64_t)time.run_ns);
	show_rows(report, &time);
	if (!report->args->csv)
		show_chains(report, &time);
	task_time_release(&time);
}

const struct report_view report_tasks = {
	.name = "tasks",
	.summary = "asynchronous work: where it was made, how long it waited",
	.missing = "it has no events of tasks",
	.remedy =
		"perfpipe collect -p PID --providers System.Threading.Tasks.TplEventSource:0x1C3:5",
	.marks = true,
	.available = available,
	.show = show,
};
