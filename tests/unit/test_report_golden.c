/* SPDX-License-Identifier: MIT */
/*
 * Compares with .NET's own library: ../shared/traces/dotnet10, or traces/dotnet10 in the
 * directory that SHARED names. It reads less of a truncated trace, and in one trace it took one
 * assembly for two that differ in case, so names are compared ignoring case.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "analyze/call_rows.h"
#include "analyze/join_tasks.h"
#include "analyze/span_time.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "base/alloc.h"
#include "clr/providers.h"
#include "golden_traces.h"
#include "trace_passing.h"
#include "trace_reading.h"

static const struct fill_options plain = {
	.raw_names = true, .marks = true, .tasks = true, .activities = true
};

static void read_model(const char *name, struct model *model)
{
	trace_fill(model, golden_path(name), plain);
}

static bool is_counted(const struct model_sample *sample, bool all)
{
	return !sample_is_event(sample) && (all || sample_is_cpu(sample));
}

/* All rows of the golden list with this name, ignoring case. */
static int64_t golden_weight(const json_t *list, const char *name)
{
	int64_t weight = 0;
	size_t i;
	json_t *row;

	json_array_foreach(
		(json_t *)list, i,
		row) if (!strcasecmp(json_string_value(json_object_get(row, "name")), name))
		weight += json_integer_value(json_object_get(row, "weight"));
	return weight;
}

static int64_t our_weight(const struct calltree *tree, const struct call_rows *rows,
			  const char *name, bool inclusive)
{
	int64_t weight = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (!strcasecmp(tree->names[rows->rows[i].name].full, name))
			weight += (int64_t)(inclusive ? rows->rows[i].inclusive.count
						      : rows->rows[i].exclusive.count);
	return weight;
}

static void compare_list(const struct calltree *tree, const json_t *list, bool inclusive)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_EXCLUSIVE);
	size_t i;
	json_t *row;

	json_array_foreach((json_t *)list, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "name"));
		const int64_t wanted = golden_weight(list, name);
		const int64_t got = our_weight(tree, &rows, name, inclusive);

		/* the rarer spelling of a name may be missing from the list */
		if (got != wanted && !(strstr(name, "rivate.") && got > wanted))
			fail_msg("%s: %lld, wanted %lld", name, (long long)got, (long long)wanted);
	}
	call_rows_release(&rows);
}

static void compare_samples(const struct model *model, const json_t *golden, bool all)
{
	const json_t *lists = json_object_get(golden, all ? "wallClock" : "managedOnly");
	const struct call_query query = { 0 };
	struct sample_walk walk;
	struct model_sample sample;
	struct calltree tree;

	calltree_init(&tree, model, &query);
	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		if (is_counted(&sample, all))
			calltree_add(&tree, &sample, 1);
	sample_walk_end(&walk);
	calltree_finish(&tree);
	assert_int_equal(tree.total.count, json_integer_value(json_object_get(lists, "total")));
	compare_list(&tree, json_object_get(lists, "exclusive"), false);
	compare_list(&tree, json_object_get(lists, "inclusive"), true);
	calltree_release(&tree);
}

static const char *const sampled[] = {
	"cpu-attach",	    "cpu-default",    "cpu-sampled-thread-time", "no-rundown",
	"starve",	    "web-everything", "runtimes/net31-cpu",	 "runtimes/net8-cpu",
	"runtimes/net9-cpu"
};

static void agrees_with_dotnet_on_cpu_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sampled); i++) {
		json_t *golden = golden_load(sampled[i]);
		struct model model;

		read_model(sampled[i], &model);
		compare_samples(&model, json_object_get(golden, "samples"), false);
		compare_samples(&model, json_object_get(golden, "samples"), true);
		json_decref(golden);
		model_release(&model);
	}
}

/* Stacks of events of the runtime, one count per event. */
struct event_stacks {
	uint32_t id;
	struct recorded_stack *stacks;
	size_t count, capacity;
};

static void note_stack(void *self, const struct event_context *at)
{
	struct event_stacks *list = self;

	if (at->event->kind->id != list->id ||
	    strcmp(at->event->kind->provider, CLR_RUNTIME_PROVIDER) != 0)
		return;
	list->stacks = xgrow(list->stacks, list->count, &list->capacity, sizeof(*list->stacks));
	list->stacks[list->count++] = event_stack(at);
}

