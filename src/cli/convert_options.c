/* SPDX-License-Identifier: MIT */
/*
 * Which options of `convert` go with which formats. One that would change nothing is refused, so
 * that nobody believes it did.
 */
#include <string.h>

#include "base/error.h"
#include "cli/convert_args.h"

/* What an option is for; otherwise `format` is the one that takes it. */
#define OF_SAMPLES "samples"
#define OF_EVENTS  "events"

static const struct {
	const char *option;
	const char *format;
} rules[] = {
	{ "view", OF_SAMPLES },	    { "group", OF_SAMPLES },	 { "fold", OF_SAMPLES },
	{ "include", OF_SAMPLES },  { "exclude", OF_SAMPLES },	 { "fold-percent", OF_SAMPLES },
	{ "activity", OF_SAMPLES }, { "raw-names", OF_SAMPLES }, { "tiers", OF_SAMPLES },
	{ "provider", OF_EVENTS },  { "flamegraph", "folded" },	 { "anonymize", "nettrace" },
};

static int check_option(const char *option, const char *wanted, const struct export_format *format,
			struct pp_error *err)
{
	const char *holds = format->stream ? OF_EVENTS : OF_SAMPLES;

	if (!strcmp(wanted, holds) || !strcmp(wanted, format->name))
		return 0;
	if (!strcmp(wanted, OF_SAMPLES) || !strcmp(wanted, OF_EVENTS))
		return error_set(err, PP_ERROR_USAGE, "--%s applies to %s, but %s has %s", option,
				 wanted, format->name, holds);
	return error_set(err, PP_ERROR_USAGE, "--%s applies to -f %s, not to %s", option, wanted,
			 format->name);
}

int convert_check_options(const struct option_spec *options, const struct convert_args *args,
			  const struct export_format *format, struct pp_error *err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (option_is_given(options, args, rules[i].option) &&
		    check_option(rules[i].option, rules[i].format, format, err))
			return -1;
	if (args->json && !format->json_extension)
		return error_set(err, PP_ERROR_USAGE, "%s has only one form; omit --json",
				 format->name);
	return 0;
}
