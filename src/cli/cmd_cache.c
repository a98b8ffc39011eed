/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "report/cache_contents.h"

struct cache_args {
	bool json;
	const char *folder;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct cache_args, json, NULL, "print JSON"),
	OPTION(0, "folder", struct cache_args, folder, "DIR",
	       "another folder than that of the user's cache"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe cache list", "tables in the cache, the last used first" },
	{ "perfpipe cache clear", "remove all of them" },
	{ "perfpipe cache clear 4a6f", "of files whose build id begins with 4a6f" },
	{ "perfpipe cache list --json | jq .size_bytes", "for a script" },
	{ 0 },
};

/* One run of the command. */
struct cache_run {
	const struct cache_args *args;
	struct symbol_cache cache;
	const char *build_id; /* or NULL */
	struct cache_contents list;
};

static void print(const struct cache_run *run, const struct renderer *renderer)
{
	result_print(&(const struct result){ .kind = &cache_contents_kind, .data = &run->list },
		     renderer, stdout);
}

static int list(struct cache_run *run, struct pp_error *err)
{
	if (cache_contents_read(&run->list, &run->cache, run->build_id, err))
		return -1;
	if (run->build_id && !run->list.tables.count)
		terminal_say("no table in the cache has a build id that begins with '%s'",
			     run->build_id);
	print(run, run->args->json ? &render_json : &render_text);
	return 0;
}

static void say_removed(const struct cache_run *run)
{
	const struct cache_cleared *removed = &run->list.removed;

	printf("removed %s, %s\n", text_counted(removed->files, "table", "tables").text,
	       text_size(removed->bytes).text);
	if (!removed->files && run->build_id)
		terminal_say("no table in the cache has a build id that begins with '%s'",
			     run->build_id);
}

static int clear(struct cache_run *run, struct pp_error *err)
{
	run->list.cleared = true;
	if (symbol_cache_clear(&run->cache, run->build_id, &run->list.removed, err))
		return -1;
	if (!run->args->json) {
		say_removed(run);
		return 0;
	}
	if (cache_contents_read(&run->list, &run->cache, NULL, err))
		return -1;
	print(run, &render_json);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct cache_run *run, struct pp_error *err);
} verbs[] = { { "list", list }, { "clear", clear } };

static int run_verb(struct cache_run *run, const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; i < ARRAY_COUNT(verbs); i++) {
		if (!strcmp(verbs[i].name, name))
			return verbs[i].run(run, err);
		suggest_offer(&suggest, verbs[i].name);
	}
	return suggest_error(&suggest, "operation", "cache takes list or clear", err);
}

static int check_build_id(const char *build_id, struct pp_error *err)
{
	if (build_id && (!*build_id || build_id[strspn(build_id, "0123456789abcdef")]))
		return error_set(err, PP_ERROR_USAGE,
				 "'%s' is not a build id, nor the beginning of one: those are "
				 "hexadecimal, in lower case",
				 build_id);
	return 0;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct cache_args *args = call->args;
	char *usual = args->folder ? NULL : symbol_cache_folder();
	struct cache_run run = {
		.args = args,
		.cache = { .folder = usual ? usual : args->folder, .limit = SYMBOL_CACHE_LIMIT },
		.build_id = call->operand_count > 1 ? call->operands[1] : NULL,
	};
	int failed = check_build_id(run.build_id, err);

	if (!failed && !run.cache.folder)
		failed = error_set(err, PP_ERROR_SYSTEM,
				   "there is no folder for the cache: neither HOME nor "
				   "XDG_CACHE_HOME is set; give --folder DIR");
	if (!failed)
		failed = run_verb(&run, call->operands[0], err);
	cache_contents_release(&run.list);
	xfree(usual);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_cache = {
	.name = "cache",
	.operands = "list|clear [BUILD-ID]",
	.min_operands = 1,
	.max_operands = 2,
	.summary = "List or clear the cache of symbol tables",
	.description =
		"Symbol tables of native files are kept by build id in the user's cache folder,\n"
		"so that the next question about a file is answered at once. The cache is "
		"bounded:\n"
		"what was not used for longest is removed first.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct cache_args),
	.run = run,
};
