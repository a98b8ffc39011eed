/* SPDX-License-Identifier: MIT */
#include "analyze/loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/enums.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define DEEPEST 1000 /* nested loads; then the outer ones are given up */

/* Open loads of a thread. */
struct loader_thread {
	struct loader_thread *next;
	int64_t process_id, thread_id;
	struct loader_load *innermost;
};

static struct loader_thread *thread_of(struct loader_stats *stats, const struct event_context *at)
{
	return record_set_add(&stats->threads, &at->pass->arena,
			      &(struct loader_thread){ .process_id = at->event->thread->process_id,
						       .thread_id = at->event->thread->id });
}

enum {
	LOAD_NAME,
	LOAD_PATH,
	LOAD_REQUESTING,
	LOAD_CONTEXT,
	LOAD_REQUESTING_CONTEXT,
	LOAD_SUCCESS,
	LOAD_RESULT_NAME,
	LOAD_RESULT_PATH,
	LOAD_CACHED,
};
static const char load_fields[] =
	"AssemblyName AssemblyPath RequestingAssembly AssemblyLoadContext "
	"RequestingAssemblyLoadContext Success ResultAssemblyName ResultAssemblyPath Cached";

static void take_start(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	struct loader_thread *thread = thread_of(stats, at);
	struct loader_load *load = arena_new(&at->pass->arena, struct loader_load);

	*load = (struct loader_load){
		.name = event_string(at, LOAD_NAME),
		.path = event_string(at, LOAD_PATH),
		.requesting = event_string(at, LOAD_REQUESTING),
		.context = event_string(at, LOAD_CONTEXT),
		.requesting_context = event_string(at, LOAD_REQUESTING_CONTEXT),
		.result_name = "",
		.result_path = "",
		.process_id = thread->process_id,
		.thread_id = thread->thread_id,
		.start_ns = at->time_ns,
		.time_ns = -1,
		.wanted = at->wanted,
		.depth = thread->innermost ? thread->innermost->depth + 1 : 0,
		.around = thread->innermost,
	};
	load->stage_end = &load->stages;
	load->probe_end = &load->probes;
	load->handler_end = &load->handlers;
	if (load->depth >= DEEPEST) {
		load->depth = 0;
		load->around = NULL;
	}
	thread->innermost = load;
	stats->any = true;
	stats->loads = xgrow(stats->loads, stats->load_count, &stats->load_capacity,
			     sizeof(struct loader_load *));
	stats->loads[stats->load_count++] = load;
}

/* The end of an outer one ends those nested in it, which have lost theirs. */
static void take_stop(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	const struct field_value *values = at->values;
	struct loader_thread *thread = thread_of(stats, at);
	const char *name = event_string(at, LOAD_NAME);
	const char *path = event_string(at, LOAD_PATH);
	struct loader_load *load = thread->innermost;

	stats->any = true;
	while (load && (load->name != name || load->path != path))
		load = load->around;
	if (!load)
		return;
	thread->innermost = load->around;
	load->time_ns = ns_between(load->start_ns, at->time_ns);
	if (load->time_ns < 0)
		load->time_ns = 0;
	load->success = field_number(&values[LOAD_SUCCESS], 0);
	load->cached = field_number(&values[LOAD_CACHED], 0);
	load->result_name = event_string(at, LOAD_RESULT_NAME);
	load->result_path = event_string(at, LOAD_RESULT_PATH);
}

enum { STAGE_STAGE, STAGE_CONTEXT, STAGE_RESULT, STAGE_NAME, STAGE_PATH, STAGE_ERROR };
static const char stage_fields[] =
	"Stage AssemblyLoadContext Result ResultAssemblyName ResultAssemblyPath ErrorMessage";

