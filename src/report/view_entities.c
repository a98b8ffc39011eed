/* SPDX-License-Identifier: MIT */
/*
 * Processes, threads and modules: what the trace knows of each.
 */
#include "base/guid.h"
#include "clr/providers.h"
#include "report/report.h"

/* One of them, with its samples and on-CPU time. */
struct entity_row {
	const struct model_process *process;
	const struct model_thread *thread; /* of a thread */
	const struct model_module *module; /* of a module */
	uint64_t threads;
	uint64_t samples, cpu_ns;
	uint64_t ready_ns, blocked_ns; /* if that was measured */
	uint64_t other_ns;	       /* unknown, which nothing shows */
	bool measured;		       /* what `cpu_ns` is: CPU time, or time in managed code */
};

struct entity_result {
	struct result_rows rows;
};

#define ROW struct entity_row

/* clang-format off */
#define PROCESS(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, process, struct model_process, member_, key_, title_, __VA_ARGS__)
#define THREAD(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, thread, struct model_thread, member_, key_, title_, __VA_ARGS__)
#define CPU_FIELDS(flags_) \
	FIELD(ROW, cpu_ns, "cpu_ns", "CPU", UNIT_TIME, .flags = SHOWN_IF_ANY | ON_CPU | (flags_), KNOWN_IF(ROW, measured)), \
	FIELD(ROW, cpu_ns, "managed_ns", "Managed", UNIT_TIME, .flags = SHOWN_IF_ANY | ON_CPU | (flags_), KNOWN_UNLESS(ROW, measured))
