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

#include "analyze/call_diff.h"
#include "analyze/event_stats.h"
#include "analyze/span_rows.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "base/array.h"
#include "base/cursor.h"
#include "fill/fill.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"
#define TASKS	"System.Threading.Tasks.TplEventSource"

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
	KIND(0, "Microsoft-DotNETCore-SampleProfiler", "", 0, -1),
	KIND(1, RUNTIME, "", 143, -1),
	KIND(2, RUNTIME, "", 144, -1),
	KIND(3, RUNDOWN, "", 144, -1),
	KIND(4, RUNDOWN, "", 154, -1),
	KIND(5, RUNTIME, "", 152, -1),
	KIND(6, "Universal.Events", "cpu", 0, -1),
	KIND(7, "Universal.Events", "cswitch", 1, -1),
	KIND(8, "Universal.System", "", 0, -1),
	KIND(9, "Universal.System", "", 3, -1),
	KIND(10, "Universal.System", "", 4, -1),
	KIND(11, "Universal.System", "", 5, -1),
	KIND(12, TASKS, "", 7, -1),
	KIND(13, TASKS, "", 8, -1),
	KIND(14, TASKS, "", 10, -1),
	KIND(15, TASKS, "", 11, -1),
	KIND(16, RUNTIME, "", 57, -1),
	KIND(17, "Demo", "JobStart", 1, 1),
	KIND(18, "Demo", "JobStop", 2, 2),
	KIND(19, "Microsoft-DotNETCore-EventPipe", "ProcessInfo", 1, -1),
	{ .index = 20,
	  .provider = "Demo",
	  .name = "EventCounters",
	  .id = 3,
	  .opcode = -1,
	  .fields = { counter_fields, 4 } },
	{ .index = 21,
	  .provider = "System.Diagnostics.Metrics",
	  .name = "HistogramValuePublished",
	  .id = 6,
	  .opcode = -1,
	  .fields = { instrument_fields, 3 } },
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
	const struct sample_query all = { .from_ns = INT64_MIN, .to_ns = INT64_MAX };
	struct call_query query = { .by_process = true, .fold_percent = 5 };
	struct thread_time threads = thread_time_of(model, &all, true);
	struct task_time tasks = task_time_of(model, &all);
	struct span_rows spans = span_rows_of(model, &all);
	struct pp_error err = { 0 };
	struct sample_walk walk;
	struct model_sample sample;
	struct calltree tree;
	struct call_diff diff;

	for (size_t i = 0; i < model->reading_count; i++)
		if (model->readings[i].counter >= model->counter_count)
			abort();
	if (grouping_parse(&query.group, "{%}!=>module $1", &err))
		abort();
	calltree_init(&tree, model, &query);
	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample))
		calltree_add(&tree, &sample, (uint64_t)sample.weight_ns);
	sample_walk_end(&walk);
	calltree_finish(&tree);
	check_tree(&tree);
	diff = call_diff_of(&tree, &tree);
	if (diff.count)
		abort();
	call_diff_release(&diff);
	calltree_release(&tree);
	call_query_release(&query);
	span_rows_release(&spans);
	task_time_release(&tasks);
	thread_time_release(&threads);
}

static void check_stats(const struct input *input)
{
	struct event_stats stats = { 0 };

	for (size_t i = 0; i < input->count; i++)
		event_stats_add(&stats, &input->events[i], input->events[i].ticks);
	event_stats_finish(&stats);
	if (stats.all.count != input->count || stats.all.stacks > stats.all.count ||
	    stats.count > KINDS)
		abort();
	event_stats_release(&stats);
}

static const struct pp_trace_header header = { .version = 4,
					       .ticks_per_second = 1000000000,
					       .pointer_size = 8,
					       .process_id = 1,
					       .sampling_ns = 1000000 };

static void run(const struct input *input, const struct fill_options *options)
{
	struct pp_nettrace *none = pp_nettrace_new(NULL);
	struct model model;
	struct fill *fill = fill_new(&model, options);

	for (size_t i = 0; i < input->count; i++)
		fill_event(fill, &header, &input->events[i]);
	fill_finish(fill, none);
	fill_free(fill);
	report(&model);
	model_release(&model);
	pp_nettrace_free(none);
}

static uint64_t print_of_task(const struct model_task *task)
{
	const int64_t facts[] = { task->number,	    task->made_on,  task->ran_on, task->made_ns,
				  task->started_ns, task->ended_ns, task->await };

	return hash_bytes(facts, sizeof(facts));
}

static void take_task(void *to, const struct model_task *task)
{
	*(uint64_t *)to += print_of_task(task);
}

/* The tasks handed out as they end must be those of a model that ran. */
static void check_tasks(const struct input *input)
{
	uint64_t kept = 0, taken = 0;
	const struct fill_taker taker = { .task = take_task, .to = &taken };
	const struct fill_options options[] = { { .marks = true },
						{ .marks = true, .taker = &taker } };

	for (size_t i = 0; i < 2; i++) {
		struct pp_nettrace *none = pp_nettrace_new(NULL);
		struct model model;
		struct fill *fill = fill_new(&model, &options[i]);

		for (size_t j = 0; j < input->count; j++)
			fill_event(fill, &header, &input->events[j]);
		fill_finish(fill, none);
		for (size_t j = 0; j < model.task_count; j++)
			if (model.tasks[j].ran_on != MODEL_NONE)
				kept += print_of_task(&model.tasks[j]);
		if (i && (model.task_count || model.span_count || model.reading_count))
			abort();
		fill_free(fill);
		model_release(&model);
		pp_nettrace_free(none);
	}
	if (kept != taken)
		abort();
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
	check_tasks(input);
	run(input, &(const struct fill_options){ .marks = true, .activities = true });
	run(input, &(const struct fill_options){ .marks = true, .tasks = true });

	run(input, &(const struct fill_options){
			   .marks = true, .notes = true, .raw_names = true, .tiers = true });
	free(input);
	return 0;
}
