/* SPDX-License-Identifier: MIT */
/*
 * Turns addresses into frames. Addresses in one method are the same frame, so stacks that differ
 * only in addresses become one stack, and references to stacks are renumbered. An address inside
 * inlined calls becomes several frames.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "model/model.h"

uint32_t model_frame(struct model *model, const struct model_frame *frame)
{
	const uint64_t identity[] = { (uintptr_t)frame->name, (uintptr_t)frame->path,
				      (uint64_t)frame->process << 1 | frame->inlined,
				      frame->line ? (uintptr_t)frame->file : 0, frame->line };
	const uint64_t key = hash_bytes(identity, sizeof(identity));
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
							       .method = MODEL_NONE,
							       .module_number = MODEL_NONE });
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

/* Nobody knows the address. */
static void add_unresolved(struct address_naming *naming)
{
	struct model *model = naming->model;
	const bool offset = model->offsets && naming->entry->module != MODEL_NONE;

	naming_add(naming,
		   &(const struct model_frame){ .name = offset ? offset_text(model, naming->entry)
							       : model->unknown,
						.unresolved = true });
}

/* The frame at a place of the naming's list, of which the last is not inlined. */
static uint32_t keep_frame(struct address_naming *naming, size_t place)
{
	struct model_frame *frame = &naming->frames[place];

	frame->inlined = place + 1 < naming->count;
	frame->process = naming->entry->process;
	frame->method = frame->inlined ? MODEL_NONE : naming->entry->method;
	frame->module_number = naming->entry->module;
	if (!naming->model->lines)
		frame->line = 0;
	return model_frame(naming->model, frame);
}

static void add_inlined(struct code *code, uint32_t number)
{
	code->inlined = xgrow(code->inlined, code->inlined_count, &code->inlined_capacity,
			      sizeof(*code->inlined));
	code->inlined[code->inlined_count++] = number;
}

static void keep_frames(struct address_naming *naming, struct code_entry *entry)
{
	struct code *code = &naming->model->code;
	const uint32_t inlined = (uint32_t)naming->count - 1;

	entry->frame = keep_frame(naming, inlined);
	if (!inlined)
		return;
	if (!code->inlined_count)
		add_inlined(code, 0); /* place 0 is none */
	entry->inlined = code->inlined_count;
	add_inlined(code, inlined);
	for (size_t i = inlined; i-- > 0;)
		add_inlined(code, keep_frame(naming, i));
}

static void count_unresolved(struct model *model, const struct code_entry *entry)
{
	model->losses.frames_unresolved++;
	if (entry->module != MODEL_NONE && model->modules[entry->module].mapped)
		model->losses.frames_unresolved_native++;
}

static void name_entry(struct address_naming *naming, struct code_entry *entry)
{
	struct model *model = naming->model;

	naming->entry = entry;
	naming->count = 0;
	for (size_t i = 0; i < model->namer_count && !naming->count; i++)
		model->namers[i].name(model->namers[i].self, naming);
	if (!naming->count)
		add_unresolved(naming);
	if (naming->frames[naming->count - 1].unresolved)
		count_unresolved(model, entry);
	keep_frames(naming, entry);
}

static void name_entries(struct model *model)
{
	struct address_naming naming = { .model = model };

	model->unknown = model_text(model, "?");
	for (uint32_t i = 0; i < model->code.count; i++)
		name_entry(&naming, &model->code.entries[i]);
	model->namer_count = 0;
}

static bool is_same_method(const struct model *model, uint32_t a, uint32_t b)
{
	return a != MODEL_NONE && b != MODEL_NONE && model->methods[a].id == model->methods[b].id &&
	       model->methods[a].process == model->methods[b].process;
}

static bool continues_caller(const struct model *model, const struct stack_node *node)
{
	const struct code_entry *entries = model->code.entries;
	const uint32_t method = entries[node->frame].method;
	const struct stack_node *parent = &model->stacks.nodes[node->parent];

	return node->parent && method != MODEL_NONE && model->methods[method].continues &&
	       is_same_method(model, method, entries[parent->frame].method);
}

/*
 * Sets the entry of bodies that continue their caller, with which they are one call, to MODEL_NONE.
 * Callees come first, because they look at their caller's entry.
 */
static void merge_calls(struct model *model)
{
	for (uint32_t i = model->stacks.count; i-- > 1;)
		if (continues_caller(model, &model->stacks.nodes[i]))
			model->stacks.nodes[i].frame = MODEL_NONE;
}

static uint32_t call(struct model *model, uint32_t parent, const struct code_entry *entry)
{
	const uint32_t inlined = code_inlined(&model->code, entry);

	for (uint32_t i = 0; i <= inlined; i++)
		parent = stack_tree_child(&model->stacks, parent,
					  code_frame(&model->code, entry, i));
	return parent;
}

/* Callers come first, so their new numbers are known. */
static void renumber(struct model *model, const struct stack_node *nodes)
{
	for (uint32_t i = 1; i < model->renumbered_count; i++) {
		const struct stack_node node = nodes[i];
		const uint32_t parent = model->renumbered[node.parent];

		model->renumbered[i] =
			node.frame == MODEL_NONE
				? parent
				: call(model, parent, &model->code.entries[node.frame]);
	}
}

/*
 * Without inlined calls a node's new number is never larger than its old one, so that the new tree
 * can overwrite nodes that were already read. With them it is a tree of its own.
 */
static void build_stacks(struct model *model)
{
	struct stack_tree old = model->stacks;

	model->renumbered = xcalloc((size_t)old.count + 1, sizeof(*model->renumbered));
	model->renumbered_count = old.count;
	if (model->code.inlined_count) {
		model->stacks = (struct stack_tree){ 0 };
		renumber(model, old.nodes);
		stack_tree_release(&old);
	} else {
		stack_tree_begin_again(&model->stacks);
		renumber(model, old.nodes);
	}
	stack_tree_seal(&model->stacks);
}

/* By stack: whether it has an unresolved frame. */
static bool *find_unresolved(const struct model *model)
{
	bool *unresolved = xcalloc((size_t)model->stacks.count + 1, sizeof(*unresolved));

	for (uint32_t i = 1; i < model->stacks.count; i++) {
		const struct stack_node *node = &model->stacks.nodes[i];

		unresolved[i] = unresolved[node->parent] || model->frames[node->frame].unresolved;
	}
	return unresolved;
}

static void count_samples(struct model *model)
{
	bool *unresolved = find_unresolved(model);
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		if (!sample_is_event(&sample)) {
			model->losses.samples++;
			model->losses.samples_unresolved += unresolved[sample.stack];
		}
	sample_walk_end(&walk);
	xfree(unresolved);
}

void model_build(struct model *model)
{
	name_entries(model);
	merge_calls(model);
	build_stacks(model);
	model->samples.stacks_now = model->renumbered;
	model->tasks.stacks_now = model->renumbered;
	count_samples(model);
}
