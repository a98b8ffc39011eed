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
	struct fill_symbols symbols;
	struct fill *naming;	  /* of the first pass */
	struct live_frames *live; /* instead of both; or NULL */
	struct event_frame *list; /* of the current event, leaf first */
	size_t count;
	size_t capacity;
};

struct event_frames *event_frames_new(const struct fill_symbols *symbols)
{
	struct event_frames *frames = xcalloc(1, sizeof(*frames));

	if (symbols)
		frames->symbols = *symbols;
	return frames;
}

struct event_frames *event_frames_new_live(struct live_frames *live)
{
	struct event_frames *frames = event_frames_new(NULL);

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
	xfree(frames->list);
	xfree(frames);
}

static struct fill *want_model(struct pass *pass, struct model *model,
			       const struct fill_symbols *symbols)
{
	const struct fill_options options = { .model = model, .symbols = *symbols };

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
	frames->naming = want_model(pass, &frames->named, &frames->symbols);
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
	want_model(pass, &frames->numbered, &(const struct fill_symbols){ 0 });
	pass_want_every(pass, note_stack, NULL); /* numbers depend on all earlier stacks */
}

static void add_frame(struct event_frames *frames, struct event_frame frame)
{
	frames->list = xgrow(frames->list, frames->count, &frames->capacity, sizeof(*frames->list));
	frames->list[frames->count++] = frame;
}

static void set_name(struct event_frame *frame, const struct model_frame *from)
{
	frame->name = from->name;
	frame->file = from->line ? from->file : NULL;
	frame->line = from->file ? from->line : 0;
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
	if (frame_is_named(&model->frames[entry->frame]))
		set_name(&frame, &model->frames[entry->frame]);
	frame.inlined = code_inlined(&model->code, entry);
	frame.code = number;
	if (entry->method != MODEL_NONE) {
		frame.offset = entry->address - model->methods[entry->method].start;
		frame.has_offset = true;
	} else if (entry->module != MODEL_NONE && !frame.name) {
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
	for (uint32_t node = event_stack(at).number; node; node = stacks->nodes[node].parent)
		add_frame(frames, named_frame(&frames->named, stacks->nodes[node].frame));
}

struct event_frame event_frames_get(const struct event_frames *frames, size_t place)
{
	return place < frames->count ? frames->list[place] : (struct event_frame){ 0 };
}

struct event_frame event_frames_inlined(const struct event_frames *frames,
					const struct event_frame *in, uint32_t number)
{
	const struct model *model = &frames->named;
	const struct code_entry *entry = &model->code.entries[in->code];
	struct event_frame frame = { .module = in->module };

	set_name(&frame, &model->frames[code_frame(&model->code, entry, in->inlined - number)]);
	return frame;
}

static void put_text(struct buffer *out, const char *text)
{
	if (text)
		json_quote(out, text, strlen(text));
	else
		buffer_text(out, "null");
}

static void put_line(struct buffer *out, const struct event_frame *frame)
{
	if (!frame->line)
		return;
	buffer_text(out, ",\"file\":");
	put_text(out, frame->file);
	buffer_text(out, ",\"line\":");
	buffer_decimal(out, frame->line);
}

static void put_inlined(struct buffer *out, const struct event_frames *frames,
			const struct event_frame *in)
{
	for (uint32_t i = 0; i < in->inlined; i++) {
		const struct event_frame frame = event_frames_inlined(frames, in, i);

		buffer_text(out, i ? ",{\"name\":" : ",\"inlined\":[{\"name\":");
		put_text(out, frame.name);
		put_line(out, &frame);
		buffer_u8(out, '}');
	}
	if (in->inlined)
		buffer_u8(out, ']');
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
		put_line(out, &frame);
		put_inlined(out, frames, &frame);
		buffer_u8(out, '}');
	}
	buffer_u8(out, ']');
}
