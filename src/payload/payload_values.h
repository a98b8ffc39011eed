/* SPDX-License-Identifier: MIT */
/*
 * payload_values.h - all values of a payload at once, for use more than once.
 *
 *	struct payload_values values = { 0 };
 *
 *	payload_values_read(&values, plan, event, header->pointer_size);
 *	for (size_t i = 0; i < values.count; i++)
 *		use(&values.list[i]);
 *	payload_values_release(&values);
 */
#ifndef PAYLOAD_PAYLOAD_VALUES_H
#define PAYLOAD_PAYLOAD_VALUES_H

#include "base/buffer.h"
#include "payload/payload.h"

struct payload_values {
	struct value *list;
	size_t count, capacity;
	struct buffer texts; /* of the values */
	struct payload payload;
};

/* Replaces the values of the previous event. */
void payload_values_read(struct payload_values *values, const struct payload_plan *plan,
			 const struct pp_event *event, int pointer_size);
void payload_values_release(struct payload_values *values);

#endif
