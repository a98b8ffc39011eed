/* SPDX-License-Identifier: MIT */
/* Which handlers see an event, in which order and with which fields; and the totals of a pass. */
#include "pass/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define P "Provider"

static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
					       .pointer_size = 8 };
static const struct pp_thread here = { .index = 0, .id = 7, .process_id = 11 };
static const struct pp_thread there = { .index = 1, .id = 8, .process_id = 11 };
static const struct pp_thread elsewhere = { .index = 2, .id = 7, .process_id = 12 };

/* The calls so far, one letter each. */
static char happened[64];

static void note(char letter)
{
	const size_t size = strlen(happened);

	assert_true(size + 1 < sizeof(happened));
	happened[size] = letter;
	happened[size + 1] = '\0';
}

static void expect_happened(const char *letters)
{
	assert_string_equal(happened, letters);
	happened[0] = '\0';
}

static void send_on(struct pass *pass, const struct pp_kind *kind, int64_t ticks,
		    const struct pp_thread *thread)
{
	pass_event(pass, &header,
		   &(const struct pp_event){ .ticks = ticks, .kind = kind, .thread = thread });
}

static void send(struct pass *pass, const struct pp_kind *kind)
{
	send_on(pass, kind, 0, &here);
}

/* A handler that only notes that it was called. */
#define HANDLER(name, letter)                                                                      \
	static void name(void *self, const struct event_context *at)                               \
	{                                                                                          \
		(void)self;                                                                        \
		(void)at;                                                                          \
		note(letter);                                                                      \
	}

HANDLER(take_id, 'i')
HANDLER(take_name, 'n')
HANDLER(take_both, 'b')
HANDLER(take_chosen, 'c')

/* Called for kinds that no row lists. */
static const struct event_row *choose(const void *self, const struct pp_kind *kind)
{
	static const struct event_row row = { .handle = take_chosen };

	(void)self;
	note('?');
	return strcmp(kind->name, "Chosen") ? NULL : &row;
}

static const struct event_row rows[] = {
	{ P, 5, NULL, NULL, take_id },
	{ P, 0, "Named", NULL, take_name },
	{ P, 6, "Both", NULL, take_both },
	{ "Zero", 0, NULL, NULL, take_id },
	{ 0 },
};

static const struct analysis finder = { .name = "finder", .size = 1, .rows = rows };
static const struct analysis chooser = {
	.name = "chooser", .size = 1, .rows = rows, .choose = choose
};

static void a_row_is_found_by_id_by_name_or_by_both(void **state)
{
	static const struct {
		struct pp_kind kind;
		const char *happens;
	} cases[] = {
		{ { .provider = P, .name = "Any", .id = 5 }, "i" },
		{ { .provider = P, .name = "", .id = 5, .version = 9 }, "i" },
		{ { .provider = P, .name = "Any", .id = 0 }, "" },
		{ { .provider = "Other", .name = "Any", .id = 5 }, "" },
		{ { .provider = P, .name = "Named", .id = 77 }, "n" },
		{ { .provider = P, .name = "Named", .id = 0 }, "n" },
		{ { .provider = "Other", .name = "Named" }, "" },
		{ { .provider = P, .name = "Both", .id = 6 }, "b" },
		{ { .provider = P, .name = "Both", .id = 7 }, "" },
		{ { .provider = P, .name = "both", .id = 6 }, "" },
		{ { .provider = "Zero", .name = "Any", .id = 0 }, "i" },
		{ { .provider = "Zero", .name = "Any", .id = 1 }, "" },
		{ { .provider = P, .name = "Named", .id = 5 },
		  "i" }, /* the first row that matches wins */
	};
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want(&pass, &finder, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pp_kind kind = cases[i].kind;

		kind.index = i;
		send(&pass, &kind);
		expect_happened(cases[i].happens);
	}
	assert_int_equal(pass.tally.events, sizeof(cases) / sizeof(cases[0]));
	pass_release(&pass);
}

static void choose_is_called_once_per_kind_without_a_row(void **state)
{
	const struct pp_kind listed = { .index = 3, .provider = P, .name = "", .id = 5 };
	const struct pp_kind chosen = { .index = 900, .provider = P, .name = "Chosen", .id = 1 };
	const struct pp_kind unknown = { .index = 0, .provider = P, .name = "Unknown", .id = 1 };
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want(&pass, &chooser, NULL);
	send(&pass, &listed);
	expect_happened("i");
	send(&pass, &chosen);
	expect_happened("?c");
	send(&pass, &unknown);
	expect_happened("?");
	send(&pass, &chosen);
	send(&pass, &unknown);
	send(&pass, &listed);
	send(&pass, &chosen);
	expect_happened("cic");
	pass_release(&pass);
}