static void take_stage(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	const struct field_value *values = at->values;
	struct loader_load *load = thread_of(stats, at)->innermost;
	struct loader_stage *stage;

	if (!load)
		return;
	stage = arena_new(&at->pass->arena, struct loader_stage);
	*stage = (struct loader_stage){
		.stage = (uint32_t)field_number(&values[STAGE_STAGE], UINT32_MAX),
		.result = (uint32_t)field_number(&values[STAGE_RESULT], UINT32_MAX),
		.context = event_string(at, STAGE_CONTEXT),
		.result_name = event_string(at, STAGE_NAME),
		.result_path = event_string(at, STAGE_PATH),
		.error = event_string(at, STAGE_ERROR),
	};
	*load->stage_end = stage;
	load->stage_end = &stage->next;
}

enum { PROBE_PATH, PROBE_SOURCE, PROBE_RESULT };
static const char probe_fields[] = "FilePath Source Result";

static void take_probe(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	struct loader_load *load = thread_of(stats, at)->innermost;
	struct loader_probe *probe;

	if (!load)
		return;
	probe = arena_new(&at->pass->arena, struct loader_probe);
	*probe = (struct loader_probe){
		.path = event_string(at, PROBE_PATH),
		.source = (uint32_t)field_number(&at->values[PROBE_SOURCE], UINT32_MAX),
		.result = (int32_t)field_number(&at->values[PROBE_RESULT], 0),
	};
	*load->probe_end = probe;
	load->probe_end = &probe->next;
}

enum { HANDLER_NAME, HANDLER_PATH, HANDLER_COMPUTED };
static const char handler_fields[] = "HandlerName ResultAssemblyPath ComputedRequestedAssemblyPath";

static void take_handler(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	struct loader_load *load = thread_of(stats, at)->innermost;
	struct loader_handler *handler;

	if (!load)
		return;
	handler = arena_new(&at->pass->arena, struct loader_handler);
	*handler = (struct loader_handler){
		.kind = at->event->kind->id == CLR_ASSEMBLY_LOAD_CONTEXT_RESOLVING_HANDLER_INVOKED
				? LOADER_CONTEXT_RESOLVING
			: at->event->kind->id == CLR_APP_DOMAIN_ASSEMBLY_RESOLVE_HANDLER_INVOKED
				? LOADER_DOMAIN_RESOLVE
				: LOADER_LOAD_FROM,
		.name = event_string(at, HANDLER_NAME),
		.result_path = event_string(
			at, at->values[HANDLER_COMPUTED].known ? HANDLER_COMPUTED : HANDLER_PATH),
	};
	*load->handler_end = handler;
	load->handler_end = &handler->next;
}

/* Ids of unloaded assemblies are reused. */
struct loader_id {
	struct loader_id *next;
	int64_t process_id;
	uint64_t id;
	struct loader_assembly *newest; /* NULL: none so far */
};

static struct loader_id *id_of(struct loader_stats *stats, const struct event_context *at,
			       size_t field)
{
	return record_set_add(&stats->ids, &at->pass->arena,
			      &(struct loader_id){ .process_id = at->event->thread->process_id,
						   .id = field_number(&at->values[field], 0) });
}

static struct loader_assembly *new_assembly(struct loader_stats *stats,
					    const struct event_context *at, struct loader_id *id)
{
	struct loader_assembly *assembly = arena_new(&at->pass->arena, struct loader_assembly);

	*assembly = (struct loader_assembly){
		.id = id->id,
		.process_id = id->process_id,
		.thread_id = at->event->thread->id,
		.name = "",
		.path = "",
		.native_path = "",
		.loaded_ns = INT64_MIN,
		.unloaded_ns = INT64_MAX,
	};
	id->newest = assembly;
	stats->assemblies = xgrow(stats->assemblies, stats->assembly_count,
				  &stats->assembly_capacity, sizeof(struct loader_assembly *));
	stats->assemblies[stats->assembly_count++] = assembly;
	return assembly;
}

enum { ASSEMBLY_ID, ASSEMBLY_FLAGS, ASSEMBLY_NAME };
static const char assembly_fields[] = "AssemblyID AssemblyFlags FullyQualifiedAssemblyName";

