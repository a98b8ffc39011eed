/* SPDX-License-Identifier: MIT */
/* Two results compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "report/diff.h"
#include "report/render.h"

struct row {
	const char *name;
	bool known;
	uint64_t count;
	int64_t exclusive_ns;
};

static const struct result_field row_fields[] = {
	FIELD(struct row, name, "name", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct row, count, "count", NULL, UNIT_COUNT, KNOWN_IF(struct row, known)),
	FIELD(struct row, exclusive_ns, "exclusive_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD_END,
};

struct data {
	uint64_t threads;
	int64_t total_ns;
	double percent;
	struct result_rows types;
	int64_t max_ns, duration_ns;
};

static const struct result_field fields[] = {
	FIELD(struct data, threads, "threads", NULL, UNIT_COUNT, .flags = STEADY),
	FIELD(struct data, total_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(struct data, percent, "percent", NULL, UNIT_PERCENT),
	FIELD(struct data, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(struct data, duration_ns, "duration_ns", NULL, UNIT_TIME, .flags = EXACT),
	LIST(struct data, types, "types", "", SHAPE(row_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };
static const struct result_kind kind = { .name = "test", .shape = &shape };
static const struct result_kind cpu_kind = { .name = "cpu", .shape = &shape, .metrics = ON_CPU };
static const struct report_view view = { .name = "test", .summary = "a test" };

/* A report that goes over so many seconds. */
static struct report report_of(const struct data *data, int64_t seconds)
{
	return (struct report){
		.view = &view,
		.setup = { .file = "t" },
		.samples = { .events = EVENT_QUERY_ALL },
		.model = { .recorded_ns = seconds * 1000000000 },
		.result = { .kind = &kind, .data = data },
	};
}

static void add(struct diff_side *side, const struct data *data, int64_t seconds)
{
	struct report report = report_of(data, seconds);

	diff_side_add(side, &report, false);
}

/* A pair of one trace on each side; to be scaled. */
static struct view_pair pair_of(const struct data *before, const struct data *after)
{
	struct view_pair pair = { .view = &view };

	add(&pair.base, before, 6);
	add(&pair.changed, after, 6);
	return pair;
}

static void compare(struct diff *diff, struct view_pair *pair)
{
	view_pair_scale(pair, false);
	diff_init(diff, pair, &(struct diff_setup){ .report = { .rows = REPORT_ROWS_UNSET } });
}

static void release(struct diff *diff, struct view_pair *pair)
{
	diff_release(diff);
	view_pair_release(pair);
}

/* The text ends so. */
static void expect(struct diff *diff, const char *wanted)
{
	struct buffer out = { 0 };

	diff_build(diff);
	render_text.render(&diff->result, &(struct render_options){ 0 }, &out);
	buffer_u8(&out, 0);
	assert_true(out.size > strlen(wanted));
	assert_string_equal((const char *)out.bytes + out.size - 1 - strlen(wanted), wanted);
	buffer_release(&out);
}

static const struct metric_pair *own(const struct diff *diff, const char *name)
{
	return diff->changes.count ? metric_change_called(&diff->changes.rows[0], name) : NULL;
}

/* Of such a row only the older trace has a metric: the row has another one first. */
static void a_row_may_lack_a_metric(void **state)
{
	static const struct row old[] = { { "A", true, 7, 0 }, { "B", true, 100, 0 } };
	static const struct row new[] = { { "A", false, 0, 0 }, { "B", true, 400, 0 } };
	struct view_pair pair = pair_of(&(struct data){ .types = ROWS_OF(old, 2) },
					&(struct data){ .types = ROWS_OF(new, 2) });
	struct diff diff;

	(void)state;
	compare(&diff, &pair);
	expect(&diff, "types, count\n"
		      "Base  New  Change    +/-        %  Resp %  Over %  Name\n"
		      " 100  400    +300  55.85  +300.00   97.72  104.56  B\n"
		      "   7    0      -7   6.61     gone    2.28   34.85  A\n");
	release(&diff, &pair);
}

