/* SPDX-License-Identifier: MIT */
#include "analyze/jit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

enum method_flags {
	METHOD_DYNAMIC = 0x1,
	METHOD_JITTED = 0x8,
	METHOD_R2R_REJECTED = 0x40,
	METHOD_TIER_SHIFT = 7, /* three bits */
};

static size_t *open_on(struct jit_stats *stats, const struct pp_thread *thread)
{
	stats->open = xroom(stats->open, &stats->open_count, thread->index, sizeof(*stats->open));
	return &stats->open[thread->index];
}

struct module_path {
	struct module_path *next;
	int64_t process_id;
	uint64_t id;
	const char *path;
};

enum { MODULE_ID, MODULE_PATH };
static const char module_fields[] = "ModuleID ModuleILPath";

static void take_module(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;
	const char *path = event_string(at, MODULE_PATH);

	if (*path)
		record_set_add(&stats->modules, &at->pass->arena,
			       &(struct module_path){
				       .process_id = at->event->thread->process_id,
				       .id = at->values[MODULE_ID].number,
				       .path = path,
			       });
}

static struct jit_method *new_place(struct jit_stats *stats)
{
	struct jit_method *method;

	if (stats->free) {
		method = &stats->list[stats->free - 1];
		stats->free = method->before;
		return method;
	}
	stats->list = xgrow(stats->list, stats->count, &stats->capacity, sizeof(*stats->list));
	return &stats->list[stats->count++];
}

/* From the place `at`, + 1, on to the last one before `end`, + 1. */
static void free_places(struct jit_stats *stats, size_t at, size_t end)
{
	while (at != end) {
		struct jit_method *method = &stats->list[at - 1];
		const size_t next = method->before;

		method->before = stats->free;
		stats->free = at;
		at = next;
	}
}

enum {
	METHOD_ID,
	METHOD_MODULE,
	METHOD_TYPE,
	METHOD_NAME,
	METHOD_SIGNATURE,
	METHOD_IL_SIZE,
	METHOD_SIZE,
	METHOD_FLAGS,
	METHOD_VERSION,
};
static const char method_fields[] =
	"MethodID ModuleID MethodNamespace MethodName MethodSignature MethodILSize MethodSize "
	"MethodFlags ReJITID";

static struct jit_method *new_method(struct jit_stats *stats, const struct event_context *at)
{
	struct jit_method *method = new_place(stats);

	*method = (struct jit_method){
		.process_id = at->event->thread->process_id,
		.thread_id = at->event->thread->id,
		.start_ns = at->time_ns,
		.wanted = at->wanted,
		.method_id = at->values[METHOD_ID].number,
		.module_id = at->values[METHOD_MODULE].number,
		.type = event_string(at, METHOD_TYPE),
		.name = event_string(at, METHOD_NAME),
		.signature = event_string(at, METHOD_SIGNATURE),
	};
	return method;
}

static void take_start(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;
	size_t *open = open_on(stats, at->event->thread);
	struct jit_method *method = new_method(stats, at);

	stats->seen = true;
	method->started = true;
	method->il_size = (uint32_t)at->values[METHOD_IL_SIZE].number;
	method->before = *open;
	*open = (size_t)(method - stats->list) + 1;
}

#define DEEPEST 64 /* nested compilations; outer ones have lost their end */

/* The newest open one of the method on the thread; those begun after it have lost their end. */
static struct jit_method *open_method(struct jit_stats *stats, const struct pp_thread *thread,
				      uint64_t method_id)
{
	size_t at = *open_on(stats, thread);

	for (int depth = 0; at && depth < DEEPEST; depth++) {
		struct jit_method *method = &stats->list[at - 1];

		if (method->method_id == method_id)
			return method;
		at = method->before;
	}
	return NULL;
}

static uint8_t trigger_of(const struct jit_stats *stats, const struct jit_method *method,
			  const struct pp_thread *thread)
{
	if (thread == stats->multicore_thread)
		return JIT_MULTICORE;
	return method->version && method->tier != JIT_OSR ? JIT_TIERING : JIT_FOREGROUND;
}

