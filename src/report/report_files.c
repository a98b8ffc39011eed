/* SPDX-License-Identifier: MIT */
#include "report/report_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shell_words.h"
#include "input/trace_file.h"

/* "a.nettrace and 2 more files" */
static const char *common_name(const char *const *paths, size_t count, struct arena *arena)
{
	if (count == 1)
		return paths[0];
	if (count == 2)
		return arena_printf(arena, "%s and %s", paths[0], paths[1]);
	return arena_printf(arena, "%s and %zu more files", paths[0], count - 1);
}

static const char *all_names(const char *const *paths, size_t count, struct arena *arena)
{
	const char *names = shell_word(arena, paths[0]);

	for (size_t i = 1; i < count; i++)
		names = arena_printf(arena, "%s %s", names, shell_word(arena, paths[i]));
	return names;
}

void report_files_name(struct report *all, const char *const *paths, size_t count)
{
	all->setup.file = common_name(paths, count, &all->arena);
	all->setup.operands = all_names(paths, count, &all->arena);
}

bool report_files_any_readable(const struct report_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->list[i].events || !files->list[i].error)
			return true;
	return false;
}

static struct report_file *add_file(struct report_files *files, const char *name)
{
	struct report_file *file;

	files->list = xgrow(files->list, files->count, &files->capacity, sizeof(*files->list));
	file = &files->list[files->count++];
	*file = (struct report_file){ .number = files->count,
				      .name = name,
				      .process_id = -1,
				      .start_ns = files->sequence.start_ns };
	return file;
}

static void set_error(struct report_files *files, struct report_file *file,
		      const struct pp_error *why)
{
	file->error = report_text(files->all, "%s", why->text);
	file->complete = false;
}

void report_files_add_failed(struct report_files *files, const char *name,
			     const struct pp_error *why)
{
	set_error(files, add_file(files, name), why);
}

/* All rows: what is among the first of all traces need not be so in each. */
static struct report_setup setup_of_one(const struct report *all, const char *name)
{
	struct report_setup setup = all->setup;

	setup.file = name;
	setup.rows = REPORT_ROWS_ALL;
	return setup;
}

/* A trace that has nothing of what was asked for has no shares, which is not an error. */
static void take_result(struct report *one, struct report_file *file)
{
	struct pp_error none = { 0 };

	if (!report_build(one, &none))
		file->metrics = metrics_of(&one->result);
}

static void describe(struct report_files *files, const struct report *one, struct report_file *file)
{
	const struct model *model = &one->model;

	file->events = model->events;
	file->samples = model->losses.samples;
	file->length_ns = model->events ? ns_between(file->start_ns, model->recorded_ns) : 0;
	file->complete = !model->losses.cut;
	if (model->process_count != 1)
		return;
	file->process_id = model->processes[0].id;
	if (model->processes[0].name)
		file->process_name = report_text(files->all, "%s", model->processes[0].name);
}

static void keep_open(struct report_files *files, struct trace_file *taken)
{
	files->open = xgrow(files->open, files->open_count, &files->open_capacity,
			    sizeof(struct trace_file *));
	files->open[files->open_count++] = taken;
}

/* The next trace begins where this one ended, but for its rundown, which comes after that. */
static void end_file(struct report_files *files, const struct report *one,
		     const struct trace_file *file)
{
	struct pass_sequence *sequence = &files->sequence;

	if (pp_nettrace_header(file->trace))
		pass_end_trace(sequence->all, file->trace);
	pass_sequence_go_on(sequence,
			    one->model.events ? one->model.recorded_ns : sequence->start_ns);
}

int report_files_add(struct report_files *files, struct trace_file *taken, struct pp_error *err)
{
	struct report_file *file = add_file(files, taken->name);
	const struct report_setup setup = setup_of_one(files->all, taken->name);
	struct report one = { 0 };
	struct pp_error why = { 0 };
	enum pp_next next;

	keep_open(files, taken);
	if (report_open(&one, files->all->view, files->all->args, &setup, err)) {
		report_close(&one);
		return -1;
	}
	files->sequence.all = &files->all->pass;
	files->sequence.alone = &one.pass;
	next = pass_sequence_file(&files->sequence, taken, &why);
	pass_finish(&one.pass, taken->trace);
	take_result(&one, file);
	describe(files, &one, file);
	end_file(files, &one, taken);
	report_close(&one);
	if (next == PP_NEXT_END)
		return 0;
	set_error(files, file, &why);
	return error_set(err, why.code, "%s", why.text);
}

static double share_of(const struct report_file *file, const struct metric_row *row)
{
	const struct metric *metric =
		metric_find(metrics_find(&file->metrics, row->table, row->label), row->main);

	return metric ? metric->value : 0;
}

static void add_shares(struct report_files *files, const struct map_slot *slot)
{
	const struct metric_row *row = slot->value;
	double *shares;

	if (!row || !row->main)
		return;
	shares = arena_array(&files->all->arena, double, files->count);
	for (size_t i = 0; i < files->count; i++)
		shares[i] = share_of(&files->list[i], row);
	map_put(&files->shares.shares, slot->key, shares);
}

static void set_shares(struct report_files *files)
{
	struct report *all = files->all;
	struct map rows = { 0 };
	struct metrics metrics = metrics_by_row(&all->result, &rows);

	files->shares.count = files->count;
	for (size_t i = 0; i < rows.capacity; i++)
		add_shares(files, &rows.slots[i]);
	all->result.files = &files->shares;
	metrics_release(&metrics);
	map_release(&rows);
}

int report_files_build(struct report_files *files, struct pp_error *err)
{
	struct report *all = files->all;

	pass_finish(&all->pass, NULL);
	all->files = files;
	if (report_build(all, err))
		return -1;
	set_shares(files);
	return 0;
}

void report_files_close(struct report_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		metrics_release(&files->list[i].metrics);
	for (size_t i = 0; i < files->open_count; i++)
		trace_file_close(files->open[i]);
	xfree(files->open);
	xfree(files->list);
	map_release(&files->shares.shares);
	pass_sequence_release(&files->sequence);
	*files = (struct report_files){ 0 };
}