static void read_event_stacks(const char *name, struct event_stacks *list, struct model *model)
{
	const struct fill_options options = { .model = model, .raw_names = true };
	struct pass pass;
	struct fill *fill;

	pass_init(&pass, NULL);
	fill = pass_want(&pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
	pass_want_every(&pass, note_stack, list);
	trace_pass(&pass, golden_path(name));
	fill_build(fill);
	pass_release(&pass);
}

static void compare_event_stacks(const char *name, uint32_t id, const char *key)
{
	struct event_stacks list = { .id = id };
	json_t *golden = golden_load(name);
	const json_t *top = json_object_get(json_object_get(golden, key), "top");
	const struct call_query query = { 0 };
	struct calltree tree;
	struct model model;

	read_event_stacks(name, &list, &model);
	calltree_init(&tree, &model, &query);
	for (size_t i = 0; i < list.count; i++)
		calltree_add_sum(&tree, model_stack_now(&model, list.stacks[i]),
				 &(struct call_sum){ .count = 1 });
	calltree_finish(&tree);
	assert_int_equal(tree.total.count, json_integer_value(json_object_get(top, "total")));
	compare_list(&tree, json_object_get(top, "exclusive"), false);
	compare_list(&tree, json_object_get(top, "inclusive"), true);
	calltree_release(&tree);
	json_decref(golden);
	model_release(&model);
	xfree(list.stacks);
}

static void exceptions_and_waits_have_the_stacks_of_dotnet(void **state)
{
	(void)state;
	compare_event_stacks("exceptions", 80, "exceptionStacks");
	compare_event_stacks("web-everything", 80, "exceptionStacks");
	compare_event_stacks("runtimes/net8-exceptions", 80, "exceptionStacks");
	compare_event_stacks("runtimes/net9-exceptions", 80, "exceptionStacks");
	compare_event_stacks("contention", 81, "contentionStacks");
	compare_event_stacks("web-everything", 81, "contentionStacks");
}

static double weight_of(const json_t *thread_time, const char *which, const char *name)
{
	const json_t *list = json_object_get(json_object_get(thread_time, "top"), which);
	size_t i;
	json_t *row;

	json_array_foreach(
		(json_t *)list, i,
		row) if (!strcmp(json_string_value(json_object_get(row, "name")),
				 name)) return json_number_value(json_object_get(row, "weight"));
	return 0;
}

/* Its sums have single precision: off by a few microseconds per second. */
static void expect_near(double ms, uint64_t ns)
{
	const double difference = ms - (double)ns / 1e6;

	if (difference > 0.02 || difference < -0.02)
		fail_msg("%f ms, wanted %f", (double)ns / 1e6, ms);
}

static void thread_time_agrees_with_dotnet(void **state)
{
	const struct sample_query query = { .events = EVENT_QUERY_ALL };

	(void)state;
	for (size_t i = 0; i < COUNT(sampled); i++) {
		json_t *golden = golden_load(sampled[i]);
		const json_t *wanted = json_object_get(golden, "threadTime");
		struct thread_time time;
		struct model model;

		read_model(sampled[i], &model);
		time = thread_time_of(&model, &query, false);
		expect_near(weight_of(wanted, "exclusive", "CPU_TIME"), time.total.cpu_ns);
		expect_near(weight_of(wanted, "exclusive", "UNMANAGED_CODE_TIME"),
			    time.total.blocked_ns);
		thread_time_release(&time);
		json_decref(golden);
		model_release(&model);
	}
}

static uint64_t inclusive_ns(const struct calltree *tree, const char *name)
{
	const uint32_t wanted = calltree_find(tree, name);
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);
	uint64_t ns = 0;

	assert_int_not_equal(wanted, MODEL_NONE);
	for (size_t i = 0; i < rows.count; i++)
		if (rows.rows[i].name == wanted)
			ns = rows.rows[i].inclusive.weight;
	call_rows_release(&rows);
	return ns;
}