static void take_load(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;
	const struct pp_thread *thread = at->event->thread;
	const struct field_value *values = at->values;
	const uint64_t flags = field_number(&values[METHOD_FLAGS], 0);
	size_t newest = *open_on(stats, thread);
	struct jit_method *method;

	stats->seen = true;
	if (!(flags & METHOD_JITTED))
		return;
	method = open_method(stats, thread, values[METHOD_ID].number);
	if (method) {
		*open_on(stats, thread) = method->before;
		method->time_ns = ns_between(method->start_ns, at->time_ns);
	} else {
		method = new_method(stats, at);
		newest = (size_t)(method - stats->list) + 1;
	}
	method->complete = true;
	method->native_size = (uint32_t)values[METHOD_SIZE].number;
	method->version = values[METHOD_VERSION].number;
	method->tier = flags >> METHOD_TIER_SHIFT & (JIT_TIERS - 1);
	method->dynamic = flags & METHOD_DYNAMIC;
	method->r2r_rejected = flags & METHOD_R2R_REJECTED;
	method->trigger = trigger_of(stats, method, thread);
	if (!stats->setup.take)
		return;
	if (method->wanted)
		setup_take(&stats->setup, method);
	free_places(stats, newest, method->before);
}

enum { MEMORY_METHOD, MEMORY_CODE, MEMORY_DATA, MEMORY_ALLOCATED };
static const char memory_fields[] =
	"MethodID JitHotCodeRequestSize JitRODataRequestSize AllocatedSizeForJitCode";

static void take_memory(void *self, const struct event_context *at)
{
	const struct field_value *values = at->values;
	struct jit_method *method =
		open_method(self, at->event->thread, values[MEMORY_METHOD].number);

	if (!method || method->has_memory)
		return;
	method->has_memory = true;
	method->code_size = values[MEMORY_CODE].number;
	method->data_size = values[MEMORY_DATA].number;
	method->allocated_size = values[MEMORY_ALLOCATED].number;
}

static void take_lookup(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;

	if (at->values[0].number)
		stats->r2r_found += at->wanted;
	else
		stats->r2r_missed += at->wanted;
}

static void take_inlining(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;

	if (at->event->kind->id == CLR_METHOD_JIT_INLINING_SUCCEEDED)
		stats->inlined += at->wanted;
	else
		stats->not_inlined += at->wanted;
}

static void take_settings(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;

	stats->has_settings = at->values[0].known;
	stats->settings = (uint32_t)at->values[0].number;
}

/* Written by the thread that compiles methods listed by a profile of an earlier run. */
static void take_multicore(void *self, const struct event_context *at)
{
	struct jit_stats *stats = self;
	const char *what = event_string(at, 0);

	if (!stats->multicore_thread && (!strcmp(what, "GROUPWAIT") || !strcmp(what, "JITTHREAD")))
		stats->multicore_thread = at->event->thread;
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_JITTING_STARTED, NULL, method_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_LOAD, NULL, method_fields, take_load },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_LOAD_VERBOSE, NULL, method_fields, take_load },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_JIT_MEMORY_ALLOCATED_FOR_CODE, NULL, memory_fields,
	  take_memory },
	{ CLR_RUNTIME_PROVIDER, CLR_MODULE_LOAD, NULL, module_fields, take_module },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_MODULE_DC_END, NULL, module_fields, take_module },
	{ CLR_RUNTIME_PROVIDER, CLR_R2R_GET_ENTRY_POINT, NULL, "EntryPoint", take_lookup },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_JIT_INLINING_SUCCEEDED, NULL, NULL, take_inlining },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_JIT_INLINING_FAILED_ANSI, NULL, NULL, take_inlining },
	{ CLR_RUNTIME_PROVIDER, CLR_METHOD_JIT_INLINING_FAILED, NULL, NULL, take_inlining },
	{ CLR_RUNTIME_PROVIDER, CLR_TIERED_COMPILATION_SETTINGS, NULL, "Flags", take_settings },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_TIERED_COMPILATION_SETTINGS_DC_START, NULL, "Flags",
	  take_settings },
	{ CLR_PRIVATE_PROVIDER, PRIVATE_MULTICORE_JIT, NULL, "String1", take_multicore },
	{ 0 },
};