static void n_cuts_every_list(void **state)
{
	static const struct row old[] = { { "A", true, 7, 10 }, { "B", true, 1, 10 } };
	static const struct row new[] = { { "A", true, 9, 11 }, { "B", true, 2, 30 } };
	const struct data before = {
		.threads = 3, .total_ns = 100, .percent = 1, .types = ROWS_OF(old, 2)
	};
	const struct data after = {
		.threads = 4, .total_ns = 200, .percent = 4, .types = ROWS_OF(new, 2)
	};
	struct view_pair pair = pair_of(&before, &after);
	struct diff diff;

	(void)state;
	compare(&diff, &pair);
	diff.setup.report.rows = 1;
	expect(&diff, "Base   New  Change  +/-        %  Name\n"
		      "1.00  4.00   +3.00    -  +300.00  percent\n"
		      "\n"
		      "types, exclusive_ns\n"
		      " Base    New  Change    +/-        %         Resp %  Over %  Name\n"
		      "10 ns  30 ns  +20 ns  60 ns  +200.00  noise   95.24  190.48  B\n");
	release(&diff, &pair);
}

/* Up or down: what goes up by as much as another row goes down are equals. */
static void shares_are_finite_where_totals_are_equal(void **state)
{
	static const struct row old[] = { { "A", true, 50, 500 }, { "B", true, 50, 500 } };
	static const struct row new[] = { { "A", true, 40, 400 }, { "B", true, 60, 600 } };
	struct view_pair pair = pair_of(&(struct data){ .types = ROWS_OF(old, 2) },
					&(struct data){ .types = ROWS_OF(new, 2) });
	struct diff diff;

	(void)state;
	compare(&diff, &pair);
	assert_int_equal(diff.changes.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct metric_pair *change = &diff.changes.rows[i].pairs[0];

		assert_string_equal(change->name, "exclusive_ns");
		assert_true(change->share == 50 && change->overweight == 100);
	}
	release(&diff, &pair);
}

static void sums_are_compared_by_rate(void **state)
{
	static const struct row old[] = { { "A", true, 100, 600 } };
	static const struct row new[] = { { "A", true, 200, 1200 } };
	const struct data before = {
		.threads = 5, .total_ns = 600, .percent = 1, .types = ROWS_OF(old, 1)
	};
	const struct data after = {
		.threads = 5, .total_ns = 1200, .percent = 1, .types = ROWS_OF(new, 1)
	};
	struct view_pair pair = { .view = &view };
	struct diff diff;

	(void)state;
	add(&pair.base, &before, 6);
	add(&pair.changed, &after, 12);
	compare(&diff, &pair);
	assert_true(pair.by_rate && pair.seconds == 6);
	assert_int_equal(diff.changes.count, 0); /* nor did `threads` become 2.5 */
	diff_release(&diff);

	/* as they are, if that is asked for */
	pair.changed.runs[0].scale = 1;
	view_pair_scale(&pair, true);
	assert_false(pair.by_rate);
	diff_init(&diff, &pair, &(struct diff_setup){ .report = { .rows = 1 } });
	assert_true(own(&diff, "total_ns")->change.value == 600);
	release(&diff, &pair);
}

static void lengths_that_are_about_equal_are_equal(void **state)
{
	const struct data data = { .total_ns = 600 };
	struct view_pair pair = { .view = &view };

	(void)state;
	add(&pair.base, &data, 100);
	add(&pair.changed, &data, 102);
	view_pair_scale(&pair, false);
	assert_false(pair.by_rate);
	add(&pair.changed, &data, 103);
	view_pair_scale(&pair, false);
	assert_true(pair.by_rate);
	assert_true(pair.changed.runs[0].scale == 100.0 / 102);
	view_pair_release(&pair);
}

