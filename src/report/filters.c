/* SPDX-License-Identifier: MIT */
#include "report/filters.h"

#include "report/figure_text.h"
#include "report/report.h"

const struct calltree *report_stack_filter(struct report *report)
{
	const struct call_query *calls = &report->calls;

	return calls->include.count || calls->exclude.count ? report_new_tree(report) : NULL;
}

void report_matches(struct report *report, const char *what, uint64_t passed, uint64_t recorded)
{
	report->matches = (struct filter_matches){ what, passed, recorded };
}

static bool is_sample(const struct model_sample *sample)
{
	return !sample_is_event(sample);
}

static uint64_t count_samples(const struct model *model,
			      bool (*wanted)(const struct model_sample *))
{
	struct sample_walk walk;
	struct model_sample sample;
	uint64_t count = 0;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample))
		count += !sample.part && wanted(&sample);
	sample_walk_end(&walk);
	return count;
}

void report_matches_cpu(struct report *report, uint64_t passed)
{
	report_matches(report, "CPU sample", passed,
		       passed ? passed : count_samples(&report->model, sample_is_cpu));
}

void report_matches_samples(struct report *report, uint64_t passed)
{
	report_matches(report, "sample", passed,
		       passed ? passed : count_samples(&report->model, is_sample));
}

#define FILTERS 7

/* The filters that were given. */
struct given {
	struct report *report;
	const char *list[FILTERS];
	size_t count;
	const char *text; /* "--include 'Foo', --thread 7 and --from 2s" */
};

static void add_text(struct given *given, const char *option, const char *value)
{
	if (value)
		given->list[given->count++] = report_text(given->report, "%s '%s'", option, value);
}

static void add_word(struct given *given, const char *option, const char *value)
{
	if (value)
		given->list[given->count++] = report_text(given->report, "%s %s", option, value);
}

static void add_number(struct given *given, const char *option, uint64_t value)
{
	if (value != QUERY_ANY)
		given->list[given->count++] =
			report_text(given->report, "%s %llu", option, (unsigned long long)value);
}

static void join(struct given *given)
{
	given->text = given->count ? given->list[0] : "";
	for (size_t i = 1; i < given->count; i++)
		given->text = report_text(given->report, "%s%s%s", given->text,
					  i + 1 < given->count ? ", " : " and ", given->list[i]);
}

static struct given filters_given(struct report *report)
{
	const struct view_args *args = report->args;
	struct given given = { .report = report };

	add_text(&given, "--include", args->stacks.include);
	add_text(&given, "--exclude", args->stacks.exclude);
	add_word(&given, "--activity", args->stacks.activity);
	add_number(&given, "--process", args->query.process);
	add_number(&given, "--thread", args->query.thread);
	add_word(&given, "--from", args->query.from);
	add_word(&given, "--to", args->query.to);
	join(&given);
	return given;
}

static const char *number_text(struct report *report, uint64_t number)
{
	return figure_number_text(UNIT_COUNT, (double)number, &report->arena);
}

/* A time outside of the trace leaves nothing, whatever the view counts. */
static const char *outside_text(struct report *report, const struct given *given)
{
	const struct model *model = &report->model;

	if (sample_query_length_ns(&report->samples, model) || model->last_ns <= model->first_ns)
		return NULL;
	return report_text(report, "no part of the trace matches %s; it goes from %s to %s",
			   given->text,
			   figure_number_text(UNIT_TIME, (double)model->first_ns, &report->arena),
			   figure_number_text(UNIT_TIME, (double)model->last_ns, &report->arena));
}

static const char *nothing_text(struct report *report, const struct given *given)
{
	const struct filter_matches *matches = &report->matches;

	if (!given->count)
		return NULL;
	if (!matches->what)
		return outside_text(report, given);
	if (matches->passed || !matches->recorded)
		return NULL;
	return report_text(report, "no %s matches %s; without %s there %s %s", matches->what,
			   given->text, given->count == 1 ? "it" : "them",
			   matches->recorded == 1 ? "is" : "are",
			   number_text(report, matches->recorded));
}

static void add_note(struct report *report, const char *option, const char *patterns)
{
	size_t count = 0;

	while (report->result.notes[count])
		count++;
	report->result.notes[count] =
		report_text(report, "%s '%s' matches no method of the trace", option, patterns);
}

/* Only if none of its patterns does: lists that are kept for all programs have many. */
static void note_patterns(struct report *report)
{
	const struct view_args *args = report->args;
	const struct stack_args *stacks = &args->stacks;
	const struct calltree *tree = report_any_tree(report);

	if (!tree)
		return;
	if (report->calls.group.patterns.count && stacks->group && !tree->matched.group)
		add_note(report, "--group", stacks->group);
	if (report->calls.fold.count && stacks->fold && !tree->matched.fold)
		add_note(report, "--fold", stacks->fold);
	if (report->calls.exclude.count && !tree->matched.exclude)
		add_note(report, "--exclude", stacks->exclude);
}

void filters_note(struct report *report)
{
	const struct given given = filters_given(report);

	report->result.nothing = report->result.data ? nothing_text(report, &given) : NULL;
	if (report->result.data && !report->result.nothing)
		note_patterns(report);
}
