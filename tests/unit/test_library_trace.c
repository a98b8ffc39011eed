/* SPDX-License-Identifier: MIT */
/* The public trace: any file, standard input, and bytes that the caller has. */
#include "perfpipe/trace.h"

#include <fcntl.h>

#include "failing_alloc.h"
#include "packed_input.h"
#include "places.h"

#define ORDERS 1077 /* events of orders.nettrace.zst */

/* Everything a trace returned, in one number, and how it ended. */
struct walked {
	uint64_t events, digest;
	enum pp_next last;
	enum pp_trace_state state;
	struct pp_error err;
};

static void take_event(struct walked *w, const struct pp_event *event)
{
	w->events++;
	w->digest = w->digest * 31 + (uint64_t)event->ticks;
	w->digest = w->digest * 31 + event->kind->index * 7 + (uint64_t)event->thread->id;
	for (uint32_t i = 0; i < event->payload_size; i++)
		w->digest = w->digest * 31 + event->payload[i];
	for (size_t i = 0; event->stack && i < event->stack->count; i++)
		w->digest = w->digest * 31 + event->stack->addresses[i];
}

static struct walked walk_rest(struct pp_trace *trace)
{
	struct walked w = { 0 };
	const struct pp_event *event;

	while ((w.last = pp_trace_next(trace, &event, &w.err)) == PP_NEXT_ITEM)
		take_event(&w, event);
	w.state = pp_trace_state(trace);
	return w;
}

static struct walked walk_file(const char *path)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(path, NULL, &err);
	struct walked w;

	assert_string_equal(err.text, "");
	w = walk_rest(trace);
	pp_trace_close(trace);
	return w;
}

static struct walked walk_data(const char *name)
{
	return walk_file(place_of_data(name));
}

static void assert_same(struct walked a, struct walked b)
{
	assert_int_equal(a.events, b.events);
	assert_int_equal(a.digest, b.digest);
	assert_int_equal(a.last, b.last);
	assert_int_equal(a.state, b.state);
}

static struct packed unpacked(const char *name)
{
	struct pp_error err = { 0 };
	struct input *in = input_open(place_of_data(name), &err);
	struct outcome outcome;

	assert_non_null(in);
	outcome = read_open(in, 65536);
	input_close(in);
	return outcome.content;
}

static struct packed packed_file(const char *name)
{
	FILE *file = fopen(place_of_data(name), "rb");
	struct packed bytes = { 0 };
	char part[4096];
	size_t size;

	assert_non_null(file);
	while ((size = fread(part, 1, sizeof(part), file)))
		packed_add(&bytes, part, size);
	fclose(file);
	return bytes;
}

static void reads_a_trace_however_it_is_packed(void **state)
{
	struct packed plain = unpacked("orders.nettrace.zst");
	const struct walked zstd = walk_data("orders.nettrace.zst");
	char path[32];

	(void)state;
	assert_int_equal(zstd.events, ORDERS);
	assert_int_equal(zstd.last, PP_NEXT_END);
	assert_int_equal(zstd.state, PP_TRACE_WHOLE);
	assert_same(walk_data("orders.zip"), zstd);
	packed_to_file(&plain, path);
	assert_same(walk_file(path), zstd);
	unlink(path);
	packed_release(&plain);
	assert_int_equal(walk_data("orders.nettrace.gz").state, PP_TRACE_WHOLE);
}

static void reads_a_member_of_an_archive_by_its_name(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_same(walk_data("two-traces.zip:throw.nettrace"),
		    walk_data("trouble-throw.nettrace.zst"));
	assert_same(walk_data("two-traces.zip:day/cut.nettrace"), walk_data("orders-cut.nettrace"));
	assert_null(pp_trace_open(place_of_data("two-traces.zip"), NULL, &err));
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	assert_non_null(strstr(err.text, "the zip holds 2 traces"));
}

