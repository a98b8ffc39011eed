/* SPDX-License-Identifier: MIT */
#include "unwind/method_frames.h"

#include <string.h>

#include "base/alloc.h"

/* The first method that ends after the address. */
static size_t first_after(const struct method_frames *frames, uint64_t address)
{
	size_t first = 0, end = frames->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		const struct framed_method *method = &frames->methods[middle];

		if (method->start <= address && address - method->start >= method->size)
			first = middle + 1;
		else if (method->start > address)
			end = middle;
		else
			return middle;
	}
	return first;
}

static void remove_between(struct method_frames *frames, size_t first, size_t end)
{
	memmove(&frames->methods[first], &frames->methods[end],
		(frames->count - end) * sizeof(*frames->methods));
	frames->count -= end - first;
}

void method_frames_begin(struct method_frames *frames, uint64_t start, uint32_t size)
{
	const size_t index = first_after(frames, start);
	size_t end = index;

	while (end < frames->count &&
	       (frames->methods[end].start <= start || frames->methods[end].start - start < size))
		end++;
	if (end > index)
		remove_between(frames, index, end);
	frames->methods =
		xgrow(frames->methods, frames->count, &frames->capacity, sizeof(*frames->methods));
	memmove(&frames->methods[index + 1], &frames->methods[index],
		(frames->count - index) * sizeof(*frames->methods));
	frames->methods[index] =
		(struct framed_method){ start, size, (uint32_t)frames->row_count, 0 };
	frames->count++;
	frames->last = index;
}

void method_frames_row(struct method_frames *frames, uint32_t offset,
		       const struct unwind_rule *rule)
{
	const uint16_t number = table_builder_rule(&frames->rules, rule);

	frames->rows = xgrow(frames->rows, frames->row_count, &frames->row_capacity,
			     sizeof(*frames->rows));
	frames->rows[frames->row_count++] = (struct framed_row){ offset, number };
	frames->methods[frames->last].row_count++;
}

const struct unwind_rule *method_frames_find(const struct method_frames *frames, uint64_t address)
{
	const size_t index = first_after(frames, address);
	const struct framed_method *method = index < frames->count ? &frames->methods[index] : NULL;
	const struct framed_row *rows;
	size_t row = 0;

	if (!method || !method->row_count || method->start > address)
		return NULL;
	rows = &frames->rows[method->first_row];
	while (row < method->row_count && rows[row].offset <= address - method->start)
		row++;
	return row ? &frames->rules.table.rules[rows[row - 1].rule] : NULL;
}

void method_frames_release(struct method_frames *frames)
{
	table_builder_release(&frames->rules);
	xfree(frames->methods);
	xfree(frames->rows);
	*frames = (struct method_frames){ 0 };
}
