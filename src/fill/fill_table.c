/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "clr/events.h"
#include "fill/fill_rows.h"
#include "nettrace/recording_end.h"

#define RUNTIME	  "Microsoft-Windows-DotNETRuntime"
#define RUNDOWN	  "Microsoft-Windows-DotNETRuntimeRundown"
#define SAMPLER	  "Microsoft-DotNETCore-SampleProfiler"
#define EVENTPIPE "Microsoft-DotNETCore-EventPipe"
#define TASKS	  "System.Threading.Tasks.TplEventSource"
#define METRICS	  "System.Diagnostics.Metrics"

/* By id, or by name where ids are free. */
static const struct {
	const char *provider;
	uint32_t id;
	const char *name; /* NULL: any */
	fill_row *row;
	bool mark; /* only where marks are wanted */
} table[] = {
	{ SAMPLER, 0, NULL, fill_managed_sample, false },
	{ RUNTIME, 143, NULL, fill_method_load, false },
	{ RUNTIME, 144, NULL, fill_method_unload, false },
	{ RUNTIME, 139, NULL, fill_method_there, false },
	{ RUNTIME, 140, NULL, fill_method_there, false },
	{ RUNTIME, 152, NULL, fill_module_load, false },
	{ RUNDOWN, 143, NULL, fill_method_there, false },
	{ RUNDOWN, 144, NULL, fill_method_there, false },
	{ RUNDOWN, 153, NULL, fill_module_there, false },
	{ RUNDOWN, 154, NULL, fill_module_there, false },
	{ RUNTIME, 50, NULL, fill_pool_thread, false },
	{ RUNTIME, 57, NULL, fill_pool_thread_waits, false },
	{ RUNTIME, 283, NULL, fill_compiler_thread, false },
	{ RUNTIME, 14, NULL, fill_finalizer_thread, false },
	{ EVENTPIPE, 1, "ProcessInfo", fill_process_info, false },
	{ RECORDING_END_PROVIDER, RECORDING_END_ID, RECORDING_END_NAME, fill_recording_end, false },

	{ "Universal.System", 0, NULL, fill_process, false },
	{ "Universal.System", 1, NULL, fill_process, false },
	{ "Universal.System", 3, NULL, fill_mapping, false },
	{ "Universal.System", 4, NULL, fill_symbol, false },
	{ "Universal.System", 5, NULL, fill_mapping_metadata, false },
	{ RUNTIME, 10, NULL, fill_mark, true },
	{ RUNTIME, 20, NULL, fill_mark, true },
	{ RUNTIME, 32, NULL, fill_mark, true },
	{ RUNTIME, 303, NULL, fill_mark, true },
	{ TASKS, 7, NULL, fill_task_scheduled, true },
	{ TASKS, 8, NULL, fill_task_start, true },
	{ TASKS, 9, NULL, fill_task_stop, true },
	{ TASKS, 10, NULL, fill_await, true },
	{ TASKS, 11, NULL, fill_await_stop, true },
	{ TASKS, 12, NULL, fill_mark, true },
	{ METRICS, 4, "CounterRateValuePublished", fill_instrument, false },
	{ METRICS, 5, "GaugeValuePublished", fill_instrument, false },
	{ METRICS, 6, "HistogramValuePublished", fill_instrument, false },
	{ METRICS, 16, "UpDownCounterRateValuePublished", fill_instrument, false },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool ends_with(const char *text, const char *end)
{
	const size_t size = strlen(text);
	const size_t wanted = strlen(end);

	return size > wanted && !strcmp(text + size - wanted, end);
}

/* Start and stop events of other providers than the runtime make activities. */
static fill_row *span_row(const struct fill *fill, const struct pp_kind *kind)
{
	if (fill->options.notes && *kind->name)
		return fill_note;
	if ((!fill->options.marks && !fill->options.activities) ||
	    clr_event_find(kind->provider, kind->id, kind->version) ||
	    !strcmp(kind->provider, TASKS))
		return NULL;
	if (kind->opcode == 1 || (kind->opcode < 0 && ends_with(kind->name, "Start")))
		return fill_span_start;
	if (kind->opcode == 2 || (kind->opcode < 0 && ends_with(kind->name, "Stop")))
		return fill_span_stop;
	return NULL;
}

fill_row *fill_row_for(const struct fill *fill, const struct pp_kind *kind)
{
	if (!strcmp(kind->provider, "Universal.Events")) {
		if (!strcmp(kind->name, "cpu"))
			return fill_cpu;
		return !strcmp(kind->name, "cswitch") ? fill_switch : NULL;
	}
	for (size_t i = 0; i < COUNT(table); i++)
		if (kind->id == table[i].id && !strcmp(kind->provider, table[i].provider) &&
		    (!table[i].name || !strcmp(kind->name, table[i].name)))
			return table[i].mark && !fill->options.marks ? NULL : table[i].row;
	if (!strcmp(kind->name, "EventCounters"))
		return fill_event_counter;

	return span_row(fill, kind);
}
