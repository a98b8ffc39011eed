/* SPDX-License-Identifier: MIT */
/*
 * Any events must fill a model, and every report on it must terminate. An event of the input is
 *
 *	byte 0   kind
 *	byte 1   thread; bit 7: another process
 *	byte 2   time since the previous one, in units of 100 us
 *	byte 3   number of stack addresses, which follow, a byte each, close together
 *	byte 4   size of the payload, which follows those
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "analyze/counters.h"
#include "analyze/event_stats.h"
#include "analyze/call_rows.h"
#include "analyze/join_tasks.h"
#include "analyze/span_time.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "analyze/wall_tasks.h"
#include "base/array.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "clr/providers.h"
#include "fill/fill.h"

#define RUNTIME CLR_RUNTIME_PROVIDER
#define RUNDOWN CLR_RUNDOWN_PROVIDER
#define TASKS	TPL_PROVIDER

#define MOST	100 /* events */
#define DEEPEST 16
#define THREADS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define KIND(index_, provider_, name_, id_, opcode_)                                               \
	{                                                                                          \
		.index = (index_), .provider = (provider_), .name = (name_), .id = (id_),          \
		.opcode = (opcode_)                                                                \
	}

#define FIELD(name_, code_)                                                                        \
	{                                                                                          \
		.name = (name_), .type = {.code = (code_) }                                        \
	}

static const struct pp_field counter_fields[] = {
	FIELD("Name", PP_TYPE_UTF16Z),
	FIELD("Mean", PP_TYPE_F64),
	FIELD("Increment", PP_TYPE_F64),
	FIELD("IntervalSec", PP_TYPE_F32),
};

static const struct pp_field instrument_fields[] = {
	FIELD("instrumentName", PP_TYPE_UTF16Z),
	FIELD("value", PP_TYPE_UTF16Z),
	FIELD("quantiles", PP_TYPE_UTF16Z),
};

static const struct pp_kind kinds[] = {
	KIND(0, SAMPLE_PROFILER_PROVIDER, "", 0, -1),
	KIND(1, RUNTIME, "", 143, -1),
	KIND(2, RUNTIME, "", 144, -1),
	KIND(3, RUNDOWN, "", 144, -1),
	KIND(4, RUNDOWN, "", 154, -1),
	KIND(5, RUNTIME, "", 152, -1),
	KIND(6, UNIVERSAL_EVENTS_PROVIDER, "cpu", 0, -1),
	KIND(7, UNIVERSAL_EVENTS_PROVIDER, "cswitch", 1, -1),
	KIND(8, UNIVERSAL_SYSTEM_PROVIDER, "", 0, -1),
	KIND(9, UNIVERSAL_SYSTEM_PROVIDER, "", 3, -1),
	KIND(10, UNIVERSAL_SYSTEM_PROVIDER, "", 4, -1),
	KIND(11, UNIVERSAL_SYSTEM_PROVIDER, "", 5, -1),
	KIND(12, TASKS, "", 7, -1),
	KIND(13, TASKS, "", 8, -1),
	KIND(14, TASKS, "", 10, -1),
	KIND(15, TASKS, "", 11, -1),
	KIND(16, RUNTIME, "", 57, -1),
	KIND(17, "Demo", "JobStart", 1, 1),
	KIND(18, "Demo", "JobStop", 2, 2),
	KIND(19, EVENT_PIPE_PROVIDER, "ProcessInfo", 1, -1),
	{ .index = 20,
	  .provider = "Demo",
	  .name = "EventCounters",
	  .id = 3,
	  .opcode = -1,
	  .fields = { counter_fields, 4 } },
	{ .index = 21,
	  .provider = METRICS_PROVIDER,
	  .name = "HistogramValuePublished",
	  .id = 6,
	  .opcode = -1,
	  .fields = { instrument_fields, 3 } },
	KIND(22, THREAD_TIMES_PROVIDER, THREAD_TIMES_NAME, THREAD_TIMES_ID, -1),
	KIND(23, RUNTIME, "", 9, -1),
	KIND(24, RUNTIME, "", 3, -1),
};