#define MODULE(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, module, struct model_module, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field process_row_fields[] = {
	PROCESS(id, "process_id", "Process", UNIT_ID),
	FIELD(ROW, threads, "threads", "Threads", UNIT_COUNT, .flags = STEADY),
	PROCESS(events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT),
	CPU_FIELDS(MAIN),
	PROCESS(first_ns, "first_ns", NULL, UNIT_TIME, .flags = WHEN),
	PROCESS(last_ns, "last_ns", NULL, UNIT_TIME, .flags = WHEN),
	PROCESS(name, "name", "Name", UNIT_TEXT, .flags = KEY),
	PROCESS(command_line, "command_line", "Command", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

static const struct result_field thread_row_fields[] = {
	PROCESS(id, "process_id", "Process", UNIT_ID),
	THREAD(id, "thread_id", "Thread", UNIT_ID, .flags = NOT_NEGATIVE),
	THREAD(events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT),
	CPU_FIELDS(0),
	FIELD(ROW, ready_ns, "ready_ns", "Ready", UNIT_TIME, .flags = SHOWN_IF_ANY,
	      KNOWN_IF(ROW, measured)),
	FIELD(ROW, blocked_ns, "blocked_ns", "Blocked", UNIT_TIME, .flags = SHOWN_IF_ANY,
	      KNOWN_IF(ROW, measured)),
	THREAD(first_ns, "first_ns", "First", UNIT_TIME, .flags = WHEN),
	THREAD(last_ns, "last_ns", "Last", UNIT_TIME, .flags = WHEN),
	THREAD(name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

static bool has_pdb(const void *row)
{
	return ((const struct entity_row *)row)->module->has_pdb;
}

static void make_pdb_guid(const void *row, struct result_value *value, struct arena *arena)
{
	char *text = arena_alloc(arena, GUID_TEXT_SIZE);

	guid_text(((const struct entity_row *)row)->module->pdb_guid, text);
	value->text = text;
}

static const struct result_field module_row_fields[] = {
	PROCESS(id, "process_id", "Process", UNIT_ID),
	FIELD(ROW, samples, "samples", "Samples", UNIT_COUNT, .flags = MAIN),
	MODULE(methods, "methods", "Methods", UNIT_COUNT, .flags = STEADY),
	MODULE(name, "name", "Name", UNIT_TEXT, .flags = KEY),
	MODULE(build_id, "build_id", NULL, UNIT_TEXT),
	COMPUTED("pdb_guid", NULL, UNIT_TEXT, .known = has_pdb, .make = make_pdb_guid),
	MODULE(pdb_age, "pdb_age", NULL, UNIT_ID, KNOWN_IF(struct model_module, has_pdb)),
	MODULE(pdb_path, "pdb_path", NULL, UNIT_TEXT),
	MODULE(path, "path", "Path", UNIT_TEXT, .flags = WIDE),
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

/* The number of the entity that a sample belongs to; MODEL_NONE: of none. */
typedef uint32_t find_entity(const struct model *model, const struct model_sample *sample);

static uint64_t *time_of(struct entity_row *row, const struct model_sample *sample)
{
	if (sample_is_cpu(sample))
		return &row->cpu_ns;
	if (sample->kind == SAMPLE_READY)
		return &row->ready_ns;
	return sample->kind == SAMPLE_EXTERNAL || sample->kind == SAMPLE_SWITCH ? &row->blocked_ns
										: &row->other_ns;
}

static void tally_samples(const struct report *report, find_entity *find, struct entity_row *rows)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint32_t entity = find(model, &sample);

		if (entity == MODEL_NONE || !sample_query_passes(&report->samples, model, &sample))
			continue;
		rows[entity].samples += !sample_is_event(&sample) && !sample.part;
		*time_of(&rows[entity], &sample) += (uint64_t)sample.weight;
	}
	sample_walk_end(&walk);
}

static uint32_t process_of(const struct model *model, const struct model_sample *sample)
{
	return model->threads[sample->thread].process;
}

static uint32_t thread_of(const struct model *model, const struct model_sample *sample)
{
	(void)model;
	return sample->thread;
}

/* A module's samples are those whose leaf is in it. */
static uint32_t module_of(const struct model *model, const struct model_sample *sample)
{
	const struct model_frame *leaf =
		sample->stack ? &model->frames[model->stacks.nodes[sample->stack].frame] : NULL;

	return leaf && frame_is_named(leaf) ? leaf->module_number : MODEL_NONE;
}

/* Those that are asked for. */
static const void *finish(struct report *report, struct entity_row *rows, size_t count)
{
	const struct event_query *query = &report->samples.events;
	struct entity_result *result = arena_new(&report->arena, struct entity_result);
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		rows[i].measured = report->cpu_measured;
		if (event_query_asks_for(query, rows[i].process->id) &&
		    (!query->has_thread || !rows[i].thread ||
		     rows[i].thread->id == query->thread_id))
			rows[left++] = rows[i];
	}
	result->rows = report_first(report, ROWS_OF(rows, left), SIZE_MAX);
	return result;
}

static const void *build_processes(struct report *report)
{
	const struct model *model = &report->model;
	struct entity_row *rows = REPORT_ROWS_NEW(report, struct entity_row, model->process_count);

	for (size_t i = 0; i < model->thread_count; i++)
		rows[model->threads[i].process].threads++;
	for (size_t i = 0; i < model->process_count; i++)
		rows[i].process = &model->processes[i];
	tally_samples(report, process_of, rows);
	return finish(report, rows, model->process_count);
}

static const void *build_threads(struct report *report)
{
	const struct model *model = &report->model;
	struct entity_row *rows = REPORT_ROWS_NEW(report, struct entity_row, model->thread_count);

	for (size_t i = 0; i < model->thread_count; i++) {
		rows[i].thread = &model->threads[i];
		rows[i].process = &model->processes[model->threads[i].process];
	}
	tally_samples(report, thread_of, rows);
	return finish(report, rows, model->thread_count);
}

static const void *build_modules(struct report *report)
{
	const struct model *model = &report->model;
	struct entity_row *rows = REPORT_ROWS_NEW(report, struct entity_row, model->module_count);

	if (!model->module_count)
		return NULL;
	for (size_t i = 0; i < model->module_count; i++) {
		rows[i].module = &model->modules[i];
		rows[i].process = &model->processes[model->modules[i].process];
	}
	tally_samples(report, module_of, rows);
	return finish(report, rows, model->module_count);
}

const struct report_view view_processes = {
	.name = "processes",
	.summary = "the processes of the trace",
	.missing = "the trace has no events",
	.options = view_process_options,
	.shape = SHAPE(process_fields),
	.build = build_processes,
};

const struct report_view view_threads = {
	.name = "threads",
	.summary = "the threads of the trace",
	.missing = "the trace has no events",
	.options = view_query_options,
	.shape = SHAPE(thread_fields),
	.build = build_threads,
};

static const struct view_event module_events[] = {
	{ CLR_RUNTIME_PROVIDER, "Loader/ModuleLoad" },
	{ CLR_RUNDOWN_PROVIDER, "Loader/ModuleDCStart" },
	{ CLR_RUNDOWN_PROVIDER, "Loader/ModuleDCStop" },
	{ UNIVERSAL_SYSTEM_PROVIDER, "ProcessMapping" },
	{ 0 },
};

const struct report_view view_modules = {
	.name = "modules",
	.summary = "assemblies and mapped files",
	.events = module_events,
	.missing = "the trace has no module events",
	.remedy = "perfpipe collect -p PID --profile dotnet-common",
	.native_aot = "the program is compiled with NativeAOT and loads no assemblies",
	.never_native_aot = true,
	.options = view_process_options,
	.shape = SHAPE(module_fields),
	.build = build_modules,
};
