/* SPDX-License-Identifier: MIT */
/* The metrics of a result by name, and the differences between two results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/metric_diff.h"

/* A row with every kind of key, sum and maximum. */
struct row {
	const char *name, *module;
	int64_t start_ns, time_ns, max_ns;
	uint64_t count;
	uint32_t generation;
};

static bool waits(const void *row, size_t index, struct result_entry *entry, struct arena *arena)
{
	(void)arena;
	*entry = (struct result_entry){
		.key = "dns",
		.value = { UNIT_TIME, true, .number = ((const struct row *)row)->time_ns / 2 },
	};
	return index == 0;
}

static const struct result_field method_fields[] = {
	FIELD(struct row, module, "module", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct row, name, "name", "Name", UNIT_TEXT, .flags = NAME | METHOD),
	FIELD(struct row, start_ns, "start_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(struct row, count, "count", NULL, UNIT_COUNT),
	FIELD(struct row, time_ns, "duration_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD(struct row, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	COMPUTED("waits_ns", NULL, UNIT_MAP, .entry = waits),
	FIELD_END,
};
static const struct result_shape method_shape = { method_fields, NULL };

static const struct result_field generation_fields[] = {
	FIELD(struct row, generation, "generation", NULL, UNIT_ID, .flags = KEY),
	FIELD(struct row, count, "count", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape generation_shape = { generation_fields, NULL };

struct side {
	uint64_t count;
	struct result_rows methods;
};

static const struct result_field side_fields[] = {
	FIELD(struct side, count, "count", NULL, UNIT_COUNT),
	LIST(struct side, methods, "methods", NULL, &method_shape),
	FIELD_END,
};
static const struct result_shape side_shape = { side_fields, NULL };

struct data {
	uint64_t count;
	int64_t process_id;
	double percent;
	const char *reason;
	struct side client;
	struct result_rows methods, generations, threads, single;
};

static bool is_positive(const void *row)
{
	return ((const struct data *)row)->percent > 0;
}

#define DATA struct data

static const struct result_field fields[] = {
	FIELD(DATA, count, "count", NULL, UNIT_COUNT),
	FIELD(DATA, process_id, "process_id", NULL, UNIT_ID),
	FIELD(DATA, percent, "pause_percent", NULL, UNIT_PERCENT, .known = is_positive),
	FIELD(DATA, reason, "reason", NULL, UNIT_TEXT),
	FIELD(DATA, count, "for_people", "Count", UNIT_COUNT, .flags = SHOWN_PEOPLE),
	OBJECT(DATA, client, "client", &side_shape),
	LIST(DATA, methods, "methods", NULL, &method_shape),
	LIST(DATA, generations, "generations", NULL, &generation_shape),
	LIST(DATA, threads, "threads", NULL, &generation_shape, .flags = MERGED),
	LIST(DATA, single, "single", NULL, &method_shape, .flags = SINGLE),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };
static const struct result_kind kind = { .shape = &shape };

static struct metrics read_data(const struct data *data)
{
	return metrics_of(&(const struct result){ .kind = &kind, .data = data });
}

static struct metric_run run_of(const struct data *data)
{
	return (struct metric_run){ .metrics = read_data(data), .scale = 1 };
}

static double value(const struct metrics *metrics, const char *table, const char *label,
		    const char *name)
{
	const struct metric *metric = metric_find(metrics_find(metrics, table, label), name);

	if (!metric)
		fail_msg("no %s of %s %s", name, table, label);
	return metric->value;
}

static void every_number_is_a_metric(void **state)
{
	static const struct row rows[] = { { .generation = 0, .count = 30 },
					   { .generation = 1, .count = 7 } };
	struct metrics metrics = read_data(&(const struct data){
		.count = 37,
		.process_id = 9,
		.percent = 1.5,
		.reason = "x",
		.client = { .count = 3 },
		.generations = ROWS_OF(rows, 2),
		.threads = ROWS_OF(rows, 2),
		.single = ROWS_OF(rows, 2),
	});
	const struct metric_row *own = metrics.rows[0];

	(void)state;
	assert_true(metrics.available);
	assert_int_equal(metrics.row_count, 3);
	assert_true(value(&metrics, "", "", "count") == 37);
	assert_true(value(&metrics, "", "", "pause_percent") == 1.5);
	assert_true(value(&metrics, "", "", "client.count") == 3);
	assert_null(metric_find(own, "process_id"));
	assert_null(metric_find(own, "reason"));
	assert_null(metric_find(own, "for_people"));
	assert_true(value(&metrics, "generations", "generation 1", "count") == 7);
	assert_true(value(&metrics, "", "", "threads.count") == 37);
	assert_true(value(&metrics, "", "", "threads.rows") == 2);
	assert_null(metrics_find(&metrics, "single", ""));
	metrics_release(&metrics);
}

static void rows_with_the_same_name_are_merged(void **state)
{
	static const struct row rows[] = {
		{ .name = "A", .module = "m", .start_ns = 9, .time_ns = 8, .max_ns = 3 },
		{ .name = "A", .module = "m", .time_ns = 6, .max_ns = 2 },
		{ .name = "A", .time_ns = 1 },
		{ .time_ns = 8 },
	};
	struct metrics metrics = read_data(&(const struct data){
		.methods = ROWS_OF(rows, 4), .client = { .methods = ROWS_OF(rows, 2) } });
	const struct metric_row *row = metrics_find(&metrics, "methods", "A [m]");

	(void)state;
	assert_string_equal(row->name, "A");
	assert_true(row->is_method);
	assert_true(metric_find(row, "duration_ns")->value == 14);
	assert_true(metric_find(row, "max_ns")->value == 3);
	assert_true(metric_find(row, "waits_ns.dns")->value == 7);
	assert_int_equal(metric_find(row, "waits_ns.dns")->unit, UNIT_TIME);
	assert_null(metric_find(row, "start_ns"));
	assert_string_equal(metric_main(row), "duration_ns");
	assert_non_null(metrics_find(&metrics, "methods", "A"));
	assert_non_null(metrics_find(&metrics, "client.methods", "A [m]"));
	assert_int_equal(metrics.row_count, 4); /* a row without a name is left out */
	metrics_release(&metrics);
}

static const struct metric *named(const struct metrics *metrics, const char *name)
{
	return metric_find(metrics->rows[0], name);
}

struct sampled {
	uint64_t samples, exclusive, count;
	int64_t cpu_ns, exclusive_ns, total_ns, max_ns;
	double per_second, ratio;
};

#define SAMPLED struct sampled

static const struct result_field sampled_fields[] = {
	FIELD(SAMPLED, samples, "samples", NULL, UNIT_COUNT),
	FIELD(SAMPLED, exclusive, "exclusive", NULL, UNIT_COUNT),
	FIELD(SAMPLED, count, "count", NULL, UNIT_COUNT),
	FIELD(SAMPLED, cpu_ns, "cpu_ns", NULL, UNIT_TIME, .flags = ON_CPU),
	FIELD(SAMPLED, exclusive_ns, "exclusive_ns", NULL, UNIT_TIME, .flags = ON_CPU),
	FIELD(SAMPLED, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(SAMPLED, per_second, "per_second", NULL, UNIT_RATE),
	FIELD_END,
};
static const struct result_field event_fields[] = {
	FIELD(SAMPLED, count, "count", NULL, UNIT_COUNT),
	FIELD(SAMPLED, total_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(SAMPLED, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(SAMPLED, per_second, "per_second", NULL, UNIT_RATE),
	FIELD(SAMPLED, ratio, "ratio", NULL, UNIT_REAL, .flags = MOST),
	FIELD_END,
};

static const struct result_kind sampled = { .shape = SHAPE(sampled_fields) };
static const struct result_kind events = { .shape = SHAPE(event_fields) };

static void assert_error(const struct metrics *metrics, const char *name, double error)
{
	const struct metric *metric = named(metrics, name);

	assert_true(metric->has_error);
	if (metric->error < error * 0.999 || metric->error > error * 1.001)
		fail_msg("%s has an error of %g, not %g", name, metric->error, error);
}

/* By what was counted beside a time; of samples that weigh more than the mean there are fewer. */
static void errors_follow_from_counts(void **state)
{
	const struct sampled data = { .samples = 400,
				      .exclusive = 100,
				      .count = 25,
				      .cpu_ns = 4000,
				      .exclusive_ns = 1000,
				      .total_ns = 5000,
				      .max_ns = 9,
				      .per_second = 5,
				      .ratio = 0.5 };
	struct metrics metrics = metrics_of(
		&(const struct result){ .kind = &sampled, .data = &data, .sample_ns = 40 });

	(void)state;
	assert_error(&metrics, "samples", 20);
	assert_error(&metrics, "cpu_ns", 400);	     /* of 100 */
	assert_error(&metrics, "exclusive_ns", 200); /* of 25 */
	assert_false(named(&metrics, "max_ns")->has_error);
	assert_true(named(&metrics, "cpu_ns")->on_cpu);
	metrics_release(&metrics);

	metrics = metrics_of(&(const struct result){ .kind = &events, .data = &data });
	assert_error(&metrics, "count", 5);
	assert_error(&metrics, "total_ns", 1000);
	assert_error(&metrics, "per_second", 1);
	assert_false(named(&metrics, "max_ns")->has_error);
	assert_false(named(&metrics, "ratio")->has_error);
	metrics_release(&metrics);
}

static void what_grows_with_time_is_known(void **state)
{
	static const struct row rows[] = { { .generation = 0, .count = 30 } };
	struct metrics metrics = read_data(
		&(const struct data){ .count = 1, .percent = 1, .threads = ROWS_OF(rows, 1) });

	(void)state;
	assert_true(named(&metrics, "count")->grows);
	assert_true(named(&metrics, "threads.count")->grows);
	assert_false(named(&metrics, "threads.rows")->grows);
	assert_false(named(&metrics, "pause_percent")->grows);
	metrics_release(&metrics);
}

static void unrecorded_values_have_no_metrics(void **state)
{
	struct metrics metrics = read_data(NULL);

	(void)state;
	assert_false(metrics.available);
	assert_int_equal(metrics.row_count, 1);
	assert_int_equal(metrics.rows[0]->count, 0);
	assert_null(metric_main(metrics.rows[0]));
	metrics_release(&metrics);
}

static void results_are_compared_by_row_and_metric(void **state)
{
	static const struct row before_rows[] = { { .name = "A", .time_ns = 10, .count = 1 },
						  { .name = "B", .time_ns = 50 },
						  { .name = "C", .time_ns = 7 },
						  { .name = "D", .time_ns = 7 } };
	static const struct row after_rows[] = { { .name = "E", .time_ns = 30 },
						 { .name = "A", .time_ns = 15, .count = 1 },
						 { .name = "C", .time_ns = 7 } };
	struct metric_run runs[] = {
		run_of(&(const struct data){
			.count = 5, .percent = 2, .methods = ROWS_OF(before_rows, 4) }),
		run_of(&(const struct data){ .count = 6, .methods = ROWS_OF(after_rows, 3) }),
	};
	const struct metric_side before = { runs, 1 };
	const struct metric_side after = { runs + 1, 1 };
	struct metric_diff diff = metric_diff_of(&before, &after, NULL);
	const struct metric_pair *pair;
	double percent;

	(void)state;
	assert_int_equal(diff.count, 5); /* the result's own, then B, E, D, A */
	assert_string_equal(diff.rows[0].row->table, "");
	assert_int_equal(diff.rows[0].pair_count, 2);			  /* not client.count */
	assert_string_equal(diff.rows[0].pairs[0].name, "pause_percent"); /* gone: all of it */
	pair = metric_change_called(&diff.rows[0], "pause_percent");
	assert_true(pair->before.value == 2 && pair->after.value == 0);
	assert_string_equal(diff.rows[1].row->label, "B");
	assert_string_equal(diff.rows[2].row->label, "E");
	assert_string_equal(diff.rows[3].row->label, "D");
	assert_string_equal(diff.rows[4].row->label, "A");
	assert_true(diff.rows[4].pairs[0].is_main);
	metric_diff_release(&diff);
	diff = metric_diff_of(&before, &before, NULL);
	assert_int_equal(diff.count, 0);
	metric_diff_release(&diff);
	metrics_release(&runs[0].metrics);
	metrics_release(&runs[1].metrics);
	assert_true(metric_percent(10, 15, &percent) && percent == 50);
	assert_false(metric_percent(0, 15, &percent));
}

/* Numbers that printing and parsing would have rounded. */
static void differences_keep_every_digit(void **state)
{
	struct metric_run runs[] = {
		run_of(&(const struct data){ .percent = 1.23456789012345 }),
		run_of(&(const struct data){ .percent = 1.23456789012346 }),
	};
	const struct metric_side before = { runs, 1 };
	const struct metric_side after = { runs + 1, 1 };
	struct metric_diff diff = metric_diff_of(&before, &after, NULL);
	const struct metric_pair *pair;

	(void)state;
	assert_int_equal(diff.count, 1);
	pair = metric_change_called(&diff.rows[0], "pause_percent");
	assert_true(pair->before.value == 1.23456789012345);
	assert_true(pair->after.value == 1.23456789012346);
	metric_diff_release(&diff);
	metrics_release(&runs[0].metrics);
	metrics_release(&runs[1].metrics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_a_metric),
		cmocka_unit_test(rows_with_the_same_name_are_merged),
		cmocka_unit_test(errors_follow_from_counts),
		cmocka_unit_test(what_grows_with_time_is_known),
		cmocka_unit_test(unrecorded_values_have_no_metrics),
		cmocka_unit_test(results_are_compared_by_row_and_metric),
		cmocka_unit_test(differences_keep_every_digit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
