/* SPDX-License-Identifier: MIT */
/*
 * Processes, threads and modules: what the trace knows of each.
 */
#include "base/guid.h"
#include "report/report.h"

static const struct option_spec process_options[] = {
	PROCESS_OPTIONS(struct view_args, query),
	OPTION_LAST,
};

static const struct option_spec thread_options[] = {
	QUERY_OPTIONS(struct view_args, query),
	OPTION_LAST,
};

/* One of them, with its samples and on-CPU time. */
struct process_row {
	struct model_process process;
	uint64_t threads;
	uint64_t samples, cpu_ns;
};

struct thread_entity_row {
	struct model_thread thread;
	int64_t process_id;
	uint64_t samples, cpu_ns;
};

struct module_row {
	struct model_module module;
	int64_t process_id;
	uint64_t samples, cpu_ns;
};

struct entity_result {
	struct result_rows rows;
};

#define ROW struct process_row

static const struct result_field process_row_fields[] = {
	FIELD(ROW, process.id, "process_id", "Process", UNIT_ID),
	FIELD(ROW, threads, "threads", "Threads", UNIT_COUNT),
	FIELD(ROW, process.events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT),
	FIELD(ROW, cpu_ns, "cpu_ns", "CPU", UNIT_TIME, .flags = MAIN),
	FIELD(ROW, process.first_ns, "first_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, process.last_ns, "last_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, process.name, "name", "Name", UNIT_TEXT, .flags = KEY),
	FIELD(ROW, process.command_line, "command_line", "Command", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

#undef ROW
#define ROW struct thread_entity_row

static const struct result_field thread_row_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID),
	FIELD(ROW, thread.id, "thread_id", "Thread", UNIT_ID),
	FIELD(ROW, thread.events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT),
	FIELD(ROW, cpu_ns, "cpu_ns", "CPU", UNIT_TIME),
	FIELD(ROW, thread.first_ns, "first_ns", "First", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, thread.last_ns, "last_ns", "Last", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, thread.name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

#undef ROW
#define ROW struct module_row

static void make_pdb_guid(const void *row, struct result_value *value, struct arena *arena)
{
	char *text = arena_alloc(arena, GUID_TEXT_SIZE);

	guid_text(((const struct module_row *)row)->module.pdb_guid, text);
	value->text = text;
}

static const struct result_field module_row_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, module.methods, "methods", "Methods", UNIT_COUNT),
	FIELD(ROW, module.name, "name", "Name", UNIT_TEXT, .flags = KEY),
	FIELD(ROW, module.build_id, "build_id", NULL, UNIT_TEXT),
	COMPUTED("pdb_guid", NULL, UNIT_TEXT, KNOWN_IF(ROW, module.has_pdb), .make = make_pdb_guid),
	FIELD(ROW, module.pdb_age, "pdb_age", NULL, UNIT_ID, KNOWN_IF(ROW, module.has_pdb)),
	FIELD(ROW, module.pdb_path, "pdb_path", NULL, UNIT_TEXT),
	FIELD(ROW, module.path, "path", "Path", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

#define ENTITIES(key_, shape_, flags_)                                                             \
	{                                                                                          \
		LIST(struct entity_result, rows, key_, "", shape_, .flags = CSV | (flags_)),       \
			FIELD_END,                                                                 \
	}

static const struct result_field process_fields[] =
	ENTITIES("processes", SHAPE(process_row_fields), 0);
static const struct result_field thread_fields[] =
	ENTITIES("threads", SHAPE(thread_row_fields), MERGED);
static const struct result_field module_fields[] = ENTITIES("modules", SHAPE(module_row_fields), 0);

/* Where the samples of something are added up: its two figures. */
struct tally_place {
	uint64_t *samples;
	uint64_t *cpu_ns;
};

typedef struct tally_place find_place(void *rows, const struct model *model,
				      const struct model_sample *sample);

static void tally_samples(const struct report *report, find_place *find, void *rows)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const struct tally_place place = find(rows, model, &sample);

		if (!place.samples || !sample_query_passes(&report->samples, model, &sample))
			continue;
		*place.samples += !sample_is_event(&sample);
		if (sample_is_cpu(&sample))
			*place.cpu_ns += (uint64_t)sample.weight_ns;
	}
	sample_walk_end(&walk);
}

