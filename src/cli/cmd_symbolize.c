/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/symbolize.h"
#include "cli/terminal.h"
#include "report/query_args.h"
#include "symbols/symbol_cache.h"

struct symbolize_args {
	const char *process_id;
	const char *module;
	bool kernel;
	bool inlines, lines, basenames;
	bool json;
	bool no_demangle, fold_templates;
	struct option_texts symbols;
	bool no_cache, no_network;
	bool functions, addresses, demangle; /* of addr2line: always so */
};

#define ARGS struct symbolize_args

static const struct option_spec options[] = {
	OPTION('p', "process-id", ARGS, process_id, "PID", "addresses of a running process"),
	OPTION('e', "module", ARGS, module, "FILE", "addresses of a file, as linked"),
	OPTION(0, "kernel", ARGS, kernel, NULL, "addresses of the kernel"),
	OPTION('i', "inlines", ARGS, inlines, NULL, "also inlined functions, with lines"),
	OPTION(0, "lines", ARGS, lines, NULL, "also source files and lines"),
	OPTION('s', "basenames", ARGS, basenames, NULL, "source files without their folders"),
	OPTION(0, "json", ARGS, json, NULL, "print JSON"),
	OPTION(0, "no-demangle", ARGS, no_demangle, NULL, "names as they are in the file"),
	OPTION(0, "fold-templates", ARGS, fold_templates, NULL, "template arguments as <...>"),
	OPTION(0, "symbols", ARGS, symbols, "DIR",
	       "search this folder for binaries and debug files; may be repeated"),
	OPTION(0, "no-cache", ARGS, no_cache, NULL, "neither read nor write the cache of symbols"),
	OPTION(0, "no-network", ARGS, no_network, NULL, "do not ask debuginfod servers"),
	OPTION('f', "functions", ARGS, functions, NULL, "accepted, as in addr2line: always so"),
	OPTION('a', "addresses", ARGS, addresses, NULL, "the same"),
	OPTION('C', "demangle", ARGS, demangle, NULL, "the same"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe symbolize -p 4711 0x7f3a12345678", "what a running process has there" },
	{ "perfpipe symbolize -p 4711 < crash.log", "a text, with names after its addresses" },
	{ "perfpipe symbolize -e app -i 0x1139", "as addr2line -e app -fip 0x1139" },
	{ "./app 2>&1 | perfpipe symbolize --lines", "lines such as ./app(+0x1139), as they come" },
	{ "perfpipe symbolize --kernel ffffffff81000000", "a function of the kernel" },
	{ "perfpipe symbolize -e app --json < addresses | jq -r '.addresses[].frames[0].function'",
	  "for a script" },
	{ 0 },
};

#define NOT_PRETTY "the -p of addr2line is not needed here"

/* addr2line's -p has no value, and takes what is next for one. */
static int read_pid(const char *text, int64_t *pid, struct pp_error *err)
{
	char *end;

	if (!text)
		return 0;
	errno = 0;
	*pid = strtol(text, &end, 10);
	if (end == text || *end || errno || *pid <= 0)
		return error_set(err, PP_ERROR_USAGE,
				 "-p takes the pid of a process, not '%s'; " NOT_PRETTY, text);
	return 0;
}

static int check(const struct symbolize_args *args, struct pp_error *err)
{
	if ((args->process_id != NULL) + (args->module != NULL) + args->kernel > 1)
		return error_set(err, PP_ERROR_USAGE,
				 "-p, --module and --kernel cannot be combined%s",
				 args->process_id ? "; " NOT_PRETTY : "");
	if (args->no_demangle && (args->fold_templates || args->demangle))
		return error_set(err, PP_ERROR_USAGE, "--no-demangle and %s cannot be combined",
				 args->demangle ? "-C" : "--fold-templates");
	return symbol_folders_check(&args->symbols, err);
}

static int run_with(struct symbolize *run, const struct invocation *call, struct pp_error *err)
{
	if (symbolize_begin(run, err))
		return -1;
	if (call->operand_count)
		return symbolize_words(run, call->operands, call->operand_count, err);
	if (isatty(STDIN_FILENO))
		terminal_say("reading addresses from the terminal; Ctrl+D ends them");
	return symbolize_input(run, STDIN_FILENO, err);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct symbolize_args *args = call->args;
	char *cache = args->no_cache ? NULL : symbol_cache_folder();
	struct symbolize run = {
		.module = args->module,
		.kernel = args->kernel,
		.inlines = args->inlines,
		.json = args->json,
		.style = { .module = !args->module && !args->kernel, .basenames = args->basenames },
		.options = { .lines = args->lines || args->inlines,
			     .raw_names = args->no_demangle,
			     .fold_templates = args->fold_templates,
			     .no_network = args->no_network,
			     .cache = cache,
			     .folders = args->symbols.list,
			     .folder_count = args->symbols.count },
	};
	int failed = read_pid(args->process_id, &run.pid, err) || check(args, err);

	if (!failed) {
		failed = run_with(&run, call, err);
		if (!failed)
			symbolize_end(&run);
		symbolize_release(&run);
	}
	xfree(cache);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_symbolize = {
	.name = "symbolize",
	.operands = "[ADDRESS...]",
	.max_operands = COMMAND_ANY,
	.summary = "Name the functions at addresses of native code",
	.description =
		"Prints the function at each address, and with --lines or --inlines also where\n"
		"that is in the source. Addresses are hexadecimal, with or without 0x, or a file\n"
		"and an address in it, as in libfoo.so+0x1234. Without any, the standard input is\n"
		"read: an address on each line, or any text, which is printed with the names\n"
		"inserted after the addresses. Without -p, --module and --kernel only addresses\n"
		"whose file is named beside them are known, as in a backtrace or in a report of a\n"
		"sanitizer.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct symbolize_args),
	.run = run,
};