HANDLER(every_a, 'a')
HANDLER(row_a, 'A')
HANDLER(every_b, 'b')
HANDLER(row_b, 'B')
HANDLER(see, 'x')

static void finish_a(void *self, const struct pass *pass)
{
	(void)self;
	note(pass->trace ? 'F' : 'f');
}

static void finish_b(void *self, const struct pass *pass)
{
	(void)self;
	note(pass->trace ? 'G' : 'g');
}

static void release_a(void *self)
{
	(void)self;
	note('r');
}

static void release_b(void *self)
{
	(void)self;
	note('s');
}

static const struct event_row rows_a[] = { { P, 5, NULL, NULL, row_a }, { 0 } };
static const struct event_row rows_b[] = { { P, 5, NULL, NULL, row_b }, { 0 } };
static const struct analysis analysis_a = { .name = "a",
					    .size = 1,
					    .rows = rows_a,
					    .every = every_a,
					    .finish = finish_a,
					    .release = release_a };
static const struct analysis analysis_b = { .name = "b",
					    .size = 1,
					    .rows = rows_b,
					    .every = every_b,
					    .finish = finish_b,
					    .release = release_b };

static const struct pp_kind wanted_kind = { .index = 0, .provider = P, .name = "", .id = 5 };
static const struct pp_kind other_kind = { .index = 1, .provider = P, .name = "", .id = 6 };

static void every_handler_sees_an_event_before_any_row_does(void **state)
{
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want(&pass, &analysis_b, NULL);
	pass_want_every(&pass, see, NULL);
	pass_want(&pass, &analysis_a, NULL);
	send(&pass, &wanted_kind);
	expect_happened("bxaBA");
	send(&pass, &other_kind);
	expect_happened("bxa");
	pass_release(&pass);
	expect_happened("rs");
}

/* An analysis may use those requested before it until it is released. */
static void analyses_finish_in_the_order_they_were_requested(void **state)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want(&pass, &analysis_a, NULL);
	pass_want(&pass, &analysis_b, NULL);
	pass_finish(&pass, trace);
	expect_happened("FG");
	pass_release(&pass);
	expect_happened("sr");
	pass_init(&pass, NULL);
	pass_want(&pass, &analysis_b, NULL);
	pass_want(&pass, &analysis_a, NULL);
	pass_finish(&pass, NULL);
	expect_happened("gf");
	pass_release(&pass);
	expect_happened("rs");
	pp_nettrace_free(trace);
}

/* Fields that two analyses read from the same event. */
static const char first_fields[] = "b missing a";
static const char second_fields[] = "c";

static void take_first(void *self, const struct event_context *at)
{
	(void)self;
	assert_non_null(at->plan);
	assert_int_equal(at->values[0].number, 2);
	assert_false(at->values[1].known);
	assert_int_equal(at->values[2].number, 1);
	assert_string_equal(event_string(at, 1), ""); /* missing */
	assert_string_equal(event_string(at, 2), ""); /* a number */
	note('1');
}

static void take_second(void *self, const struct event_context *at)
{
	(void)self;
	assert_true(at->values[0].known && at->values[0].is_text);
	assert_int_equal(at->values[0].size, 2);
	assert_memory_equal(at->values[0].text, "h", 2);
	assert_string_equal(event_string(at, 0), "h");
	assert_ptr_equal(event_string(at, 0), event_string(at, 0)); /* interned */
	note('2');
}

static void each_row_gets_the_fields_it_names(void **state)
{
	static const struct pp_field fields[] = { { "a", { .code = PP_TYPE_I32 } },
						  { "b", { .code = PP_TYPE_U8 } },
						  { "c", { .code = PP_TYPE_UTF16Z } } };
	static const struct pp_kind kind = {
		.provider = P, .name = "", .id = 5, .fields = { fields, 3 }
	};
	static const struct event_row first[] = { { P, 5, NULL, first_fields, take_first }, { 0 } };
	static const struct event_row second[] = { { P, 5, NULL, second_fields, take_second },
						   { 0 } };
	const struct analysis analyses[] = {
		{ .name = "first", .size = 1, .rows = first },
		{ .name = "none", .size = 1, .rows = rows },
		{ .name = "second", .size = 1, .rows = second },
	};
	const uint8_t payload[] = { 1, 0, 0, 0, 2, 'h', 0, 0, 0 };
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	for (size_t i = 0; i < 3; i++)
		pass_want(&pass, &analyses[i], NULL);
	pass_event(&pass, &header,
		   &(const struct pp_event){ .kind = &kind,
					     .thread = &here,
					     .payload = payload,
					     .payload_size = sizeof(payload) });
	expect_happened("1i2");
	pass_release(&pass);
}

