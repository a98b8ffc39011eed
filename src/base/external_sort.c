/* SPDX-License-Identifier: MIT */
#include "base/external_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct reel *new_run(struct external_sort *sorted)
{
	struct reel *run;

	sorted->runs = xgrow(sorted->runs, sorted->run_count, &sorted->run_capacity,
			     sizeof(*sorted->runs));
	run = &sorted->runs[sorted->run_count++];
	*run = (struct reel){ 0 };
	return run;
}

/* The batch, which is sorted, becomes the run; its memory is used again. */
static void copy_batch(struct external_sort *sorted, struct reel *run)
{
	for (size_t i = 0; i < sorted->held_count; i++) {
		uint8_t *at = reel_room(run, sorted->spool);

		memcpy(at, sorted->held + i * sorted->size, sorted->size);
		reel_wrote(run, at + sorted->size);
	}
	sorted->held_count = 0;
}

static void sort_batch(struct external_sort *sorted)
{
	if (sorted->held_count)
		qsort(sorted->held, sorted->held_count, sorted->size, sorted->compare);
}

void external_sort_add(struct external_sort *sorted, const void *record)
{
	const size_t batch = sorted->batch ? sorted->batch : EXTERNAL_SORT_BATCH;

	if (sorted->held_count && (sorted->held_count + 1) * sorted->size > batch) {
		sort_batch(sorted);
		copy_batch(sorted, new_run(sorted));
	}
	sorted->held =
		xgrow(sorted->held, sorted->held_count, &sorted->held_capacity, sorted->size);
	memcpy(sorted->held + sorted->held_count++ * sorted->size, record, sorted->size);
	sorted->count++;
}

/* The last batch need not be copied: mostly it is the only one. */
void external_sort_seal(struct external_sort *sorted)
{
	const size_t size = sorted->held_count * sorted->size;
	struct reel *run = size ? new_run(sorted) : NULL;

	sort_batch(sorted);
	if (run)
		sorted->held = xrealloc(sorted->held, sorted->held_count, sorted->size);
	if (run && reel_adopt(run, sorted->spool, sorted->held, size))
		sorted->held = NULL;
	else if (run)
		copy_batch(sorted, run);
	xfree(sorted->held);
	sorted->held = NULL;
	sorted->held_count = 0;
	sorted->held_capacity = 0;
}

void external_sort_release(struct external_sort *sorted)
{
	for (size_t i = 0; i < sorted->run_count; i++)
		reel_release(&sorted->runs[i], sorted->spool);
	xfree(sorted->runs);
	xfree(sorted->held);
	*sorted = (struct external_sort){ 0 };
}

/* Equal records come out in the order of their runs. */
static bool is_before(const struct external_sort_reader *reader, uint32_t a, uint32_t b)
{
	const int order = reader->sorted->compare(reader->runs[a].at, reader->runs[b].at);

	return order ? order < 0 : a < b;
}

static void sift_down(struct external_sort_reader *reader, size_t place)
{
	const uint32_t moved = reader->heap[place];

	for (size_t child = 2 * place + 1; child < reader->count; child = 2 * place + 1) {
		if (child + 1 < reader->count &&
		    is_before(reader, reader->heap[child + 1], reader->heap[child]))
			child++;
		if (!is_before(reader, reader->heap[child], moved))
			break;
		reader->heap[place] = reader->heap[child];
		place = child;
	}
	reader->heap[place] = moved;
}

static void begin(struct external_sort_reader *reader)
{
	const struct external_sort *sorted = reader->sorted;

	reader->begun = true;
	reader->runs = xcalloc(sorted->run_count + 1, sizeof(*reader->runs));
	reader->heap = xcalloc(sorted->run_count + 1, sizeof(*reader->heap));
	for (size_t i = 0; i < sorted->run_count; i++) {
		reader->runs[i] =
			(struct reel_reader){ .spool = sorted->spool, .reel = &sorted->runs[i] };
		if (reel_next(&reader->runs[i]))
			reader->heap[reader->count++] = (uint32_t)i;
	}
	for (size_t i = reader->count / 2; i-- > 0;)
		sift_down(reader, i);
}

static void go_on(struct external_sort_reader *reader)
{
	struct reel_reader *run = &reader->runs[reader->heap[0]];

	run->at += reader->sorted->size;
	if (!reel_next(run))
		reader->heap[0] = reader->heap[--reader->count];
	if (reader->count > 1)
		sift_down(reader, 0);
}

const void *external_sort_next(struct external_sort_reader *reader)
{
	if (!reader->begun)
		begin(reader);
	else if (reader->count)
		go_on(reader);
	return reader->count ? reader->runs[reader->heap[0]].at : NULL;
}

void external_sort_reader_release(struct external_sort_reader *reader)
{
	for (size_t i = 0; reader->runs && i < reader->sorted->run_count; i++)
		reel_reader_release(&reader->runs[i]);
	xfree(reader->runs);
	xfree(reader->heap);
	*reader = (struct external_sort_reader){ 0 };
}
