/* SPDX-License-Identifier: MIT */
#include "export/event_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "export/live_frames.h"
#include "fill/fill.h"

/*
 * Two models of one trace: the first is filled up to the end and has the names, the second along
 * with the events that are shown. Code entries have the same numbers in both.
 */
struct event_frames {
	struct model named;
	struct model numbered;
	struct fill *naming;	  /* of the first pass */
	struct live_frames *live; /* instead of both; or NULL */
	struct event_frame *list; /* of the current event, leaf first */
	size_t count;
	size_t capacity;
};

struct event_frames *event_frames_new(void)
{
	return xcalloc(1, sizeof(struct event_frames));
}

struct event_frames *event_frames_new_live(struct live_frames *live)
{
	struct event_frames *frames = event_frames_new();

	frames->live = live;
	return frames;
}

void event_frames_free(struct event_frames *frames)
{
	if (!frames)
		return;
	model_release(&frames->named);
	model_release(&frames->numbered);
	live_frames_free(frames->live);
	free(frames->list);
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
	if (frames->live)
		return;
	want_model(pass, &frames->numbered);
	pass_want_every(pass, note_stack, NULL); /* numbers depend on all earlier stacks */
}

static void add_frame(struct event_frames *frames, struct event_frame frame)
{
	frames->list = xgrow(frames->list, frames->count, &frames->capacity, sizeof(*frames->list));
	frames->list[frames->count++] = frame;
}

static struct event_frame named_frame(const struct model *model, uint32_t number)
{
	const struct code_entry *entry;
	struct event_frame frame = { 0 };

	if (number >= model->code.count)
		return frame;
	entry = &model->code.entries[number];
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

static void look_up_live(struct event_frames *frames, const struct pp_event *event)
{
	const struct pp_stack *stack = event->stack;

	for (size_t i = 0; stack && i < stack->count; i++)
		add_frame(frames, live_frames_get(frames->live, event->thread->process_id,
						  stack->addresses[i]));
}

void event_frames_look_up(struct event_frames *frames, const struct event_context *at)
{
	const struct stack_tree *stacks = &frames->numbered.stacks;

	frames->count = 0;
	if (frames->live) {
		look_up_live(frames, at->event);
		return;
	}
	for (uint32_t node = event_stack(at); node; node = stacks->nodes[node].parent)
		add_frame(frames, named_frame(&frames->named, stacks->nodes[node].frame));
}

struct event_frame event_frames_get(const struct event_frames *frames, size_t place)
{
	return place < frames->count ? frames->list[place] : (struct event_frame){ 0 };
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