static void reads_standard_input(void **state)
{
	const int before = dup(STDIN_FILENO);
	const int fd = open(place_of_data("orders.nettrace.gz"), O_RDONLY);
	struct walked w;

	(void)state;
	assert_true(before >= 0 && fd >= 0);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	w = walk_file("-");
	dup2(before, STDIN_FILENO);
	close(before);
	close(fd);
	assert_same(w, walk_data("orders.nettrace.gz"));
}

static void reads_a_trace_that_ends_early_as_far_as_it_goes(void **state)
{
	struct packed gzip = packed_file("orders.nettrace.gz");
	const struct walked whole = walk_data("orders.nettrace.gz");
	const struct walked cut = walk_data("orders-cut.nettrace");
	struct walked half;
	char path[32];

	(void)state;
	assert_int_equal(cut.last, PP_NEXT_END);
	assert_int_equal(cut.state, PP_TRACE_CUT);
	assert_true(cut.events > 0);
	gzip.size /= 2;
	packed_to_file(&gzip, path);
	half = walk_file(path);
	assert_int_equal(half.last, PP_NEXT_END);
	assert_int_equal(half.state, PP_TRACE_CUT);
	assert_true(half.events > 0 && half.events < whole.events);
	unlink(path);
	packed_release(&gzip);
}

static void calls_a_file_with_a_wrong_checksum_damaged(void **state)
{
	struct packed gzip = packed_file("orders.nettrace.gz");
	const struct walked whole = walk_data("orders.nettrace.gz");
	struct walked damaged;
	char path[32];

	(void)state;
	gzip.data[gzip.size - 6] ^= 1;
	packed_to_file(&gzip, path);
	damaged = walk_file(path);
	assert_int_equal(damaged.state, PP_TRACE_DAMAGED);
	assert_int_equal(damaged.digest, whole.digest);
	unlink(path);
	packed_release(&gzip);
}

static void returns_the_events_before_a_corrupt_place_and_then_an_error(void **state)
{
	struct packed plain = unpacked("orders.nettrace.zst");
	const struct walked whole = walk_data("orders.nettrace.zst");
	struct walked w;
	char path[32];

	(void)state;
	memset(plain.data + plain.size / 2, 0xff, 4096);
	packed_to_file(&plain, path);
	w = walk_file(path);
	assert_int_equal(w.last, PP_NEXT_ERROR);
	assert_int_equal(w.err.code, PP_ERROR_FORMAT);
	assert_non_null(strstr(w.err.text, path));
	assert_true(w.events > 0 && w.events < whole.events);
	unlink(path);
	packed_release(&plain);
}

static void says_what_a_file_is_that_is_not_a_trace(void **state)
{
	const struct walked w = walk_data("README.md");
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(w.last, PP_NEXT_ERROR);
	assert_int_equal(w.events, 0);
	assert_non_null(strstr(w.err.text, "is not a trace; it looks like text"));
	assert_null(pp_trace_open("/nowhere/a.nettrace", NULL, &err));
	assert_string_equal(err.text, "there is no file /nowhere/a.nettrace");
	assert_int_equal(err.code, PP_ERROR_SYSTEM);
}

