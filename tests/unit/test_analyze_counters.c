/* SPDX-License-Identifier: MIT */
/* EventCounters and instruments of meters, incomplete and with malformed numbers. */
#include "analyze/counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "clr/providers.h"
#include "source_events.h"

static void counter(struct source *s, int64_t now, const char *fields)
{
	source_event(s, now, "System.Runtime/EventCounters", NULL, fields);
}

/* The event's id and name decide what it is. */
static void metric(struct source *s, int64_t now, uint32_t id, const char *fields)
{
	static const struct {
		uint32_t id;
		const char *name;
	} events[] = {
		{ 4, METRICS_PROVIDER "/CounterRateValuePublished" },
		{ 5, METRICS_PROVIDER "/GaugeValuePublished" },
		{ 6, METRICS_PROVIDER "/HistogramValuePublished" },
		{ 16, METRICS_PROVIDER "/UpDownCounterRateValuePublished" },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i].id == id) {
			s->id = id;
			source_event(s, now, events[i].name, NULL, fields);
			s->id = 0;
		}
}

static void expect_sums(const struct counter *c, uint64_t count, double least, double sum,
			double most)
{
	assert_int_equal(c->count, count);
	assert_true(c->least == least);
	assert_true(c->sum == sum);
	assert_true(c->most == most);
}

static void expect_one(const struct counter *c, enum counter_kind kind, const char *name,
		       double value)
{
	assert_int_equal(c->kind, kind);
	assert_string_equal(c->name, name);
	expect_sums(c, 1, value, value, value);
}

static void a_counter_is_averaged_over_time(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	counter(&s, 10, "Name=cpu-usage;DisplayName=CPU Usage;Mean%4;DisplayUnits=%");
	counter(&s, 20, "Name=heap;Mean%100");
	counter(&s, 30, "Name=cpu-usage;DisplayName=CPU Usage;Mean%1.5;DisplayUnits=%");
	counter(&s, 40, "Name=cpu-usage;DisplayName=CPU Usage;Mean%2;DisplayUnits=%");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 2);
	assert_string_equal(stats->list[0]->provider, "System.Runtime");
	assert_string_equal(stats->list[0]->name, "cpu-usage");
	assert_string_equal(stats->list[0]->title, "CPU Usage");
	assert_string_equal(stats->list[0]->unit, "%");
	assert_string_equal(stats->list[0]->tags, "");
	assert_string_equal(stats->list[0]->quantile, "");
	assert_int_equal(stats->list[0]->process_id, 11);
	assert_int_equal(stats->list[0]->kind, COUNTER_VALUE);
	expect_sums(stats->list[0], 3, 1.5, 7.5, 4);
	assert_true(stats->list[0]->first == 4 && stats->list[0]->last == 2);
	assert_null(stats->list[1]->title);
	assert_int_equal(stats->list[1]->number, 1);
	assert_int_equal(stats->reading_count, 4);
	assert_int_equal(stats->readings[1].counter, 1);
	assert_int_equal(stats->readings[2].time_ns, 30);
	assert_true(stats->readings[2].value == 1.5);
	assert_int_equal(stats->seen, 4);
	source_release(&s);
}

static void an_increment_becomes_a_rate_per_second(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	counter(&s, 10, "Name=two;Increment%30;IntervalSec%2");
	counter(&s, 10, "Name=none;Increment%30");
	counter(&s, 10, "Name=zero;Increment%30;IntervalSec%0");
	counter(&s, 10, "Name=both;Mean%5;Increment%30;IntervalSec%10");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 4);
	expect_one(stats->list[0], COUNTER_RATE, "two", 15);
	expect_one(stats->list[1], COUNTER_RATE, "none", 30);
	expect_one(stats->list[2], COUNTER_RATE, "zero", 30);
	expect_one(stats->list[3], COUNTER_RATE, "both", 3);
	source_release(&s);
}

/* The runtime writes all fields in one object. */
static void fields_are_found_inside_an_object(void **state)
{
	static const struct pp_field inner[] = {
		{ "Name", { .code = PP_TYPE_UTF16Z } },
		{ "Mean", { .code = PP_TYPE_F64 } },
		{ "Count", { .code = PP_TYPE_I32 } },
		{ "Metadata", { .code = PP_TYPE_UTF16Z } },
	};
	static const struct pp_field outer[] = {
		{ "Payload", { .code = PP_TYPE_OBJECT, .fields = { inner, 4 } } },
	};
	static const struct pp_kind kind = {
		.provider = "Shop", .name = "EventCounters", .opcode = -1, .fields = { outer, 1 }
	};
	static const struct pp_trace_header header = { .ticks_per_second = 1000,
						       .pointer_size = 8 };
	static const struct pp_thread thread = { .id = 7, .process_id = 11 };
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);
	const double mean = 2.5;
	struct buffer p = { 0 };

	(void)state;
	buffer_utf16z(&p, "orders");
	buffer_bytes(&p, &mean, sizeof(mean));
	buffer_u32(&p, 3);
	buffer_utf16z(&p, "shop:north");
	pass_event(&s.pass, &header,
		   &(const struct pp_event){ .kind = &kind,
					     .thread = &thread,
					     .payload = p.bytes,
					     .payload_size = (uint32_t)p.size });
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 1);
	expect_one(stats->list[0], COUNTER_VALUE, "orders", 2.5);
	assert_string_equal(stats->list[0]->tags, "shop:north");
	buffer_release(&p);
	source_release(&s);
}