#define KINDS ARRAY_COUNT(kinds)

struct input {
	struct pp_thread threads[2 * THREADS];
	struct pp_stack stacks[MOST];
	uint64_t addresses[MOST][DEEPEST];
	struct pp_labels labels[MOST];
	struct pp_event events[MOST];
	size_t count;
};

static void read_event(struct input *input, struct cursor *c, int64_t *ticks)
{
	const size_t i = input->count;
	const uint8_t kind = cursor_u8(c);
	const uint8_t thread = cursor_u8(c);
	const uint8_t gap = cursor_u8(c);
	const uint8_t depth = cursor_u8(c) % (DEEPEST + 1);
	const uint8_t wanted = cursor_u8(c);
	struct pp_event *event = &input->events[i];

	*ticks += (int64_t)gap * 100000;
	for (size_t at = 0; at < depth; at++)
		input->addresses[i][at] = 0x1000 + (uint64_t)cursor_u8(c) * 16;
	input->stacks[i] = (struct pp_stack){ i, depth, input->addresses[i] };
	input->labels[i] = (struct pp_labels){ .present = PP_LABEL_ACTIVITY | PP_LABEL_RELATED,
					       .activity_id = { gap & 3 },
					       .related_activity_id = { thread & 3 } };
	*event = (struct pp_event){
		.ticks = *ticks,
		.kind = &kinds[kind % KINDS],
		.thread = &input->threads[thread % THREADS + (thread & 128 ? THREADS : 0)],
		.stack = depth ? &input->stacks[i] : NULL,
		.labels = &input->labels[i],
		.payload_size = (uint32_t)(wanted < cursor_left(c) ? wanted : cursor_left(c)),
	};
	event->payload = cursor_bytes(c, event->payload_size);
	input->count++;
}

static void check_tree(const struct calltree *tree)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_EXCLUSIVE);
	uint64_t count = tree->own[0].count;

	for (size_t i = 0; i < rows.count; i++) {
		count += rows.rows[i].exclusive.count;
		if (rows.rows[i].inclusive.count < rows.rows[i].exclusive.count)
			abort();
	}
	if (count != tree->total.count)
		abort();
	call_rows_release(&rows);
}

static void report(const struct model *model)
{
	const struct sample_query all = { .events = EVENT_QUERY_ALL };
	struct call_query query = { .by_process = true, .fold_percent = 5 };
	struct thread_time threads = thread_time_of(model, &all, true);
	struct task_time tasks = task_time_of(model, &all, 3);
	struct span_rows spans = span_rows_of(model, &all);
	struct pp_error err = { 0 };
	struct sample_walk walk;
	struct model_sample sample;
	struct calltree tree;

	if (grouping_parse(&query.group, "{%}!=>module $1", &err))
		abort();
	calltree_init(&tree, model, &query);
	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample))
		calltree_add(&tree, &sample, (uint64_t)sample.weight);
	sample_walk_end(&walk);
	calltree_finish(&tree);
	check_tree(&tree);
	calltree_release(&tree);
	call_query_release(&query);
	span_rows_release(&spans);
	task_time_release(&tasks);
	thread_time_release(&threads);
}

/* All events, and the end of an empty trace. */
static void feed(struct pass *pass, const struct input *input)
{
	static const struct pp_trace_header header = { .version = 4,
						       .ticks_per_second = 1000000000,
						       .pointer_size = 8,
						       .process_id = 1,
						       .sampling_ns = 1000000 };
	struct pp_nettrace *none = pp_nettrace_new(NULL, &(struct pp_error){ 0 });

	for (size_t i = 0; i < input->count; i++)
		pass_event(pass, &header, &input->events[i]);
	pass_finish(pass, none);
	pp_nettrace_free(none);
}