struct counting {
	struct analysis_setup setup;
	uint64_t count;
};

static const struct counting no_events = { .count = 100 };

static void begin_counting(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct counting *counting = self;

	assert_non_null(pass);
	assert_int_equal(counting->count, 100);
	assert_memory_equal(&counting->setup, setup, sizeof(*setup));
	counting->count = 0;
	note('(');
}

static void count(void *self, const struct event_context *at)
{
	struct counting *counting = self;

	(void)at;
	counting->count++;
	if (counting->setup.take)
		setup_take(&counting->setup, &counting->count);
}

static const struct analysis counting = {
	.name = "counting",
	.size = sizeof(struct counting),
	.initial = &no_events,
	.has_items = true,
	.begin = begin_counting,
	.every = count,
};

static void take_count(void *to, const void *item)
{
	*(uint64_t *)to += *(const uint64_t *)item;
}

static void an_analysis_that_keeps_its_items_is_shared(void **state)
{
	static const int options = 1;
	const struct analysis_setup with_options = { .options = &options };
	struct counting *shared;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	assert_null(pass_find(&pass, &counting));
	shared = pass_want(&pass, &counting, &with_options);
	assert_ptr_equal(shared->setup.options, &options);
	assert_ptr_equal(pass_want(&pass, &counting, NULL), shared);
	assert_ptr_equal(pass_want(&pass, &counting, &with_options), shared);
	assert_ptr_equal(pass_find(&pass, &counting), shared);
	assert_null(pass_find(&pass, &finder));
	expect_happened("(");
	send(&pass, &other_kind);
	assert_int_equal(shared->count, 1);
	pass_release(&pass);
}

static void an_analysis_that_passes_items_on_is_not_shared(void **state)
{
	uint64_t sums[2] = { 0 };
	const struct analysis_setup setups[2] = { { .take = take_count, .to = &sums[0] },
						  { .take = take_count, .to = &sums[1] } };
	struct counting *first, *second, *shared;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	first = pass_want(&pass, &counting, &setups[0]);
	assert_null(pass_find(&pass, &counting));
	shared = pass_want(&pass, &counting, NULL);
	second = pass_want(&pass, &counting, &setups[1]);
	assert_ptr_not_equal(first, second);
	assert_ptr_not_equal(first, shared);
	assert_ptr_equal(pass_find(&pass, &counting), shared);
	assert_null(shared->setup.options);
	expect_happened("(((");
	for (int i = 0; i < 3; i++)
		send(&pass, &other_kind);
	assert_int_equal(sums[0], 1 + 2 + 3);
	assert_int_equal(sums[1], 1 + 2 + 3);
	assert_int_equal(shared->count, 3);
	pass_release(&pass);
}

static void see_wanted(void *self, const struct event_context *at)
{
	(void)self;
	assert_null(at->plan);
	note(at->wanted ? '+' : '-');
}

/* Sends events at 0, 10 and 20 on three threads, one of them in another process. */
static void expect_wanted(const struct event_query *query, const char *expected)
{
	const struct pp_thread *const threads[] = { &here, &there, &elsewhere };
	struct pass pass;

	pass_init(&pass, query);
	pass_want_every(&pass, see_wanted, NULL);
	for (int64_t i = 0; i < 9; i++)
		send_on(&pass, &other_kind, i / 3 * 10, threads[i % 3]);
	expect_happened(expected);
	assert_int_equal(pass.tally.events, 9);
	pass_release(&pass);
}

static void a_query_selects_by_time_thread_and_process(void **state)
{
	struct event_query query = EVENT_QUERY_ALL;

	(void)state;
	expect_wanted(NULL, "+++++++++");
	expect_wanted(&query, "+++++++++");
	query.from_ns = 10; /* inclusive */
	expect_wanted(&query, "---++++++");
	query.to_ns = 20; /* exclusive */
	expect_wanted(&query, "---+++---");
	query.has_thread = true;
	query.thread_id = 7; /* both processes have a thread 7 */
	expect_wanted(&query, "---+-+---");
	query.has_process = true;
	query.process_id = 11;
	expect_wanted(&query, "---+-----");
	query.has_thread = false;
	expect_wanted(&query, "---++----");
	query.from_ns = INT64_MIN;
	query.to_ns = INT64_MAX;
	expect_wanted(&query, "++-++-++-");
}

