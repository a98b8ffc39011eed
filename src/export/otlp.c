/* SPDX-License-Identifier: MIT */
/*
 * OpenTelemetry's profiles: ProfilesData of opentelemetry.proto.profiles.v1development as of
 * opentelemetry-proto 1.10, as Protocol Buffers or as their JSON.
 *
 * A process is a resource; it has a profile for each thing that is counted or weighed, whose
 * samples are summed up by stack, thread and link. They refer to one dictionary, which comes last
 * and holds what is referred to and nothing else; in each of its tables the number 0 stands for
 * none. Values of attributes are written out where they stand, since Pyroscope does not look
 * texts of attributes up. A process is put together in memory, as its size stands in front.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/decimal.h"
#include "export/otlp.h"

uint32_t otlp_text(struct otlp *o, const char *text)
{
	return string_table_number(&o->strings, text);
}

uint32_t otlp_attribute(struct otlp *o, const struct otlp_attribute *attribute)
{
	struct buffer key = { 0 };
	uint32_t number;

	buffer_text(&key, attribute->key);
	buffer_u8(&key, attribute->text ? '"' : '=');
	if (attribute->text)
		buffer_text(&key, attribute->text);
	else
		buffer_signed(&key, attribute->number);
	buffer_u8(&key, 0);
	number = string_table_number(&o->attribute_numbers, (const char *)key.bytes);
	buffer_release(&key);
	if (number < o->attribute_count)
		return number;
	o->attributes = xgrow(o->attributes, o->attribute_count, &o->attribute_capacity,
			      sizeof(*o->attributes));
	o->attributes[o->attribute_count++] = *attribute;
	return number;
}

static void put_type(struct otlp *o, struct tag tag, const char *type, const char *unit)
{
	proto_json_open(&o->t, tag);
	proto_json_i32(&o->t, TAG(1, "typeStrindex"), otlp_text(o, type));
	proto_json_i32(&o->t, TAG(2, "unitStrindex"), otlp_text(o, unit));
	proto_json_close(&o->t);
}

/* The number of a stack in the dictionary. */
static uint32_t stack_number(struct otlp *o, uint32_t node)
{
	if (!node)
		return 0;
	o->numbers = xroom(o->numbers, &o->number_count, node, sizeof(*o->numbers));
	if (!o->numbers[node]) {
		o->stacks =
			xgrow(o->stacks, o->stack_count, &o->stack_capacity, sizeof(*o->stacks));
		o->stacks[o->stack_count++] = node;
		o->numbers[node] = (uint32_t)o->stack_count; /* the first is number 1 */
	}
	return o->numbers[node];
}

/* Of the thread: its id, and its name if it has one. */
struct thread_attributes {
	uint32_t numbers[2];
	size_t count;
};

static struct thread_attributes attributes_of(struct otlp *o, const struct export_thread *thread)
{
	struct thread_attributes has = { .count = 1 };

	has.numbers[0] = otlp_attribute(
		o, &(const struct otlp_attribute){ .key = "thread.id", .number = thread->id });
	if (thread->name && *thread->name)
		has.numbers[has.count++] =
			otlp_attribute(o, &(const struct otlp_attribute){ .key = "thread.name",
									  .text = thread->name });
	return has;
}

static void put_sample(struct otlp *o, const struct stack_sum *sum, uint32_t stack,
		       const struct thread_attributes *attributes)
{
	struct proto_json *t = &o->t;

	proto_json_item(t);
	proto_json_i32(t, TAG(1, "stackIndex"), stack);
	proto_json_numbers(t, TAG(2, "attributeIndices"));
	for (size_t i = 0; i < attributes->count; i++)
		proto_json_index(t, attributes->numbers[i]);
	proto_json_close(t);
	proto_json_i32(t, TAG(3, "linkIndex"), sum->link);
	proto_json_numbers(t, TAG(4, "values"));
	proto_json_value(t, (int64_t)(o->counting ? sum->count : sum->weight));
	proto_json_close(t);
	proto_json_close(t);
	if (t->as_json)
		output_buffer_flush(o->out);
}

static void put_samples(struct otlp *o, uint32_t process)
{
	proto_json_list(&o->t, TAG(2, "samples"));
	for (size_t i = 0; i < o->source->thread_count; i++) {
		const struct export_thread *thread = &o->source->threads[i];
		struct thread_attributes attributes;

		if (thread->process != process)
			continue;
		attributes = attributes_of(o, thread);
		stack_sums_of_thread(&o->sums, o->source, thread);
		for (size_t j = 0; j < o->sums.count; j++) {
			const struct stack_sum *sum = &o->sums.list[j];
			const uint32_t node =
				stack_table_node(&o->all, thread->part, sum->stack, sum->leaf);

			put_sample(o, sum, stack_number(o, node), &attributes);
		}
	}
	proto_json_close(&o->t);
}

