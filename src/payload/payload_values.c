/* SPDX-License-Identifier: MIT */
#include "payload/payload_values.h"

#include <stdlib.h>

#include "base/alloc.h"

/* A string is valid only until the next value; it is kept by offset, since the buffer may move. */
static void keep_value(struct payload_values *values, struct value value)
{
	values->list = xgrow(values->list, values->count, &values->capacity, sizeof(*values->list));
	if (value.kind == VALUE_TEXT) {
		const size_t offset = values->texts.size;

		buffer_bytes(&values->texts, value.text, value.size);
		value.unsigned_number = offset;
	}
	values->list[values->count++] = value;
}

void payload_values_read(struct payload_values *values, const struct payload_plan *plan,
			 const struct pp_event *event, int pointer_size)
{
	struct value value;

	values->count = 0;
	buffer_rewind(&values->texts, 0);
	payload_begin(&values->payload, plan, event, pointer_size);
	while (payload_next(&values->payload, &value))
		keep_value(values, value);
	for (size_t i = 0; i < values->count; i++)
		if (values->list[i].kind == VALUE_TEXT)
			values->list[i].text =
				(const char *)values->texts.bytes + values->list[i].unsigned_number;
}

void payload_values_release(struct payload_values *values)
{
	xfree(values->list);
	buffer_release(&values->texts);
	payload_release(&values->payload);
}
