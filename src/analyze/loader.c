/* SPDX-License-Identifier: MIT */
#include "analyze/loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define DEEPEST 1000 /* loads inside one another; then those around them are given up */

/* Loads that are open on one thread. */
struct loader_thread {
	struct loader_thread *next;

	int64_t process_id, thread_id;
	struct loader_load *innermost;
};

static const char *text_of(struct loader_stats *stats, const struct field_value *picked)
{
	if (!picked->known || !picked->is_text)
		return "";
	return text_pool_add(&stats->texts, picked->text, picked->size);
}

static struct loader_thread *thread_of(struct loader_stats *stats, const struct pp_thread *thread)
{
	return record_set_add(&stats->threads, &stats->arena,
			      &(struct loader_thread){ .process_id = thread->process_id,
						       .thread_id = thread->id });
}

static struct loader_load *innermost(struct loader_stats *stats, const struct event_context *at)
{
	return thread_of(stats, at->event->thread)->innermost;
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
	const struct field_value *values = at->values;
	struct loader_thread *thread = thread_of(stats, at->event->thread);
	struct loader_load *load = arena_new(&stats->arena, struct loader_load);

	*load = (struct loader_load){
		.name = text_of(stats, &values[LOAD_NAME]),
		.path = text_of(stats, &values[LOAD_PATH]),
		.requesting = text_of(stats, &values[LOAD_REQUESTING]),
		.context = text_of(stats, &values[LOAD_CONTEXT]),
		.requesting_context = text_of(stats, &values[LOAD_REQUESTING_CONTEXT]),
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

/* The end of an outer one ends those inside it, whose own was lost. */
static void take_stop(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	const struct field_value *values = at->values;
	struct loader_thread *thread = thread_of(stats, at->event->thread);
	const char *name = text_of(stats, &values[LOAD_NAME]);
	const char *path = text_of(stats, &values[LOAD_PATH]);
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
	load->result_name = text_of(stats, &values[LOAD_RESULT_NAME]);
	load->result_path = text_of(stats, &values[LOAD_RESULT_PATH]);
}

enum { STAGE_STAGE, STAGE_CONTEXT, STAGE_RESULT, STAGE_NAME, STAGE_PATH, STAGE_ERROR };
static const char stage_fields[] =
	"Stage AssemblyLoadContext Result ResultAssemblyName ResultAssemblyPath ErrorMessage";

static void take_stage(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	const struct field_value *values = at->values;
	struct loader_load *load = innermost(stats, at);
	struct loader_stage *stage;

	if (!load)
		return;
	stage = arena_new(&stats->arena, struct loader_stage);
	*stage = (struct loader_stage){
		.stage = (uint32_t)field_number(&values[STAGE_STAGE], UINT32_MAX),
		.result = (uint32_t)field_number(&values[STAGE_RESULT], UINT32_MAX),
		.context = text_of(stats, &values[STAGE_CONTEXT]),
		.result_name = text_of(stats, &values[STAGE_NAME]),
		.result_path = text_of(stats, &values[STAGE_PATH]),
		.error = text_of(stats, &values[STAGE_ERROR]),
	};
	*load->stage_end = stage;
	load->stage_end = &stage->next;
}

enum { PROBE_PATH, PROBE_SOURCE, PROBE_RESULT };
static const char probe_fields[] = "FilePath Source Result";

static void take_probe(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	struct loader_load *load = innermost(stats, at);
	struct loader_probe *probe;

	if (!load)
		return;
	probe = arena_new(&stats->arena, struct loader_probe);
	*probe = (struct loader_probe){
		.path = text_of(stats, &at->values[PROBE_PATH]),
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
	const struct field_value *values = at->values;
	struct loader_load *load = innermost(stats, at);
	struct loader_handler *handler;

	if (!load)
		return;
	handler = arena_new(&stats->arena, struct loader_handler);
	*handler = (struct loader_handler){
		.kind = at->event->kind->id == CLR_ASSEMBLY_LOAD_CONTEXT_RESOLVING_HANDLER_INVOKED
				? LOADER_CONTEXT_RESOLVING
			: at->event->kind->id == CLR_APP_DOMAIN_ASSEMBLY_RESOLVE_HANDLER_INVOKED
				? LOADER_DOMAIN_RESOLVE
				: LOADER_LOAD_FROM,
		.name = text_of(stats, &values[HANDLER_NAME]),
		.result_path =
			text_of(stats, values[HANDLER_COMPUTED].known ? &values[HANDLER_COMPUTED]
								      : &values[HANDLER_PATH]),
	};
	*load->handler_end = handler;
	load->handler_end = &handler->next;
}

static struct loader_assembly *assembly_of(struct loader_stats *stats, int64_t process_id,
					   uint64_t id)
{
	struct loader_assembly *assembly = map_find(&stats->by_id, hash_u64(id));

	while (assembly && (assembly->id != id || assembly->process_id != process_id))
		assembly = assembly->next;
	return assembly;
}

/* A new one, too, if the one of that id is gone. */
static struct loader_assembly *make_assembly(struct loader_stats *stats,
					     const struct event_context *at, uint64_t id)
{
	const struct pp_thread *thread = at->event->thread;
	struct loader_assembly *assembly = assembly_of(stats, thread->process_id, id);

	if (assembly && assembly->unloaded_ns == INT64_MAX)
		return assembly;
	assembly = arena_new(&stats->arena, struct loader_assembly);
	*assembly = (struct loader_assembly){
		.id = id,
		.process_id = thread->process_id,
		.thread_id = thread->id,
		.name = "",
		.path = "",
		.native_path = "",
		.loaded_ns = INT64_MIN,
		.unloaded_ns = INT64_MAX,
		.next = map_find(&stats->by_id, hash_u64(id)),
	};
	map_put(&stats->by_id, hash_u64(id), assembly);
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
	const struct field_value *values = at->values;
	struct loader_assembly *assembly;

	if (!values[ASSEMBLY_NAME].known)
		return NULL;
	assembly = make_assembly(stats, at, values[ASSEMBLY_ID].number);
	assembly->name = text_of(stats, &values[ASSEMBLY_NAME]);
	assembly->flags = (uint32_t)field_number(&values[ASSEMBLY_FLAGS], 0);
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

/* At the end of the trace, or its start: it was there. The last events may name what is gone. */
static void take_there(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;

	if (!assembly_of(stats, at->event->thread->process_id,
			 field_number(&at->values[ASSEMBLY_ID], 0)))
		take_assembly(stats, at);
}

enum { MODULE_ASSEMBLY, MODULE_PATH, MODULE_NATIVE };
static const char module_fields[] = "AssemblyID ModuleILPath ModuleNativePath";

/* Modules come before their assembly is told, or behind it. */
static void take_module(void *self, const struct event_context *at)
{
	struct loader_stats *stats = self;
	const struct field_value *values = at->values;
	const uint64_t id = field_number(&values[MODULE_ASSEMBLY], 0);
	struct loader_assembly *assembly = assembly_of(stats, at->event->thread->process_id, id);

	if (!values[MODULE_PATH].known)
		return;
	if (!assembly)
		assembly = make_assembly(stats, at, id);
	if (*assembly->path)
		return;
	assembly->path = text_of(stats, &values[MODULE_PATH]);
	assembly->native_path = text_of(stats, &values[MODULE_NATIVE]);
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
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_ASSEMBLY_DC_START, NULL, assembly_fields, take_there },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_ASSEMBLY_DC_END, NULL, assembly_fields, take_there },
	{ 0 },
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	(void)pass;
	(void)setup;
	((struct loader_stats *)self)->threads =
		(struct record_set)RECORD_SET(struct loader_thread, thread_id);
}

static void release(void *self)
{
	struct loader_stats *stats = self;

	free(stats->loads);
	free(stats->assemblies);
	record_set_release(&stats->threads);
	map_release(&stats->by_id);
	text_pool_release(&stats->texts);
	arena_release(&stats->arena);
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

	(void)pass;
	if (stats->assembly_count)
		qsort(stats->assemblies, stats->assembly_count, sizeof(struct loader_assembly *),
		      by_load);
}

const struct analysis loader_analysis = {
	.name = "loader",
	.size = sizeof(struct loader_stats),
	.rows = rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};

void loader_summary_add(struct loader_summary *summary, const struct loader_load *load)
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
