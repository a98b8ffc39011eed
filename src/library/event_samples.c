/* SPDX-License-Identifier: MIT */
#include "library/event_samples.h"

#include <strings.h>

static bool is_chosen(struct event_samples *kept, const struct event_context *at)
{
	const char *name = kept->choice.name;

	return at->wanted && (!name || !strcasecmp(name, kind_names_of(&kept->names, at->event)));
}

static void take_event(void *self, const struct event_context *at)
{
	struct event_samples *kept = self;

	if (is_chosen(kept, at))
		samples_add_recorded(
			&kept->samples, event_stack(at),
			&(struct model_sample){
				.time_ns = at->time_ns,
				.thread = fill_thread(kept->choice.fill, at->event->thread),
				.kind = SAMPLE_NOTE,
			});
}

/* Names may differ by event, providers do not. */
static const struct event_row *choose(const void *self, const struct pp_kind *kind)
{
	static const struct event_row row = { .handle = take_event };
	const struct event_samples *kept = self;

	return strcasecmp(kind->provider, kept->choice.provider) ? NULL : &row;
}

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct event_samples *kept = self;

	(void)pass;
	kept->choice = *(const struct event_choice *)setup->options;
}

static void release(void *self)
{
	struct event_samples *kept = self;

	kind_names_release(&kept->names);
	samples_release(&kept->samples);
}

const struct analysis event_samples_analysis = {
	.name = "event samples",
	.size = sizeof(struct event_samples),
	.choose = choose,
	.begin = begin,
	.release = release,
};
