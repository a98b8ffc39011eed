/* SPDX-License-Identifier: MIT */
#include "export/call_intervals.h"

#include <stdlib.h>

#include "base/alloc.h"

static void close_leaf(struct call_intervals *c)
{
	if (c->leaf != EXPORT_NONE)
		c->close(c->to, c->leaf);
	c->leaf = EXPORT_NONE;
}

/* From the calls that are open to those of `stack`. */
static void change_stack(struct call_intervals *c, uint32_t stack)
{
	size_t count = 0;
	uint32_t to = stack;

	while (c->node != to) {
		if (c->node > to) {
			c->close(c->to, export_frame(c->stacks, c->node));
			c->node = export_caller(c->stacks, c->node);
		} else {
			c->path = xgrow(c->path, count, &c->path_capacity, sizeof(*c->path));
			c->path[count++] = to;
			to = export_caller(c->stacks, to);
		}
	}
	while (count)
		c->open(c->to, export_frame(c->stacks, c->path[--count]));
	c->node = stack;
}

static void change_to(struct call_intervals *c, const struct export_sample *sample, int64_t at)
{
	if (sample->stack == c->node && sample->leaf == c->leaf)
		return;
	c->at(c->to, at);
	close_leaf(c);
	change_stack(c, sample->stack);
	if (sample->leaf != EXPORT_NONE)
		c->open(c->to, sample->leaf);
	c->leaf = sample->leaf;
}

static void close_all(struct call_intervals *c)
{
	c->at(c->to, c->end);
	close_leaf(c);
	change_stack(c, STACK_EMPTY);
}

static int64_t place(const struct call_intervals *c, const struct export_sample *sample)
{
	if (c->source->view->unit != EXPORT_NANOSECONDS || sample->time_ns < c->end)
		return c->end;
	/* a gap much shorter than the sample is the clock's jitter */
	return (uint64_t)(sample->time_ns - c->end) <= sample->weight / 2 ? c->end
									  : sample->time_ns;
}

static int64_t plus(int64_t time, uint64_t weight)
{
	int64_t sum;

	return __builtin_add_overflow(time, weight, &sum) ? INT64_MAX : sum;
}

void call_intervals_walk(struct call_intervals *c, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(c->source, thread);
	struct export_sample sample;

	c->stacks = export_stacks(c->source, thread);
	c->node = STACK_EMPTY;
	c->leaf = EXPORT_NONE;
	c->end = c->source->view->unit == EXPORT_NANOSECONDS ? thread->first_ns : 0;
	c->start = c->end;
	while (export_walk_next(&walk, &sample)) {
		const int64_t at = place(c, &sample);

		if (!sample.weight)
			continue;
		if (at > c->end)
			close_all(c);
		change_to(c, &sample, at);
		c->end = plus(at, sample.weight);
	}
	close_all(c);
}

void call_intervals_release(struct call_intervals *c)
{
	xfree(c->path);
}