/* Ten parts of 10 are a sum that is certain; five of 0 and five of 20 are not. */
static void parts_of_a_run_say_how_it_varies(void **state)
{
	static const struct {
		int64_t odd, even;
		double error;
	} rows[] = { { 10, 10, 0 }, { 20, 0, 33.333 }, { 11, 9, 3.333 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view_pair pair = pair_of(&(struct data){ .total_ns = 100 },
						&(struct data){ .total_ns = 150 });
		struct metric_run *run = &pair.base.runs[0];
		const struct metric_pair *total;
		struct diff diff;

		run->slices = xcalloc(10, sizeof(*run->slices));
		for (; run->slice_count < 10; run->slice_count++) {
			const struct data part = { .total_ns = run->slice_count % 2
								       ? rows[i].odd
								       : rows[i].even };

			run->slices[run->slice_count] =
				metrics_of(&(const struct result){ .kind = &kind, .data = &part });
		}
		compare(&diff, &pair);
		total = own(&diff, "total_ns");
		assert_true(total->before.known && total->before.value == 100);
		assert_true(total->before.error >= rows[i].error - 0.01 &&
			    total->before.error <= rows[i].error + 0.01);
		assert_false(total->after.known); /* of no parts, and no count */
		release(&diff, &pair);
	}
}

static void set_slices(struct metric_run *run, const struct data *parts)
{
	run->slices = xcalloc(10, sizeof(*run->slices));
	for (; run->slice_count < 10; run->slice_count++)
		run->slices[run->slice_count] = metrics_of(
			&(const struct result){ .kind = &kind, .data = &parts[run->slice_count] });
}

/* A maximum that a single part has is chance; one that two parts come near is not. */
static void a_maximum_that_nothing_comes_near_is_noise(void **state)
{
	static const struct data calm[10] = { { .max_ns = 30 }, { .max_ns = 29 } };
	static const struct data once[10] = { { .max_ns = 130 }, { .max_ns = 30 } };
	static const struct data often[10] = { { .max_ns = 130 }, { .max_ns = 129 },
					       { .max_ns = 128 }, { .max_ns = 130 },
					       { .max_ns = 127 }, { .max_ns = 130 },
					       { .max_ns = 129 }, { .max_ns = 130 },
					       { .max_ns = 130 }, { .max_ns = 128 } };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct view_pair pair =
			pair_of(&(struct data){ .max_ns = 30 }, &(struct data){ .max_ns = 130 });
		struct diff diff;

		set_slices(&pair.base.runs[0], calm);
		set_slices(&pair.changed.runs[0], i ? often : once);
		compare(&diff, &pair);
		assert_int_equal(own(&diff, "max_ns")->is_noise, !i);
		release(&diff, &pair);
	}
}

