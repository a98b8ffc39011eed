/* SPDX-License-Identifier: MIT */
#include "export/event_format.h"

#include <string.h>

#include "base/decimal.h"
#include "base/guid.h"
#include "base/json.h"
#include "clr/enums.h"

static const char *const level_names[] = { "Always",  "Critical",      "Error",
					   "Warning", "Informational", "Verbose" };

static void put_style(struct event_output *output, const char *sequence)
{
	if (output->colour)
		buffer_text(&output->out, sequence);
}

/* Pads what was written since `start` with blanks to `width`. */
static void pad(struct buffer *out, size_t start, size_t width)
{
	while (out->size - start < width)
		buffer_u8(out, ' ');
}

/*
 * Seconds with nine digits, to the right in fourteen columns: what is printed is the exact time, in
 * the unit of --from and --to, so that it can be pasted there.
 */
static void put_time(struct buffer *out, int64_t time_ns)
{
	const uint64_t size = time_ns < 0 ? 0 - (uint64_t)time_ns : (uint64_t)time_ns;
	const uint32_t fraction = (uint32_t)(size % 1000000000);
	uint8_t text[1 + DECIMAL_ROOM + 10 + DECIMAL_ROOM] = "-";
	uint8_t *at = decimal_put(text + (time_ns < 0), size / 1000000000);

	*at++ = '.';
	*at++ = (uint8_t)('0' + fraction / 100000000);
	at = decimal_put_eight(at, fraction % 100000000);
	for (size_t i = (size_t)(at - text); i < 14; i++)
		buffer_u8(out, ' ');
	buffer_bytes(out, text, (size_t)(at - text));
}

/* A name from the trace, with escapes for what a terminal would obey. */
static void put_safe(struct buffer *out, const char *text)
{
	const size_t start = out->size;

	json_quote(out, text, strlen(text));
	if (out->failed)
		return;
	memmove(out->bytes + start, out->bytes + start + 1, out->size - start - 2);
	out->size -= 2; /* without the quotes */
}

static void put_mapped(struct buffer *out, const struct value *value)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value->kind == VALUE_NULL || value_map_is_index(value->map)
				   ? NULL
				   : value_map_name(value->map, value->unsigned_number, text);

	if (name)
		buffer_text(out, name);
	else
		event_put_json_value(out, value);
}

static void put_value(struct buffer *out, const struct value *value)
{
	if (value->error) {
		buffer_text(out, "<");
		buffer_text(out, value->error);
		buffer_text(out, ">");
	} else if (value->map) {
		put_mapped(out, value);
	} else if (value->kind == VALUE_ADDRESS) {
		buffer_text(out, "0x");
		buffer_hex(out, value->unsigned_number, 1);
	} else {
		event_put_json_value(out, value);
	}
}

/* " name=value", with brackets around nested values. */
static void put_fields(struct event_output *output, const struct pp_event *event)
{
	struct buffer *out = &output->out;
	bool blank = true;
	struct value value;

	event_values_begin(output, event);
	while (event_values_next(output, &value)) {
		if (blank && value.kind != VALUE_END)
			buffer_u8(out, ' ');
		if (value.name) {
			put_safe(out, value.name);
			buffer_u8(out, '=');
		}
		blank = value.kind != VALUE_OBJECT && value.kind != VALUE_ARRAY;
		if (!event_put_bracket(output, &value))
			put_value(out, &value);
	}
}

static void put_activity(struct buffer *out, const struct pp_event *event)
{
	char text[GUID_TEXT_SIZE];

	if (!event_has_label(event, PP_LABEL_ACTIVITY))
		return;
	guid_text(event->labels->activity_id, text);
	buffer_text(out, " activity=");
	buffer_text(out, text);
}

static void put_address(struct buffer *out, uint64_t address)
{
	buffer_text(out, "\n                      0x");
	buffer_hex(out, address, 1);
}

/* "shop!Shop.Orders.Place(int)+0x1f" */
static void put_frame(struct buffer *out, const struct event_frame *frame)
{
	if (!frame->module && !frame->name)
		return;
	buffer_u8(out, ' ');
	put_safe(out, frame->module ? frame->module : "?");
	buffer_u8(out, '!');
	put_safe(out, frame->name ? frame->name : "?");
	if (frame->has_offset) {
		buffer_text(out, "+0x");
		buffer_hex(out, frame->offset, 1);
	}
	if (frame->line) {
		const char *slash = strrchr(frame->file, '/');

		buffer_u8(out, ' ');
		put_safe(out, slash ? slash + 1 : frame->file);
		buffer_u8(out, ':');
		buffer_decimal(out, frame->line);
	}
}

/* A call that is inlined has no address of its own: it is that of the function it is in. */
static void put_inlined(struct event_output *output, const struct event_frame *in, uint64_t address)
{
	for (uint32_t i = 0; i < in->inlined; i++) {
		const struct event_frame frame = event_frames_inlined(output->frames, in, i);

		put_address(&output->out, address);
		put_frame(&output->out, &frame);
		buffer_text(&output->out, " [inlined]");
	}
}

static void put_stack(struct event_output *output, const struct pp_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct event_frame frame = output->frames
							 ? event_frames_get(output->frames, i)
							 : (struct event_frame){ 0 };

		put_inlined(output, &frame, stack->addresses[i]);
		put_address(&output->out, stack->addresses[i]);
		put_frame(&output->out, &frame);
	}
}

static void put_level(struct event_output *output, const struct pp_event *event)
{
	const uint32_t level = event_level(event);

	if (level == 0 || level > 3)
		return; /* only levels worth a look are shown */
	put_style(output, "\033[31m");
	buffer_u8(&output->out, ' ');
	buffer_text(&output->out, level_names[level]);
	put_style(output, "\033[0m");
}

static void event(struct event_output *output, const struct pp_event *event)
{
	struct buffer *out = &output->out;
	size_t start;

	put_time(out, pp_trace_time_ns(output->header, event->ticks));
	buffer_text(out, "  ");
	start = out->size;
	if (event->thread->process_id != output->header->process_id) {
		buffer_signed(out, event->thread->process_id);
		buffer_u8(out, '/');
	}
	buffer_signed(out, event->thread->id);
	pad(out, start, 7);
	buffer_u8(out, ' ');
	put_style(output, "\033[2m");
	put_safe(out, event->kind->provider);
	buffer_u8(out, '/');
	put_style(output, "\033[0m\033[1m");
	put_safe(out, event_name(output, event));
	put_style(output, "\033[0m");
	put_level(output, event);
	put_fields(output, event);
	put_activity(out, event);
	if (output->stacks && event->stack)
		put_stack(output, event->stack);
	buffer_u8(out, '\n');
}

static void begin(struct event_output *output)
{
	buffer_text(&output->out, "        Time s  Thread  Event\n");
}

const struct event_format event_text = {
	.name = "text",
	.begin = begin,
	.event = event,
};