static void check_stats(const struct input *input)
{
	const struct event_stats *stats;
	struct pass pass;

	pass_init(&pass, NULL);
	stats = pass_want(&pass, &event_stats_analysis, NULL);
	feed(&pass, input);
	if (stats->all.count != input->count || stats->all.stacks > stats->all.count ||
	    stats->count > KINDS)
		abort();
	pass_release(&pass);
}

static uint64_t print_of_reading(const struct counter_reading *reading)
{
	return hash_u64((uint64_t)reading->time_ns ^ hash_u64(reading->counter)) ^
	       hash_bytes(&reading->value, sizeof(reading->value));
}

static void take_reading(void *to, const void *reading)
{
	*(uint64_t *)to += print_of_reading(reading);
}

/* The sums must be those of the readings passed on. */
static void check_counters(const struct input *input)
{
	const struct counter_stats *kept;
	uint64_t taken = 0, listed = 0, counted = 0;
	struct pass pass;

	pass_init(&pass, NULL);
	kept = pass_want(&pass, &counter_analysis, NULL);
	pass_want(&pass, &counter_analysis,
		  &(const struct analysis_setup){ .take = take_reading, .to = &taken });
	feed(&pass, input);
	for (size_t i = 0; i < kept->reading_count; i++) {
		if (kept->readings[i].counter >= kept->count)
			abort();
		listed += print_of_reading(&kept->readings[i]);
	}
	for (size_t i = 0; i < kept->count; i++) {
		const struct counter *counter = kept->list[i];

		counted += counter->count;
		if (counter->number != i || counter->least > counter->most ||
		    counter->last > counter->most || counter->first < counter->least)
			abort();
	}
	if (taken != listed || counted != kept->reading_count)
		abort();
	pass_release(&pass);
}

/* Names two of three addresses that the trace does not, as up to 80 calls inlined there. */
static void name_inlined(void *self, struct address_naming *naming)
{
	const uint64_t address = naming->entry->address;

	(void)self;
	if (address % 3 == 0)
		return;
	for (uint64_t i = 0; i <= address % 81; i++)
		naming_add(naming, &(const struct model_frame){
					   .name = model_text(naming->model, i % 2 ? "f" : "g"),
					   .line = (uint32_t)(address + i) });
}

