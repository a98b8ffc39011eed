/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/command.h"
#include "cli/info_print.h"
#include "cli/progress.h"

struct info_args {
	bool json;
	bool verbose;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct info_args, json, NULL, "print one JSON object"),
	OPTION('v', "verbose", struct info_args, verbose, NULL, "show every kind of event"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe info app.nettrace", "what was recorded, of which program, and what was lost" },
	{ "perfpipe info -v app.nettrace.gz", "the same with every kind of event" },
	{ "perfpipe info --json app.nettrace | jq .events_lost", "one figure for a script" },
	{ "zstd -dc app.nettrace.zst | perfpipe info -", "from a pipe" },
	{ 0 },
};

/* The order of events does not matter here, so none is held back. */
static enum pp_next take_stock(struct info *info, struct pass *pass, struct pp_error *err)
{
	enum pp_next next;

	info->inventory = pass_want(pass, &inventory_analysis, NULL);
	next = progress_pass(pass, info->file, "reading", err);
	pass_finish(pass, info->file->trace);
	return next;
}

/* One that cannot be read is no reason not to show the trace. */
static void find_manifest(struct info *info)
{
	struct pp_error err = { 0 };

	if (manifest_find(info->path, &info->manifest, &err) < 0)
		fprintf(stderr, "perfpipe: warning: %s\n", err.text);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct info_args *args = call->args;
	const struct pp_nettrace_options in_file_order = { .file_order = true };
	struct info info = { .path = call->operands[0] };
	struct pass pass;
	enum pp_next next;

	info.file = trace_file_open(info.path, &in_file_order, err);
	if (!info.file)
		return exit_code_for(err);
	pass_init(&pass, NULL);
	next = take_stock(&info, &pass, err);
	info.failed = next != PP_NEXT_END;
	find_manifest(&info);
	if (next == PP_NEXT_END)
		warn_if_cut(info.file);
	/* of a file that goes wrong half-way, what came before is still shown */
	if (next == PP_NEXT_END || pp_nettrace_header(info.file->trace)) {
		if (args->json)
			info_print_json(&info, stdout);
		else
			info_print_text(&info, args->verbose, stdout);
	}
	manifest_found_release(&info.manifest);
	pass_release(&pass);
	trace_file_close(info.file);
	return next == PP_NEXT_END ? EXIT_DONE : exit_code_for(err);
}

const struct command cmd_info = {
	.name = "info",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "Show what a trace holds",
	.description =
		"Reads a .nettrace or .netperf file of any version, plain or packed as gzip, zstd\n"
		"or zip, or standard input if FILE is -. Shows which program was recorded, when\n"
		"and for how long, how many events there are and how many were lost, and which\n"
		"providers they come from.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct info_args),
	.run = run,
};
