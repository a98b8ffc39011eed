/* SPDX-License-Identifier: MIT */
/*
 * A record is a byte with the kind and which fields have changed since the previous record, the
 * time since then, the weight for kinds that have one, and those fields:
 *
 *	head	kind in 3 bits, then a bit per field; leaf and link share one
 *	time	zigzag varint
 *	weight	zigzag varint, for the kernel's samples and notes, or for all
 *	fields	stack as the zigzag varint of the difference; the others as varints
 */
#include "model/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/varint.h"

#define KIND_BITS 3

enum {
	HAS_STACK = 1 << KIND_BITS,
	HAS_ACTIVITY = HAS_STACK << 1,
	HAS_TASK = HAS_STACK << 2,
	HAS_LEAF_OR_LINK = HAS_STACK << 3,
	IS_PART = HAS_STACK << 4,
};

static struct spool *spool_of(struct samples *samples)
{
	return samples->shared ? samples->shared : &samples->own;
}

static bool has_weight(const struct samples *samples, unsigned kind)
{
	return samples->weighed || kind == SAMPLE_CPU || kind == SAMPLE_SWITCH ||
	       kind == SAMPLE_READY || kind == SAMPLE_NOTE;
}

static uint8_t *put_changed(uint8_t *at, uint32_t before, uint32_t now)
{
	return before == now ? at : varint_put(at, now);
}

static unsigned head_of(const struct model_sample *before, const struct model_sample *sample)
{
	return sample->kind | (sample->stack != before->stack ? HAS_STACK : 0) |
	       (sample->activity != before->activity ? HAS_ACTIVITY : 0) |
	       (sample->task != before->task ? HAS_TASK : 0) |
	       (sample->leaf != before->leaf || sample->link != before->link ? HAS_LEAF_OR_LINK
									     : 0) |
	       (sample->part ? IS_PART : 0);
}

static void put(struct samples *samples, struct sample_series *series,
		const struct model_sample *sample)
{
	const struct model_sample *before = &series->last;
	const unsigned head = head_of(before, sample);
	uint8_t *at = reel_room(&series->reel, spool_of(samples));

	*at++ = (uint8_t)head;
	at = delta_put(at, sample->time_ns, before->time_ns);
	if (has_weight(samples, sample->kind))
		at = varint_put(at, zigzag(sample->weight));
	if (sample->stack != before->stack)
		at = delta_put(at, sample->stack, before->stack);
	at = put_changed(at, before->activity, sample->activity);
	at = put_changed(at, before->task, sample->task);
	if (head & HAS_LEAF_OR_LINK) {
		at = varint_put(at, sample->leaf);
		at = varint_put(at, sample->link);
	}
	reel_wrote(&series->reel, at);
}

static bool read_next(struct series_reader *series)
{
	struct model_sample *sample = &series->sample;
	const uint8_t *at;
	unsigned head;

	if (!reel_next(&series->reader))
		return false;
	at = series->reader.at;
	head = *at++;
	sample->kind = head & ((1 << KIND_BITS) - 1);
	sample->time_ns = delta_take(&at, sample->time_ns);
	sample->part = head & IS_PART;
	sample->weight = has_weight(series->samples, sample->kind) ? unzigzag(varint_take(&at)) : 0;
	if (head & HAS_STACK)
		sample->stack = (uint32_t)delta_take(&at, sample->stack);
	if (head & HAS_ACTIVITY)
		sample->activity = (uint32_t)varint_take(&at);
	if (head & HAS_TASK)
		sample->task = (uint32_t)varint_take(&at);
	if (head & HAS_LEAF_OR_LINK) {
		sample->leaf = (uint32_t)varint_take(&at);
		sample->link = (uint32_t)varint_take(&at);
	}
	series->reader.at = at;
	series->number++;
	return true;
}

static void append(struct samples *samples, struct sample_series *series,
		   const struct model_sample *sample)
{
	put(samples, series, sample);
	series->last = *sample;
	series->count++;
}