static void refuses_options_of_no_known_size(void **state)
{
	const struct pp_trace_options unset = { .no_stacks = true };
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_trace_open(place_of_data("orders.zip"), &unset, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	err = (struct pp_error){ 0 };
	assert_null(pp_trace_new(&unset, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
}

static void leaves_out_stacks_and_keeps_the_order_of_the_file_on_request(void **state)
{
	const struct pp_trace_options options = { .size = sizeof(options),
						  .file_order = true,
						  .no_stacks = true };
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(place_of_data("orders.nettrace.gz"), &options, &err);
	const struct pp_event *event;
	int64_t last = INT64_MIN;
	bool back = false;

	(void)state;
	while (pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM) {
		assert_null(event->stack);
		back |= event->ticks < last;
		last = event->ticks;
	}
	assert_string_equal(err.text, "");
	assert_true(back);
	pp_trace_close(trace);
}

static void says_when_each_event_was(void **state)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(place_of_data("orders.nettrace.zst"), NULL, &err);
	const struct pp_event *event;
	int64_t last_ns = INT64_MIN;

	(void)state;
	assert_null(pp_trace_header(trace));
	while (pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM) {
		const int64_t ns = pp_event_time_ns(trace, event);

		assert_true(ns >= last_ns);
		assert_int_equal(ns, pp_trace_time_ns(pp_trace_header(trace), event->ticks));
		last_ns = ns;
	}
	assert_true(last_ns > 900000000 && last_ns < 3000000000);
	assert_int_equal(pp_trace_totals(trace).events, ORDERS);
	assert_true(pp_trace_header(trace)->process_id > 0);
	pp_trace_close(trace);
}

/* In pieces of this size. */
static struct walked walk_fed(const struct packed *bytes, size_t piece)
{
	struct walked w = { 0 };
	struct pp_trace *trace = pp_trace_new(NULL, &w.err);
	const struct pp_event *event;
	size_t at = 0;

	assert_non_null(trace);
	while ((w.last = pp_trace_next(trace, &event, &w.err)) > PP_NEXT_END) {
		const size_t size = piece < bytes->size - at ? piece : bytes->size - at;

		if (w.last == PP_NEXT_ITEM) {
			take_event(&w, event);
			continue;
		}
		assert_int_equal(pp_trace_feed(trace, bytes->data + at, size, &w.err), 0);
		at += size;
		if (!size)
			pp_trace_end(trace);
	}
	w.state = pp_trace_state(trace);
	pp_trace_close(trace);
	return w;
}

static void reads_bytes_in_pieces_of_any_size(void **state)
{
	struct packed plain = unpacked("orders.nettrace.zst");
	const struct walked file = walk_data("orders.nettrace.zst");

	(void)state;
	assert_same(walk_fed(&plain, 1), file);
	assert_same(walk_fed(&plain, 1000), file);
	assert_same(walk_fed(&plain, SIZE_MAX), file);
	plain.size /= 2;
	assert_int_equal(walk_fed(&plain, 4096).state, PP_TRACE_CUT);
	packed_release(&plain);
}

static void takes_bytes_only_when_it_has_no_events_left(void **state)
{
	struct packed plain = unpacked("orders.nettrace.zst");
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_new(NULL, &err);
	const struct pp_event *event;

	(void)state;
	assert_int_equal(pp_trace_feed(trace, plain.data, 10, &err), 0);
	assert_int_equal(pp_trace_feed(trace, plain.data + 10, plain.size - 10, &err), 0);
	assert_int_equal(pp_trace_next(trace, &event, &err), PP_NEXT_ITEM);
	assert_int_equal(pp_trace_feed(trace, plain.data, 10, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	pp_trace_close(trace);
	err = (struct pp_error){ 0 };
	trace = pp_trace_open(place_of_data("orders.zip"), NULL, &err);
	assert_int_equal(pp_trace_feed(trace, plain.data, 10, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	pp_trace_end(trace); /* of a file, which ends by itself */
	assert_int_equal(walk_rest(trace).events, ORDERS);
	pp_trace_close(trace);
	packed_release(&plain);
}

static void two_traces_are_independent(void **state)
{
	struct pp_error err = { 0 };
	struct pp_trace *one = pp_trace_open(place_of_data("orders.zip"), NULL, &err);
	struct pp_trace *other = pp_trace_open(place_of_data("orders.nettrace.gz"), NULL, &err);
	const struct pp_event *event;
	struct walked a = { 0 };
	struct walked b = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(pp_trace_next(one, &event, &err), PP_NEXT_ITEM);
		take_event(&a, event);
		assert_int_equal(pp_trace_next(other, &event, &err), PP_NEXT_ITEM);
		take_event(&b, event);
	}
	pp_trace_close(other);
	assert_int_equal(a.events + walk_rest(one).events, ORDERS);
	pp_trace_close(one);
	pp_trace_close(NULL);
}

static int open_and_close(void *context, struct pp_error *err)
{
	struct pp_trace *trace = pp_trace_open(context, NULL, err);

	pp_trace_close(trace);
	return trace ? 0 : -1;
}

static void opens_or_says_that_memory_is_gone(void **state)
{
	static const char *const names[] = { "orders.nettrace.gz", "orders.zip",
					     "orders-cut.nettrace", "two-traces.zip:throw.nettrace",
					     "orders.nettrace.zst" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_true(fails_at_each_allocation(open_and_close,
						     (void *)place_of_data(names[i])) > 3);
}

static int read_all(void *context, struct pp_error *err)
{
	struct pp_trace *trace = pp_trace_open(context, NULL, err);
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_ERROR;

	while (trace && (next = pp_trace_next(trace, &event, err)) == PP_NEXT_ITEM)
		;
	if (trace && next == PP_NEXT_ERROR) { /* and it stays so */
		struct pp_error again = { 0 };

		assert_int_equal(pp_trace_next(trace, &event, &again), PP_NEXT_ERROR);
		assert_int_equal(again.code, PP_ERROR_MEMORY);
	}
	pp_trace_close(trace);
	return next == PP_NEXT_END ? 0 : -1;
}

static void reads_a_file_or_says_that_memory_is_gone(void **state)
{
	static const char *const names[] = { "orders.zip", "orders-cut.nettrace",
					     "trouble-throw.nettrace.zst" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_true(fails_at_each_allocation(read_all, (void *)place_of_data(names[i])) >
			    10);
}

static int read_fed(void *context, struct pp_error *err)
{
	const struct packed *bytes = context;
	struct pp_trace *trace = pp_trace_new(NULL, err);
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_ERROR;
	size_t at = 0;

	while (trace && (next = pp_trace_next(trace, &event, err)) > PP_NEXT_END) {
		const size_t size = bytes->size - at < 5000 ? bytes->size - at : 5000;

		if (next == PP_NEXT_MORE && !size)
			pp_trace_end(trace);
		else if (next == PP_NEXT_MORE && pp_trace_feed(trace, bytes->data + at, size, err))
			break;
		at += next == PP_NEXT_MORE ? size : 0;
	}
	pp_trace_close(trace);
	return next == PP_NEXT_END ? 0 : -1;
}

static void reads_bytes_or_says_that_memory_is_gone(void **state)
{
	struct packed plain = unpacked("orders.nettrace.zst");

	(void)state;
	assert_true(fails_at_each_allocation(read_fed, &plain) > 10);
	packed_release(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_trace_however_it_is_packed),
		cmocka_unit_test(reads_a_member_of_an_archive_by_its_name),
		cmocka_unit_test(reads_standard_input),
		cmocka_unit_test(reads_a_trace_that_ends_early_as_far_as_it_goes),
		cmocka_unit_test(calls_a_file_with_a_wrong_checksum_damaged),
		cmocka_unit_test(returns_the_events_before_a_corrupt_place_and_then_an_error),
		cmocka_unit_test(says_what_a_file_is_that_is_not_a_trace),
		cmocka_unit_test(refuses_options_of_no_known_size),
		cmocka_unit_test(leaves_out_stacks_and_keeps_the_order_of_the_file_on_request),
		cmocka_unit_test(says_when_each_event_was),
		cmocka_unit_test(reads_bytes_in_pieces_of_any_size),
		cmocka_unit_test(takes_bytes_only_when_it_has_no_events_left),
		cmocka_unit_test(two_traces_are_independent),
		cmocka_unit_test(opens_or_says_that_memory_is_gone),
		cmocka_unit_test(reads_a_file_or_says_that_memory_is_gone),
		cmocka_unit_test(reads_bytes_or_says_that_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
