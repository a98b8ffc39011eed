/* SPDX-License-Identifier: MIT */
/*
 * Which options change which views. One that is another view's own is refused; one that all
 * take, but that changes nothing in this view, is noted.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/report.h"

enum option_type {
	FLAG,
	TEXT,
};

#define STACKS "summary, cpu, topN, threadtime, alloc, exceptions, contention"

static const struct {
	const char *option;
	enum option_type type;
	size_t offset;
	const char *views;
	bool shared;
} rules[] = {
	{ "tree", FLAG, offsetof(struct report_args, tree), "cpu, threadtime", false },
	{ "callers", TEXT, offsetof(struct report_args, callers), "cpu", false },
	{ "callees", TEXT, offsetof(struct report_args, callees), "cpu", false },
	{ "by", TEXT, offsetof(struct report_args, by), "cpu", false },
	{ "when", FLAG, offsetof(struct report_args, when), "cpu", false },
	{ "wall", FLAG, offsetof(struct report_args, wall), "topN", false },
	{ "verbose", FLAG, offsetof(struct report_args, verbose), "topN", false },
	{ "over", TEXT, offsetof(struct report_args, over), "gc", false },
	{ "inclusive", FLAG, offsetof(struct report_args, inclusive),
	  "cpu, topN, threadtime, alloc, exceptions, contention", false },
	{ "group", TEXT, offsetof(struct report_args, group), STACKS, true },
	{ "fold", TEXT, offsetof(struct report_args, fold), STACKS, true },
	{ "include", TEXT, offsetof(struct report_args, include), STACKS, true },
	{ "exclude", TEXT, offsetof(struct report_args, exclude), STACKS, true },
	{ "fold-percent", TEXT, offsetof(struct report_args, fold_percent), STACKS, true },
	{ "activity", TEXT, offsetof(struct report_args, activity), "cpu, topN, threadtime", true },
};

static bool is_given(const struct report_args *args, enum option_type type, size_t offset)
{
	const char *member = (const char *)args + offset;

	if (type == FLAG)
		return *(const bool *)member;
	return *(const char *const *)(const void *)member != NULL;
}

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

int report_check_options(const struct report_view *view, const struct report_args *args,
			 struct pp_error *err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!is_given(args, rules[i].type, rules[i].offset) ||
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