/* Records the gap before a sample by the sampler: weigh.c needs their number and the longest. */
static void note_gap(struct samples *samples, struct sample_series *series, int64_t time_ns)
{
	if (series->sampled) {
		samples->gaps++;
		if (time_ns - series->sampled_ns > samples->longest_gap_ns)
			samples->longest_gap_ns = time_ns - series->sampled_ns;
	}
	series->sampled = true;
	series->sampled_ns = time_ns;
}

void samples_add(struct samples *samples, const struct model_sample *sample)
{
	struct sample_series *series;

	samples->series = xroom(samples->series, &samples->series_count, sample->thread,
				sizeof(*samples->series));
	series = &samples->series[sample->thread];
	if (series->count && sample->time_ns < series->last.time_ns)
		series->disordered = true;
	if (sample->kind <= SAMPLE_MANAGED)
		note_gap(samples, series, sample->time_ns);
	append(samples, series, sample);
	samples->counts[sample->kind] += !sample->part;
}

void samples_add_recorded(struct samples *samples, struct recorded_stack stack,
			  struct model_sample *sample)
{
	sample->stack = stack.number;
	samples_add(samples, sample);
}

void samples_release(struct samples *samples)
{
	for (size_t i = 0; i < samples->series_count; i++)
		reel_release(&samples->series[i].reel, spool_of(samples));
	xfree(samples->series);
	spool_release(&samples->own);
	*samples = (struct samples){ .shared = samples->shared };
}

static void begin_series(struct series_reader *series, const struct samples *samples, size_t number)
{
	series->samples = samples;
	series->reader.spool = samples->shared ? samples->shared : &samples->own;
	series->reader.reel = &samples->series[number].reel;
	series->reader.at = series->reader.end = NULL;
	series->reader.piece = 0;
	series->sample = (struct model_sample){ .thread = (uint32_t)number };
	series->number = 0;
}

static void replace(struct samples *samples, size_t number, struct sample_series *by)
{
	reel_release(&samples->series[number].reel, spool_of(samples));
	samples->series[number] = *by;
}

struct numbered {
	struct model_sample sample;
	size_t number;
};

