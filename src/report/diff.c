/* SPDX-License-Identifier: MIT */
#include "report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "base/alloc.h"
#include "base/text.h"
#include "report/diff_rows.h"
#include "report/figure_text.h"

#define ROWS 25

/*
 * How far figures of a run are off, relative to them, by what other processes took of the CPU time
 * that it wanted. Form and factor were tried on runs of one program: of ten equal ones at a load of
 * 25, 4 of 90 pairs fail; a third of the cube lets none fail, but beside two busy loops hides that
 * there were 40 % more collections.
 */
static double unsteadiness(double taken)
{
	return taken * taken * taken / 10;
}

/* Lengths that differ by less are equal: starting and stopping take time. */
#define TOLERANCE 0.02

/* What the result says of a side. */
struct side_part {
	const char *file; /* the first */
	struct result_rows files;
	uint64_t runs;
	double seconds; /* the mean */
	bool available;
	bool cpu_measured;
	uint64_t events_lost;
	bool events_lost_at_least;
	uint64_t samples_unresolved;
	bool complete;
};

#define SIDE struct side_part

static const struct result_field side_fields[] = {
	FIELD(SIDE, file, "file", NULL, UNIT_TEXT),
	FIELD(SIDE, files, "files", NULL, UNIT_TEXTS),
	FIELD(SIDE, runs, "runs", NULL, UNIT_COUNT),
	FIELD(SIDE, seconds, "seconds", NULL, UNIT_REAL),
	FIELD(SIDE, available, "available", NULL, UNIT_FLAG),
	FIELD(SIDE, cpu_measured, "cpu_measured", NULL, UNIT_FLAG),
	FIELD(SIDE, events_lost, "events_lost", NULL, UNIT_COUNT),
	FIELD(SIDE, events_lost_at_least, "events_lost_at_least", NULL, UNIT_FLAG),
	FIELD(SIDE, samples_unresolved, "samples_unresolved", NULL, UNIT_COUNT),
	FIELD(SIDE, complete, "complete", NULL, UNIT_FLAG),
	FIELD_END,
};
static const struct result_line no_lines[] = { { 0 } };
static const struct result_shape side_shape = { side_fields, no_lines };

struct condition_row {
	const struct diff_condition *made;
	const char *verdict, *text; /* for people; or NULL */
};

static const struct condition_result *result_of(const void *row)
{
	return &((const struct condition_row *)row)->made->result;
}

static void get_condition_change(const void *row, struct result_value *value)
{
	value->real = result_of(row)->after.value - result_of(row)->before.value;
}

static void get_condition_percent(const void *row, struct result_value *value)
{
	value->known = metric_percent(result_of(row)->before.value, result_of(row)->after.value,
				      &value->real);
}

static bool knows_noise(const void *row)
{
	return !isnan(result_of(row)->noise);
}

static void get_comparable(const void *row, struct result_value *value)
{
	value->flag = !result_of(row)->by_length;
}

#define ROW struct condition_row

/* clang-format off */
#define CONDITION(member_, key_, ...) \
	FIELD_THROUGH(ROW, made, struct diff_condition, member_, key_, NULL, __VA_ARGS__)
/* clang-format on */

