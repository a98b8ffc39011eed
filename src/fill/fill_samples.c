/* SPDX-License-Identifier: MIT */
#include "fill/fill_rows.h"

#define LONGEST_NS (INT64_C(1) << 50) /* of a weight that a trace claims */

static void add(struct fill *fill, const struct told *told, enum sample_kind kind,
		int64_t weight_ns)
{
	struct model_sample sample = {
		.time_ns = told->now_ns,
		.weight_ns = weight_ns,
		.stack = fill_stack(fill, told->event),
		.thread = told->thread,
		.kind = (uint8_t)kind,
	};

	if (fill->options.tasks)
		sample.task = fill_running_task(fill, told->thread) + 1;
	if (fill->options.activities)
		sample.activity = fill_current_activity(fill, told->thread) + 1;
	if (fill->options.link_of)
		sample.link = fill->options.link_of(fill->options.links, told->event);
	samples_add(&fill->model->samples, &sample);
}

void fill_managed_sample(struct fill *fill, const struct told *told)
{
	struct cursor c = told->payload;
	const uint32_t type = cursor_u32(&c);

	add(fill, told, type <= SAMPLE_MANAGED ? (enum sample_kind)type : SAMPLE_ERROR, 0);
}

void fill_mark(struct fill *fill, const struct told *told)
{
	if (told->event->stack)
		add(fill, told, SAMPLE_MARK, 0);
}

void fill_note(struct fill *fill, const struct told *told)
{
	add(fill, told, SAMPLE_NOTE, 0);
}

static int64_t product_ns(uint64_t count, int64_t unit_ns)
{
	if (unit_ns <= 0 || count > (uint64_t)(LONGEST_NS / unit_ns))
		return unit_ns <= 0 ? 0 : LONGEST_NS;
	return (int64_t)count * unit_ns;
}

/* Value is how many intervals it stands for. */
void fill_cpu(struct fill *fill, const struct told *told)
{
	struct cursor c = told->payload;
	const uint64_t value = cursor_varint64(&c);
	const int64_t interval = fill->header->sampling_ns;

	add(fill, told, SAMPLE_CPU, product_ns(value, interval > 0 ? interval : 1000000));
}

/* Value is how many ticks it had no processor. */
void fill_switch(struct fill *fill, const struct told *told)
{
	struct cursor c = told->payload;
	const uint64_t ticks = cursor_varint64(&c);
	const int64_t frequency = fill->header->ticks_per_second;
	int64_t weight_ns = 0;

	if (frequency > 0 && ticks <= INT64_MAX)
		weight_ns = (int64_t)((double)ticks * 1e9 / (double)frequency < (double)LONGEST_NS
					      ? (double)ticks * 1e9 / (double)frequency
					      : (double)LONGEST_NS);
	add(fill, told, SAMPLE_SWITCH, weight_ns);
}