static void finish(void *self, const struct pass *pass)
{
	struct jit_stats *stats = self;
	size_t complete = 0;

	(void)pass;
	if (stats->setup.take) {
		stats->count = 0;
		return;
	}
	for (size_t i = 0; i < stats->count; i++) {
		struct jit_method *method = &stats->list[i];
		const struct module_path *module = record_set_find(
			&stats->modules, &(struct module_path){ .process_id = method->process_id,
								.id = method->module_id });

		if (!method->complete)
			continue;
		method->module = module ? module->path : NULL;
		stats->list[complete++] = *method;
	}
	stats->unfinished = stats->count - complete;
	stats->count = complete;
}

static void release(void *self)
{
	struct jit_stats *stats = self;

	record_set_release(&stats->modules);
	xfree(stats->list);
	xfree(stats->open);
}

static const struct jit_stats initial = { .modules = RECORD_SET(struct module_path, id) };

const struct analysis jit_analysis = {
	.name = "jit",
	.size = sizeof(struct jit_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.finish = finish,
	.release = release,
};

static void sum_add(struct jit_sum *sum, const struct jit_sum *more)
{
	sum->count += more->count;
	sum->il_bytes += more->il_bytes;
	sum->native_bytes += more->native_bytes;
	sum->time_ns = ns_plus(sum->time_ns, more->time_ns);
	if (more->max_ns > sum->max_ns)
		sum->max_ns = more->max_ns;
}

static struct jit_sum sum_of(const struct jit_method *method)
{
	return (struct jit_sum){
		.count = 1,
		.il_bytes = method->il_size,
		.native_bytes = method->native_size,
		.time_ns = method->time_ns,
		.max_ns = method->time_ns,
	};
}

void jit_summary_add(struct jit_summary *summary, const struct jit_method *method)
{
	const struct jit_sum sum = sum_of(method);

	sum_add(&summary->all, &sum);
	sum_add(&summary->tiers[method->tier], &sum);
	sum_add(&summary->triggers[method->trigger], &sum);
	summary->rejits += method->version != 0;
	summary->osr += method->tier == JIT_OSR;
	summary->r2r_rejected += method->r2r_rejected;
}

/* "System.Text" of "System.Text.Rune+Parts`1[System.Int32]". */
static size_t namespace_size(const char *type)
{
	size_t size = strcspn(type, "[`+<");

	while (size && type[size - 1] != '.')
		size--;
	return size ? size - 1 : 0;
}

static struct jit_group group_of(enum jit_key key, const struct jit_method *method)
{
	struct jit_group group = { .sum = sum_of(method) };

	if (key == JIT_BY_NAMESPACE) {
		group.text = method->type;
		group.size = namespace_size(method->type);
	} else if (key == JIT_BY_MODULE) {
		group.text = method->module;
		group.size = method->module ? strlen(method->module) : 0;
	} else {
		group.process_id = method->process_id;
		group.thread_id = method->thread_id;
	}
	return group;
}

static int by_key(const void *left, const void *right)
{
	const struct jit_group *a = left;
	const struct jit_group *b = right;
	const size_t size = a->size < b->size ? a->size : b->size;
	const int order = size ? memcmp(a->text, b->text, size) : 0;

	if (order)
		return order;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

static int by_time(const void *left, const void *right)
{
	const struct jit_group *a = left;
	const struct jit_group *b = right;

	if (a->sum.time_ns != b->sum.time_ns)
		return a->sum.time_ns < b->sum.time_ns ? 1 : -1;
	if (a->sum.count != b->sum.count)
		return a->sum.count < b->sum.count ? 1 : -1;
	return by_key(left, right);
}

size_t jit_group_by(enum jit_key key, const struct jit_method *const *methods, size_t count,
		    struct jit_group **groups)
{
	struct jit_group *list = xcalloc(count + 1, sizeof(*list));
	size_t merged = 0;

	for (size_t i = 0; i < count; i++)
		list[i] = group_of(key, methods[i]);
	qsort(list, count, sizeof(*list), by_key);
	for (size_t i = 0; i < count; i++)
		if (merged && !by_key(&list[merged - 1], &list[i]))
			sum_add(&list[merged - 1].sum, &list[i].sum);
		else
			list[merged++] = list[i];
	qsort(list, merged, sizeof(*list), by_time);
	*groups = list;
	return merged;
}
