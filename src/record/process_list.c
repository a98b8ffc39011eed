/* SPDX-License-Identifier: MIT */
#include "record/process_list.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/time.h"

struct listed_process {
	const struct pp_process *process;
	const char *problem;
	const char *start_time;
	const char *started; /* for people, in their time zone; NULL: not shown */
	const char *shown_socket;
	const char *shown_runtime;
	double cpu_percent; /* 100 is one processor */
};

#define ROW struct listed_process

/* clang-format off */
#define PROCESS(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, process, struct pp_process, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field process_fields[] = {
	PROCESS(pid, "process_id", "PID", UNIT_ID),
	PROCESS(name, "name", "NAME", UNIT_TEXT),
	PROCESS(runtime, "runtime", NULL, UNIT_TEXT),
	FIELD(ROW, shown_runtime, "shown_runtime", "RUNTIME", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	PROCESS(native_aot, "native_aot", NULL, UNIT_FLAG),
	PROCESS(architecture, "architecture", "ARCH", UNIT_TEXT),
	PROCESS(os, "os", NULL, UNIT_TEXT),
	PROCESS(user, "user", "USER", UNIT_TEXT),
	PROCESS(container, "container", "CONTAINER", UNIT_TEXT, .flags = SHOWN_IF_ANY),
	FIELD(ROW, cpu_percent, "cpu_percent", "CPU %", UNIT_PERCENT),
	PROCESS(cpu_interval_ns, "cpu_interval_ns", NULL, UNIT_TIME),
	PROCESS(threads, "threads", "THREADS", UNIT_COUNT),
	FIELD(ROW, started, "started", "STARTED", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY),
	FIELD(ROW, start_time, "start_time", NULL, UNIT_TEXT),
	FIELD(ROW, shown_socket, "shown_socket", "SOCKET", UNIT_TEXT,
	      .flags = SHOWN_PEOPLE | SHOWN_IF_ANY),
	PROCESS(socket, "socket", NULL, UNIT_TEXT),
	PROCESS(command_line, "command_line", "COMMAND", UNIT_TEXT, .flags = WIDE),
	PROCESS(entrypoint, "entrypoint", NULL, UNIT_TEXT),
	PROCESS(ns_pid, "namespace_process_id", NULL, UNIT_ID),
	PROCESS(traceable, "traceable", NULL, UNIT_FLAG),
	FIELD(ROW, problem, "problem", NULL, UNIT_TEXT),
	PROCESS(reason, "reason", NULL, UNIT_TEXT),
	FIELD_END,
};

/* Reasons are not cut, since the remedy comes at the end. */
static const struct result_field reason_fields[] = {
	PROCESS(pid, "process_id", "PID", UNIT_ID),
	PROCESS(name, "name", "NAME", UNIT_TEXT),
	PROCESS(reason, "reason", "REASON", UNIT_TEXT),
	FIELD_END,
};

struct process_list {
	struct result_rows processes;
	struct result_rows traceable, noted, others; /* for people */
};

#define RESULT struct process_list

static const struct result_field fields[] = {
	LIST(RESULT, processes, "processes", NULL, SHAPE(process_fields), .flags = CSV),
	LIST(RESULT, traceable, "traceable", "", SHAPE(process_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, noted, "noted", "Notes", SHAPE(reason_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, others, "others", "Cannot be traced", SHAPE(reason_fields),
	     .flags = SHOWN_PEOPLE),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

const struct result_kind process_list_kind = {
	.name = "ps",
	.version = 1,
	.summary = ".NET processes, and whether they can be traced",
	.shape = &shape,
};

static const char *local_time(int64_t ns, struct arena *arena)
{
	const time_t seconds = (time_t)(ns / 1000000000);
	struct tm local;
	char text[32];

	if (!localtime_r(&seconds, &local))
		return NULL;
	return arena_text(arena, text, strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local));
}

static double cpu_percent(const struct pp_process *process)
{
	return process->cpu_interval_ns > 0
		       ? 100.0 * (double)process->cpu_ns / (double)process->cpu_interval_ns
		       : 0;
}

static const char *shown_runtime(const struct pp_process *process, struct arena *arena)
{
	if (!process->native_aot)
		return process->runtime;
	return arena_printf(arena, "%s NativeAOT", process->runtime ? process->runtime : "");
}

static struct listed_process row_of(const struct pp_process *process, bool verbose,
				    struct arena *arena)
{
	char *start = arena_alloc(arena, TIME_TEXT_SIZE);

	return (struct listed_process){
		.process = process,
		.problem = pp_process_problem_name(process->problem),
		.start_time = process->start_ns ? time_text(process->start_ns, start) : NULL,
		.started =
			verbose && process->start_ns ? local_time(process->start_ns, arena) : NULL,
		.shown_socket = verbose ? process->socket : NULL,
		.shown_runtime = shown_runtime(process, arena),
		.cpu_percent = cpu_percent(process),
	};
}

/* They are found in the order of their names, which decides where figures are equal. */
static int by_name(const struct listed_process *a, const struct listed_process *b)
{
	return (a->process > b->process) - (a->process < b->process);
}

static int by_cpu(const void *left, const void *right)
{
	const struct listed_process *a = left, *b = right;
	const int order = (a->cpu_percent < b->cpu_percent) - (a->cpu_percent > b->cpu_percent);

	return order ? order : by_name(a, b);
}

static int by_threads(const void *left, const void *right)
{
	const struct listed_process *a = left, *b = right;
	const uint32_t x = a->process->threads, y = b->process->threads;
	const int order = (x < y) - (x > y);

	return order ? order : by_name(a, b);
}

static void sort(struct listed_process *rows, size_t count, const char *key)
{
	static const struct {
		const char *key;
		int (*compare)(const void *left, const void *right);
	} orders[] = { { "cpu", by_cpu }, { "threads", by_threads } };

	for (size_t i = 0; key && i < ARRAY_COUNT(orders); i++)
		if (!strcmp(key, orders[i].key))
			qsort(rows, count, sizeof(*rows), orders[i].compare);
}

static void add(struct result_rows *rows, const struct listed_process **list,
		const struct listed_process *row)
{
	list[rows->count++] = row;
	rows->first = list;
}

/* People see those that can be traced, remarks on them, and why others cannot. */
static void list_for_people(struct process_list *list, const struct listed_process *rows,
			    size_t count, struct arena *arena)
{
	const struct listed_process **pointers =
		arena_array(arena, const struct listed_process *, 3 * count + 1);

	for (size_t i = 0; i < count; i++) {
		const struct pp_process *process = rows[i].process;

		if (process->traceable)
			add(&list->traceable, pointers, &rows[i]);
		if (process->traceable && process->reason)
			add(&list->noted, pointers + count, &rows[i]);
		if (!process->traceable && process->reason)
			add(&list->others, pointers + 2 * count, &rows[i]);
	}
}

struct result process_list_result(const struct pp_processes *processes,
				  const struct process_list_options *options, struct arena *arena)
{
	static const struct process_list_options none = { 0 };
	const size_t count = processes->count;
	struct process_list *list = arena_new(arena, struct process_list);
	struct listed_process *rows = arena_array(arena, struct listed_process, count + 1);

	options = options ? options : &none;
	for (size_t i = 0; i < count; i++)
		rows[i] = row_of(&processes->items[i], options->verbose, arena);
	sort(rows, count, options->sort);
	list->processes = ROWS_OF(rows, count);
	list_for_people(list, rows, count, arena);
	return (struct result){ .kind = &process_list_kind, .data = list };
}