/* 30 % more is a change in a steady run, and noise where others had most of the processors. */
static void what_others_took_is_noise(void **state)
{
	static const struct row old[] = { { "A", true, 1000, 0 } };
	static const struct row new[] = { { "A", true, 1300, 0 } };
	static const struct {
		double unsteady;
		bool noise;
	} rows[] = { { 0, false }, { 0.05, false }, { 0.2, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view_pair pair = pair_of(&(struct data){ .types = ROWS_OF(old, 1) },
						&(struct data){ .types = ROWS_OF(new, 1) });
		struct diff diff;

		pair.base.runs[0].unsteady = pair.changed.runs[0].unsteady = rows[i].unsteady;
		compare(&diff, &pair);
		assert_int_equal(diff.changes.rows[0].pairs[0].is_noise, rows[i].noise);
		release(&diff, &pair);
	}
}

/* Its parts are as long as they were made: they say nothing of it. */
static void a_duration_is_off_by_its_rundown(void **state)
{
	static const struct data parts[10] = { { .duration_ns = 5 }, { .duration_ns = 50 } };
	struct view_pair pair =
		pair_of(&(struct data){ .duration_ns = 100 }, &(struct data){ .duration_ns = 130 });
	const struct metric_pair *duration;
	struct diff diff;

	(void)state;
	set_slices(&pair.base.runs[0], parts);
	pair.base.runs[0].rundown_ns = 3;
	pair.changed.runs[0].rundown_ns = 4;
	compare(&diff, &pair);
	duration = own(&diff, "duration_ns");
	assert_true(duration->change.known && duration->change.error == 5);
	assert_false(duration->is_noise);
	release(&diff, &pair);
}

static void maxima_of_different_lengths_are_marked(void **state)
{
	struct view_pair pair = { .view = &view };
	struct diff diff;

	(void)state;
	add(&pair.base, &(struct data){ .max_ns = 30 }, 6);
	add(&pair.changed, &(struct data){ .max_ns = 130 }, 12);
	compare(&diff, &pair);
	assert_true(own(&diff, "max_ns")->by_length);
	assert_int_equal(diff.changes.beyond_noise, 0);
	diff_add_condition(&diff, &(const struct condition){ .text = "x" },
			   &(const struct condition_result){ .holds = true, .by_length = true });
	assert_false(diff.failed);
	assert_string_equal(diff_condition_verdict(&diff.conditions[0]), "Length");
	assert_string_equal(diff_conditions_text(&diff, &diff.arena),
			    "1 of 1 holds, not comparable");
	diff.setup.strict = true;
	diff_add_condition(&diff, &(const struct condition){ .text = "x" },
			   &(const struct condition_result){ .holds = true, .by_length = true });
	assert_true(diff.failed);
	release(&diff, &pair);
}

/* A sum of nothing that was counted has no error that one run could tell; several runs do. */
static void several_runs_tell_noise(void **state)
{
	static const int64_t before[] = { 100, 110, 90 };
	static const int64_t after[] = { 150, 140, 160 };
	struct view_pair pair = { .view = &view };
	const struct metric_pair *total;
	struct diff diff;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		add(&pair.base, &(struct data){ .total_ns = before[i] }, 6);
		add(&pair.changed, &(struct data){ .total_ns = after[i], .percent = 5 }, 6);
	}
	compare(&diff, &pair);
	total = own(&diff, "total_ns");
	assert_true(total->before.value == 100 && total->after.value == 150);
	assert_true(total->noise > 22.6 && total->noise < 22.7); /* 2.776 * sqrt(2 * 100 / 3) */
	assert_false(total->is_noise);
	assert_true(own(&diff, "percent")->noise == 0); /* all runs are equal */
	assert_int_equal(diff.changes.beyond_noise, 2);
	release(&diff, &pair);
}

/* 400 and 441 differ by 1.4 standard errors. */
static void counts_have_an_error(void **state)
{
	static const struct row old[] = { { "A", true, 400, 0 } };
	static const struct row new[] = { { "A", true, 441, 0 } };
	struct view_pair pair = pair_of(&(struct data){ .types = ROWS_OF(old, 1) },
					&(struct data){ .types = ROWS_OF(new, 1) });
	struct diff diff;

	(void)state;
	compare(&diff, &pair);
	assert_int_equal(diff.changes.count, 1);
	assert_true(diff.changes.rows[0].pairs[0].change.error == 29);
	assert_true(diff.changes.rows[0].pairs[0].is_noise);
	assert_int_equal(diff.changes.beyond_noise, 0);
	release(&diff, &pair);
}

static void cpu_that_was_not_measured_is_unsure(void **state)
{
	static const struct row old[] = { { "A", true, 400, 0 } };
	static const struct row new[] = { { "A", true, 900, 0 } };
	const struct data before = { .types = ROWS_OF(old, 1) };
	const struct data after = { .types = ROWS_OF(new, 1) };

	(void)state;
	for (int measured = 0; measured < 2; measured++) {
		struct report base = report_of(&before, 6);
		struct report changed = report_of(&after, 6);
		struct view_pair pair = { .view = &view };
		struct diff diff;

		base.result.kind = changed.result.kind = &cpu_kind;
		base.cpu_measured = true;
		changed.cpu_measured = measured;
		diff_side_add(&pair.base, &base, false);
		diff_side_add(&pair.changed, &changed, false);
		compare(&diff, &pair);
		assert_int_equal(diff.changes.unsure, !measured);
		assert_int_equal(diff.changes.beyond_noise, measured);
		release(&diff, &pair);
	}
}

