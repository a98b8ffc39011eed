/* SPDX-License-Identifier: MIT */
/*
 * Which options change which views. One that is another view's own is refused; one that all
 * take, but that changes nothing in this view, is noted.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/report.h"

#define STACKS "summary, cpu, topN, threadtime, alloc, exceptions, contention"

static const struct {
	const char *option;
	const char *views;
	bool shared;
} rules[] = {
	{ "tree", "cpu, threadtime", false },
	{ "callers", "cpu", false },
	{ "callees", "cpu", false },
	{ "by", "cpu", false },
	{ "when", "cpu", false },
	{ "wall", "topN", false },
	{ "verbose", "topN", false },
	{ "over", "gc", false },
	{ "inclusive", "cpu, topN, threadtime, alloc, exceptions, contention", false },
	{ "group", STACKS, true },
	{ "fold", STACKS, true },
	{ "include", STACKS, true },
	{ "exclude", STACKS, true },
	{ "fold-percent", STACKS, true },
	{ "activity", "cpu, topN, threadtime", true },
};

/* Views are words with ", " between them. */
static bool has_view(const char *views, const char *name)
{
	const size_t size = strlen(name);

	for (; *views; views += strspn(views, ", ")) {
		const size_t word = strcspn(views, ",");

		if (word == size && !strncmp(views, name, size))
			return true;
		views += word;
	}
	return false;
}

int report_check_options(const struct report_view *view, const struct option_spec *options,
			 const struct report_args *args, struct pp_error *err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!option_is_given(options, args, rules[i].option) ||
		    has_view(rules[i].views, view->name))
			continue;
		if (!rules[i].shared)
			return error_set(err, PP_ERROR_USAGE,
					 "%s takes no --%s; it is an option of %s", view->name,
					 rules[i].option, rules[i].views);
		fprintf(stderr, "perfpipe: --%s changes nothing in %s; it does in %s\n",
			rules[i].option, view->name, rules[i].views);
	}
	return 0;
}
