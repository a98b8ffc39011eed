/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "export/format.h"
#include "export/spans_kept.h"
#include "export/tracks.h"

#define MANY 20000

static const struct export_format time_line = { .spans = true };

static struct export_query query_of(size_t budget)
{
	return (struct export_query){ .samples = { .events = EVENT_QUERY_ALL }, .budget = budget };
}

/* A part with one process and this many threads. */
static struct export_spans *begin(struct export_source *source, uint32_t threads)
{
	struct export_part *part;

	export_source_begin(source, "test");
	part = source->parts[source->part_count - 1];
	for (uint32_t i = 0; i < threads; i++)
		model_thread(&part->model, model_process(&part->model, 7), 100 + i);
	return part->spans;
}

static void start(struct export_spans *spans, uint8_t activity, const char *name, int64_t now_ns)
{
	const struct model_span span = {
		.name = name, .provider = "test", .activity = { activity }, .start_ns = now_ns
	};

	span_list_start(&spans->part->model.spans, &span);
}

static void stop(struct export_spans *spans, uint8_t activity, int64_t now_ns)
{
	const uint8_t id[16] = { activity };

	span_list_stop(&spans->part->model.spans, id, now_ns);
}

static void end(struct export_spans *spans)
{
	span_list_seal(&spans->part->model.spans);
	export_spans_end(spans);
}

static void expect(struct span_reader *reader, const char *name, int64_t start_ns, int64_t end_ns)
{
	const struct export_span *span = span_next(reader);

	assert_non_null(span);
	assert_string_equal(span->name, name);
	assert_int_equal(span->start_ns, start_ns);
	assert_int_equal(span->end_ns, end_ns);
	assert_int_equal(span->unfinished, end_ns == 1000);
}

static void starts_are_paired_with_stops(void **state)
{
	const struct export_query query = query_of(0);
	struct export_source *source = export_source_new(&query, &time_line);
	struct export_spans *spans = begin(source, 1);
	struct span_reader reader = { .source = source };

	(void)state;
	stop(spans, 1, 5); /* began before the trace */
	start(spans, 1, "first", 10);
	start(spans, 2, "second", 20);
	stop(spans, 1, 30);
	stop(spans, 1, 35); /* a second time */
	start(spans, 1, "again", 40);
	start(spans, 1, "and again", 50);
	stop(spans, 1, 60);
	stop(spans, 2, 70);
	start(spans, 3, "open", 80);
	spans->part->model.last_ns = 1000;
	end(spans);
	assert_int_equal(source->span_count, 5);
	expect(&reader, "first", 10, 30);
	expect(&reader, "second", 20, 70);
	expect(&reader, "again", 40, 1000);
	expect(&reader, "and again", 50, 60);
	expect(&reader, "open", 80, 1000);
	assert_null(span_next(&reader));
	assert_null(span_next(&reader));
	span_reader_release(&reader);
	export_source_free(source);
}

static void parts_are_joined_by_their_clocks(void **state)
{
	const struct export_query query = query_of(0);
	struct export_source *source = export_source_new(&query, &time_line);
	struct export_spans *spans = begin(source, 1);
	struct span_reader reader = { .source = source };

	(void)state;
	start(spans, 1, "a", 10);
	stop(spans, 1, 20);
	start(spans, 1, "c", 50);
	stop(spans, 1, 60);
	end(spans);
	spans = begin(source, 1);
	start(spans, 1, "b", 0);
	stop(spans, 1, 10);
	start(spans, 1, "around c", 20);
	stop(spans, 1, 31);
	end(spans);
	source->parts[1]->offset_ns = 30;
	expect(&reader, "a", 10, 20);
	expect(&reader, "b", 30, 40);
	expect(&reader, "around c", 50, 61);
	expect(&reader, "c", 50, 60);
	assert_null(span_next(&reader));
	span_reader_release(&reader);
	export_source_free(source);
}

/* Compilations in random order, on alternating threads. */
static void add_many(struct export_spans *spans)
{
	for (uint32_t i = 0; i < MANY; i++)
		spans_keep(spans, &(const struct kept_span){
					  .kind = EXPORT_JIT,
					  .who = i % 3,
					  .order = i,
					  .start_ns = i * INT64_C(7919) % MANY,
					  .end_ns = MANY,
					  .jit = { .name = "method", .il_size = i },
				  });
	spans_keep(spans, &(const struct kept_span){
				  .kind = EXPORT_GC, .start_ns = 5, .end_ns = 6, .gc.number = 12 });
	spans_meet(&spans->compiling, 0);
	end(spans);
}