static const struct result_field condition_fields[] = {
	CONDITION(condition.text, "condition", UNIT_TEXT),
	CONDITION(result.holds, "holds", UNIT_FLAG),
	CONDITION(result.is_noise, "within_noise", UNIT_FLAG),
	COMPUTED("comparable", NULL, UNIT_FLAG, .get = get_comparable),
	CONDITION(failed, "failed", UNIT_FLAG),
	CONDITION(condition.view, "view", UNIT_TEXT),
	CONDITION(result.metric, "metric", UNIT_TEXT),
	CONDITION(result.rows, "rows", UNIT_COUNT),
	CONDITION(result.before.value, "base", UNIT_REAL),
	CONDITION(result.after.value, "new", UNIT_REAL),
	COMPUTED("change", NULL, UNIT_REAL, .get = get_condition_change),
	COMPUTED("change_percent", NULL, UNIT_PERCENT, .get = get_condition_percent),
	CONDITION(result.noise, "noise", UNIT_REAL, .known = knows_noise),
	FIELD(ROW, verdict, "verdict", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, text, "text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};
static const struct result_shape condition_shape = { condition_fields,
						     ONE_LINE("{verdict}", "{text}") };

struct diff_result {
	const char *view;
	bool available; /* both sides are */
	bool by_rate;
	struct side_part base, changed;
	const char *base_text, *changed_text; /* for people */
	const char *rate, *noise, *note;      /* the same; or NULL */
	const char *missing, *remedy;	      /* where neither side has data; or NULL */
	struct result_rows changes, conditions;
	uint64_t holding, failed; /* conditions */
	const char *conditions_text;
};

#define RESULT struct diff_result

static const struct result_field fields[] = {
	FIELD(RESULT, view, "view", NULL, UNIT_TEXT),
	FIELD(RESULT, available, "available", NULL, UNIT_FLAG),
	FIELD(RESULT, by_rate, "by_rate", NULL, UNIT_FLAG),
	OBJECT(RESULT, base, "base", &side_shape),
	OBJECT(RESULT, changed, "new", &side_shape),
	FIELD(RESULT, base_text, "base_text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, changed_text, "new_text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, rate, "rate", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, noise, "noise", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, note, "note", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, missing, "missing", NULL, UNIT_TEXT),
	FIELD(RESULT, remedy, "remedy", NULL, UNIT_TEXT),
	LIST(RESULT, changes, "changes", "", &diff_change_shape, .flags = CSV),
	LIST(RESULT, conditions, "conditions", "", &condition_shape, .flags = CARDS),
	FIELD(RESULT, holding, "conditions_holding", NULL, UNIT_COUNT),
	FIELD(RESULT, failed, "conditions_failed", NULL, UNIT_COUNT),
	FIELD(RESULT, conditions_text, "conditions_text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Base", "{base_text}", NULL, false },
	{ "New", "{new_text}", NULL, false },
	{ "Compared", "{rate}", NULL, false },
	{ "Noise", "{noise}", NULL, false },
	{ "Note", "{note}", NULL, false },
	{ "Not recorded", "in either trace: {missing}[; to record it: {remedy}]", NULL, false },
	{ "Conditions", "{conditions_text}", NULL, true },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

const struct result_kind diff_kind = {
	.name = "diff",
	.version = 1,
	.summary = "a view of two traces, or of several runs on each side, compared",
	.shape = &shape,
};

void diff_side_add(struct diff_side *side, struct report *report, bool slices)
{
	const struct model_losses *losses = &report->model.losses;
	const struct diff_trace trace = {
		.file = report->setup.file,
		.seconds = report_recorded_seconds(report),
		.cpu_measured = report->cpu_measured,
		.events_lost = losses->events,
		.events_lost_at_least = losses->events_at_least,
		.samples_unresolved = losses->samples_unresolved,
		.complete = !losses->cut,
	};
	struct result result = report->result;
	struct metric_run run = { .scale = 1, .cpu_measured = report->cpu_measured };

	run.unsteady = unsteadiness(cpu_share_taken(&report->model));
	if (report->model.last_ns > report->model.recorded_ns)
		run.rundown_ns = (double)(report->model.last_ns - report->model.recorded_ns);
	result.sample_ns = report_sample_ns(report);
	run.metrics = metrics_of(&result);
	if (slices)
		metric_run_slice(&run, report);
	side->runs = xgrow(side->runs, side->count, &side->run_capacity, sizeof(run));
	side->traces = xgrow(side->traces, side->count, &side->trace_capacity, sizeof(trace));
	side->available = run.metrics.available && (side->available || !side->count);
	side->runs[side->count] = run;
	side->traces[side->count++] = trace;
}

struct metric_side diff_side_metrics(const struct diff_side *side)
{
	return (struct metric_side){ side->runs, side->count };
}

static void release_side(struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		metrics_release(&side->runs[i].metrics);
		metric_run_drop_slices(&side->runs[i]);
	}
	xfree(side->runs);
	xfree(side->traces);
}

void view_pair_release(struct view_pair *pair)
{
	release_side(&pair->base);
	release_side(&pair->changed);
}

static double mean_seconds(const struct diff_side *side)
{
	double sum = 0;

	for (size_t i = 0; i < side->count; i++)
		sum += side->traces[i].seconds;
	return side->count ? sum / (double)side->count : 0;
}

static bool is_off(const struct diff_side *side, double seconds)
{
	for (size_t i = 0; i < side->count; i++)
		if (fabs(side->traces[i].seconds - seconds) > TOLERANCE * seconds)
			return true;
	return false;
}

static void scale(struct diff_side *side, double seconds)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->traces[i].seconds > 0)
			side->runs[i].scale = seconds / side->traces[i].seconds;
}

