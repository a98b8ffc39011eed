/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "clr/event_ids.h"
#include "clr/event_source.h"
#include "clr/events.h"
#include "clr/providers.h"
#include "fill/fill_rows.h"
#include "nettrace/thread_times.h"

#define RUNTIME CLR_RUNTIME_PROVIDER
#define RUNDOWN CLR_RUNDOWN_PROVIDER
#define SYSTEM	UNIVERSAL_SYSTEM_PROVIDER

/* Always taken. */
static const struct event_row plain_rows[] = {
	{ SAMPLE_PROFILER_PROVIDER, 0, NULL, NULL, fill_managed_sample },
	{ RUNTIME, CLR_METHOD_LOAD_VERBOSE, NULL, NULL, fill_method_load },
	{ RUNTIME, CLR_METHOD_UNLOAD_VERBOSE, NULL, NULL, fill_method_unload },
	{ RUNTIME, CLR_METHOD_DC_START_VERBOSE_V2, NULL, NULL, fill_method_rundown },
	{ RUNTIME, CLR_METHOD_DC_END_VERBOSE_V2, NULL, NULL, fill_method_rundown },
	{ RUNTIME, CLR_MODULE_LOAD, NULL, NULL, fill_module_load },
	{ RUNTIME, CLR_MODULE_UNLOAD, NULL, NULL, fill_module_unload },
	{ RUNDOWN, RUNDOWN_METHOD_DC_START_VERBOSE, NULL, NULL, fill_method_rundown },
	{ RUNDOWN, RUNDOWN_METHOD_DC_END_VERBOSE, NULL, NULL, fill_method_rundown },
	{ RUNDOWN, RUNDOWN_MODULE_DC_START, NULL, NULL, fill_module_rundown },
	{ RUNDOWN, RUNDOWN_MODULE_DC_END, NULL, NULL, fill_module_rundown },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_START, NULL, NULL, fill_pool_thread },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_WAIT, NULL, NULL, fill_pool_thread_waits },
	{ RUNTIME, CLR_TIERED_COMPILATION_BACKGROUND_JIT_START, NULL, NULL, fill_compiler_thread },
	{ RUNTIME, CLR_GC_FINALIZERS_BEGIN, NULL, NULL, fill_finalizer_thread },
	{ EVENT_PIPE_PROVIDER, 1, "ProcessInfo", NULL, fill_process_info },
	{ RECORDING_END_PROVIDER, RECORDING_END_ID, RECORDING_END_NAME, NULL, fill_recording_end },
	{ THREAD_TIMES_PROVIDER, THREAD_TIMES_ID, THREAD_TIMES_NAME, NULL, fill_thread_times },
	{ RUNTIME, CLR_GC_SUSPEND_EE_BEGIN, NULL, NULL, fill_stop_begin },
	{ RUNTIME, CLR_GC_RESTART_EE_END, NULL, NULL, fill_stop_end },
	{ SYSTEM, 0, NULL, NULL, fill_process },
	{ SYSTEM, 1, NULL, NULL, fill_process },
	{ SYSTEM, 3, NULL, NULL, fill_mapping },
	{ SYSTEM, 4, NULL, NULL, fill_symbol },
	{ SYSTEM, 5, NULL, NULL, fill_mapping_metadata },
	{ UNIVERSAL_EVENTS_PROVIDER, 0, "cpu", NULL, fill_cpu },
	{ UNIVERSAL_EVENTS_PROVIDER, 0, "cswitch", NULL, fill_switch },
	{ 0 },
};

/* Where marks are wanted; the first is new, and other tools do not count it. */
static const struct event_row mark_rows[] = {
	{ RUNTIME, CLR_ALLOCATION_SAMPLED, NULL, NULL, fill_mark },
	{ RUNTIME, CLR_GC_ALLOCATION_TICK, NULL, NULL, fill_mark },
	{ RUNTIME, CLR_GC_SAMPLED_OBJECT_ALLOCATION_HIGH, NULL, NULL, fill_mark },
	{ RUNTIME, CLR_GC_SAMPLED_OBJECT_ALLOCATION_LOW, NULL, NULL, fill_mark },
	{ 0 },
};

/* Where marks or tasks are wanted. */
static const struct event_row task_rows[] = {
	{ TPL_PROVIDER, 7, NULL, NULL, fill_task_scheduled },
	{ TPL_PROVIDER, 8, NULL, NULL, fill_task_start },
	{ TPL_PROVIDER, 9, NULL, NULL, fill_task_stop },
	{ TPL_PROVIDER, 10, NULL, NULL, fill_await },
	{ TPL_PROVIDER, 11, NULL, NULL, fill_await_stop },
	{ TPL_PROVIDER, 12, NULL, NULL, fill_mark },
	{ TPL_PROVIDER, 13, NULL, NULL, fill_continuation_stop },
	{ 0 },
};

/* For events that no table lists. */
static const struct event_row note_row = { .handle = fill_note };
static const struct event_row span_start_row = { .handle = fill_span_start };
static const struct event_row span_stop_row = { .handle = fill_span_stop };

/* Start and stop events of other providers than the runtime make activities. */
static const struct event_row *span_row(const struct fill *fill, const struct pp_kind *kind)
{
	if (!fill->options.activities || clr_event_find(kind->provider, kind->id, kind->version) ||
	    !strcmp(kind->provider, TPL_PROVIDER))
		return NULL;
	if (event_source_starts(kind))
		return &span_start_row;
	return event_source_stops(kind) ? &span_stop_row : NULL;
}

const struct event_row *fill_row_for(const void *self, const struct pp_kind *kind)
{
	const struct fill *fill = self;
	const struct event_row *row = event_row_find(plain_rows, kind);

	if (!row && fill->options.marks)
		row = event_row_find(mark_rows + fill->options.notes, kind);
	if (!row && (fill->options.marks || fill->options.tasks))
		row = event_row_find(task_rows, kind);
	if (row || !strcmp(kind->provider, UNIVERSAL_EVENTS_PROVIDER))
		return row;
	return fill->options.notes && event_source_is_shown(kind) ? &note_row
								  : span_row(fill, kind);
}
