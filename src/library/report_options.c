/* SPDX-License-Identifier: MIT */
#include "library/report_options.h"

#include <string.h>

#include "base/error.h"
#include "base/option_set.h"
#include "base/options.h"

const struct renderer *report_format(const char *name, struct pp_error *err)
{
	const struct renderer *renderer;

	if (argument_check(name, "format", err))
		return NULL;
	renderer = renderer_find(name);
	if (!renderer)
		error_set(err, PP_ERROR_USAGE,
			  "unknown format '%s'; there are text, json, csv, markdown and html",
			  name);
	return renderer;
}

int report_options_read(const struct pp_report_options *options, struct report_setup *setup,
			struct pp_error *err)
{
	const struct renderer *renderer =
		report_format(options->format ? options->format : render_json.name, err);

	if (!renderer)
		return -1;
	*setup = (struct report_setup){ .rows = REPORT_ROWS_UNSET,
					.brief = renderer->brief,
					.most = renderer->rows };
	if (options->rows)
		setup->rows =
			options->rows < REPORT_ROWS_ALL ? (unsigned)options->rows : REPORT_ROWS_ALL;
	return 0;
}

static int unknown(const struct report_view *view, const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	options_offer(view->options, &suggest);
	if (suggest.best)
		return error_set(err, PP_ERROR_USAGE,
				 "the view %s has no option '%s'; did you mean '%s'?", view->name,
				 name, suggest.best);
	return error_set(err, PP_ERROR_USAGE, "the view %s has no option '%s'", view->name, name);
}

static int set_one(const struct option_setter *setter, const struct report_view *view,
		   const struct pp_report_option *option, struct arena *arena)
{
	const struct option_spec *spec;
	const char *value = option->value;

	if (argument_check(option->name, "name of an option", setter->err))
		return -1;
	spec = option_find(view->options, option->name);
	if (!spec)
		return unknown(view, option->name, setter->err);
	if (!value && option_takes_value(spec))
		return error_set(setter->err, PP_ERROR_USAGE, "the option %s needs a value: %s",
				 spec->name, spec->value);
	return option_set(setter, spec, value ? arena_text(arena, value, strlen(value)) : NULL);
}

/* What the program does unless it is told not to, and the library only if it is told to. */
static int leave_out(const struct option_setter *setter, const struct report_view *view,
		     const char *name)
{
	const struct option_spec *spec = option_find(view->options, name);

	return spec ? option_set(setter, spec, NULL) : 0;
}

int report_options_set(const struct pp_report_options *options, const struct report_view *view,
		       void *args, struct arena *arena, struct pp_error *err)
{
	const struct option_setter setter = { args, "the option ", "", err };

	if (options->option_count && argument_check(options->options, "list of options", err))
		return -1;
	for (size_t i = 0; i < options->option_count; i++)
		if (set_one(&setter, view, &options->options[i], arena))
			return -1;
	if (!options->symbol_cache && leave_out(&setter, view, "no-cache"))
		return -1;
	return options->network ? 0 : leave_out(&setter, view, "no-network");
}
