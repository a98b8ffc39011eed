/* SPDX-License-Identifier: MIT */
#include "report/process_list.h"

#include <time.h>

#include "base/time.h"

struct listed_process {
	const struct pp_process *process;
	const char *problem;
	const char *start_time;
	const char *started; /* for people, in their time zone; NULL: not shown */
	const char *shown_socket;
};

#define ROW struct listed_process

/* clang-format off */
#define PROCESS(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, process, struct pp_process, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field process_fields[] = {
	PROCESS(pid, "process_id", "PID", UNIT_ID),
	PROCESS(name, "name", "NAME", UNIT_TEXT),
	PROCESS(runtime, "runtime", "RUNTIME", UNIT_TEXT),
	PROCESS(architecture, "architecture", "ARCH", UNIT_TEXT),
	PROCESS(os, "os", NULL, UNIT_TEXT),
	PROCESS(user, "user", "USER", UNIT_TEXT),
	PROCESS(container, "container", "CONTAINER", UNIT_TEXT, .flags = SHOWN_IF_ANY),
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
	};
}

static void add(struct result_rows *rows, const struct listed_process **list,
		const struct listed_process *row)
{
	list[rows->count++] = row;
	rows->first = list;
}

struct result process_list_result(const struct pp_processes *processes, bool verbose,
				  struct arena *arena)
{
	const size_t count = processes->count;
	struct process_list *list = arena_new(arena, struct process_list);
	struct listed_process *rows = arena_array(arena, struct listed_process, count + 1);
	const struct listed_process **pointers =
		arena_array(arena, const struct listed_process *, 3 * count + 1);

	for (size_t i = 0; i < count; i++) {
		const struct pp_process *process = &processes->items[i];

		rows[i] = row_of(process, verbose, arena);
		if (process->traceable)
			add(&list->traceable, pointers, &rows[i]);
		if (process->traceable && process->reason)
			add(&list->noted, pointers + count, &rows[i]);
		if (!process->traceable && process->reason)
			add(&list->others, pointers + 2 * count, &rows[i]);
	}
	list->processes = ROWS_OF(rows, count);
	return (struct result){ .kind = &process_list_kind, .data = list };
}