static void add_time(struct calltree *tree, const struct model *model)
{
	const struct sample_query query = { .events = EVENT_QUERY_ALL };
	struct sample_walk walk;
	struct model_sample sample;
	struct task_walk tasks;
	struct model_task task;

	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(&query, model, &sample, false);

		if (ns >= 0)
			calltree_add_time(tree, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
	task_walk_begin(&tasks, &model->tasks);
	while (task_walk_next(&tasks, &task)) {
		const struct model_sample as_sample = task_as_sample(&task);

		if (task_is_awaited(model, &query, &task))
			calltree_add_time(tree, &as_sample, (uint64_t)as_sample.weight);
	}
	task_walk_end(&tasks);
	calltree_finish(tree);
}

/*
 * Work that a method scheduled is part of its time. .NET attributes a few awaits differently, and
 * its stacks include the writing of events: less than one percent.
 */
static void tasks_count_for_the_code_that_scheduled_them(void **state)
{
	static const char *const names[] = {
		"workload!Workload.StarveScenario.BlockingItem()",
		"workload!Workload.Program.<Main>(class System.String[])",
		"workload!Workload.Program+<Main>d__0.MoveNext()",
		"workload!Workload.StarveScenario+<PhaseAsync>d__1.MoveNext()",
		"System.Private.CoreLib!System.Threading.Monitor.Wait(class System.Object,int32)",
	};
	struct fill_options joined = plain;
	json_t *golden = golden_load("starve");
	const struct call_query all = { 0 };
	struct calltree tree;
	struct model model;

	(void)state;
	joined.sample_tasks = true;
	trace_fill(&model, golden_path("starve"), joined);
	join_tasks(&model);
	calltree_init(&tree, &model, &all);
	add_time(&tree, &model);
	for (size_t i = 0; i < COUNT(names); i++) {
		const double ms =
			weight_of(json_object_get(golden, "threadTime"), "inclusive", names[i]);
		const double found = (double)inclusive_ns(&tree, names[i]) / 1e6;

		if (!(found > 0.99 * ms && found < 1.01 * ms))
			fail_msg("%s: %f ms, wanted %f", names[i], found, ms);
	}
	calltree_release(&tree);
	json_decref(golden);
	model_release(&model);
}

/* With tasks in the trace a thread's time is still its own, and no longer than the trace. */
static void no_thread_outlasts_the_trace(void **state)
{
	const struct sample_query query = { .events = EVENT_QUERY_ALL };

	(void)state;
	for (size_t i = 4; i < COUNT(sampled); i++) {
		struct thread_time time;
		struct model model;

		read_model(sampled[i], &model);
		time = thread_time_of(&model, &query, true);
		for (size_t t = 0; t < time.thread_count; t++)
			assert_true(time.threads[t].cpu_ns + time.threads[t].blocked_ns <=
				    (uint64_t)(model.last_ns - model.first_ns));
		thread_time_release(&time);
		model_release(&model);
	}
}

/* Jobs and their steps, which the program wrote from one thread. */
static void durations_of_activities_agree_with_dotnet(void **state)
{
	static const char *const names[] = { "Job", "Step" };
	const struct sample_query query = { .events = EVENT_QUERY_ALL };
	json_t *golden = golden_load("events");
	struct thread_time time;
	struct span_rows rows;
	struct model model;

	(void)state;
	read_model("events", &model);
	time = thread_time_of(&model, &query, true);
	rows = span_rows_of(&model, &query);
	for (size_t i = 0; i < COUNT(names); i++) {
		const json_t *wanted =
			json_object_get(json_object_get(golden, "startStop"), names[i]);
		bool met = false;

		for (size_t r = 0; r < rows.count; r++)
			if (!strcmp(rows.rows[r].name, names[i])) {
				met = true;
				assert_int_equal(
					rows.rows[r].count,
					json_integer_value(json_object_get(wanted, "count")));
				expect_near(json_number_value(json_object_get(wanted, "totalMs")),
					    rows.rows[r].total_ns);
			}
		assert_true(met);
	}
	thread_time_release(&time);
	span_rows_release(&rows);
	json_decref(golden);
	model_release(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet_on_cpu_samples),
		cmocka_unit_test(exceptions_and_waits_have_the_stacks_of_dotnet),
		cmocka_unit_test(thread_time_agrees_with_dotnet),
		cmocka_unit_test(tasks_count_for_the_code_that_scheduled_them),
		cmocka_unit_test(no_thread_outlasts_the_trace),
		cmocka_unit_test(durations_of_activities_agree_with_dotnet),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