static struct loader_assembly *take_assembly(struct loader_stats *stats,
					     const struct event_context *at)
{
	struct loader_id *id = id_of(stats, at, ASSEMBLY_ID);
	struct loader_assembly *assembly = id->newest;

	if (!at->values[ASSEMBLY_NAME].known)
		return NULL;
	if (!assembly || assembly->unloaded_ns != INT64_MAX)
		assembly = new_assembly(stats, at, id);
	assembly->name = event_string(at, ASSEMBLY_NAME);
	assembly->flags = (uint32_t)field_number(&at->values[ASSEMBLY_FLAGS], 0);
	return assembly;
}

static void take_loaded(void *self, const struct event_context *at)
{
	struct loader_assembly *assembly = take_assembly(self, at);

	((struct loader_stats *)self)->any = true;
	if (assembly) {
		assembly->loaded_ns = at->time_ns;
		assembly->thread_id = at->event->thread->id;
	}
}

static void take_unloaded(void *self, const struct event_context *at)
{
	struct loader_assembly *assembly = take_assembly(self, at);

	if (assembly)
		assembly->unloaded_ns = at->time_ns;
}

/* Loaded at the start or the end of the trace. The last events may list unloaded ones, too. */
static void take_listed(void *self, const struct event_context *at)
{
	if (!id_of(self, at, ASSEMBLY_ID)->newest)
		take_assembly(self, at);
}

enum { MODULE_ASSEMBLY, MODULE_PATH, MODULE_NATIVE };
static const char module_fields[] = "AssemblyID ModuleILPath ModuleNativePath";

/* Modules are recorded before their assembly, or after it. */
static void take_module(void *self, const struct event_context *at)
{
	struct loader_id *id = id_of(self, at, MODULE_ASSEMBLY);
	struct loader_assembly *assembly = id->newest;

	if (!at->values[MODULE_PATH].known)
		return;
	if (!assembly)
		assembly = new_assembly(self, at, id);
	if (*assembly->path)
		return;
	assembly->path = event_string(at, MODULE_PATH);
	assembly->native_path = event_string(at, MODULE_NATIVE);
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_LOAD_START, NULL, load_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_LOAD_STOP, NULL, load_fields, take_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_RESOLUTION_ATTEMPTED, NULL, stage_fields, take_stage },
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_LOAD_CONTEXT_RESOLVING_HANDLER_INVOKED, NULL,
	  handler_fields, take_handler },
	{ CLR_RUNTIME_PROVIDER, CLR_APP_DOMAIN_ASSEMBLY_RESOLVE_HANDLER_INVOKED, NULL,
	  handler_fields, take_handler },
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_LOAD_FROM_RESOLVE_HANDLER_INVOKED, NULL,
	  handler_fields, take_handler },
	{ CLR_RUNTIME_PROVIDER, CLR_KNOWN_PATH_PROBED, NULL, probe_fields, take_probe },
	{ CLR_RUNTIME_PROVIDER, CLR_MODULE_LOAD, NULL, module_fields, take_module },
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_LOAD, NULL, assembly_fields, take_loaded },
	{ CLR_RUNTIME_PROVIDER, CLR_ASSEMBLY_UNLOAD, NULL, assembly_fields, take_unloaded },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_MODULE_DC_START, NULL, module_fields, take_module },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_MODULE_DC_END, NULL, module_fields, take_module },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_ASSEMBLY_DC_START, NULL, assembly_fields, take_listed },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_ASSEMBLY_DC_END, NULL, assembly_fields, take_listed },
	{ 0 },
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct loader_stats *stats = self;

	(void)setup;
	stats->arena = &pass->arena;
}

static void release(void *self)
{
	struct loader_stats *stats = self;

	xfree(stats->loads);
	xfree(stats->assemblies);
	record_set_release(&stats->threads);
	record_set_release(&stats->ids);
	record_set_release(&stats->contexts);
	record_set_release(&stats->stages);
	record_set_release(&stats->misses);
}

