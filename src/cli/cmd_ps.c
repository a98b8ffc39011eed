/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/json.h"
#include "base/time.h"
#include "cli/command.h"
#include "cli/process_table.h"
#include "cli/terminal.h"
#include "perfpipe/processes.h"
#include "record/target_find.h"

struct ps_args {
	bool json;
	bool verbose;
	const char *name;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct ps_args, json, NULL, "print a JSON array"),
	OPTION('v', "verbose", struct ps_args, verbose, NULL, "with sockets and start times"),
	OPTION('n', "name", struct ps_args, name, "NAME", "only those that collect -n would match"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe ps", "what can be traced, and why others cannot" },
	{ "perfpipe ps -n orders", "processes called orders, or with orders in their name" },
	{ "perfpipe ps --json | jq '.[] | select(.traceable) | .pid'", "for a script" },
	{ "sudo perfpipe ps -v", "processes of all users and containers, with sockets" },
	{ 0 },
};

static void put_process(struct json *json, const struct pp_process *process, bool verbose)
{
	char start[TIME_TEXT_SIZE];

	json_open_object(json, NULL);
	json_put_i64(json, "pid", process->pid);
	json_put_text(json, "name", process->name);
	json_put_text(json, "runtime", process->runtime);
	json_put_text(json, "architecture", process->architecture);
	json_put_text(json, "os", process->os);
	json_put_text(json, "user", process->user);
	json_put_text(json, "container", process->container);
	json_put_text(json, "command_line", process->command_line);
	json_put_text(json, "entrypoint", process->entrypoint);
	json_put_text(json, "socket", process->socket);
	json_put_bool(json, "traceable", process->traceable);
	json_put_text(json, "reason", process->reason);
	if (verbose) {
		json_put_text(json, "problem", pp_process_problem_name(process->problem));
		json_put_i64(json, "namespace_pid", process->ns_pid);
		json_put_text(json, "start_time", time_text(process->start_ns, start));
	}
	json_close(json);
}

static void print_json(const struct pp_processes *processes, bool verbose)
{
	struct buffer text = { 0 };
	struct json json = { .out = &text, .indent = 2 };

	json_open_array(&json, NULL);
	for (size_t i = 0; i < processes->count; i++)
		put_process(&json, &processes->items[i], verbose);
	json_close(&json);
	fwrite(text.bytes, 1, text.size, stdout);
	buffer_release(&text);
}

static void note_none(const char *name)
{
	if (name) {
		fputs("perfpipe: no .NET process matches '", stderr);
		text_put(stderr, name);
		fputs("'; perfpipe ps lists all\n", stderr);
	} else {
		fputs("perfpipe: no .NET process was found; seeing those of other users and "
		      "containers needs root\n",
		      stderr);
	}
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct ps_args *args = call->args;
	struct pp_processes processes;

	if (pp_processes_find(NULL, &processes, err))
		return exit_code_for(err);
	if (args->name)
		target_filter(&processes, args->name);
	if (!processes.count)
		note_none(args->name);
	if (args->json)
		print_json(&processes, args->verbose);
	else
		process_table_print(&processes, &(struct process_table_style){
							.out = stdout, .verbose = args->verbose });
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
	.args_size = sizeof(struct ps_args),
	.run = run,
};