static void run(const struct input *input, struct fill_options options)
{
	struct model model;
	struct pass pass;
	struct fill *fill;
	struct wall_tasks *tasks;

	options.model = &model;
	options.marks = options.tasks = options.activities = true;
	pass_init(&pass, NULL);
	fill = pass_want(&pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
	tasks = pass_want(&pass, &wall_tasks_analysis, NULL);
	model_add_namer(&model, (struct model_namer){ .name = name_inlined });
	model.lines = options.raw_names;
	feed(&pass, input);
	fill_build(fill);
	if (options.sample_tasks)
		join_tasks(&model);
	if (options.notes)
		wall_tasks_join(tasks, &model);
	pass_release(&pass);
	report(&model);
	account_time(&model);
	report(&model);
	model_release(&model);
}

static void fill_lists(const struct input *input, struct model *model, struct spool *spool)
{
	const struct fill_options options = {
		.model = model, .spool = spool, .marks = true, .tasks = true, .activities = true
	};
	struct pass pass;

	pass_init(&pass, NULL);
	pass_want(&pass, &fill_analysis, &(const struct analysis_setup){ .options = &options });
	feed(&pass, input);
	pass_release(&pass);
}

/* Numbers have no gaps, and tasks refer to those that they scheduled and were scheduled by. */
static void check_task(const struct model *model, const struct model_task *task, uint64_t number)
{
	const bool started = task->started_ns != INT64_MIN;

	if (task->number != number || task->made_on >= model->thread_count ||
	    (task->parent != MODEL_NONE && task->parent >= number) ||
	    (task->last_child &&
	     (task->last_child <= number || task->last_child >= task_list_count(&model->tasks))) ||
	    started != (task->ran_on != MODEL_NONE) || (task->ended_ns != INT64_MIN && !started))
		abort();
}

static bool is_same_task(const struct model_task *a, const struct model_task *b)
{
	return a->number == b->number && a->id == b->id && a->process == b->process &&
	       a->parent == b->parent && a->last_child == b->last_child &&
	       a->made_on == b->made_on && a->ran_on == b->ran_on && a->stack == b->stack &&
	       a->activity == b->activity && a->made_ns == b->made_ns &&
	       a->started_ns == b->started_ns && a->ended_ns == b->ended_ns &&
	       a->ran_ns == b->ran_ns && a->shared_ns == b->shared_ns && a->await == b->await;
}

static void check_tasks(const struct model *kept, const struct model *spooled)
{
	struct task_walk walks[2];
	struct model_task tasks[2];
	uint64_t number = 0;

	task_walk_begin(&walks[0], &kept->tasks);
	task_walk_begin(&walks[1], &spooled->tasks);
	while (task_walk_next(&walks[0], &tasks[0])) {
		check_task(kept, &tasks[0], number++);
		if (!task_walk_next(&walks[1], &tasks[1]) || !is_same_task(&tasks[0], &tasks[1]))
			abort();
	}
	if (task_walk_next(&walks[1], &tasks[1]) || number != task_list_count(&kept->tasks))
		abort();
	task_walk_end(&walks[0]);
	task_walk_end(&walks[1]);
}

static bool is_same_span(const struct model_span *a, const struct model_span *b)
{
	return a->number == b->number && a->thread == b->thread && a->start_ns == b->start_ns &&
	       a->stop_ns == b->stop_ns && !strcmp(a->name, b->name) &&
	       !strcmp(a->provider, b->provider) && !memcmp(a->activity, b->activity, 16) &&
	       !memcmp(a->parent, b->parent, 16);
}

static void check_spans(const struct model *kept, const struct model *spooled)
{
	struct span_walk walks[2];
	struct model_span spans[2];
	uint64_t number = 0;

	span_walk_begin(&walks[0], &kept->spans);
	span_walk_begin(&walks[1], &spooled->spans);
	while (span_walk_next(&walks[0], &spans[0]))
		if (spans[0].number != number++ || spans[0].thread >= kept->thread_count ||
		    !span_walk_next(&walks[1], &spans[1]) || !is_same_span(&spans[0], &spans[1]))
			abort();
	if (span_walk_next(&walks[1], &spans[1]) || number != span_list_count(&kept->spans))
		abort();
	span_walk_end(&walks[0]);
	span_walk_end(&walks[1]);
}

/* Tasks and activities are the same in memory and in a temporary file. */
static void check_lists(const struct input *input)
{
	struct spool tiny = { .budget = 1 };
	struct model kept, spooled;

	fill_lists(input, &kept, NULL);
	fill_lists(input, &spooled, &tiny);
	check_tasks(&kept, &spooled);
	check_spans(&kept, &spooled);
	model_release(&kept);
	model_release(&spooled);
	spool_release(&tiny);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	struct input *input = calloc(1, sizeof(*input));
	int64_t ticks = 0;

	if (!input)
		abort();
	for (size_t i = 0; i < 2 * THREADS; i++)
		input->threads[i] = (struct pp_thread){ .index = i,
							.id = (int64_t)(i % THREADS) + 1,
							.process_id = (int64_t)(i / THREADS) + 1 };
	while (cursor_left(&c) && input->count < MOST)
		read_event(input, &c, &ticks);
	check_stats(input);
	check_counters(input);
	check_lists(input);
	run(input, (struct fill_options){ .sample_activities = true });
	run(input, (struct fill_options){ .sample_tasks = true });
	run(input, (struct fill_options){ .notes = true, .raw_names = true, .tiers = true });
	free(input);
	return 0;
}
