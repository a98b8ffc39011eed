/* SPDX-License-Identifier: MIT */
#include "cli/command_view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/error.h"

#define TABLES 32 /* of options: the command's and its views' */

static bool takes(const struct command *command, const struct report_view *view, const char *name)
{
	return option_find(command->options, name) || option_find(view->options, name);
}

/* A copy is parsed, with the options of all views, which set nothing. */
static int scan(const struct command *command, const struct arguments *arguments, void *args,
		struct arguments *scanned, struct pp_error *err)
{
	struct option_group groups[TABLES] = { { command->options, args } };
	size_t count = 1;

	*scanned = *arguments;
	scanned->at = xcalloc((size_t)arguments->count + 1, sizeof(char *));
	if (arguments->count)
		memcpy(scanned->at, arguments->at, (size_t)arguments->count * sizeof(char *));
	for (size_t i = 0; command->views[i] && count < TABLES; i++)
		groups[count++].table = command->views[i]->options;
	return options_parse_groups(groups, count, scanned, err);
}

/* "cpu, threadtime": the views that take an option. */
static void put_takers(struct buffer *out, const struct command *command, const char *name)
{
	for (size_t i = 0; command->views[i]; i++)
		if (option_find(command->views[i]->options, name)) {
			buffer_bytes(out, ", ", out->size ? 2 : 0);
			buffer_bytes(out, command->views[i]->name, strlen(command->views[i]->name));
		}
	buffer_u8(out, 0);
}

static int check_given(const struct command *command, const struct report_view *view,
		       const struct arguments *scanned, struct pp_error *err)
{
	for (size_t i = 0; i < scanned->given_count; i++) {
		const char *name = scanned->given[i]->name;
		struct buffer takers = { 0 };

		if (takes(command, view, name))
			continue;
		put_takers(&takers, command, name);
		error_set(err, PP_ERROR_USAGE, "the view %s has no option --%s; it is one of %s",
			  view->name, name, (const char *)takers.bytes);
		buffer_release(&takers);
		return -1;
	}
	return 0;
}

static bool takes_all(const struct command *command, const struct report_view *view,
		      const struct arguments *scanned)
{
	for (size_t i = 0; i < scanned->given_count; i++)
		if (!takes(command, view, scanned->given[i]->name))
			return false;
	return true;
}

static const struct report_view *default_view(const struct command *command,
					      const struct arguments *scanned, struct pp_error *err)
{
	const struct report_view *view = report_view_find(command->default_view, err);

	if (view && takes_all(command, view, scanned))
		return view;
	for (size_t i = 0; command->views[i]; i++)
		if (takes_all(command, command->views[i], scanned))
			return command->views[i];
	error_set(err, PP_ERROR_USAGE, "no view has all of these options; name a VIEW");
	return NULL;
}

static bool is_misplaced_view(const char *operand)
{
	struct pp_error none = { 0 };

	return report_view_find(operand, &none) && access(operand, F_OK);
}

/* A view where a trace belongs, and no file has that name. */
static int check_traces(const struct command *command, const struct arguments *scanned,
			struct pp_error *err)
{
	const int last = command->view_operand == COMMAND_LAST ? scanned->count - 1 : 0;

	for (int i = 0; i < scanned->count && (i == 0 || i < last); i++)
		if (is_misplaced_view(scanned->at[i]))
			return error_set(err, PP_ERROR_USAGE,
					 "%s is a view; give the trace first: perfpipe %s %.*s%s",
					 scanned->at[i], command->name,
					 (int)strcspn(command->operands, "["), command->operands,
					 scanned->at[i]);
	return 0;
}

/* Whether the last of several operands can only be a trace: then there is none that names a view.
 */
static bool is_trace(const char *operand)
{
	return !strcmp(operand, "-") || strpbrk(operand, "./") || !access(operand, F_OK);
}

int command_file_count(char *const *operands, int count)
{
	struct pp_error none = { 0 };

	return count > 1 && report_view_find(operands[count - 1], &none) ? count - 1 : count;
}

/* The last operand, unless all of them are traces; a name that is neither is a misspelt view. */
static const char *last_view(const struct arguments *scanned)
{
	const int files = command_file_count(scanned->at, scanned->count);
	const char *last = scanned->count ? scanned->at[scanned->count - 1] : NULL;

	if (scanned->count < 2 || (files == scanned->count && is_trace(last)))
		return NULL;
	return last;
}

/* By --view, or else by an operand; NULL if neither names it. */
static const char *named_view(const struct command *command, const struct arguments *scanned,
			      const void *args)
{
	const struct option_spec *spec = option_find(command->options, "view");
	const char *given = spec ? *(const char *const *)((const char *)args + spec->offset) : NULL;

	if (command->view_operand == COMMAND_LAST)
		return last_view(scanned);
	if (given || (command->two_lists && scanned->first_count >= 0) ||
	    scanned->count <= command->view_operand)
		return given;
	return scanned->at[command->view_operand];
}

static const struct report_view *choose(const struct command *command,
					const struct arguments *scanned, const char *name,
					struct pp_error *err)
{
	const struct report_view *view;

	if (!scanned->help && check_traces(command, scanned, err))
		return NULL;
	if (scanned->help || !name)
		return default_view(command, scanned, err);
	view = report_view_find(name, err);
	return view && !check_given(command, view, scanned, err) ? view : NULL;
}

const struct report_view *command_view(const struct command *command,
				       const struct arguments *arguments, struct pp_error *err)
{
	const struct report_view *view = NULL;
	void *args = xcalloc(1, command->args_size + 1);
	struct arguments scanned;

	if (!scan(command, arguments, args, &scanned, err))
		view = choose(command, &scanned, named_view(command, &scanned, args), err);
	xfree(scanned.at);
	xfree(args);
	return view;
}

const struct report_view *command_view_named(const struct command *command,
					     const struct arguments *arguments)
{
	for (int i = 0; i < arguments->count; i++)
		for (size_t j = 0; command->views[j]; j++)
			if (!strcasecmp(command->views[j]->name, arguments->at[i]))
				return command->views[j];
	return NULL;
}

struct option_spec *command_all_options(const struct command *command)
{
	struct option_spec *all = NULL;
	size_t count = 0;
	size_t capacity = 0;

	for (size_t i = 0; !i || (command->views && command->views[i - 1]); i++) {
		const struct option_spec *spec =
			i ? command->views[i - 1]->options : command->options;

		for (; spec && spec->name; spec++) {
			bool known = false;

			for (size_t j = 0; j < count && !known; j++)
				known = !strcmp(all[j].name, spec->name);
			if (known)
				continue;
			all = xgrow(all, count, &capacity, sizeof(*all));
			all[count++] = *spec;
		}
	}
	all = xgrow(all, count, &capacity, sizeof(*all));
	all[count] = (struct option_spec)OPTION_LAST;
	return all;
}
