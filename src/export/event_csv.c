/* SPDX-License-Identifier: MIT */
/*
 * RFC 4180. With chosen fields each is a column; else the payload is one, as JSON.
 */
#include "export/event_format.h"

#include <string.h>

#include "base/csv.h"
#include "base/decimal.h"
#include "base/guid.h"

static void put_text(struct buffer *out, const char *text)
{
	buffer_u8(out, ',');
	csv_put_text(out, text, strlen(text));
}

static void put_known(struct buffer *out, int64_t number)
{
	buffer_u8(out, ',');
	if (number >= 0)
		buffer_signed(out, number);
}

/* NULL: none. */
static void put_guid(struct buffer *out, const uint8_t *guid)
{
	char text[GUID_TEXT_SIZE] = "";

	if (guid)
		guid_text(guid, text);
	put_text(out, text);
}

static void put_activities(struct buffer *out, const struct pp_event *event)
{
	const struct pp_labels *labels = event->labels;

	put_guid(out, event_has_label(event, PP_LABEL_ACTIVITY) ? labels->activity_id : NULL);
	put_guid(out,
		 event_has_label(event, PP_LABEL_RELATED) ? labels->related_activity_id : NULL);
}

/* Text as it is; anything else as in JSON. */
static void put_value(struct buffer *out, const struct value *value)
{
	struct buffer made = { 0 };

	if (value->kind == VALUE_TEXT) {
		csv_put_text(out, value->text, value->size);
		return;
	}
	event_put_json_value(&made, value);
	if (made.size > 1 && made.bytes[0] == '"') /* hex, GUIDs and times hold no quote */
		csv_put_plain(out, made.bytes + 1, made.size - 2);
	else if (value->kind != VALUE_NULL)
		csv_put_plain(out, made.bytes, made.size);
	buffer_release(&made);
}

/* One column: the field of that name at the top of the payload. */
static void put_field(struct event_output *output, const struct pp_event *event, const char *name)
{
	const char *const *fields = output->fields;
	const size_t count = output->field_count;
	struct value value;

	buffer_u8(&output->out, ',');
	output->fields = &name;
	output->field_count = 1;
	event_values_begin(output, event);
	if (event_values_next(output, &value))
		put_value(&output->out, &value);
	output->fields = fields;
	output->field_count = count;
}

/* The payload is written after the row, and moved into its cell. */
static void put_payload(struct event_output *output, const struct pp_event *event)
{
	struct buffer *out = &output->out;
	struct buffer errors = { 0 };
	struct buffer made = { 0 };
	const size_t start = out->size;

	if (event_put_payload(output, event, &errors))
		buffer_bytes(&made, out->bytes + start, out->size - start);
	buffer_rewind(out, start);
	buffer_u8(out, ',');
	csv_put_plain(out, made.bytes, made.size);
	buffer_release(&made);
	buffer_release(&errors);
}

static void put_stack(struct buffer *out, const struct pp_stack *stack)
{
	buffer_u8(out, ',');
	for (size_t i = 0; stack && i < stack->count; i++) {
		buffer_bytes(out, i ? " 0x" : "0x", i ? 3 : 2);
		buffer_hex(out, stack->addresses[i], 1);
	}
}

static void put_timestamp(struct event_output *output, int64_t time_ns)
{
	uint8_t *at = buffer_take(&output->out, EVENT_TIMESTAMP);

	if (at)
		event_timestamp(output, time_ns, at);
}

static void event(struct event_output *output, const struct pp_event *event)
{
	struct buffer *out = &output->out;
	const int64_t time_ns = pp_trace_time_ns(output->header, event->ticks);

	buffer_signed(out, time_ns);
	buffer_u8(out, ',');
	put_timestamp(output, time_ns);
	put_text(out, event->kind->provider);
	put_text(out, event_name(output, event));
	put_known(out, event->kind->id);
	put_known(out, event_version(event));
	put_known(out, event_level(event));
	buffer_text(out, ",0x");
	buffer_hex(out, event_keywords(event), 1);
	put_known(out, event_opcode(output, event));
	put_known(out, event->thread->process_id);
	put_known(out, event->thread->id);
	put_known(out, event->cpu);
	put_activities(out, event);
	for (size_t i = 0; i < output->field_count; i++)
		put_field(output, event, output->fields[i]);
	if (!output->fields)
		put_payload(output, event);
	if (output->stacks)
		put_stack(out, event->stack);
	buffer_text(out, "\r\n");
}

static void begin(struct event_output *output)
{
	struct buffer *out = &output->out;

	buffer_text(out,
		    "time_ns,timestamp,provider,name,id,version,level,keywords,opcode,process_id,"
		    "thread_id,cpu,activity_id,related_activity_id");
	for (size_t i = 0; i < output->field_count; i++)
		put_text(out, output->fields[i]);
	if (!output->fields)
		buffer_text(out, ",payload");
	if (output->stacks)
		buffer_text(out, ",stack");
	buffer_text(out, "\r\n");
}

const struct event_format event_csv = {
	.name = "csv",
	.begin = begin,
	.event = event,
};
