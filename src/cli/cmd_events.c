/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "cli/command.h"
#include "cli/cut_warning.h"
#include "cli/duration.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "export/event_filter.h"
#include "input/trace_file.h"

#define WRITE_AT ((size_t)128 * 1024) /* bytes made before they are written */
#define NOT_SAID UINT64_MAX

struct events_args {
	const char *provider;
	const char *name;
	uint64_t id;
	uint64_t thread;
	uint64_t process;
	uint64_t level;
	const char *keywords;
	const char *from;
	const char *to;
	const char *where;
	const char *fields;
	uint64_t limit;
	bool stacks;
	bool json;
	const char *format;
	const char *output;
};

static const struct option_spec options[] = {
	OPTION(0, "provider", struct events_args, provider, "GLOB", "only of these providers"),
	OPTION(0, "name", struct events_args, name, "GLOB", "only events of this name"),
	OPTION(0, "id", struct events_args, id, "N", "only events of this id"),
	OPTION(0, "thread", struct events_args, thread, "TID", "only of this thread"),
	OPTION(0, "process", struct events_args, process, "PID", "only of this process"),
	OPTION(0, "level", struct events_args, level, "N", "this level and more important ones"),
	OPTION(0, "keywords", struct events_args, keywords, "HEX", "with any of these keywords"),
	OPTION(0, "from", struct events_args, from, "T", "from this time on: 1.5 or 1500ms"),
	OPTION(0, "to", struct events_args, to, "T", "before this time"),
	OPTION(0, "where", struct events_args, where, "EXPR", "on fields of the payload"),
	OPTION(0, "fields", struct events_args, fields, "A,B,C", "show these fields only"),
	OPTION('n', "limit", struct events_args, limit, "N", "stop after N events"),
	OPTION(0, "stacks", struct events_args, stacks, NULL, "show call stacks"),
	OPTION(0, "format", struct events_args, format, "text|json|csv", "how to print"),
	OPTION(0, "json", struct events_args, json, NULL, "the same as --format json"),
	OPTION('o', "output", struct events_args, output, "FILE", "write there"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe events app.nettrace --name GC/Start", "when collections began, and why" },
	{ "perfpipe events app.nettrace --json | jq .name", "every event as data" },
	{ "perfpipe events app.nettrace --name Exception/Start --fields ExceptionType", "" },
	{ "perfpipe events app.nettrace --where 'Reason == Induced && Depth > 0'", "" },
	{ "perfpipe events app.nettrace --from 2 --to 2.5 --format csv -o part.csv", "" },
	{ 0 },
};

/* One run of the command. */
struct events {
	struct trace_file *file;
	struct event_filter filter;
	struct event_output out;
	const struct event_format *format;
	struct output output;
	uint64_t left; /* events to be printed yet */
	const char **fields;
};

/* "a,b,c" cut at the commas; the words live in one allocation behind the list. */
static const char **split_fields(const char *text, size_t *count)
{
	const size_t size = strlen(text) + 1;
	const char **list;
	char *words;

	*count = 1;
	for (const char *at = text; *at; at++)
		*count += *at == ',';
	list = xcalloc(1, *count * sizeof(*list) + size);
	words = (char *)(list + *count);
	memcpy(words, text, size);
	for (size_t i = 0; i < *count; i++) {
		list[i] = strsep(&words, ",");
		list[i] += strspn(list[i], " ");
	}
	return list;
}

/* Hexadecimal with or without 0x, as keywords are always written. */
static int parse_hex(const char *text, uint64_t *value, struct pp_error *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 16);
	if (end == text || *end || *text == '-' || errno)
		return error_set(err, PP_ERROR_USAGE,
				 "--keywords takes a hexadecimal number such as 0x8001, not '%s'",
				 text);
	return 0;
}

