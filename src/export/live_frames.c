/* SPDX-License-Identifier: MIT */
#include "export/live_frames.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/time.h"
#include "base/unicode.h"
#include "clr/event_ids.h"
#include "clr/method_name.h"
#include "clr/providers.h"
#include "fill/fill.h"

#define SOURCES	    2
#define WAIT_MS	    1000 /* for one name; a runtime sends what it has ten times per second */
#define FAILED_MOST 8	 /* waits without success, after which nothing is waited for */

#define LARGEST_BODY (UINT64_C(64) * 1024) /* bytes, where the size is not known */

/* Of one stream. */
struct name_source {
	struct model model;
	struct fill *fill;
	struct code_places index;
};

struct live_frames {
	struct name_source sources[SOURCES];
	size_t count;
	struct model precompiled; /* methods that were first used since, of which only the start is
				     known */
	struct code_places index; /* of those */
	live_frames_more *more;
	void *context;
	struct map missing; /* addresses that were waited for without success */
	unsigned failed_waits;
};

struct live_frames *live_frames_new(live_frames_more *more, void *context)
{
	struct live_frames *frames = xcalloc(1, sizeof(*frames));

	frames->more = more;
	frames->context = context;
	model_init(&frames->precompiled);
	return frames;
}

void live_frames_free(struct live_frames *frames)
{
	if (!frames)
		return;
	for (size_t i = 0; i < frames->count; i++) {
		code_places_release(&frames->sources[i].index);
		model_release(&frames->sources[i].model);
	}
	code_places_release(&frames->index);
	model_release(&frames->precompiled);
	map_release(&frames->missing);
	xfree(frames);
}

/* Code of a file is not loaded as compiled code is: only its first use is an event. */
static void take_first_use(void *self, const struct event_context *at)
{
	struct live_frames *frames = self;
	struct model *model = &frames->precompiled;
	struct model_method method = { .from_ns = INT64_MIN, .to_ns = INT64_MAX };
	struct cursor c = cursor_over(at->event->payload, at->event->payload_size);
	struct arena scratch = { 0 };
	struct method_name name;
	struct buffer text = { 0 };

	method.id = cursor_u64(&c);
	name.type = cursor_utf16z(&c, &scratch);
	name.name = cursor_utf16z(&c, &scratch);
	name.signature = cursor_utf16z(&c, &scratch);
	method.start = cursor_u64(&c);
	method.size = LARGEST_BODY;
	method.process = model_process(model, at->event->thread->process_id);
	if (!c.failed && method.start && method.start < UINT64_MAX - LARGEST_BODY) {
		method_name_source(&text, &name);
		buffer_u8(&text, '\0');
		method.text = model_text(model, (const char *)text.bytes);
		model_add_method(model, &method);
	}
	buffer_release(&text);
	arena_release(&scratch);
}

static void take_event(void *self, const struct event_context *at)
{
	if (at->event->kind->id == CLR_R2R_GET_ENTRY_POINT &&
	    !strcmp(at->event->kind->provider, CLR_RUNTIME_PROVIDER))
		take_first_use(self, at);
}

void live_frames_listen(struct live_frames *frames, struct pass *pass)
{
	struct name_source *source = &frames->sources[frames->count];
	const struct fill_options options = { .model = &source->model };

	assert(frames->count < SOURCES);
	frames->count++;
	source->fill = pass_want(pass, &fill_analysis,
				 &(const struct analysis_setup){ .options = &options });
	pass_want_every(pass, take_event, frames);
}

/* A method that was just compiled is in one stream, and its module often in the other. */
static const char *module_name(struct live_frames *frames, int64_t process_id, uint64_t module_id)
{
	for (size_t i = 0; i < frames->count; i++) {
		struct model *model = &frames->sources[i].model;
		const uint32_t process = model_process(model, process_id);
		const uint32_t module = model_find_module(model, process, module_id);

		if (module != MODEL_NONE)
			return model->modules[module].name;
	}
	return NULL;
}

/* The nearest one before the address: any other in between would have been used, too. */
static bool find_precompiled(struct live_frames *frames, int64_t process_id, uint64_t address,
			     struct event_frame *frame)
{
	struct model *model = &frames->precompiled;
	const uint32_t found =
		model_method_at(model, &frames->index, model_process(model, process_id), address);

	if (found == MODEL_NONE)
		return false;
	*frame = (struct event_frame){ .name = model->methods[found].text,
				       .has_offset = true,
				       .offset = address - model->methods[found].start };
	return true;
}

static bool find(struct live_frames *frames, int64_t process_id, uint64_t address,
		 struct event_frame *frame)
{
	for (size_t i = 0; i < frames->count; i++) {
		struct name_source *source = &frames->sources[i];
		const uint32_t process = model_process(&source->model, process_id);
		const uint32_t found =
			model_method_at(&source->model, &source->index, process, address);
		const struct model_method *method;

		if (found == MODEL_NONE)
			continue;
		method = &source->model.methods[found];
		*frame = (struct event_frame){
			.name = fill_method_text(source->fill, found),
			.module = module_name(frames, process_id, method->module_id),
			.has_offset = true,
			.offset = address - method->start,
		};
		return true;
	}
	return find_precompiled(frames, process_id, address, frame);
}

/* Reads names until there is one for the address; each is waited for once. */
static bool wait_for(struct live_frames *frames, int64_t process_id, uint64_t address,
		     struct event_frame *frame)
{
	const int64_t end_ns = time_monotonic_ns() + WAIT_MS * INT64_C(1000000);
	int64_t left_ns = end_ns - time_monotonic_ns();

	if (frames->failed_waits >= FAILED_MOST || map_find(&frames->missing, address))
		return false;
	while (left_ns > 0 && frames->more(frames->context, (int)(left_ns / 1000000))) {
		if (find(frames, process_id, address, frame))
			return true;
		left_ns = end_ns - time_monotonic_ns();
	}
	map_put(&frames->missing, address, frames);
	frames->failed_waits++;
	return false;
}

struct event_frame live_frames_get(struct live_frames *frames, int64_t process_id, uint64_t address)
{
	struct event_frame frame = { 0 };

	if (!find(frames, process_id, address, &frame))
		wait_for(frames, process_id, address, &frame);
	return frame;
}