void view_pair_scale(struct view_pair *pair, bool totals)
{
	const double seconds = mean_seconds(&pair->base);

	pair->seconds = seconds;
	pair->by_rate = !totals && seconds > 0 && mean_seconds(&pair->changed) > 0 &&
			(is_off(&pair->base, seconds) || is_off(&pair->changed, seconds));
	if (!pair->by_rate)
		return;
	scale(&pair->base, seconds);
	scale(&pair->changed, seconds);
}

void diff_init(struct diff *diff, const struct view_pair *pair, const struct diff_setup *setup)
{
	const struct metric_side before = diff_side_metrics(&pair->base);
	const struct metric_side after = diff_side_metrics(&pair->changed);

	*diff = (struct diff){ .pair = pair, .setup = *setup };
	diff->changes = metric_diff_of(&before, &after, setup->inclusive ? "inclusive" : NULL);
}

void diff_release(struct diff *diff)
{
	metric_diff_release(&diff->changes);
	arena_release(&diff->arena);
}

const char *diff_rate_text(const struct view_pair *pair, struct arena *arena)
{
	if (!pair->by_rate)
		return NULL;
	return arena_printf(arena,
			    "by rate, since lengths differ: sums are scaled to %.3g s; --totals "
			    "compares runs that do the same work",
			    pair->seconds);
}

static bool is_measured(const struct diff_side *side)
{
	bool measured = true;

	for (size_t i = 0; i < side->count; i++)
		measured &= side->traces[i].cpu_measured;
	return measured;
}

static struct side_part part_of(struct diff *diff, const struct diff_side *side)
{
	const char **files = arena_array(&diff->arena, const char *, side->count + 1);
	struct side_part part = {
		.file = side->traces[0].file,
		.runs = side->count,
		.seconds = mean_seconds(side),
		.available = side->available,
		.cpu_measured = is_measured(side),
		.complete = true,
	};

	for (size_t i = 0; i < side->count; i++) {
		files[i] = side->traces[i].file;
		part.events_lost += side->traces[i].events_lost;
		part.events_lost_at_least |= side->traces[i].events_lost_at_least;
		part.samples_unresolved += side->traces[i].samples_unresolved;
		part.complete &= side->traces[i].complete;
	}
	part.files = ROWS_AT(files, side->count);
	return part;
}

/* "base.nettrace, 6.01 s", or "3 runs, mean 6.01 s: a, b, c" */
static const char *side_text(struct diff *diff, const struct diff_side *side,
			     const struct side_part *part)
{
	struct buffer text = { 0 };

	if (side->count > 1)
		buffer_printf(&text, "%zu runs: ", side->count);
	for (size_t i = 0; i < side->count; i++)
		buffer_printf(&text, "%s%s", i ? ", " : "",
			      text_safe(&diff->arena, side->traces[i].file));
	buffer_printf(&text, ", %s%.3g s", side->count > 1 ? "mean " : "", part->seconds);
	if (part->events_lost)
		buffer_printf(&text, ", %s event%s lost", text_lost(part->events_lost).text,
			      part->events_lost == 1 ? "" : "s");
	if (!part->complete)
		buffer_text(&text, ", not complete");
	return buffer_keep(&text, &diff->arena);
}