static void check_many(struct export_source *source)
{
	struct span_reader reader = { .source = source };
	const struct export_span *span;
	int64_t next = 0;

	while ((span = span_next(&reader))) {
		if (span->kind == EXPORT_GC) {
			assert_string_equal(span->name, "GC #12 gen 0");
			continue;
		}
		assert_int_equal(span->start_ns, next++);
		assert_int_equal(span->notes[1].number * 7919 % MANY, span->start_ns);
	}
	assert_int_equal(next, MANY);
	span_reader_release(&reader);
}

static void check_tracks(struct export_source *source)
{
	struct tracks tracks;
	size_t all = 0;

	tracks_init(&tracks, source);
	assert_int_equal(tracks.count, 3);
	for (size_t i = 0; i < tracks.count; i++) {
		struct track_reader reader = { .source = source, .track = &tracks.list[i] };
		const struct export_span *span;
		int64_t last = -1;
		size_t count = 0;

		while ((span = track_next(&reader))) {
			assert_true(span->start_ns >= last);
			assert_int_equal(span->on_thread ? span->thread_id : tracks.list[0].id,
					 tracks.list[i].id);
			last = span->start_ns;
			count++;
		}
		assert_int_equal(count, tracks.list[i].span_count);
		all += count;
		reel_reader_release(&reader.reel);
	}
	assert_int_equal(all, source->span_count);
	tracks_release(&tracks);
}

static void spans_are_read_in_order_of_time_with_any_memory(void **state)
{
	static const size_t budgets[] = { 0, 300000, 30000, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
		const struct export_query query = query_of(budgets[i]);
		struct export_source *source = export_source_new(&query, &time_line);

		add_many(begin(source, 3));
		assert_int_equal(source->span_count, MANY + 1);
		check_many(source);
		check_tracks(source);
		if (budgets[i] > 1)
			assert_true(source->spool.end > 0);
		export_source_free(source);
	}
}

static const struct pp_field counter_fields[] = {
	{ "Name", { .code = PP_TYPE_UTF16Z } },
	{ "Mean", { .code = PP_TYPE_F64 } },
	{ "DisplayUnits", { .code = PP_TYPE_UTF16Z } },
};
static const struct pp_kind counter_kind = { .provider = "P",
					     .name = "EventCounters",
					     .id = 1,
					     .opcode = -1,
					     .fields = { counter_fields, 3 } };

static void reading(struct pass *pass, int64_t now_ns, double value)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
	static const struct pp_thread thread = { .id = 100, .process_id = 7 };
	struct buffer payload = { 0 };

	buffer_utf16z(&payload, "c");
	buffer_bytes(&payload, &value, sizeof(value));
	buffer_utf16z(&payload, "MB");
	pass_event(pass, &header,
		   &(const struct pp_event){ .ticks = now_ns,
					     .kind = &counter_kind,
					     .thread = &thread,
					     .payload = payload.bytes,
					     .payload_size = (uint32_t)payload.size });
	buffer_release(&payload);
}

static void points_are_read_with_the_clock_of_their_part(void **state)
{
	const struct export_query query = query_of(1);
	struct export_source *source = export_source_new(&query, &time_line);
	struct export_part *part = begin(source, 1)->part;
	struct point_reader reader = { .source = source };

	(void)state;
	for (int64_t i = 0; i < 3000; i++)
		reading(&part->pass, i, 2.0 * (double)i);
	export_spans_end(part->spans);
	part->offset_ns = 5;
	assert_int_equal(source->counter_count, 1);
	assert_string_equal(source->counters[0].name, "P/c");
	assert_string_equal(source->counters[0].unit, "MB");
	assert_int_equal(source->counters[0].count, 3000);
	reader.counter = &source->counters[0];
	for (int64_t i = 0; i < 3000; i++) {
		const struct export_point *point = point_next(&reader);

		assert_int_equal(point->time_ns, i + 5);
		assert_int_equal((int64_t)point->value, 2 * i);
	}
	assert_null(point_next(&reader));
	reel_reader_release(&reader.reel);
	export_source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_are_paired_with_stops),
		cmocka_unit_test(parts_are_joined_by_their_clocks),
		cmocka_unit_test(spans_are_read_in_order_of_time_with_any_memory),
		cmocka_unit_test(points_are_read_with_the_clock_of_their_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
