/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "cli/diff.h"
#include "cli/text.h"

static void say_missing(const char *path, const struct report_view *view)
{
	fputs("perfpipe: note: ", stderr);
	text_put(stderr, path);
	fprintf(stderr, " does not tell of %s; what it may have counts as 0\n", view->name);
}

/* What neither trace tells can hold nothing and break nothing. */
static int check_available(const struct diff *diff, const struct diff_view *view,
			   const struct condition *condition, struct pp_error *err)
{
	if (!view->before.available && !view->after.available)
		return error_set(err, PP_ERROR_USAGE, "'%s': neither trace tells: %s%s%s",
				 condition->text, view->view->missing,
				 view->view->remedy ? "; this records what is needed: " : "",
				 view->view->remedy ? view->view->remedy : "");
	if (!view->before.available)
		say_missing(diff->base, view->view);
	if (!view->after.available)
		say_missing(diff->changed, view->view);
	return 0;
}

static int test(struct diff *diff, const char *text, struct pp_error *err)
{
	struct diff_condition *made = &diff->conditions[diff->condition_count];
	const struct report_view *view;
	const struct diff_view *both;

	if (condition_parse(&made->condition, text, &diff->arena, err))
		return -1;
	view = report_view_find(made->condition.view, err);
	both = view ? diff_view_of(diff, view, err) : NULL;
	if (!both || check_available(diff, both, &made->condition, err) ||
	    condition_test(&made->condition, &both->before, &both->after, &made->result, err))
		return -1;
	diff->condition_count++;
	diff->failed |= made->result.holds;
	return 0;
}

int diff_test(struct diff *diff, struct pp_error *err)
{
	for (size_t i = 0; i < diff->args->fail_if.count; i++)
		if (test(diff, diff->args->fail_if.list[i], err))
			return -1;
	return 0;
}

struct text_figure diff_figure(enum figure_unit unit, double value, bool with_sign)
{
	const double size = fabs(value);
	const uint64_t whole = size < 1e18 ? (uint64_t)(size + 0.5) : UINT64_MAX;
	const char *sign = value < 0 ? "-" : with_sign ? "+" : "";
	struct text_figure figure;
	struct text_figure text = { "" };

	if (unit == FIGURE_TIME)
		text = text_duration(whole);
	else if (unit == FIGURE_SIZE)
		text = text_size(whole);
	else if (unit == FIGURE_COUNT && size == floor(size))
		text = text_count(whole);
	else
		snprintf(text.text, sizeof(text.text), size < 1e15 ? "%.2f" : "%g", size);
	snprintf(figure.text, sizeof(figure.text), "%s%.30s", sign, text.text);
	return figure;
}

/* "gc.pause_total_ns > +20%: 1.0 ms became 1.5 ms, +50.00 %" */
static void print_reason(const struct diff_condition *made, FILE *out)
{
	const struct condition_result *result = &made->result;
	const enum figure_unit unit = figure_unit_of(result->figure);
	double percent;

	text_put(out, made->condition.text);
	fprintf(out, ": %s ", diff_figure(unit, result->before, false).text);
	fprintf(out, "became %s", diff_figure(unit, result->after, false).text);
	if (figure_percent(result->before, result->after, &percent))
		fprintf(out, ", %+.2f %%", percent);
	if (result->rows) {
		fprintf(out, " (%s %s, ", text_count(result->rows).text,
			result->rows == 1 ? "row" : "rows");
		text_put(out, result->figure);
		putc(')', out);
	}
	putc('\n', out);
}

void diff_print_conditions(const struct diff *diff, FILE *out)
{
	const char *before = diff->args->markdown ? "- **failed**: " : "Failed      ";

	if (diff->failed && !diff->args->report.json && !diff->args->report.csv)
		putc('\n', out);
	for (size_t i = 0; i < diff->condition_count; i++)
		if (diff->conditions[i].result.holds) {
			fputs(before, out);
			print_reason(&diff->conditions[i], out);
		}
}

static void put_real(struct json *json, const char *key, double real)
{
	json_begin_value(json, key);
	buffer_real(json->out, real, false);
}

void diff_put_conditions(const struct diff *diff, struct json *json)
{
	json_open_array(json, "conditions");
	for (size_t i = 0; i < diff->condition_count; i++) {
		const struct diff_condition *made = &diff->conditions[i];
		double percent;

		json_open_object(json, NULL);
		json_put_text(json, "condition", made->condition.text);
		json_put_bool(json, "holds", made->result.holds);
		json_put_text(json, "view", made->condition.view);
		json_put_text(json, "figure", made->result.figure);
		json_put_u64(json, "rows", made->result.rows);
		put_real(json, "base", made->result.before);
		put_real(json, "new", made->result.after);
		put_real(json, "change", made->result.after - made->result.before);
		if (figure_percent(made->result.before, made->result.after, &percent))
			put_real(json, "change_percent", percent);
		else
			json_put_null(json, "change_percent");
		json_close(json);
	}
	json_close(json);
}