static void conditions_on_cpu_need_measured_times(void **state)
{
	static const struct row row = { "A", true, 400, 0 };
	const struct data data = { .types = ROWS_OF(&row, 1) };

	(void)state;
	for (int measured = 0; measured < 2; measured++) {
		struct report report = report_of(&data, 6);
		struct view_pair pair = { .view = &view };
		struct pp_error err = { 0 };
		struct arena arena = { 0 };
		struct condition condition;
		struct condition_result result;

		report.result.kind = &cpu_kind;
		report.cpu_measured = measured;
		diff_side_add(&pair.base, &report, false);
		diff_side_add(&pair.changed, &report, false);
		assert_int_equal(condition_parse(&condition, "cpu.A:count > +5%", &arena, &err), 0);
		assert_int_equal(view_pair_test(&pair, &condition, &result, &err),
				 measured ? 0 : -1);
		assert_int_equal(err.code, measured ? PP_ERROR_NONE : PP_ERROR_UNSUPPORTED);
		assert_true(measured || strstr(err.text, "CPU time was not recorded in t"));
		arena_release(&arena);
		view_pair_release(&pair);
	}
}

static void says_how_many_conditions_hold(void **state)
{
	static const struct {
		bool strict;
		const char *text;
		bool failed;
	} rows[] = { { false, "2 of 3 hold, 1 within noise", true },
		     { true, "2 of 3 hold", true } };
	static const struct condition_result results[] = { { .holds = true },
							   { .holds = true, .is_noise = true },
							   { .holds = false } };
	const struct condition condition = { .text = "x" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct diff diff = { .setup = { .strict = rows[i].strict } };

		for (size_t j = 0; j < 3; j++)
			diff_add_condition(&diff, &condition, &results[j]);
		assert_string_equal(diff_conditions_text(&diff, &diff.arena), rows[i].text);
		assert_string_equal(diff_condition_verdict(&diff.conditions[1]),
				    rows[i].strict ? "Failed" : "Noise");
		assert_null(diff_condition_verdict(&diff.conditions[2]));
		assert_int_equal(diff.failed, rows[i].failed);
		diff_release(&diff);
	}
}

static void noise_alone_does_not_fail(void **state)
{
	const struct condition condition = { .text = "x" };
	const struct condition_result noise = { .holds = true, .is_noise = true };
	struct diff diff = { 0 };

	(void)state;
	assert_null(diff_conditions_text(&diff, &diff.arena));
	diff_add_condition(&diff, &condition, &noise);
	assert_false(diff.failed);
	assert_string_equal(diff_conditions_text(&diff, &diff.arena), "1 of 1 holds, within noise");
	diff_release(&diff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_may_lack_a_metric),
		cmocka_unit_test(n_cuts_every_list),
		cmocka_unit_test(shares_are_finite_where_totals_are_equal),
		cmocka_unit_test(sums_are_compared_by_rate),
		cmocka_unit_test(lengths_that_are_about_equal_are_equal),
		cmocka_unit_test(parts_of_a_run_say_how_it_varies),
		cmocka_unit_test(a_maximum_that_nothing_comes_near_is_noise),
		cmocka_unit_test(what_others_took_is_noise),
		cmocka_unit_test(a_duration_is_off_by_its_rundown),
		cmocka_unit_test(maxima_of_different_lengths_are_marked),
		cmocka_unit_test(several_runs_tell_noise),
		cmocka_unit_test(counts_have_an_error),
		cmocka_unit_test(cpu_that_was_not_measured_is_unsure),
		cmocka_unit_test(conditions_on_cpu_need_measured_times),
		cmocka_unit_test(says_how_many_conditions_hold),
		cmocka_unit_test(noise_alone_does_not_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
