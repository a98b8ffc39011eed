/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "record/trace_info.h"

struct info_args {
	bool json;
	bool verbose;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct info_args, json, NULL, "print JSON"),
	OPTION('v', "verbose", struct info_args, verbose, NULL, "show every kind of event"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe info app.nettrace", "what was recorded, of which program, and what was lost" },
	{ "perfpipe info -v app.nettrace.gz", "the same with every kind of event" },
	{ "perfpipe info --json app.nettrace | jq .events_lost", "one number for a script" },
	{ "zstd -dc app.nettrace.zst | perfpipe info -", "from a pipe" },
	{ 0 },
};

/* A manifest that cannot be read is no reason not to show the trace. */
static void find_manifest(const char *path, struct manifest_found *manifest)
{
	struct pp_error err = { 0 };

	if (manifest_find(path, manifest, &err) < 0)
		terminal_say("warning: %s", err.text);
}

static void print(const struct trace_info_setup *setup, bool json)
{
	struct arena arena = { 0 };
	const struct result result = trace_info_result(setup, &arena);

	result_print(&result, json ? &render_json : &render_text, stdout);
	arena_release(&arena);
}

/* Of a file that goes wrong half-way, what came before is still shown. */
static enum exit_code show(struct trace_file *file, const char *path, const struct info_args *args,
			   struct pp_error *err)
{
	struct manifest_found manifest = { 0 };
	struct trace_info_setup setup = {
		.path = path, .file = file, .manifest = &manifest, .verbose = args->verbose
	};
	struct pass pass;
	enum pp_next next;
	bool whole;

	pass_init(&pass, NULL);
	setup.inventory = pass_want(&pass, &inventory_analysis, NULL);
	next = progress_pass(&pass, file, "reading", err);
	pass_finish(&pass, file->trace);
	setup.failed = next != PP_NEXT_END;
	find_manifest(path, &manifest);
	whole = next == PP_NEXT_END && progress_check(file);
	if (next == PP_NEXT_END || pp_nettrace_header(file->trace))
		print(&setup, args->json);
	manifest_found_release(&manifest);
	pass_release(&pass);
	return whole ? EXIT_DONE : exit_code_for(err);
}

/* The order of events does not matter here, so none is held back. */
static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct pp_nettrace_options in_file_order = { .size = sizeof(in_file_order),
							   .file_order = true };
	struct trace_file *file = trace_file_open(call->operands[0], &in_file_order, err);
	enum exit_code code;

	if (!file)
		return exit_code_for(err);
	code = show(file, call->operands[0], call->args, err);
	trace_file_close(file);
	return code;
}

const struct command cmd_info = {
	.name = "info",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "Show what a trace contains",
	.description =
		"Reads a .nettrace or .netperf file of any version, also compressed with gzip\n"
		"or zstd or in a zip archive, or standard input if FILE is -. Shows which program\n"
		"was recorded, when and for how long, how many events there are and how many were\n"
		"lost, and which providers they come from.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct info_args),
	.run = run,
};