/* Names of maps are constants; a number without one is "?". */
static const char *name_of(const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_name(value_map_find(map), number, text);

	return name && name != text ? name : "?";
}

const char *loader_stage_name(const struct loader_stage *stage)
{
	return name_of("ResolutionAttemptedStage", stage->stage);
}

static void add_to_summary(struct loader_summary *summary, const struct loader_load *load)
{
	summary->count++;
	summary->cached += load->cached;
	summary->unfinished += load->time_ns < 0;
	summary->failed += load->time_ns >= 0 && !load->success;
	if (!load->depth && load->time_ns > 0)
		summary->time_ns = ns_plus(summary->time_ns, load->time_ns);
	for (const struct loader_probe *probe = load->probes; probe; probe = probe->next) {
		summary->probes++;
		summary->probes_failed += probe->result != 0;
	}
	for (const struct loader_handler *handler = load->handlers; handler;
	     handler = handler->next)
		summary->handlers++;
}

static struct loader_count *count_one(struct loader_stats *stats, struct record_set *counts,
				      const char *name, const char *result)
{
	struct loader_count *count = record_set_add(
		counts, stats->arena, &(struct loader_count){ .name = name, .result = result });

	count->count++;
	return count;
}

static void count_load(struct loader_stats *stats, const struct loader_load *load)
{
	static const char none[] = "";
	struct loader_count *context = count_one(stats, &stats->contexts, load->context, none);

	context->failed += load->time_ns >= 0 && !load->success;
	if (!load->depth && load->time_ns > 0)
		context->time_ns = ns_plus(context->time_ns, load->time_ns);
	for (const struct loader_stage *stage = load->stages; stage; stage = stage->next)
		count_one(stats, &stats->stages, loader_stage_name(stage),
			  name_of("ResolutionAttemptedResult", stage->result));
	for (const struct loader_probe *probe = load->probes; probe; probe = probe->next)
		if (probe->result)
			count_one(stats, &stats->misses, probe->path, none);
}

static int by_count(const void *left, const void *right)
{
	const struct loader_count *a = *(const struct loader_count *const *)left;
	const struct loader_count *b = *(const struct loader_count *const *)right;
	const int names = strcmp(a->name, b->name);

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return names ? names : strcmp(a->result, b->result);
}

static int by_load(const void *left, const void *right)
{
	const struct loader_assembly *a = *(const struct loader_assembly *const *)left;
	const struct loader_assembly *b = *(const struct loader_assembly *const *)right;

	if (a->loaded_ns != b->loaded_ns)
		return a->loaded_ns < b->loaded_ns ? -1 : 1;
	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void finish(void *self, const struct pass *pass)
{
	struct loader_stats *stats = self;
	size_t count;

	(void)pass;
	for (size_t i = 0; i < stats->load_count; i++) {
		if (!stats->loads[i]->wanted)
			continue;
		add_to_summary(&stats->summary, stats->loads[i]);
		count_load(stats, stats->loads[i]);
	}
	record_set_list(&stats->contexts, by_count, &count);
	record_set_list(&stats->stages, by_count, &count);
	record_set_list(&stats->misses, by_count, &count);
	if (stats->assembly_count)
		qsort(stats->assemblies, stats->assembly_count, sizeof(struct loader_assembly *),
		      by_load);
}

static const struct loader_stats initial = {
	.threads = RECORD_SET(struct loader_thread, thread_id),
	.ids = RECORD_SET(struct loader_id, id),
	.contexts = RECORD_SET(struct loader_count, result),
	.stages = RECORD_SET(struct loader_count, result),
	.misses = RECORD_SET(struct loader_count, result),
};

const struct analysis loader_analysis = {
	.name = "loader",
	.size = sizeof(struct loader_stats),
	.initial = &initial,
	.rows = rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};
