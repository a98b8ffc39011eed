/* SPDX-License-Identifier: MIT */
#include "report/query_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/duration.h"
#include "base/error.h"

int query_args_read(const struct query_args *args, struct event_query *query, struct pp_error *err)
{
	*query = (struct event_query){
		.has_process = args->process != QUERY_ANY,
		.has_thread = args->thread != QUERY_ANY,
		.process_id = (int64_t)args->process,
		.thread_id = (int64_t)args->thread,
		.from_ns = INT64_MIN,
		.to_ns = INT64_MAX,
	};
	if (args->from && duration_parse(args->from, "from", &query->from_ns, err))
		return -1;
	if (args->to && duration_parse(args->to, "to", &query->to_ns, err))
		return -1;
	if (query->from_ns >= query->to_ns)
		return error_set(err, PP_ERROR_USAGE, "--from %s is not before --to %s", args->from,
				 args->to);
	return 0;
}

static int check_folder(const char *path, struct pp_error *err)
{
	struct stat status;

	if (stat(path, &status))
		return error_set(err, PP_ERROR_USAGE, "--symbols %s: %s", path, strerror(errno));
	return S_ISDIR(status.st_mode) ? 0
				       : error_set(err, PP_ERROR_USAGE,
						   "--symbols takes a folder; %s is not one", path);
}

int symbol_folders_check(const struct option_texts *folders, struct pp_error *err)
{
	for (size_t i = 0; i < folders->count; i++)
		if (check_folder(folders->list[i], err))
			return -1;
	return 0;
}

int symbol_args_read(const struct symbol_args *args, struct fill_symbols *symbols,
		     struct pp_error *err)
{
	if (args->none && (args->lines || args->folders.count))
		return error_set(err, PP_ERROR_USAGE, "--no-symbols and --%s cannot be combined",
				 args->lines ? "lines" : "symbols");
	if (symbol_folders_check(&args->folders, err))
		return -1;
	*symbols = (struct fill_symbols){
		.wanted = !args->none,
		.lines = args->lines,
		.no_cache = args->no_cache,
		.no_network = args->no_network,
		.folders = args->folders.list,
		.folder_count = args->folders.count,
	};
	return 0;
}

static int read_percent(const char *text, double *percent, struct pp_error *err)
{
	char *end;

	errno = 0;
	*percent = strtod(text, &end);
	if (end == text || *end || errno || !(*percent >= 0 && *percent <= 100))
		return error_set(err, PP_ERROR_USAGE,
				 "--fold-percent takes a number from 0 to 100, not '%s'", text);
	return 0;
}

int stack_args_read(const struct stack_args *args, struct call_query *calls, struct pp_error *err)
{
	if (args->fold && args->no_fold)
		return error_set(err, PP_ERROR_USAGE, "--fold and --no-fold cannot be combined");
	if (args->fold_percent && read_percent(args->fold_percent, &calls->fold_percent, err))
		return -1;
	return grouping_parse(&calls->group, args->group, err) ||
			       pattern_list_parse(&calls->fold, args->fold, err) ||
			       pattern_list_parse(&calls->include, args->include, err) ||
			       pattern_list_parse(&calls->exclude, args->exclude, err)
		       ? -1
		       : 0;
}