/* What the errors are made of. */
static const char *noise_of(const struct diff *diff)
{
	if (!diff->changes.count)
		return NULL;
	if (diff->pair->base.count > 1 && diff->pair->changed.count > 1)
		return "by the spread of the runs, Welch's t-test at 95 %";
	return "by the spread within each run; several runs on each side show how much runs differ";
}

/* Of what changed. */
static const char *judged_note(const struct metric_diff *changes)
{
#define NO_CHANGE "no change is known to be more than noise"
#define BY_LENGTH "maxima of runs of different length are not comparable (length)"
	if (changes->by_length)
		return changes->beyond_noise ? BY_LENGTH : NO_CHANGE "; " BY_LENGTH;
	return changes->beyond_noise ? NULL : NO_CHANGE;
}

/* What is compared, and with what, where one side has nothing. */
static const char *note_of(struct diff *diff)
{
	const struct view_pair *pair = diff->pair;

	if (pair->base.available && pair->changed.available && diff->changes.unsure)
		return "CPU times were not measured: other load on the machine changes them, too "
		       "(?)";
	if (pair->base.available && pair->changed.available && diff->changes.count)
		return judged_note(&diff->changes);
	if (pair->base.available && pair->changed.available)
		return "nothing changed";
	if (pair->base.available || pair->changed.available)
		return arena_printf(&diff->arena,
				    "%s has no data for %s; what is missing counts as 0",
				    pair->base.available ? "New" : "Base", pair->view->name);
	return NULL;
}

static struct result_rows condition_rows(struct diff *diff)
{
	struct condition_row *rows =
		arena_array(&diff->arena, struct condition_row, diff->condition_count + 1);

	for (size_t i = 0; i < diff->condition_count; i++)
		rows[i] = (struct condition_row){
			&diff->conditions[i],
			diff_condition_verdict(&diff->conditions[i]),
			diff_condition_text(&diff->conditions[i], &diff->arena),
		};
	return ROWS_OF(rows, diff->condition_count);
}

static void add_texts(struct diff *diff, struct diff_result *result)
{
	const struct report_view *view = diff->pair->view;

	result->base_text = side_text(diff, &diff->pair->base, &result->base);
	result->changed_text = side_text(diff, &diff->pair->changed, &result->changed);
	result->rate = diff_rate_text(diff->pair, &diff->arena);
	result->noise = noise_of(diff);
	result->note = note_of(diff);
	result->conditions_text = diff_conditions_text(diff, &diff->arena);
	if (!result->base.available && !result->changed.available) {
		result->missing = view->missing;
		result->remedy = view->remedy;
	}
}

void diff_build(struct diff *diff)
{
	const struct view_pair *pair = diff->pair;
	struct diff_result *result = arena_new(&diff->arena, struct diff_result);

	*result = (struct diff_result){
		.view = pair->view->name,
		.available = pair->base.available && pair->changed.available,
		.by_rate = pair->by_rate,
		.base = part_of(diff, &pair->base),
		.changed = part_of(diff, &pair->changed),
		.changes = diff_change_rows(diff, report_setup_rows(&diff->setup.report, ROWS)),
		.conditions = condition_rows(diff),
		.holding = diff_conditions_holding(diff),
		.failed = diff_conditions_failed(diff),
	};
	add_texts(diff, result);
	diff->result = (struct result){
		.kind = &diff_kind,
		.title = arena_printf(&diff->arena, "diff: %s", pair->view->summary),
		.data = result,
	};
}
