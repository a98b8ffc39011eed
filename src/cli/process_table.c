/* SPDX-License-Identifier: MIT */
#include "cli/process_table.h"

#include <inttypes.h>
#include <time.h>

#include "cli/table.h"
#include "cli/terminal.h"

/* A column, and its cell for a process. */
struct process_column {
	const char *title;
	enum table_align align;
	bool verbose;  /* with --verbose only */
	bool optional; /* only if a process has something there */
	const char *(*cell)(const struct pp_process *process, char text[static 32]);
};

static const char *pid_cell(const struct pp_process *process, char text[static 32])
{
	snprintf(text, 32, "%" PRId32, process->pid);
	return text;
}

static const char *name_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->name;
}

static const char *runtime_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->runtime;
}

static const char *architecture_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->architecture;
}

static const char *user_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->user;
}

static const char *container_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->container;
}

static const char *start_cell(const struct pp_process *process, char text[static 32])
{
	const time_t seconds = (time_t)(process->start_ns / 1000000000);
	struct tm local;

	if (!localtime_r(&seconds, &local))
		return NULL;
	strftime(text, 32, "%Y-%m-%d %H:%M:%S", &local);
	return text;
}

static const char *socket_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->socket;
}

static const char *command_cell(const struct pp_process *process, char text[static 32])
{
	(void)text;
	return process->command_line;
}

static const struct process_column all_columns[] = {
	{ "PID", TABLE_RIGHT, false, false, pid_cell },
	{ "NAME", TABLE_LEFT, false, false, name_cell },
	{ "RUNTIME", TABLE_LEFT, false, false, runtime_cell },
	{ "ARCH", TABLE_LEFT, false, false, architecture_cell },
	{ "USER", TABLE_LEFT, false, false, user_cell },
	{ "CONTAINER", TABLE_LEFT, false, true, container_cell },
	{ "STARTED", TABLE_LEFT, true, false, start_cell },
	{ "SOCKET", TABLE_LEFT, true, false, socket_cell },
	{ "COMMAND", TABLE_LEFT, false, false, command_cell },
};

#define COLUMNS (sizeof(all_columns) / sizeof(all_columns[0]))

static bool anybody_has(const struct pp_processes *processes, const struct process_column *column)
{
	char text[32];

	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].traceable && column->cell(&processes->items[i], text))
			return true;
	return false;
}

/* The columns to show; NULL ends them. */
static void choose(const struct pp_processes *processes, bool verbose,
		   const struct process_column *chosen[static COLUMNS + 1])
{
	size_t count = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		const struct process_column *column = &all_columns[i];

		if (column->verbose && !verbose)
			continue;
		if (!column->optional || anybody_has(processes, column))
			chosen[count++] = column;
	}
	chosen[count] = NULL;
}

static void print_traceable(const struct pp_processes *processes,
			    const struct process_table_style *style)
{
	const struct process_column *chosen[COLUMNS + 1];
	struct table_column columns[COLUMNS + 1] = { 0 };
	struct table table = { .columns = columns, .width = terminal_width(style->out) };

	choose(processes, style->verbose, chosen);
	for (size_t i = 0; chosen[i]; i++)
		columns[i] = (struct table_column){ chosen[i]->title, chosen[i]->align };
	for (size_t i = 0; i < processes->count; i++) {
		for (size_t j = 0; processes->items[i].traceable && chosen[j]; j++) {
			char text[32];
			const char *cell = chosen[j]->cell(&processes->items[i], text);

			table_cell(&table, cell ? cell : "-");
		}
	}
	if (table.count)
		table_print(&table, style->out);
	table_release(&table);
}

/* Not cut, since the remedy comes at the end. */
static void print_note(const struct pp_process *process, FILE *out)
{
	fprintf(out, "  %" PRId32 " ", process->pid);
	text_put(out, process->name);
	fputs(": ", out);
	text_put(out, process->reason);
	putc('\n', out);
}

static void print_notes(const struct pp_processes *processes, bool traceable, FILE *out)
{
	const char *title = traceable ? "Note:" : "Cannot be traced:";

	for (size_t i = 0; i < processes->count; i++) {
		if (processes->items[i].traceable != traceable || !processes->items[i].reason)
			continue;
		if (title)
			fprintf(out, "%s%s%s\n", text_style(out, TEXT_BOLD), title,
				text_style(out, TEXT_PLAIN));
		title = NULL;
		print_note(&processes->items[i], out);
	}
}

void process_table_print(const struct pp_processes *processes,
			 const struct process_table_style *style)
{
	print_traceable(processes, style);
	print_notes(processes, true, style->out);
	print_notes(processes, false, style->out);
}

void process_table_print_candidates(void *context, const struct pp_processes *processes)
{
	(void)context;
	process_table_print(processes, &(struct process_table_style){ .out = stderr });
}
