/* SPDX-License-Identifier: MIT */
/*
 * method_frames.h - how to unwind methods that were compiled at run time, each added as it appears.
 *
 *	method_frames_begin(&methods, start, size);
 *	method_frames_row(&methods, 0, &at_entry);
 *	method_frames_row(&methods, 4, &in_body);
 *
 * A method takes the place of those that it overlaps: memory is reused.
 */
#ifndef UNWIND_METHOD_FRAMES_H
#define UNWIND_METHOD_FRAMES_H

#include "unwind/table_builder.h"

struct framed_row {
	uint32_t offset;
	uint16_t rule;
};

struct framed_method {
	uint64_t start;
	uint32_t size;
	uint32_t first_row, row_count;
};

/* Zero is a valid empty one. */
struct method_frames {
	struct framed_method *methods; /* by address, without overlaps */
	size_t count, capacity;
	struct framed_row *rows;
	size_t row_count, row_capacity;
	size_t last;		    /* the method that was begun last */
	struct table_builder rules; /* each once */
};

void method_frames_begin(struct method_frames *frames, uint64_t start, uint32_t size);
/* Of the method that was begun last, in ascending order of offsets. */
void method_frames_row(struct method_frames *frames, uint32_t offset,
		       const struct unwind_rule *rule);

/* NULL: the address is in no method. */
const struct unwind_rule *method_frames_find(const struct method_frames *frames, uint64_t address);

void method_frames_release(struct method_frames *frames);

#endif
