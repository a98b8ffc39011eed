/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "clr/event_name.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define TASKS	"System.Threading.Tasks.TplEventSource"

static void expect_name(struct event_identity event, const char *name)
{
	struct arena arena = { 0 };

	assert_string_equal(event_display_name(&event, &arena), name);
	arena_release(&arena);
}

static void expect_runtime(uint32_t id, int label, const char *name)
{
	expect_name((struct event_identity){ RUNTIME, "", id, -1, label }, name);
}

static void expect_metadata(const char *metadata, int opcode, int label, const char *name)
{
	expect_name((struct event_identity){ "Demo", metadata, 15, opcode, label }, name);
}

static void names_runtime_events_from_the_table(void **state)
{
	(void)state;
	expect_runtime(1, -1, "GC/Start");
	expect_runtime(3, -1, "GC/RestartEEStop");
	expect_runtime(58, -1, "YieldProcessorMeasurement");
	expect_runtime(204, -1, "GC/PerHeapHistory"); /* has no version 0 */
	expect_name((struct event_identity){ RUNTIME "Rundown", "", 144, -1, -1 },
		    "Method/DCStopVerbose");
	expect_name((struct event_identity){ "Microsoft-DotNETCore-SampleProfiler", "", 0, -1, -1 },
		    "Thread/Sample");
}

static void prefers_the_table_to_the_metadata(void **state)
{
	(void)state;
	expect_name((struct event_identity){ RUNTIME, "GCEnd", 2, -1, -1 }, "GC/Stop");
}

static void numbers_only_unknown_runtime_events(void **state)
{
	(void)state;
	expect_runtime(4711, -1, "EventID(4711)");
	expect_runtime(191, -1, "Method/TailCallFailed"); /* the tools show a number */
	expect_name((struct event_identity){ RUNTIME "Private", "", 26, -1, -1 },
		    "GC/BGC1stSweepEnd");
	expect_runtime(4711, 8, "EventID(4711)");
	expect_runtime(0, -1, "EventWriteString");
}

static void names_runtime_events_beyond_the_table_from_metadata(void **state)
{
	(void)state;
	expect_name((struct event_identity){ RUNTIME, "NewThingStart", 4711, -1, -1 },
		    "NewThing/Start");
}

static void lets_a_label_change_the_opcode_of_a_runtime_event(void **state)
{
	(void)state;
	expect_runtime(2, 8, "GC/Suspend");
	expect_runtime(2, 0, "GC");
	expect_runtime(2, 2, "GC/Stop");
	expect_runtime(2, 3, "GC/DCStart");
	expect_runtime(2, 4, "GC/DCStop");
	expect_runtime(2, 9, "GC/Send");
	expect_runtime(2, 18, "GC/Opcode(18)");
	expect_runtime(58, 1, "YieldProcessorMeasurement/Start");
	expect_name((struct event_identity){ RUNTIME, "", 2, 1, -1 }, "GC/Start");
}

static void names_other_events_from_metadata(void **state)
{
	(void)state;
	expect_metadata("TestEvent1", -1, -1, "TestEvent1");
	expect_metadata("TestEvent1", 0, -1, "TestEvent1");
	expect_metadata("", -1, -1, "EventID(15)");
	expect_metadata("", 24, -1, "EventID(15)");
}

static void drops_the_word_that_the_opcode_repeats(void **state)
{
	(void)state;
	expect_metadata("ActivityStart", 1, -1, "Activity/Start");
	expect_metadata("ActivityStop", 2, -1, "Activity/Stop");
	expect_metadata("ActivityStop", 1, -1, "ActivityStop/Start");
	expect_metadata("ActivityStart", 0, -1, "ActivityStart");
	expect_metadata("ActivityStart", 7, -1, "ActivityStart/Resume");
}

static void finds_the_opcode_in_the_name(void **state)
{
	(void)state;
	expect_metadata("ActivityStart", -1, -1, "Activity/Start");
	expect_metadata("activitySTOP", -1, -1, "activity/Stop");
	expect_metadata("Start", -1, -1, "/Start");
	expect_metadata("Started", -1, -1, "Started");
	expect_metadata("op", -1, -1, "op");
}

static void renders_the_opcodes_of_metadata(void **state)
{
	(void)state;
	expect_metadata("TestEvent3", 24, -1, "TestEvent3/24");
	expect_metadata("E", 1, -1, "E/Start");
	expect_metadata("E", 2, -1, "E/Stop");
	expect_metadata("E", 3, -1, "E/DataCollectionStart");
	expect_metadata("E", 4, -1, "E/DataCollectionStop");
	expect_metadata("E", 5, -1, "E/Extension");
	expect_metadata("E", 6, -1, "E/Reply");
	expect_metadata("E", 7, -1, "E/Resume");
	expect_metadata("E", 8, -1, "E/Suspend");
	expect_metadata("E", 9, -1, "E/Transfer");
	expect_metadata("E", 10, -1, "E/10");
	expect_metadata("E", 255, -1, "E/255");
}

static void renders_the_opcodes_of_labels(void **state)
{
	(void)state;
	expect_metadata("TestEvent1", -1, 8, "TestEvent1/Suspend");
	expect_metadata("TestEvent1", -1, 18, "TestEvent1/Opcode(18)");
	expect_metadata("TestEvent1", 24, 18, "TestEvent1/Opcode(18)");
	expect_metadata("TestEvent1", 24, 0, "TestEvent1");
	expect_metadata("TestEvent1", 24, 24, "TestEvent1/24"); /* changes nothing */
	expect_metadata("TestEvent1", -1, 9, "TestEvent1/Send");
	expect_metadata("ActivityStart", -1, 8, "Activity/Suspend");
}

static void names_the_events_of_tasks_as_the_tools_do(void **state)
{
	(void)state;
	expect_name((struct event_identity){ TASKS, "TaskScheduled", 7, 9, -1 },
		    "TaskScheduled/Send");
	expect_name((struct event_identity){ TASKS, "TaskStarted", 8, -1, -1 },
		    "TaskExecute/Start");
	expect_name((struct event_identity){ TASKS, "TaskCompleted", 9, -1, -1 },
		    "TaskExecute/Stop");
	expect_name((struct event_identity){ TASKS, "TaskWaitBegin", 10, 9, -1 }, "TaskWait/Send");
	expect_name((struct event_identity){ TASKS, "TaskWaitContinuationComplete", 13, -1, -1 },
		    "TaskWaitContinuationComplete");
	expect_name((struct event_identity){ TASKS, "TaskWaitContinuationStarted", 19, -1, -1 },
		    "TaskWaitContinuationStarted");
	expect_name((struct event_identity){ TASKS, "NewSource", 1000, -1, -1 }, "NewSource");
	expect_name((struct event_identity){ "Demo", "TaskStarted", 8, -1, -1 }, "TaskStarted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_runtime_events_from_the_table),
		cmocka_unit_test(prefers_the_table_to_the_metadata),
		cmocka_unit_test(numbers_only_unknown_runtime_events),
		cmocka_unit_test(names_runtime_events_beyond_the_table_from_metadata),
		cmocka_unit_test(lets_a_label_change_the_opcode_of_a_runtime_event),
		cmocka_unit_test(names_other_events_from_metadata),
		cmocka_unit_test(drops_the_word_that_the_opcode_repeats),
		cmocka_unit_test(finds_the_opcode_in_the_name),
		cmocka_unit_test(renders_the_opcodes_of_metadata),
		cmocka_unit_test(renders_the_opcodes_of_labels),
		cmocka_unit_test(names_the_events_of_tasks_as_the_tools_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
