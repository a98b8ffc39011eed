/* SPDX-License-Identifier: MIT */
/*
 * Processes, threads and modules: what the trace knows of each.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "cli/report.h"

static const struct sheet_column process_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "threads", "Threads", SHEET_COUNT, 0 },
	{ "events", "Events", SHEET_COUNT, 0 },
	{ "samples", "Samples", SHEET_COUNT, 0 },
	{ "cpu_ns", "CPU", SHEET_TIME, 0 },
	{ "first_ns", "", SHEET_TIME, SHEET_DATA },
	{ "last_ns", "", SHEET_TIME, SHEET_DATA },
	{ "name", "Name", SHEET_TEXT, 0 },
	{ "command_line", "Command", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column thread_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "thread_id", "Thread", SHEET_ID, 0 },
	{ "events", "Events", SHEET_COUNT, 0 },
	{ "samples", "Samples", SHEET_COUNT, 0 },
	{ "cpu_ns", "CPU", SHEET_TIME, 0 },
	{ "first_ns", "First", SHEET_TIME, 0 },
	{ "last_ns", "Last", SHEET_TIME, 0 },
	{ "name", "Name", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column module_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },   { "samples", "Samples", SHEET_COUNT, 0 },
	{ "methods", "Methods", SHEET_COUNT, 0 },   { "name", "Name", SHEET_TEXT, 0 },
	{ "build_id", "", SHEET_TEXT, SHEET_DATA }, { "pdb_guid", "", SHEET_TEXT, SHEET_DATA },
	{ "pdb_age", "", SHEET_COUNT, SHEET_DATA }, { "pdb_path", "", SHEET_TEXT, SHEET_DATA },
	{ "path", "Path", SHEET_TEXT, SHEET_WIDE }, { 0 },
};

/* Samples, and time on a processor, by some number. */
struct tally {
	uint64_t samples;
	uint64_t cpu_ns;
	uint64_t threads;
};

static void tally_up(struct tally *tally, const struct model_sample *sample)
{
	tally->samples += !sample_is_event(sample);
	if (sample_is_cpu(sample))
		tally->cpu_ns += (uint64_t)sample->weight_ns;
}

/* Tallies by what `place` says of a sample; MODEL_NONE: nothing. */
static void tally_samples(const struct report *report, struct tally *tallies,
			  uint32_t (*place)(const struct model *, const struct model_sample *))
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint32_t at = place(model, &sample);

		if (at != MODEL_NONE && sample_query_passes(&report->samples, model, &sample))
			tally_up(&tallies[at], &sample);
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
	const uint32_t method =
		sample->stack ? model->frames[model->stacks.nodes[sample->stack].frame].method
			      : MODEL_NONE;

	return method != MODEL_NONE ? model->methods[method].module : MODEL_NONE;
}

static void show_processes(struct report *report)
{
	const struct model *model = &report->model;
	struct tally *tallies = xcalloc(model->process_count + 1, sizeof(*tallies));
	struct sheet sheet = { .key = "processes", .columns = process_columns };
	const size_t most = report_rows(report, SIZE_MAX);

	for (size_t i = 0; i < model->thread_count; i++)
		tallies[model->threads[i].process].threads++;
	tally_samples(report, tallies, process_of);
	for (size_t i = 0; i < model->process_count && sheet_rows(&sheet) < most; i++) {
		const struct model_process *process = &model->processes[i];

		if (report->samples.events.has_process &&
		    process->id != report->samples.events.process_id)
			continue;
		sheet_number(&sheet, process->id);
		sheet_count(&sheet, tallies[i].threads);
		sheet_count(&sheet, process->events);
		sheet_count(&sheet, tallies[i].samples);
		sheet_time(&sheet, (int64_t)tallies[i].cpu_ns);
		sheet_time(&sheet, process->first_ns);
		sheet_time(&sheet, process->last_ns);
		sheet_text(&sheet, process->name);
		sheet_text(&sheet, process->command_line);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(tallies);
}

static void show_threads(struct report *report)
{
	const struct model *model = &report->model;
	struct tally *tallies = xcalloc(model->thread_count + 1, sizeof(*tallies));
	struct sheet sheet = { .key = "threads", .columns = thread_columns };
	const size_t most = report_rows(report, SIZE_MAX);

	tally_samples(report, tallies, thread_of);
	for (size_t i = 0; i < model->thread_count && sheet_rows(&sheet) < most; i++) {
		const struct model_thread *thread = &model->threads[i];
		const int64_t process_id = model->processes[thread->process].id;

		if ((report->samples.events.has_process &&
		     process_id != report->samples.events.process_id) ||
		    (report->samples.events.has_thread &&
		     thread->id != report->samples.events.thread_id))
			continue;
		sheet_number(&sheet, process_id);
		sheet_number(&sheet, thread->id);
		sheet_count(&sheet, thread->events);
		sheet_count(&sheet, tallies[i].samples);
		sheet_time(&sheet, (int64_t)tallies[i].cpu_ns);
		sheet_time(&sheet, thread->first_ns);
		sheet_time(&sheet, thread->last_ns);
		sheet_text(&sheet, thread->name);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(tallies);
}

static void put_module(struct sheet *sheet, const struct model *model,
		       const struct model_module *module, const struct tally *tally)
{
	char guid[GUID_TEXT_SIZE];

	guid_text(module->pdb_guid, guid);
	sheet_number(sheet, model->processes[module->process].id);
	sheet_count(sheet, tally->samples);
	sheet_count(sheet, module->methods);
	sheet_text(sheet, module->name);
	sheet_text(sheet, module->build_id);
	sheet_text(sheet, module->has_pdb ? guid : NULL);
	if (module->has_pdb)
		sheet_count(sheet, module->pdb_age);
	else
		sheet_unknown(sheet);
	sheet_text(sheet, module->pdb_path);
	sheet_text(sheet, module->path);
}

static void show_modules(struct report *report)
{
	const struct model *model = &report->model;
	struct tally *tallies = xcalloc(model->module_count + 1, sizeof(*tallies));
	struct sheet sheet = { .key = "modules", .columns = module_columns };
	const size_t most = report_rows(report, SIZE_MAX);

	tally_samples(report, tallies, module_of);
	for (size_t i = 0; i < model->module_count && sheet_rows(&sheet) < most; i++)
		if (!report->samples.events.has_process ||
		    model->processes[model->modules[i].process].id ==
			    report->samples.events.process_id)
			put_module(&sheet, model, &model->modules[i], &tallies[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(tallies);
}

static bool has_modules(const struct report *report)
{
	return report->model.module_count > 0;
}

const struct report_view report_processes = {
	.name = "processes",
	.summary = "the processes of the trace",
	.missing = "it has no events",
	.available = report_always,
	.show = show_processes,
};

const struct report_view report_threads = {
	.name = "threads",
	.summary = "the threads of the trace",
	.missing = "it has no events",
	.available = report_always,
	.show = show_threads,
};

const struct report_view report_modules = {
	.name = "modules",
	.summary = "assemblies and mapped files",
	.missing = "it has no events of modules",
	.remedy = "perfpipe collect -p PID --profile dotnet-common",
	.available = has_modules,
	.show = show_modules,
};