static int by_time(const void *left, const void *right)
{
	const struct numbered *a = left;
	const struct numbered *b = right;

	if (a->sample.time_ns != b->sample.time_ns)
		return a->sample.time_ns < b->sample.time_ns ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Only a broken trace needs this, and then the series must fit into memory. */
static void sort_series(struct samples *samples, size_t number)
{
	struct series_reader reader = { 0 };
	struct numbered *list = NULL;
	struct sample_series sorted = { 0 };
	size_t count = 0, capacity = 0;

	begin_series(&reader, samples, number);
	while (read_next(&reader)) {
		list = xgrow(list, count, &capacity, sizeof(*list));
		list[count] = (struct numbered){ reader.sample, count };
		count++;
	}
	if (list)
		qsort(list, count, sizeof(*list), by_time);
	for (size_t i = 0; i < count; i++)
		append(samples, &sorted, &list[i].sample);
	replace(samples, number, &sorted);
	reel_reader_release(&reader.reader);
	xfree(list);
}

void samples_sort(struct samples *samples)
{
	for (size_t i = 0; i < samples->series_count; i++)
		if (samples->series[i].disordered) {
			sort_series(samples, i);
			samples->longest_gap_ns = INT64_MAX; /* no longer known */
		}
}

static uint32_t stack_now(const struct samples *samples, uint32_t stack)
{
	return samples->stacks_now ? samples->stacks_now[stack] : stack;
}

void samples_rewrite(struct samples *samples, void (*change)(void *to, struct model_sample *sample),
		     void *to)
{
	struct series_reader reader = { 0 };

	for (size_t i = 0; i < samples->series_count; i++) {
		struct sample_series series = { 0 };

		begin_series(&reader, samples, i);
		while (read_next(&reader)) {
			struct model_sample sample = reader.sample;

			sample.stack = stack_now(samples, sample.stack);
			change(to, &sample);
			append(samples, &series, &sample);
		}
		replace(samples, i, &series);
	}
	reel_reader_release(&reader.reader);
	samples->stacks_now = NULL;
}

static bool ends_others(const struct sample_walk *walk, unsigned kind)
{
	const enum sample_until until = walk->samples->weighed ? UNTIL_NOTHING : walk->until;

	if (until == UNTIL_SAMPLE)
		return kind <= SAMPLE_MANAGED;
	return until == UNTIL_EVENT && kind != SAMPLE_CPU && kind != SAMPLE_SWITCH &&
	       kind != SAMPLE_READY;
}

/* Moves on to the next series that has samples, if there is one. */
static void next_series(struct sample_walk *walk)
{
	while (!walk->has_next && walk->next_thread < walk->end_thread) {
		begin_series(&walk->next, walk->samples, walk->next_thread);
		begin_series(&walk->scout, walk->samples, walk->next_thread++);
		walk->has_next = read_next(&walk->next);
	}
}

static void begin(struct sample_walk *walk, const struct samples *samples, size_t from, size_t to,
		  enum sample_until until)
{
	*walk = (struct sample_walk){
		.samples = samples,
		.next_thread = from,
		.end_thread = to < samples->series_count ? to : samples->series_count,
		.until = until,
	};
	next_series(walk);
}

void sample_walk_begin(struct sample_walk *walk, const struct samples *samples,
		       enum sample_until until)
{
	begin(walk, samples, 0, SIZE_MAX, until);
}

void sample_walk_thread(struct sample_walk *walk, const struct samples *samples, uint32_t thread,
			enum sample_until until)
{
	begin(walk, samples, thread, (size_t)thread + 1, until);
}

/* When the sample before `next` ends; false if nothing ends it. */
static bool find_end(struct sample_walk *walk, int64_t *end_ns)
{
	if (walk->has_next && ends_others(walk, walk->next.sample.kind)) {
		*end_ns = walk->next.sample.time_ns;
		return true;
	}
	while (walk->has_next && read_next(&walk->scout))
		if (walk->scout.number > walk->next.number &&
		    ends_others(walk, walk->scout.sample.kind)) {
			*end_ns = walk->scout.sample.time_ns;
			return true;
		}
	return false;
}

/* The last sample of a thread gets the median weight. */
static void weigh(struct sample_walk *walk, struct model_sample *sample)
{
	int64_t end_ns;

	sample->is_last = !find_end(walk, &end_ns);
	if (!sample->is_last)
		sample->weight = end_ns - sample->time_ns;
	else if (sample->kind <= SAMPLE_MANAGED)
		sample->weight = walk->samples->last_ns;
}

bool sample_walk_next(struct sample_walk *walk, struct model_sample *sample)
{
	if (!walk->has_next)
		return false;
	*sample = walk->next.sample;
	sample->stack = stack_now(walk->samples, sample->stack);
	walk->has_next = read_next(&walk->next);
	if (ends_others(walk, sample->kind))
		weigh(walk, sample);
	next_series(walk);
	return true;
}

void sample_walk_end(struct sample_walk *walk)
{
	reel_reader_release(&walk->next.reader);
	reel_reader_release(&walk->scout.reader);
}

void samples_by_time_begin(struct samples_by_time *walk, const struct samples *samples,
			   enum sample_until until)
{
	*walk = (struct samples_by_time){ .thread_count = samples->series_count };
	walk->threads = xcalloc(walk->thread_count + 1, sizeof(*walk->threads));
	walk->next = xcalloc(walk->thread_count + 1, sizeof(*walk->next));
	for (uint32_t i = 0; i < walk->thread_count; i++) {
		sample_walk_thread(&walk->threads[i], samples, i, until);
		if (sample_walk_next(&walk->threads[i], &walk->next[i]))
			merge_heap_add(&walk->order, walk->next[i].time_ns, i);
	}
}

bool samples_by_time_next(struct samples_by_time *walk, struct model_sample *sample)
{
	uint32_t thread;
	bool more;

	if (!walk->order.count)
		return false;
	thread = walk->order.heap[0].number;
	*sample = walk->next[thread];
	more = sample_walk_next(&walk->threads[thread], &walk->next[thread]);
	merge_heap_next(&walk->order, more, walk->next[thread].time_ns);
	return true;
}

void samples_by_time_end(struct samples_by_time *walk)
{
	for (size_t i = 0; i < walk->thread_count; i++)
		sample_walk_end(&walk->threads[i]);
	xfree(walk->threads);
	xfree(walk->next);
	merge_heap_release(&walk->order);
}
