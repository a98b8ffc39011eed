/* SPDX-License-Identifier: MIT */
#include "analyze/task_time.h"
#include "clr/providers.h"
#include "report/report.h"

#define ROWS   20
#define CHAINS 5

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct view_args, query),
	RAW_NAMES_OPTION(struct view_args, stacks),
	OPTION_LAST,
};

struct task_shown {
	const char *kind;
	const char *name; /* of the method that made it */
	const char *module;
	struct task_row row;
	int64_t wait_ns; /* these are -1 where the trace has no starts or ends of tasks */
	int64_t longest_wait_ns;
	int64_t await_ns;
	int64_t run_ns;
};

#define ROW struct task_shown

static const struct result_field task_fields[] = {
	FIELD(ROW, kind, "kind", "Kind", UNIT_TEXT, .flags = KEY),
	FIELD(ROW, row.count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, row.unstarted, "unstarted", NULL, UNIT_COUNT),
	FIELD(ROW, wait_ns, "wait_ns", "Waited", UNIT_TIME, .flags = MAIN | NOT_NEGATIVE),
	FIELD(ROW, longest_wait_ns, "wait_max_ns", "Longest", UNIT_TIME,
	      .flags = MOST | NOT_NEGATIVE),
	FIELD(ROW, await_ns, "await_ns", "Awaited", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, run_ns, "run_ns", "Ran", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, module, "module", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, name, "name", "Created in", UNIT_TEXT, .flags = NAME | METHOD),
	FIELD_END,
};

struct chain_shown {
	uint32_t tasks;
	int64_t wall_ns;
	uint64_t wait_ns;
	const char *first; /* methods that made the first and the last task */
	const char *last;
};

#undef ROW
#define ROW struct chain_shown

static const struct result_field chain_fields[] = {
	FIELD(ROW, tasks, "tasks", "Tasks", UNIT_COUNT),
	FIELD(ROW, wall_ns, "wall_ns", "Wall", UNIT_TIME),
	FIELD(ROW, wait_ns, "wait_ns", "Waited", UNIT_TIME),
	FIELD(ROW, first, "first", NULL, UNIT_TEXT),
	FIELD(ROW, last, "last", "Last created in", UNIT_TEXT, .flags = METHOD),
	FIELD_END,
};

struct task_result {
	uint64_t count, blocking_waits;
	int64_t wait_ns; /* -1, as in rows */
	int64_t await_ns;
	int64_t run_ns;
	struct result_rows tasks, chains;
};

static const struct result_field fields[] = {
	FIELD(struct task_result, count, "count", "Tasks", UNIT_COUNT),
	FIELD(struct task_result, blocking_waits, "blocking_waits", "Blocking", UNIT_COUNT),
	FIELD(struct task_result, wait_ns, "wait_ns", "Waited", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(struct task_result, await_ns, "await_ns", "Awaited", UNIT_TIME,
	      .flags = NOT_NEGATIVE),
	FIELD(struct task_result, run_ns, "run_ns", "Ran", UNIT_TIME, .flags = NOT_NEGATIVE),
	LIST(struct task_result, tasks, "tasks", "", SHAPE(task_fields), .flags = CSV),
	LIST(struct task_result, chains, "chains", "Longest chains", SHAPE(chain_fields),
	     .flags = SINGLE),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

static const char *frame_name(const struct model *model, uint32_t frame)
{
	return frame == MODEL_NONE ? NULL : model->frames[frame].name;
}

static int64_t known(bool recorded, uint64_t ns)
{
	return recorded ? (int64_t)ns : -1;
}

static struct result_rows task_rows(struct report *report, const struct task_time *time)
{
	const struct model *model = &report->model;
	struct task_shown *rows = REPORT_ROWS_NEW(report, struct task_shown, time->row_count);

	for (size_t i = 0; i < time->row_count; i++) {
		const struct task_row *row = &time->rows[i];
		const bool starts = row->await ? model->await_ends : model->task_starts;

		rows[i] = (struct task_shown){
			.kind = row->await ? "await" : "task",
			.name = frame_name(model, row->frame),
			.module =
				row->frame == MODEL_NONE ? NULL : model->frames[row->frame].module,
			.row = *row,
			.wait_ns = known(starts, row->wait_ns),
			.longest_wait_ns = known(starts, row->longest_wait_ns),
			.await_ns = known(row->await && model->await_ends, row->await_ns),
			.run_ns = known(model->task_ends, row->run_ns),
		};
	}
	return report_first(report, ROWS_OF(rows, time->row_count), ROWS);
}

static struct result_rows chain_rows(struct report *report, const struct task_time *time)
{
	const struct model *model = &report->model;
	struct chain_shown *rows = REPORT_ROWS_NEW(report, struct chain_shown, time->chain_count);

	for (size_t i = 0; i < time->chain_count; i++) {
		const struct task_chain *chain = &time->chains[i];

		rows[i] = (struct chain_shown){
			.tasks = chain->length,
			.wall_ns = chain->wall_ns,
			.wait_ns = chain->wait_ns,
			.first = frame_name(model, chain->first_in),
			.last = frame_name(model, chain->last_in),
		};
	}
	return (struct result_rows){ rows, time->chain_count, sizeof(*rows),
				     time->all_chains > time->chain_count ? time->all_chains : 0 };
}

static const void *build(struct report *report)
{
	const struct model *model = &report->model;
	struct task_result *result = arena_new(&report->arena, struct task_result);
	struct task_time time;

	if (!task_list_count(&model->tasks) && !model->blocking_waits)
		return NULL;
	time = task_time_of(model, &report->samples, report_rows(report, CHAINS));
	report_matches(report, "task", time.tasks, task_list_count(&model->tasks));
	*result = (struct task_result){
		.count = time.tasks,
		.blocking_waits = model->blocking_waits,
		.wait_ns = known(model->task_starts || model->await_ends, time.wait_ns),
		.await_ns = known(model->await_ends, time.await_ns),
		.run_ns = known(model->task_ends, time.run_ns),
		.tasks = task_rows(report, &time),
		.chains = chain_rows(report, &time),
	};
	task_time_release(&time);
	return result;
}

static const struct view_event events[] = {
	{ TPL_PROVIDER, "TaskScheduled/Send" },
	{ TPL_PROVIDER, "TaskWait/Send" },
	{ 0 },
};

const struct report_view view_tasks = {
	.name = "tasks",
	.summary = "asynchronous work: where it was created, how long it waited",
	.events = events,
	.missing = "the trace has no task events",
	.remedy =
		"perfpipe collect -p PID --providers System.Threading.Tasks.TplEventSource:0x1C3:5",
	.native_aot =
		"the trace has no task events, which a program compiled with NativeAOT has only "
		"with EventSourceSupport",
	.options = options,
	.shape = &shape,
	.fill = { .marks = true, .tasks = true },
	.build = build,
};