static struct tally_place process_place(void *rows, const struct model *model,
					const struct model_sample *sample)
{
	struct process_row *row =
		(struct process_row *)rows + model->threads[sample->thread].process;

	return (struct tally_place){ &row->samples, &row->cpu_ns };
}

static struct tally_place thread_place(void *rows, const struct model *model,
				       const struct model_sample *sample)
{
	struct thread_entity_row *row = (struct thread_entity_row *)rows + sample->thread;

	(void)model;
	return (struct tally_place){ &row->samples, &row->cpu_ns };
}

/* A module's samples are those whose leaf is in it. */
static struct tally_place module_place(void *rows, const struct model *model,
				       const struct model_sample *sample)
{
	const uint32_t method =
		sample->stack ? model->frames[model->stacks.nodes[sample->stack].frame].method
			      : MODEL_NONE;
	const uint32_t module = method == MODEL_NONE ? MODEL_NONE : model->methods[method].module;
	struct module_row *row = (struct module_row *)rows + module;

	if (module == MODEL_NONE)
		return (struct tally_place){ 0 };
	return (struct tally_place){ &row->samples, &row->cpu_ns };
}

static const void *finish(struct report *report, struct result_rows rows)
{
	struct entity_result *result = arena_new(&report->arena, struct entity_result);

	result->rows = report_first(report, rows, SIZE_MAX);
	return result;
}

static bool is_asked_for(const struct report *report, int64_t process_id)
{
	const struct event_query *query = &report->samples.events;

	return !query->has_process || process_id == query->process_id;
}

static const void *build_processes(struct report *report)
{
	const struct model *model = &report->model;
	struct process_row *rows =
		REPORT_ROWS_NEW(report, struct process_row, model->process_count);
	size_t count = 0;

	for (size_t i = 0; i < model->thread_count; i++)
		rows[model->threads[i].process].threads++;
	tally_samples(report, process_place, rows);
	for (size_t i = 0; i < model->process_count; i++) {
		rows[i].process = model->processes[i];
		if (is_asked_for(report, rows[i].process.id))
			rows[count++] = rows[i];
	}
	return finish(report, ROWS_OF(rows, count));
}

static const void *build_threads(struct report *report)
{
	const struct event_query *query = &report->samples.events;
	const struct model *model = &report->model;
	struct thread_entity_row *rows =
		REPORT_ROWS_NEW(report, struct thread_entity_row, model->thread_count);
	size_t count = 0;

	tally_samples(report, thread_place, rows);
	for (size_t i = 0; i < model->thread_count; i++) {
		rows[i].thread = model->threads[i];
		rows[i].process_id = model->processes[model->threads[i].process].id;
		if (is_asked_for(report, rows[i].process_id) &&
		    (!query->has_thread || rows[i].thread.id == query->thread_id))
			rows[count++] = rows[i];
	}
	return finish(report, ROWS_OF(rows, count));
}

static const void *build_modules(struct report *report)
{
	const struct model *model = &report->model;
	struct module_row *rows = REPORT_ROWS_NEW(report, struct module_row, model->module_count);
	size_t count = 0;

	if (!model->module_count)
		return NULL;
	tally_samples(report, module_place, rows);
	for (size_t i = 0; i < model->module_count; i++) {
		rows[i].module = model->modules[i];
		rows[i].process_id = model->processes[model->modules[i].process].id;
		if (is_asked_for(report, rows[i].process_id))
			rows[count++] = rows[i];
	}
	return finish(report, ROWS_OF(rows, count));
}

const struct report_view view_processes = {
	.name = "processes",
	.summary = "the processes of the trace",
	.missing = "the trace has no events",
	.options = process_options,
	.shape = SHAPE(process_fields),
	.build = build_processes,
};

const struct report_view view_threads = {
	.name = "threads",
	.summary = "the threads of the trace",
	.missing = "the trace has no events",
	.options = thread_options,
	.shape = SHAPE(thread_fields),
	.build = build_threads,
};

const struct report_view view_modules = {
	.name = "modules",
	.summary = "assemblies and mapped files",
	.missing = "the trace has no module events",
	.remedy = "perfpipe collect -p PID --profile dotnet-common",
	.options = process_options,
	.shape = SHAPE(module_fields),
	.build = build_modules,
};