/* Its numbers are strings. A monotonic one is a total; older runtimes write increments. */
static void an_instrument_is_a_value_a_total_or_a_rate(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	metric(&s, 10, 4, "meterName=Shop;instrumentName=sold;unit=pieces;rate=3;value=40");
	metric(&s, 10, 4, "meterName=Shop;instrumentName=gained;rate=3");
	metric(&s, 10, 5, "meterName=Shop;instrumentName=stock;lastValue=1.25");
	metric(&s, 10, 16, "meterName=Shop;instrumentName=queue;rate=-1;value=7");
	s.id = 4; /* neither the id nor the name alone is enough */
	source_event(&s, 10, METRICS_PROVIDER "/Other", NULL, "instrumentName=x;value=1");
	s.id = 9;
	source_event(&s, 10, METRICS_PROVIDER "/GaugeValuePublished", NULL,
		     "instrumentName=x;lastValue=1");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 4);
	expect_one(stats->list[0], COUNTER_TOTAL, "sold", 40);
	assert_string_equal(stats->list[0]->provider, "Shop"); /* the meter */
	assert_string_equal(stats->list[0]->unit, "pieces");
	expect_one(stats->list[1], COUNTER_RATE, "gained", 3);
	expect_one(stats->list[2], COUNTER_VALUE, "stock", 1.25);
	expect_one(stats->list[3], COUNTER_VALUE, "queue", 7);
	source_release(&s);
}

static void a_histogram_has_a_counter_for_each_quantile(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	metric(&s, 10, 6, "meterName=M;instrumentName=t;quantiles=0.5=51");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 1);
	assert_string_equal(stats->list[0]->quantile, "0.5");
	expect_one(stats->list[0], COUNTER_VALUE, "t", 51);
	source_release(&s);
}

/* Semicolons separate fields in the other tests, so this payload is built by hand. */
static void send_quantiles(struct source *s, const char *quantiles)
{
	static const struct pp_field fields[] = {
		{ "instrumentName", { .code = PP_TYPE_UTF16Z } },
		{ "quantiles", { .code = PP_TYPE_UTF16Z } },
	};
	static const struct pp_kind kind = { .provider = METRICS_PROVIDER,
					     .name = "HistogramValuePublished",
					     .id = 6,
					     .opcode = -1,
					     .fields = { fields, 2 } };
	static const struct pp_trace_header header = { .ticks_per_second = 1000,
						       .pointer_size = 8 };
	static const struct pp_thread thread = { .id = 7, .process_id = 11 };
	struct buffer p = { 0 };

	buffer_utf16z(&p, "t");
	buffer_utf16z(&p, quantiles);
	pass_event(&s->pass, &header,
		   &(const struct pp_event){ .kind = &kind,
					     .thread = &thread,
					     .payload = p.bytes,
					     .payload_size = (uint32_t)p.size });
	buffer_release(&p);
}

static void malformed_quantiles_are_left_out(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	send_quantiles(&s, "0.5=51;;0.95=96;nothing;0.99=;=;x=y;1=2=3;0.999=100");
	send_quantiles(&s, ";");
	send_quantiles(&s, "0.5=53");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 3);
	assert_string_equal(stats->list[0]->quantile, "0.5");
	expect_sums(stats->list[0], 2, 51, 104, 53);
	assert_string_equal(stats->list[1]->quantile, "0.95");
	expect_sums(stats->list[1], 1, 96, 96, 96);
	assert_string_equal(stats->list[2]->quantile, "0.999");
	source_release(&s);
}

static void counters_differ_by_tag_kind_provider_and_process(void **state)
{
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	metric(&s, 10, 5, "meterName=M;instrumentName=n;tags=verb=GET,status=200;lastValue=1");
	metric(&s, 20, 5, "meterName=M;instrumentName=n;tags=verb=PUT;lastValue=2");
	metric(&s, 30, 4, "meterName=M;instrumentName=n;tags=verb=PUT;value=3");
	metric(&s, 40, 5, "meterName=N;instrumentName=n;tags=verb=PUT;lastValue=4");
	s.process_id = 12;
	metric(&s, 50, 5, "meterName=M;instrumentName=n;tags=verb=PUT;lastValue=5");
	s.process_id = 11;
	s.thread_id = 8; /* the thread does not matter */
	metric(&s, 60, 5, "meterName=M;instrumentName=n;tags=verb=PUT;lastValue=6");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 5);
	assert_string_equal(stats->list[0]->tags, "verb=GET,status=200");
	expect_sums(stats->list[1], 2, 2, 8, 6);
	assert_int_equal(stats->list[2]->kind, COUNTER_TOTAL);
	assert_string_equal(stats->list[3]->provider, "N");
	assert_int_equal(stats->list[4]->process_id, 12);
	source_release(&s);
}

