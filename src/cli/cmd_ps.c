/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "perfpipe/processes.h"
#include "record/process_list.h"
#include "record/target_find.h"

struct ps_args {
	bool json;
	bool verbose;
	const char *name;
	const char *sort;
};

#define CPU_INTERVAL_MS 100 /* long enough for a figure, and not felt */

static const struct option_spec options[] = {
	OPTION(0, "json", struct ps_args, json, NULL, "print JSON"),
	OPTION('v', "verbose", struct ps_args, verbose, NULL, "show sockets and start times"),
	OPTION('n', "name", struct ps_args, name, "NAME",
	       "only processes that collect -n would match"),
	OPTION(0, "sort", struct ps_args, sort, PROCESS_LIST_SORTS,
	       "cpu and threads: the highest first"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe ps", "what can be traced, and why others cannot" },
	{ "perfpipe ps -n orders", "processes called orders, or with orders in their name" },
	{ "perfpipe ps --sort cpu", "what uses CPU time right now" },
	{ "perfpipe ps --json | jq '.processes[] | select(.traceable) | .process_id'",
	  "for a script" },
	{ "sudo perfpipe ps -v", "processes of all users and containers, with sockets" },
	{ 0 },
};

static void note_none(const char *name)
{
	if (name)
		terminal_say("no .NET process matches '%s'; perfpipe ps lists all", name);
	else
		terminal_say("no .NET process was found%s",
			     geteuid() ? "; seeing those of other users and containers needs root"
				       : "");
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct ps_args *args = call->args;
	const bool by_cpu = args->sort && !strcmp(args->sort, "cpu");
	const struct pp_process_query query = { .size = sizeof(query),
						.cpu_interval_ms = by_cpu ? CPU_INTERVAL_MS : 0 };
	struct pp_processes processes;
	struct arena arena = { 0 };
	struct result list;

	if (pp_processes_find(&query, &processes, err))
		return exit_code_for(err);
	if (args->name)
		target_filter(&processes, args->name);
	if (!processes.count)
		note_none(args->name);
	list = process_list_result(
		&processes,
		&(struct process_list_options){ .sort = args->sort, .verbose = args->verbose },
		&arena);
	result_print(&list, args->json ? &render_json : &render_text, stdout);
	arena_release(&arena);
	pp_processes_release(&processes);
	return EXIT_DONE;
}

const struct command cmd_ps = {
	.name = "ps",
	.summary = "List the .NET processes that can be traced",
	.description =
		"Lists the .NET processes of this machine, including those in containers. For\n"
		"those that cannot be traced it says why, and what helps. A process is named\n"
		"after its executable, or after its first assembly if that is dotnet.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct ps_args){ .sort = "name" },
	.args_size = sizeof(struct ps_args),
	.run = run,
};
