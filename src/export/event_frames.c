/* SPDX-License-Identifier: MIT */
#include "export/event_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "fill/fill.h"

/*
 * Two models of one trace: the first is filled up to the end and has the names, the second along
 * with the events that are shown. Code entries have the same numbers in both.
 */
struct event_frames {
	struct model named;
	struct model numbered;
	struct fill *naming; /* of the first pass */
	uint32_t *entries;   /* of the current event, leaf first */
	size_t count;
	size_t capacity;
};

struct event_frames *event_frames_new(void)
{
	return xcalloc(1, sizeof(struct event_frames));
}

void event_frames_free(struct event_frames *frames)
{
	if (!frames)
		return;
	model_release(&frames->named);
	model_release(&frames->numbered);
	free(frames->entries);
	free(frames);
}

static struct fill *want_model(struct pass *pass, struct model *model)
{
	const struct fill_options options = { .model = model };

	return pass_want(pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
}

static void note_stack(void *self, const struct event_context *at)
{
	(void)self;
	event_stack(at);
}

void event_frames_learn(struct event_frames *frames, struct pass *pass)
{
	frames->naming = want_model(pass, &frames->named);
	pass_want_every(pass, note_stack, NULL);
}

void event_frames_finish(struct event_frames *frames, struct pass *pass,
			 const struct pp_nettrace *trace)
{
	pass_finish(pass, trace);
	fill_build(frames->naming);
	frames->naming = NULL;
}

void event_frames_follow(struct event_frames *frames, struct pass *pass)
{
	want_model(pass, &frames->numbered);
	pass_want_every(pass, note_stack, NULL); /* numbers depend on all earlier stacks */
}

void event_frames_look_up(struct event_frames *frames, const struct event_context *at)
{
	const struct stack_tree *stacks = &frames->numbered.stacks;

	frames->count = 0;
	for (uint32_t node = event_stack(at); node; node = stacks->nodes[node].parent) {
		frames->entries = xgrow(frames->entries, frames->count, &frames->capacity,
					sizeof(*frames->entries));
		frames->entries[frames->count++] = stacks->nodes[node].frame;
	}
}

struct event_frame event_frames_get(const struct event_frames *frames, size_t place)
{
	const struct model *model = &frames->named;
	const struct code_entry *entry;
	struct event_frame frame = { 0 };

	if (place >= frames->count || frames->entries[place] >= model->code.count)
		return frame;
	entry = &model->code.entries[frames->entries[place]];
	if (entry->module != MODEL_NONE)
		frame.module = model->modules[entry->module].name;
	if (entry->method != MODEL_NONE) {
		frame.name = model->methods[entry->method].text;
		frame.offset = entry->address - model->methods[entry->method].start;
		frame.has_offset = true;
	} else if (entry->module != MODEL_NONE) {
		const struct model_module *module = &model->modules[entry->module];

		frame.offset = entry->address - module->start + module->file_offset;
		frame.has_offset = true;
	}
	return frame;
}

static void put_text(struct buffer *out, const char *text)
{
	if (text)
		json_quote(out, text, strlen(text));
	else
		buffer_text(out, "null");
}

void event_put_frames(struct buffer *out, const struct event_frames *frames,
		      const struct pp_stack *stack)
{
	buffer_text(out, ",\"frames\":[");
	for (size_t i = 0; i < stack->count; i++) {
		const struct event_frame frame = event_frames_get(frames, i);

		buffer_text(out, i ? ",{\"name\":" : "{\"name\":");
		put_text(out, frame.name);
		buffer_text(out, ",\"module\":");
		put_text(out, frame.module);
		buffer_text(out, ",\"offset\":");
		if (frame.has_offset)
			buffer_decimal(out, frame.offset);
		else
			buffer_text(out, "null");
		buffer_u8(out, '}');
	}
	buffer_u8(out, ']');
}