static int read_filter(const struct events_args *args, struct event_filter *filter,
		       struct pp_error *err)
{
	*filter = (struct event_filter){
		.provider = args->provider,
		.name = args->name,
		.has_id = args->id != NOT_SAID,
		.has_thread = args->thread != NOT_SAID,
		.has_process = args->process != NOT_SAID,
		.has_level = args->level != NOT_SAID,
		.id = args->id,
		.thread = args->thread,
		.process = args->process,
		.level = args->level,
		.has_from = args->from,
		.to_ns = INT64_MAX,
	};
	if (args->keywords && parse_hex(args->keywords, &filter->keywords, err))
		return -1;
	if (args->from && duration_parse(args->from, "from", &filter->from_ns, err))
		return -1;
	if (args->to && duration_parse(args->to, "to", &filter->to_ns, err))
		return -1;
	if (args->where)
		filter->where = where_parse(args->where, err);
	return args->where && !filter->where ? -1 : 0;
}

static void write_away(struct events *e)
{
	if (e->out.out.failed)
		error_set(&e->output.failed, PP_ERROR_LIMIT, "an event is too large to be shown");
	output_write(&e->output, e->out.out.bytes, e->out.out.size);
	buffer_rewind(&e->out.out, 0);
}

/* The header is known once the first event comes, or at the end. */
static void begin_output(struct events *e)
{
	e->out.header = pp_nettrace_header(e->file->trace);
	e->format->begin(&e->out);
}

static void show(struct events *e, const struct pp_event *event)
{
	if (!event_filter_passes(&e->filter, &e->out, event))
		return;
	e->format->event(&e->out, event);
	e->left--;
	if (e->out.out.size >= WRITE_AT)
		write_away(e);
}

static enum pp_next show_all(struct events *e, struct pp_error *err)
{
	struct progress progress = { .what = "reading", .total = input_size(e->file->input) };
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_END;
	uint64_t seen = 0;

	while (e->left && !e->output.failed.code &&
	       (next = trace_file_next(e->file, &event, err)) == PP_NEXT_ITEM) {
		if (!seen++)
			begin_output(e);
		show(e, event);
		if (!(seen % PROGRESS_STEP) && !isatty(e->output.fd))
			progress_update(&progress, input_position(e->file->input));
	}
	progress_end(&progress);
	if (!seen && next == PP_NEXT_END) /* what is no trace gets no titles */
		begin_output(e);
	write_away(e);
	return next;
}

static int open_all(struct events *e, const struct events_args *args, const char *path,
		    struct pp_error *err)
{
	e->output.fd = -1;
	e->format = event_format_find(args->json ? "json" : args->format);
	e->left = args->limit;
	e->out.stacks = args->stacks;
	if (args->fields)
		e->out.fields = e->fields = split_fields(args->fields, &e->out.field_count);
	if (read_filter(args, &e->filter, err))
		return -1;
	e->file = trace_file_open(path, NULL, err);
	if (!e->file || output_open(&e->output, args->output, err))
		return -1;
	e->out.colour = e->output.fd == STDOUT_FILENO && *text_style(stdout, TEXT_BOLD);
	return 0;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct events e = { 0 };
	enum pp_next next;

	if (!open_all(&e, call->args, call->operands[0], err)) {
		next = show_all(&e, err);
		if (next == PP_NEXT_END && e.left)
			warn_if_cut(e.file);
		output_close(&e.output, err);
	}
	event_filter_release(&e.filter);
	event_output_release(&e.out);
	trace_file_close(e.file);
	free(e.fields);
	return err->code ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_events = {
	.name = "events",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "Print the events of a trace",
	.description =
		"One line an event, in order of time, with its fields. Times count in seconds "
		"from\n"
		"the trace's clock reading, as time_ns does in JSON. GLOB knows * and ?, in any\n"
		"case. EXPR compares fields: Count > 5 && TypeName contains String.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct events_args){ .id = NOT_SAID,
						 .thread = NOT_SAID,
						 .process = NOT_SAID,
						 .level = NOT_SAID,
						 .limit = UINT64_MAX,
						 .format = "text" },
	.args_size = sizeof(struct events_args),
	.run = run,
};
