/* SPDX-License-Identifier: MIT */
#include "fill/fill_rows.h"

#define LONGEST_NS (INT64_C(1) << 50) /* that a weight in a trace may be */

static void add(struct fill *fill, const struct event_context *at, enum sample_kind kind,
		int64_t weight)
{
	struct model_sample sample = {
		.time_ns = at->time_ns,
		.weight = weight,
		.thread = fill->thread,
		.kind = (uint8_t)kind,
	};

	if (fill->options.sample_tasks)
		sample.task = fill_running_task(fill, fill->thread) + 1;
	if (fill->options.sample_activities)
		sample.activity = fill_current_activity(fill, fill->thread) + 1;
	sample.link = event_link(at);
	samples_add_recorded(&fill->model->samples, event_stack(at), &sample);
}

void fill_managed_sample(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const uint32_t type = cursor_u32(&c);

	add(fill, at, type <= SAMPLE_MANAGED ? (enum sample_kind)type : SAMPLE_ERROR, 0);
}

void fill_mark(void *self, const struct event_context *at)
{
	const struct fill *fill = self;

	if (fill->options.marks && (at->event->stack || fill->options.notes))
		add(self, at, SAMPLE_MARK, 0);
}

void fill_note(void *self, const struct event_context *at)
{
	add(self, at, SAMPLE_NOTE, 0);
}

static int64_t product_ns(uint64_t count, int64_t unit_ns)
{
	if (unit_ns <= 0 || count > (uint64_t)(LONGEST_NS / unit_ns))
		return unit_ns <= 0 ? 0 : LONGEST_NS;
	return (int64_t)count * unit_ns;
}

/* Value is a number of sampling intervals. */
void fill_cpu(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const uint64_t value = cursor_varint64(&c);
	const int64_t interval = at->header->sampling_ns;

	add(fill, at, SAMPLE_CPU, product_ns(value, interval > 0 ? interval : 1000000));
}

/* Value is the number of ticks off-CPU. */
void fill_switch(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const uint64_t ticks = cursor_varint64(&c);
	const int64_t frequency = at->header->ticks_per_second;
	int64_t weight = 0;

	if (frequency > 0 && ticks <= INT64_MAX)
		weight = (int64_t)((double)ticks * 1e9 / (double)frequency < (double)LONGEST_NS
					   ? (double)ticks * 1e9 / (double)frequency
					   : (double)LONGEST_NS);
	add(fill, at, SAMPLE_SWITCH, weight);
}
