/* SPDX-License-Identifier: MIT */
/*
 * Which options of `convert` go with which formats. One that would change nothing is refused, so
 * that nobody believes it did.
 */
#include <string.h>

#include "base/error.h"
#include "cli/convert_args.h"

enum option_type {
	FLAG,
	TEXT,
};

/* What an option is for; otherwise `format` is the one that takes it. */
#define OF_SAMPLES "samples"
#define OF_EVENTS  "events"

static const struct {
	const char *option;
	enum option_type type;
	size_t offset;
	const char *format;
} rules[] = {
	{ "view", TEXT, offsetof(struct convert_args, view), OF_SAMPLES },
	{ "group", TEXT, offsetof(struct convert_args, report.group), OF_SAMPLES },
	{ "fold", TEXT, offsetof(struct convert_args, report.fold), OF_SAMPLES },
	{ "include", TEXT, offsetof(struct convert_args, report.include), OF_SAMPLES },
	{ "exclude", TEXT, offsetof(struct convert_args, report.exclude), OF_SAMPLES },
	{ "fold-percent", TEXT, offsetof(struct convert_args, report.fold_percent), OF_SAMPLES },
	{ "activity", TEXT, offsetof(struct convert_args, report.activity), OF_SAMPLES },
	{ "raw-names", FLAG, offsetof(struct convert_args, report.raw_names), OF_SAMPLES },
	{ "tiers", FLAG, offsetof(struct convert_args, report.tiers), OF_SAMPLES },
	{ "provider", TEXT, offsetof(struct convert_args, provider), OF_EVENTS },
	{ "flamegraph", FLAG, offsetof(struct convert_args, flamegraph), "folded" },
	{ "anonymize", FLAG, offsetof(struct convert_args, anonymize), "nettrace" },
};

static bool is_given(const struct convert_args *args, enum option_type type, size_t offset)
{
	const char *member = (const char *)args + offset;

	if (type == FLAG)
		return *(const bool *)member;
	return *(const char *const *)(const void *)member != NULL;
}

static int check_option(const char *option, const char *wanted, const struct export_format *format,
			struct pp_error *err)
{
	const char *holds = format->stream ? OF_EVENTS : OF_SAMPLES;

	if (!strcmp(wanted, holds) || !strcmp(wanted, format->name))
		return 0;
	if (!strcmp(wanted, OF_SAMPLES) || !strcmp(wanted, OF_EVENTS))
		return error_set(err, PP_ERROR_USAGE, "--%s is about %s, and %s holds %s", option,
				 wanted, format->name, holds);
	return error_set(err, PP_ERROR_USAGE, "--%s goes with -f %s, not %s", option, wanted,
			 format->name);
}

int convert_check_options(const struct convert_args *args, const struct export_format *format,
			  struct pp_error *err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (is_given(args, rules[i].type, rules[i].offset) &&
		    check_option(rules[i].option, rules[i].format, format, err))
			return -1;
	if (args->json && !format->json_extension)
		return error_set(err, PP_ERROR_USAGE, "%s has one form, so leave --json out",
				 format->name);
	return 0;
}

int convert_check_view(const struct export_query *query, const struct export_format *format,
		       const struct export_view *view, struct pp_error *err)
{
	if (query->view && format->times && view->unit != EXPORT_NANOSECONDS)
		return error_set(err, PP_ERROR_USAGE,
				 "a time line cannot show %s; choose speedscope, or another view",
				 view->name);
	if (view->begin && query->samples.activity)
		return error_set(err, PP_ERROR_USAGE,
				 "--activity goes with the views cpu and threadtime, not %s",
				 view->name);
	return 0;
}
