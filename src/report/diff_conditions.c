/* SPDX-License-Identifier: MIT */
/*
 * Conditions of a comparison: whether the traces can answer them, and what people read.
 */
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "report/diff.h"
#include "report/figure_text.h"

static bool has_any(const struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->runs[i].metrics.available)
			return true;
	return false;
}

/* Where no trace has data, a condition can neither hold nor not hold. */
static int check_available(const struct view_pair *pair, const struct condition *condition,
			   struct pp_error *err)
{
	const struct report_view *view = pair->view;

	if (!has_any(&pair->base) && !has_any(&pair->changed))
		return error_set(err, PP_ERROR_USAGE, "'%s': not recorded in either trace: %s%s%s",
				 condition->text, view->missing,
				 view->remedy ? "; to record it: " : "",
				 view->remedy ? view->remedy : "");
	return 0;
}

/* The runtime's sampler does not know who ran: a build must not fail for a busy neighbour. */
static int check_measured(const struct diff_side *side, const struct condition *condition,
			  struct pp_error *err)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->runs[i].metrics.available && !side->traces[i].cpu_measured)
			return error_set(err, PP_ERROR_UNSUPPORTED,
					 "'%s': CPU time was not recorded in %s; perfpipe collect "
					 "records it",
					 condition->text, side->traces[i].file);
	return 0;
}

int view_pair_test(const struct view_pair *pair, const struct condition *condition,
		   struct condition_result *result, struct pp_error *err)
{
	const struct metric_side before = diff_side_metrics(&pair->base);
	const struct metric_side after = diff_side_metrics(&pair->changed);

	if (check_available(pair, condition, err) ||
	    condition_test(condition, &before, &after, result, err))
		return -1;
	if (!result->on_cpu)
		return 0;
	return check_measured(&pair->base, condition, err) ||
			       check_measured(&pair->changed, condition, err)
		       ? -1
		       : 0;
}

void diff_add_condition(struct diff *diff, const struct condition *condition,
			const struct condition_result *result)
{
	const bool failed =
		result->holds && (diff->setup.strict || (!result->is_noise && !result->by_length));

	if (diff->condition_count == DIFF_CONDITIONS)
		return;
	diff->conditions[diff->condition_count++] =
		(struct diff_condition){ *condition, *result, failed };
	diff->failed |= failed;
}

const char *diff_condition_verdict(const struct diff_condition *condition)
{
	if (condition->failed)
		return "Failed";
	if (!condition->result.holds)
		return NULL;
	return condition->result.by_length ? "Length" : "Noise";
}

static void put_noise(struct buffer *text, const struct condition_result *result,
		      struct arena *arena)
{
	if (isnan(result->noise))
		buffer_text(text, "; noise not known");
	else if (result->noise > 0)
		buffer_printf(text, "; %s noise of %s", result->is_noise ? "within" : "beyond",
			      figure_number_text(result->unit, result->noise, arena));
}

const char *diff_condition_text(const struct diff_condition *condition, struct arena *arena)
{
	const struct condition_result *result = &condition->result;
	struct buffer text = { 0 };
	double percent;

	buffer_printf(&text, "%s: %s became %s", text_safe(arena, condition->condition.text),
		      figure_number_text(result->unit, result->before.value, arena),
		      figure_number_text(result->unit, result->after.value, arena));
	if (metric_percent(result->before.value, result->after.value, &percent))
		buffer_printf(&text, ", %+.2f %%", percent);
	if (result->rows)
		buffer_printf(&text, " (%s %s, %s)", text_count(result->rows).text,
			      result->rows == 1 ? "row" : "rows", text_safe(arena, result->metric));
	if (result->by_length)
		buffer_text(&text, "; a longer run has larger maxima");
	else
		put_noise(&text, result, arena);
	return buffer_keep(&text, arena);
}

size_t diff_conditions_holding(const struct diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->condition_count; i++)
		count += diff->conditions[i].result.holds;
	return count;
}

size_t diff_conditions_failed(const struct diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->condition_count; i++)
		count += diff->conditions[i].failed;
	return count;
}

/* Conditions that hold, but fail nothing: by chance, or by the length of the runs. */
static size_t count_excused(const struct diff *diff, bool by_length)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->condition_count; i++)
		count += diff->conditions[i].result.holds && !diff->conditions[i].failed &&
			 diff->conditions[i].result.by_length == by_length;
	return count;
}

/* ", within noise" of all that hold, ", 2 within noise" of some, "" of none. */
static const char *excused_text(const struct diff *diff, bool by_length, struct arena *arena)
{
	const char *why = by_length ? "not comparable" : "within noise";
	const size_t count = count_excused(diff, by_length);

	if (!count)
		return "";
	if (count == diff_conditions_holding(diff))
		return arena_printf(arena, ", %s", why);
	return arena_printf(arena, ", %zu %s", count, why);
}

const char *diff_conditions_text(const struct diff *diff, struct arena *arena)
{
	const size_t holding = diff_conditions_holding(diff);

	if (!diff->condition_count)
		return NULL;
	return arena_printf(arena, "%zu of %zu %s%s%s", holding, diff->condition_count,
			    holding == 1 ? "holds" : "hold", excused_text(diff, false, arena),
			    excused_text(diff, true, arena));
}