static void put_profile(struct otlp *o, uint32_t process, bool counting)
{
	const struct export_source *source = o->source;
	const struct export_view *view = source->view;
	const int64_t period = export_period(source);

	o->counting = counting;
	proto_json_item(&o->t);
	put_type(o, TAG(1, "sampleType"), counting ? view->count : view->type,
		 counting ? "count" : export_unit_names[view->unit]);
	put_samples(o, process);
	if (source->start_unix_ns > 0)
		proto_json_fixed64(&o->t, TAG(3, "timeUnixNano"), (uint64_t)source->start_unix_ns);
	if (source->last_ns > 0)
		proto_json_i64(&o->t, TAG(4, "durationNano"), source->last_ns);
	if (counting && period > 0) {
		put_type(o, TAG(5, "periodType"), view->type, export_unit_names[view->unit]);
		proto_json_i64(&o->t, TAG(6, "period"), period);
	}
	proto_json_close(&o->t);
}

static void put_resource(struct otlp *o, const struct export_process *process)
{
	const struct otlp_attribute attributes[] = {
		{ .key = "process.pid", .number = process->id },
		{ .key = "process.executable.name", .text = process->name },
		{ .key = "service.name", .text = process->name },
		{ .key = "process.command_line", .text = process->command_line },
	};

	proto_json_open(&o->t, TAG(1, "resource"));
	proto_json_list(&o->t, TAG(1, "attributes"));
	for (size_t i = 0; i < ARRAY_COUNT(attributes); i++) {
		if (i && !(attributes[i].text && *attributes[i].text))
			continue;
		proto_json_item(&o->t);
		proto_json_text(&o->t, TAG(1, "key"), attributes[i].key);
		otlp_put_value(o, &attributes[i]);
		proto_json_close(&o->t);
	}
	proto_json_close(&o->t);
	proto_json_close(&o->t);
}

static void put_scope(struct otlp *o)
{
	const char *exporter = o->source->query->exporter;
	const char *at = strchr(exporter, '@');

	proto_json_open(&o->t, TAG(1, "scope"));
	proto_json_text(&o->t, TAG(1, "name"), "perfpipe");
	proto_json_text(&o->t, TAG(2, "version"), at ? at + 1 : "");
	proto_json_close(&o->t);
}

static void put_process(struct otlp *o, uint32_t number)
{
	struct proto_json *t = &o->t;

	proto_json_item(t);
	put_resource(o, &o->source->processes[number]);
	proto_json_list(t, TAG(2, "scopeProfiles"));
	proto_json_item(t);
	put_scope(o);
	proto_json_list(t, TAG(2, "profiles"));
	if (o->source->view->count)
		put_profile(o, number, true);
	put_profile(o, number, false);
	proto_json_close(t);
	proto_json_close(t);
	proto_json_close(t);
	proto_json_close(t);
	output_buffer_flush(o->out);
}

static void begin(struct otlp *o)
{
	string_table_init(&o->strings);
	string_table_init(&o->mappings);
	string_table_init(&o->attribute_numbers);
	stack_table_init(&o->all, o->source);
	o->attributes = xgrow(NULL, 0, &o->attribute_capacity, sizeof(*o->attributes));
	o->attributes[o->attribute_count++] = (struct otlp_attribute){ .key = "" };
	o->locations = xcalloc(o->source->frame_count + 1, sizeof(*o->locations));
	o->location_frames = xcalloc(o->source->frame_count + 1, sizeof(*o->location_frames));
	o->mapping_frames = xcalloc(o->source->frame_count + 2, sizeof(*o->mapping_frames));
}

static void release(struct otlp *o)
{
	string_table_release(&o->strings);
	string_table_release(&o->mappings);
	string_table_release(&o->attribute_numbers);
	stack_table_release(&o->all);
	stack_sums_release(&o->sums);
	free(o->attributes);
	free(o->numbers);
	free(o->stacks);
	free(o->locations);
	free(o->location_frames);
	free(o->mapping_frames);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct otlp o = { .source = source,
			  .out = out,
			  .t = { .proto.out = &out->bytes,
				 .json.out = &out->bytes,
				 .as_json = source->query->json } };

	begin(&o);
	proto_json_open(&o.t, TAG(0, NULL));
	proto_json_list(&o.t, TAG(1, "resourceProfiles"));
	for (size_t i = 0; i < source->process_count; i++) {
		put_process(&o, (uint32_t)i);
		output_buffer_progress(out, i + 1, source->process_count);
	}
	proto_json_close(&o.t);
	otlp_put_dictionary(&o);
	proto_json_close(&o.t);
	release(&o);
}

const struct export_format export_otlp = {
	.name = "otlp",
	.binary = true,
	.extensions = { ".otlp", ".otlp.json" },
	.json_extension = ".otlp.json",
	.summary = "for OpenTelemetry collectors and what they feed: profiles by process",
	.many = true,
	.details = true,
	.write = write_output,
};
