/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* A number, which may be 0, as a value of a map. */
static void *boxed(uint32_t number)
{
	return (void *)((uintptr_t)number + 1);
}

static uint32_t unboxed(const void *value)
{
	return value ? (uint32_t)((uintptr_t)value - 1) : MODEL_NONE;
}

void model_init(struct model *model)
{
	*model = (struct model){ 0 };
	model->strings.arena = &model->arena;
	task_list_init(&model->tasks, &model->spool);
	span_list_init(&model->spans, &model->spool);
}

void model_release(struct model *model)
{
	xfree(model->renumbered);
	xfree(model->processes);
	xfree(model->threads);
	xfree(model->modules);
	xfree(model->methods);
	xfree(model->frames);
	xfree(model->activities);
	xfree(model->namers);
	stack_tree_release(&model->stacks);
	code_release(&model->code);
	map_release(&model->processes_by_id);
	map_release(&model->threads_by_id);
	map_release(&model->modules_by_id);
	map_release(&model->methods_by_place);
	map_release(&model->frames_by_name);
	map_release(&model->activities_by_id);
	samples_release(&model->samples);
	samples_release(&model->readings);
	task_list_release(&model->tasks);
	span_list_release(&model->spans);
	spool_release(&model->spool);
	xfree(model->stops);
	strings_release(&model->strings);
	arena_release(&model->arena);
}

const char *model_text(struct model *model, const char *text)
{
	return strings_intern(&model->strings, text, strlen(text));
}

/* Mixes a number and an id into a key; lookups compare the id, in case of a collision. */
static uint64_t key_of(uint32_t number, uint64_t id)
{
	return hash_u64(id) ^ hash_u64(UINT64_C(1) << 63 | number);
}

uint32_t model_process(struct model *model, int64_t id)
{
	const void *known = map_find(&model->processes_by_id, (uint64_t)id);

	if (known)
		return unboxed(known);
	model->processes = xgrow(model->processes, model->process_count, &model->process_capacity,
				 sizeof(*model->processes));
	model->processes[model->process_count] = (struct model_process){ .id = id };
	map_put(&model->processes_by_id, (uint64_t)id, boxed((uint32_t)model->process_count));
	return (uint32_t)model->process_count++;
}

uint32_t model_thread(struct model *model, uint32_t process, int64_t id)
{
	const uint64_t key = key_of(process, (uint64_t)id);
	const void *known = map_find(&model->threads_by_id, key);

	if (known)
		return unboxed(known);
	if (model->thread_count == MODEL_THREADS - 1)
		return 0; /* at the limit the first thread stands for all others */
	model->threads = xgrow(model->threads, model->thread_count, &model->thread_capacity,
			       sizeof(*model->threads));
	model->threads[model->thread_count] = (struct model_thread){ .id = id, .process = process };
	map_put(&model->threads_by_id, key, boxed((uint32_t)model->thread_count));
	return (uint32_t)model->thread_count++;
}

void model_name_process(struct model *model, uint32_t process, const char *name,
			const char *command_line)
{
	if (name)
		model->processes[process].name = name;
	if (command_line)
		model->processes[process].command_line = command_line;
}

void model_name_thread(struct model *model, uint32_t thread, const char *name)
{
	if (name)
		model->threads[thread].name = name;
}

uint32_t model_find_module(const struct model *model, uint32_t process, uint64_t id)
{
	const uint32_t at = unboxed(map_find(&model->modules_by_id, key_of(process, id)));

	if (at == MODEL_NONE || model->modules[at].process != process ||
	    model->modules[at].id != id)
		return MODEL_NONE;
	return at;
}

uint32_t model_add_module(struct model *model, const struct model_module *module)
{
	const uint64_t key = key_of(module->process, module->id);
	const uint32_t known = model_find_module(model, module->process, module->id);

	if (known != MODEL_NONE && !strcmp(model->modules[known].path, module->path) &&
	    model->modules[known].start == module->start)
		return known;
	model->modules = xgrow(model->modules, model->module_count, &model->module_capacity,
			       sizeof(*model->modules));
	model->modules[model->module_count] = *module;
	model->modules[model->module_count].same_id = known;
	map_put(&model->modules_by_id, key, boxed((uint32_t)model->module_count));
	return (uint32_t)model->module_count++;
}

static uint64_t place_key(const struct model_method *method)
{
	return key_of(method->process, method->start ^ hash_u64(method->id));
}

uint32_t model_find_method(const struct model *model, const struct model_method *like)
{
	const uint32_t at = unboxed(map_find(&model->methods_by_place, place_key(like)));

	if (at == MODEL_NONE || model->methods[at].start != like->start ||
	    model->methods[at].id != like->id || model->methods[at].process != like->process)
		return MODEL_NONE;
	return at;
}

uint32_t model_add_method(struct model *model, const struct model_method *method)
{
	const uint32_t known = model_find_method(model, method);

	if (known != MODEL_NONE && model->methods[known].to_ns == INT64_MAX)
		return MODEL_NONE;
	model->methods = xgrow(model->methods, model->method_count, &model->method_capacity,
			       sizeof(*model->methods));
	model->methods[model->method_count] = *method;
	model->methods[model->method_count].module = MODEL_NONE;
	map_put(&model->methods_by_place, place_key(method), boxed((uint32_t)model->method_count));
	return (uint32_t)model->method_count++;
}

void model_end_method(struct model *model, uint32_t method, int64_t now_ns)
{
	if (model->methods[method].to_ns == INT64_MAX)
		model->methods[method].to_ns = now_ns;
}

uint32_t model_activity(struct model *model, const uint8_t id[static 16])
{
	const uint64_t key = hash_bytes(id, 16);
	const void *known = map_find(&model->activities_by_id, key);

	if (known)
		return unboxed(known);
	model->activities = xgrow(model->activities, model->activity_count,
				  &model->activity_capacity, sizeof(*model->activities));
	memcpy(model->activities[model->activity_count], id, 16);
	map_put(&model->activities_by_id, key, boxed((uint32_t)model->activity_count));
	return (uint32_t)model->activity_count++;
}
