/* SPDX-License-Identifier: MIT */
#include "cli/events_show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/option.h"
#include "cli/terminal.h"

#define WRITE_AT ((size_t)128 * 1024) /* bytes */

/* "a,b,c" split at the commas; list and words are one allocation. */
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
		.has_id = args->id != EVENTS_UNSET,
		.has_level = args->level != EVENTS_UNSET,
		.id = args->id,
		.level = args->level,
	};
	if (args->keywords && parse_hex(args->keywords, &filter->keywords, err))
		return -1;
	if (args->where)
		filter->where = where_parse(args->where, err);
	return args->where && !filter->where ? -1 : 0;
}

/* Names are shown in stacks alone. */
static int read_symbols(struct events_show *show, const struct events_args *args,
			struct pp_error *err)
{
	if (!args->stacks && (args->symbols.lines || args->symbols.folders.count))
		return error_set(err, PP_ERROR_USAGE, "--%s needs --stacks",
				 args->symbols.lines ? "lines" : "symbols");
	return symbol_args_read(&args->symbols, &show->symbols, err);
}

int events_show_init(struct events_show *show, const struct events_args *args, struct pp_error *err)
{
	*show = (struct events_show){ .left = args->limit, .file.output.fd = -1 };
	show->format = event_format_find(args->json ? "json" : args->format);
	show->out.stacks = args->stacks;
	if (args->fields)
		show->out.fields = show->fields =
			split_fields(args->fields, &show->out.field_count);
	return read_filter(args, &show->filter, err) ||
			       query_args_read(&args->query, &show->query, err) ||
			       read_symbols(show, args, err)
		       ? -1
		       : 0;
}

void events_show_release(struct events_show *show)
{
	event_filter_release(&show->filter);
	event_output_release(&show->out);
	xfree(show->fields);
	partial_file_close(&show->file);
}

int events_show_open(struct events_show *show, const struct events_args *args,
		     const char *const *inputs, struct pp_error *err)
{
	struct partial_file *file = &show->file;

	file->path = args->output ? args->output : "-";
	file->what = "listing";
	file->replace = (struct replace_choice){ args->force, FORCE_HINT };
	file->inputs = inputs;
	while (inputs[file->input_count])
		file->input_count++;
	show->out.colour = !strcmp(file->path, "-") && terminal_wants_colour(stdout);
	return partial_file_open(file, err);
}

static void show_event(void *self, const struct event_context *at)
{
	struct events_show *show = self;

	if (!show->left || show->file.output.failed.code) {
		at->pass->stopped = true;
		return;
	}
	event_output_begin(&show->out, show->format, at->header);
	if (!event_filter_passes(&show->filter, &show->out, at))
		return;
	if (show->out.frames)
		event_frames_look_up(show->out.frames, at);
	show->format->event(&show->out, at->event);
	at->pass->stopped = !--show->left;
	if (show->out.out.size >= WRITE_AT)
		events_show_flush(show);
}

static void say_note(const char *text)
{
	terminal_say("note: %s", text);
}

void events_show_explain(struct events_show *show)
{
	event_filter_explain(&show->filter, &show->out, say_note);
}

void events_show_want(struct events_show *show, struct pass *pass)
{
	if (show->out.frames)
		event_frames_follow(show->out.frames, pass);
	pass_want_every(pass, show_event, show);
}

void events_show_flush(struct events_show *show)
{
	struct buffer *out = &show->out.out;

	if (out->failed)
		error_set(&show->file.output.failed, PP_ERROR_LIMIT,
			  "an event is too large to be shown");
	output_write_lines(&show->file.output, out->bytes, out->size);
	buffer_rewind(out, 0);
}
