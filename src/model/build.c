/* SPDX-License-Identifier: MIT */
/*
 * Turns addresses into frames. Addresses in one method are the same frame, so stacks that differ
 * only in addresses become one stack, and references to stacks are renumbered.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "model/model.h"

/* On-stack replacement: the body replaces a running one, which is its caller on the stack. */
#define TIER_OSR 5

uint32_t model_frame(struct model *model, const struct model_frame *frame)
{
	const uint64_t key = hash_u64((uintptr_t)frame->name) ^
			     hash_u64((uintptr_t)frame->path + ((uint64_t)frame->process << 48));
	const void *known = map_find(&model->frames_by_name, key);

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	model->frames = xgrow(model->frames, model->frame_count, &model->frame_capacity,
			      sizeof(*model->frames));
	model->frames[model->frame_count] = *frame;
	map_put(&model->frames_by_name, key, (void *)(uintptr_t)(model->frame_count + 1));
	return (uint32_t)model->frame_count++;
}

uint32_t model_label(struct model *model, uint32_t process, const char *name)
{
	const char *none = model_text(model, "");

	return model_frame(model, &(const struct model_frame){ .name = model_text(model, name),
							       .module = none,
							       .path = none,
							       .process = process,
							       .method = MODEL_NONE });
}

/* The file offset of the address, as text. */
static const char *offset_text(struct model *model, const struct code_entry *entry)
{
	const struct model_module *module = &model->modules[entry->module];
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64,
		 entry->address - module->start + module->file_offset);
	return model_text(model, text);
}

static const char *lower_text(struct model *model, const char *text)
{
	const size_t size = strlen(text);
	char *copy = arena_text(&model->arena, text, size);

	for (size_t i = 0; i < size; i++)
		copy[i] = (char)(copy[i] >= 'A' && copy[i] <= 'Z' ? copy[i] + 32 : copy[i]);
	return model_text(model, copy);
}

static void spell_lower(struct model *model, struct model_frame *frame)
{
	frame->module = lower_text(model, frame->module);
	frame->path = lower_text(model, frame->path);
}

static void name_entry(struct model *model, struct code_entry *entry, const char *unknown)
{
	struct model_frame frame = {
		.name = unknown,
		.module = unknown,
		.path = unknown,
		.process = entry->process,
		.method = entry->method,
	};

	if (entry->module != MODEL_NONE) {
		frame.module = model->modules[entry->module].name;
		frame.path = model_module_stem(model, model->modules[entry->module].path);
	}

	if (entry->method != MODEL_NONE && model->methods[entry->method].spelling == SPELLED_LOWER)
		spell_lower(model, &frame);
	if (entry->method != MODEL_NONE)
		frame.name = model->methods[entry->method].text;
	else if (entry->module != MODEL_NONE && model->offsets)
		frame.name = offset_text(model, entry);
	if (entry->method == MODEL_NONE)
		model->losses.frames_unresolved++;
	entry->frame = model_frame(model, &frame);
}

static bool is_same_method(const struct model *model, uint32_t a, uint32_t b)
{
	return a != MODEL_NONE && b != MODEL_NONE && model->methods[a].id == model->methods[b].id &&
	       model->methods[a].process == model->methods[b].process;
}

/* Whether a body replaced its caller on the stack: both are one call. */
static bool replaces_caller(const struct model *model, const struct stack_node *node)
{
	const struct code_entry *entries = model->code.entries;
	const uint32_t method = entries[node->frame].method;
	const struct stack_node *parent = &model->stacks.nodes[node->parent];

	return node->parent && method != MODEL_NONE && model->methods[method].tier == TIER_OSR &&
	       is_same_method(model, method, entries[parent->frame].method);
}

/*
 * Replaces entries by frames, or by MODEL_NONE for bodies that replaced their caller. Callees come
 * first, because they look at their caller's entry.
 */
static void name_nodes(struct model *model)
{
	for (uint32_t i = model->stacks.count; i-- > 1;) {
		struct stack_node *node = &model->stacks.nodes[i];

		node->frame = replaces_caller(model, node) ? MODEL_NONE
							   : model->code.entries[node->frame].frame;
	}
}

/*
 * Callers come first, so their new numbers are known. A node's new number is never larger than its
 * old one, so the new tree can overwrite nodes that were already read. Returns, by new number,
 * whether a stack has an unnamed frame.
 */
static bool *renumber(struct model *model)
{
	const uint32_t count = model->stacks.count;
	bool *unnamed = xcalloc((size_t)count + 1, sizeof(*unnamed));

	model->renumbered = xcalloc((size_t)count + 1, sizeof(*model->renumbered));
	model->renumbered_count = count;
	stack_tree_begin_again(&model->stacks);
	for (uint32_t i = 1; i < count; i++) {
		const struct stack_node node = model->stacks.nodes[i];
		const uint32_t parent = model->renumbered[node.parent];
		uint32_t now = parent;

		if (node.frame != MODEL_NONE) {
			now = stack_tree_child(&model->stacks, parent, node.frame);
			unnamed[now] =
				unnamed[parent] || model->frames[node.frame].method == MODEL_NONE;
		}
		model->renumbered[i] = now;
	}
	return unnamed;
}

static void count_samples(struct model *model, const bool *unnamed)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		if (!sample_is_event(&sample)) {
			model->losses.samples++;
			model->losses.samples_unresolved += unnamed[sample.stack];
		}
	sample_walk_end(&walk);
}

void model_build(struct model *model)
{
	const char *unknown = model_text(model, "?");
	bool *unnamed;

	for (uint32_t i = 0; i < model->code.count; i++)
		name_entry(model, &model->code.entries[i], unknown);
	name_nodes(model);
	unnamed = renumber(model);
	stack_tree_seal(&model->stacks);
	model->samples.stacks_now = model->renumbered;
	count_samples(model, unnamed);
	for (size_t i = 0; i < model->task_count; i++)
		model->tasks[i].stack = model_stack_now(model, model->tasks[i].stack);
	free(unnamed);
}