static void see_time(void *self, const struct event_context *at)
{
	*(int64_t *)self = at->time_ns;
}

/* So that the difference of two times does not overflow. */
static void times_are_clamped_to_the_supported_range(void **state)
{
	static const struct {
		int64_t ticks, time_ns;
	} cases[] = {
		{ 5, 5 },
		{ PASS_FARTHEST_NS, PASS_FARTHEST_NS },
		{ PASS_FARTHEST_NS + 1, PASS_FARTHEST_NS },
		{ INT64_MAX, PASS_FARTHEST_NS },
		{ -PASS_FARTHEST_NS, -PASS_FARTHEST_NS },
		{ INT64_MIN, -PASS_FARTHEST_NS },
	};
	int64_t time_ns = 0;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want_every(&pass, see_time, &time_ns);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		send_on(&pass, &other_kind, cases[i].ticks, &here);
		assert_true(time_ns == cases[i].time_ns);
		assert_true(pass_last_ns(&pass) == cases[i].time_ns);
	}
	assert_true(pass.tally.earliest_ticks == INT64_MIN);
	pass_release(&pass);
}

static uint32_t look_up(void *object, const struct event_context *at)
{
	note(*(const char *)object);
	return (uint32_t)at->time_ns;
}

static struct recorded_stack look_up_stack(void *object, const struct event_context *at)
{
	return (struct recorded_stack){ look_up(object, at) };
}

struct looked_up {
	struct recorded_stack stack;
	uint32_t link;
};

static void ask(void *self, const struct event_context *at)
{
	*(struct looked_up *)self =
		(struct looked_up){ .stack = event_stack(at), .link = event_link(at) };
}

static void send_with_stack(struct pass *pass, const struct pp_kind *kind, int64_t ticks)
{
	static const struct pp_stack stack = { 0 };

	pass_event(pass, &header,
		   &(const struct pp_event){
			   .ticks = ticks, .kind = kind, .thread = &here, .stack = &stack });
}

static void a_stack_is_looked_up_only_on_demand(void **state)
{
	static const char stacks[] = "s", links[] = "l";
	static const struct event_row asking[] = { { P, 5, NULL, NULL, ask }, { 0 } };
	const struct analysis asks = { .name = "asks",
				       .size = sizeof(struct looked_up),
				       .rows = asking };
	const struct looked_up *found;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass.stacks = (struct pass_stacks){ look_up_stack, (void *)stacks };
	pass.links = (struct pass_links){ look_up, (void *)links };
	found = pass_want(&pass, &asks, NULL);
	send_with_stack(&pass, &other_kind, 10);
	expect_happened("");
	send_with_stack(&pass, &wanted_kind, 20);
	expect_happened("sl");
	assert_int_equal(found->stack.number, 20);
	assert_int_equal(found->link, 20);
	send_on(&pass, &wanted_kind, 30, &here); /* without a stack */
	expect_happened("l");
	assert_int_equal(found->stack.number, 0);
	assert_int_equal(found->link, 30);
	pass_release(&pass);
}

static void without_a_model_every_stack_is_empty(void **state)
{
	struct looked_up found = { { 1 }, 1 };
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	pass_want_every(&pass, ask, &found);
	send_with_stack(&pass, &wanted_kind, 20);
	assert_int_equal(found.stack.number, 0);
	assert_int_equal(found.link, 0);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_found_by_id_by_name_or_by_both),
		cmocka_unit_test(choose_is_called_once_per_kind_without_a_row),
		cmocka_unit_test(every_handler_sees_an_event_before_any_row_does),
		cmocka_unit_test(analyses_finish_in_the_order_they_were_requested),
		cmocka_unit_test(each_row_gets_the_fields_it_names),
		cmocka_unit_test(an_analysis_that_keeps_its_items_is_shared),
		cmocka_unit_test(an_analysis_that_passes_items_on_is_not_shared),
		cmocka_unit_test(a_query_selects_by_time_thread_and_process),
		cmocka_unit_test(times_are_clamped_to_the_supported_range),
		cmocka_unit_test(a_stack_is_looked_up_only_on_demand),
		cmocka_unit_test(without_a_model_every_stack_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
