/* SPDX-License-Identifier: MIT */
#include "report/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "report/condition_find.h"

#define HOW "a condition is VIEW.NAME > VALUE, such as 'gc.pause_total_ns > +20%%'"

static const struct {
	const char *name;
	enum condition_unit unit;
	double scale;
} units[] = {
	{ "", CONDITION_PLAIN, 1 },	 { "%", CONDITION_PERCENT, 1 },
	{ "ns", CONDITION_TIME, 1 },	 { "us", CONDITION_TIME, 1e3 },
	{ "ms", CONDITION_TIME, 1e6 },	 { "s", CONDITION_TIME, 1e9 },
	{ "min", CONDITION_TIME, 6e10 }, { "B", CONDITION_SIZE, 1 },
	{ "kB", CONDITION_SIZE, 1e3 },	 { "MB", CONDITION_SIZE, 1e6 },
	{ "GB", CONDITION_SIZE, 1e9 },
};

static int read_unit(struct condition *condition, const char *text, struct pp_error *err)
{
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (!strcmp(units[i].name, text)) {
			condition->unit = units[i].unit;
			condition->value *= units[i].scale;
			return 0;
		}
	return error_set(
		err, PP_ERROR_USAGE,
		"unknown unit '%s' in '%s'; the units are %%, ns, us, ms, s, min, B, kB, MB, GB",
		text, condition->text);
}

static int read_value(struct condition *condition, const char *text, struct pp_error *err)
{
	char *end;

	condition->is_change = *text == '+' || *text == '-';
	condition->value = strtod(text, &end);
	/* strtod would take "nan", "inf" and 0x as well */
	if (end == text || !isfinite(condition->value) || strpbrk(text, "xX") ||
	    !strchr("+-.0123456789", *text))
		return error_set(err, PP_ERROR_USAGE, "'%s' in '%s' is not a number; " HOW, text,
				 condition->text);
	while (*end == ' ')
		end++;
	return read_unit(condition, end, err);
}

/* Where the operator is: the last one, since names may have such characters. */
static const char *find_operator(const char *text)
{
	const char *found = NULL;

	for (; *text; text++)
		if (*text == '<' || *text == '>')
			found = text;
	return found;
}

static int read_operator(struct condition *condition, const char *at, struct pp_error *err)
{
	const bool equal = at[1] == '=';
	const char *value = at + 1 + equal;

	if (*at == '>')
		condition->operator= equal ? CONDITION_AT_LEAST : CONDITION_GREATER;
	else
		condition->operator= equal ? CONDITION_AT_MOST : CONDITION_LESS;
	while (*value == ' ')
		value++;
	return read_value(condition, value, err);
}

int condition_parse(struct condition *condition, const char *text, struct arena *arena,
		    struct pp_error *err)
{
	const char *start = text + strspn(text, " ");
	const char *at = find_operator(start);
	const char *end = at;
	const char *point;

	*condition = (struct condition){ .text = text };
	while (end && end > start && end[-1] == ' ')
		end--;
	point = end ? memchr(start, '.', (size_t)(end - start)) : NULL;
	if (!point || point == start || point + 1 == end)
		return error_set(err, PP_ERROR_USAGE, "'%s' is not a condition; " HOW, text);
	condition->view = arena_text(arena, start, (size_t)(point - start));
	condition->what = arena_text(arena, point + 1, (size_t)(end - point - 1));
	return read_operator(condition, at, err);
}

static double change_of(const struct condition *condition, const struct condition_result *result)
{
	const double before = result->before.value;
	const double change = result->after.value - before;

	if (!condition->is_change)
		return result->after.value;
	if (condition->unit != CONDITION_PERCENT)
		return change;
	if (before == 0) /* from nothing to something is more than any percentage */
		return change == 0 ? 0 : change > 0 ? INFINITY : -INFINITY;
	return 100 * change / fabs(before);
}

static bool holds(const struct condition *condition, const struct condition_result *result)
{
	const double number = change_of(condition, result);

	switch (condition->operator) {
	case CONDITION_GREATER:
		return number > condition->value;
	case CONDITION_AT_LEAST:
		return number >= condition->value;
	case CONDITION_LESS:
		return number < condition->value;
	default:
		return number <= condition->value;
	}
}

/*
 * By how much the figure is off the limit. That of a percentage is a part of what it was, and has
 * an error, too; without a sign the limit is a number, and what it was does not matter.
 */
static struct estimate distance_of(const struct condition *condition,
				   const struct condition_result *result)
{
	static const struct estimate none = { .freedom = INFINITY, .known = true };
	const double percent = result->before.value < 0 ? -condition->value : condition->value;
	struct estimate distance;

	if (condition->is_change && condition->unit == CONDITION_PERCENT)
		return estimate_difference(&result->after, &result->before, 1 + percent / 100);
	distance = estimate_difference(&result->after,
				       condition->is_change ? &result->before : &none, 1);
	distance.value -= condition->value;
	return distance;
}

static void judge(const struct condition *condition, struct condition_result *result)
{
	const struct estimate distance = distance_of(condition, result);

	result->holds = holds(condition, result);
	result->noise = distance.known ? estimate_noise(&distance, ESTIMATE_ALARMS) : NAN;
	result->is_noise = result->holds && estimate_is_noise(&distance, ESTIMATE_ALARMS);
}

static int check_unit(const struct condition *condition, const struct condition_result *result,
		      struct pp_error *err)
{
	if (condition->unit == CONDITION_TIME && result->unit != UNIT_TIME)
		return error_set(err, PP_ERROR_USAGE, "'%s': %s is not a time", condition->text,
				 result->metric);
	if (condition->unit == CONDITION_SIZE && result->unit != UNIT_SIZE)
		return error_set(err, PP_ERROR_USAGE, "'%s': %s is not a number of bytes",
				 condition->text, result->metric);
	if (condition->unit == CONDITION_PERCENT && !condition->is_change &&
	    result->unit != UNIT_PERCENT)
		return error_set(err, PP_ERROR_USAGE,
				 "'%s': %s is not a percentage; +%g%% is a change by that much",
				 condition->text, result->metric, condition->value);
	return 0;
}

int condition_test(const struct condition *condition, const struct metric_side *before,
		   const struct metric_side *after, struct condition_result *result,
		   struct pp_error *err)
{
	*result = (struct condition_result){ 0 };
	if (condition_find(condition, before, after, result, err) ||
	    check_unit(condition, result, err))
		return -1;
	judge(condition, result);
	return 0;
}