static void readings_without_a_number_or_a_name_are_ignored(void **state)
{
	static const char *const wrong[] = {
		"instrumentName=n;lastValue=",
		"instrumentName=n;lastValue=soon",
		"instrumentName=n;lastValue=1x",
		"instrumentName=n;lastValue=nan",
		"instrumentName=n;lastValue=inf",
		"instrumentName=n;lastValue=1e999",
		"instrumentName=n;lastValue=0000000000000000000000000000000000000000000000000000000"
		"0000000001",
		"instrumentName=n",
		"instrumentName=;lastValue=1",
		"lastValue=1",
		"instrumentName#7;lastValue=1",
	};
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		metric(&s, 10, 5, wrong[i]);
	counter(&s, 20, "Name=n");
	counter(&s, 20, "Name=n;Mean=x");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count + stats->reading_count + stats->seen, 0);
	metric(&s, 30, 5, "instrumentName=n;lastValue#-3"); /* of another type, but a number */
	assert_int_equal(stats->count, 1);
	expect_one(stats->list[0], COUNTER_VALUE, "n", -3);
	source_release(&s);
}

/* A query selects by process and time; counters do not belong to a thread. */
static void readings_outside_the_query_are_ignored(void **state)
{
	const struct event_query query = { .has_process = true,
					   .has_thread = true,
					   .process_id = 12,
					   .thread_id = 99,
					   .from_ns = 100,
					   .to_ns = 200 };
	struct source s;
	const struct counter_stats *stats = source_begin(&s, &counter_analysis, &query);

	(void)state;
	for (s.process_id = 11; s.process_id <= 12; s.process_id++)
		for (int64_t now = 50; now <= 250; now += 50)
			counter(&s, now, "Name=n;Mean%1");
	counter(&s, 50, "Name=early;Mean%1");
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->count, 1);
	assert_int_equal(stats->list[0]->process_id, 12);
	assert_int_equal(stats->list[0]->count, 2);
	assert_int_equal(stats->reading_count, 2);
	assert_int_equal(stats->readings[0].time_ns, 100);
	assert_int_equal(stats->readings[1].time_ns, 150);
	assert_int_equal(stats->seen, 11);
	source_release(&s);
}

struct taken {
	const struct counter_stats *stats;
	struct counter_reading list[4];
	size_t count;
};

static void take(void *to, const void *item)
{
	const struct counter_reading *reading = item;
	struct taken *taken = to;

	assert_true(taken->count < 4);
	assert_true(reading->counter < taken->stats->count); /* already in the list */
	taken->list[taken->count++] = *reading;
}

static void readings_are_passed_on_and_their_counters_kept(void **state)
{
	struct taken taken = { 0 };
	struct source s;

	(void)state;
	source_init(&s, NULL);
	taken.stats = pass_want(&s.pass, &counter_analysis,
				&(const struct analysis_setup){ .take = take, .to = &taken });
	counter(&s, 10, "Name=a;Mean%1");
	counter(&s, 20, "Name=b;Mean%2");
	counter(&s, 30, "Name=a;Mean%3");
	pass_finish(&s.pass, NULL);
	assert_int_equal(taken.count, 3);
	assert_int_equal(taken.list[1].counter, 1);
	assert_int_equal(taken.list[2].counter, 0);
	assert_int_equal(taken.list[2].time_ns, 30);
	assert_true(taken.list[2].value == 3);
	assert_int_equal(taken.stats->reading_count, 0);
	assert_int_equal(taken.stats->count, 2);
	expect_sums(taken.stats->list[0], 2, 1, 4, 3);
	source_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_averaged_over_time),
		cmocka_unit_test(an_increment_becomes_a_rate_per_second),
		cmocka_unit_test(fields_are_found_inside_an_object),
		cmocka_unit_test(an_instrument_is_a_value_a_total_or_a_rate),
		cmocka_unit_test(a_histogram_has_a_counter_for_each_quantile),
		cmocka_unit_test(malformed_quantiles_are_left_out),
		cmocka_unit_test(counters_differ_by_tag_kind_provider_and_process),
		cmocka_unit_test(readings_without_a_number_or_a_name_are_ignored),
		cmocka_unit_test(readings_outside_the_query_are_ignored),
		cmocka_unit_test(readings_are_passed_on_and_their_counters_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
