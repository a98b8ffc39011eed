/* SPDX-License-Identifier: MIT */
/*
 * OpenTelemetry's profiles: ProfilesData of opentelemetry.proto.profiles.v1development as of
 * opentelemetry-proto 1.10, as Protocol Buffers or as their JSON.
 *
 * A process is a resource, with a profile of counts and one of weights, whose samples are summed up
 * by stack, thread and link. They refer to one dictionary, which comes last. Values of attributes
 * are written inline, since Pyroscope does not look up their texts. A process is assembled in
 * memory, as its size comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/array.h"
#include "base/decimal.h"
#include "export/format.h"
#include "export/proto_json.h"
#include "export/stack_sums.h"
#include "export/stack_table.h"
#include "export/string_table.h"

#define TAG(number_, name_) ((struct tag){ (number_), (name_) })

/* A text, or a number where that is NULL. */
struct otlp_attribute {
	const char *key;
	const char *text;
	int64_t number;
};

struct otlp {
	struct export_source *source;
	struct output_buffer *out;
	struct proto_json t;
	struct string_table strings;
	struct string_table mappings; /* by path */
	uint32_t *mapping_frames;     /* by mapping: a frame in it */
	struct string_table attribute_numbers;
	struct otlp_attribute *attributes;
	size_t attribute_count, attribute_capacity;
	struct stack_table all;
	struct map numbers; /* of stacks, by node of `all`, few of which are a sample's */
	uint32_t *stacks;   /* by number - 1: the node */
	size_t stack_count, stack_capacity;
	uint32_t *locations;	   /* by frame: its location, which is its function, too; or 0 */
	uint32_t *location_frames; /* by location - 1 */
	size_t location_count;
	struct stack_sums sums;
	bool counting; /* the current profile is of counts, not of weights */
};

static uint32_t text_number(struct otlp *o, const char *text)
{
	return string_table_number(&o->strings, text);
}

static uint32_t attribute_number(struct otlp *o, const struct otlp_attribute *attribute)
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

static void put_value(struct otlp *o, const struct otlp_attribute *attribute)
{
	proto_json_open(&o->t, TAG(2, "value"));
	if (attribute->text)
		proto_json_text_always(&o->t, TAG(1, "stringValue"), attribute->text);
	else
		proto_json_i64_always(&o->t, TAG(3, "intValue"), attribute->number);
	proto_json_close(&o->t);
}

static void put_type(struct otlp *o, struct tag tag, const char *type, const char *unit)
{
	proto_json_open(&o->t, tag);
	proto_json_i32(&o->t, TAG(1, "typeStrindex"), text_number(o, type));
	proto_json_i32(&o->t, TAG(2, "unitStrindex"), text_number(o, unit));
	proto_json_close(&o->t);
}

/* The number of a stack in the dictionary. */
static uint32_t stack_number(struct otlp *o, uint32_t node)
{
	void *number = map_find(&o->numbers, node);

	if (!node)
		return 0;
	if (!number) {
		o->stacks =
			xgrow(o->stacks, o->stack_count, &o->stack_capacity, sizeof(*o->stacks));
		o->stacks[o->stack_count++] = node;
		number = (void *)(uintptr_t)o->stack_count; /* the first is number 1 */
		map_put(&o->numbers, node, number);
	}
	return (uint32_t)(uintptr_t)number;
}

/* Of the thread: its id, and its name if it has one. */
struct thread_attributes {
	uint32_t numbers[2];
	size_t count;
};

static struct thread_attributes attributes_of(struct otlp *o, const struct export_thread *thread)
{
	struct thread_attributes has = { .count = 1 };

	has.numbers[0] = attribute_number(
		o, &(const struct otlp_attribute){ .key = "thread.id", .number = thread->id });
	if (thread->name && *thread->name)
		has.numbers[has.count++] =
			attribute_number(o, &(const struct otlp_attribute){ .key = "thread.name",
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
		put_value(o, &attributes[i]);
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

/*
 * A table of the dictionary, in which the number 0 stands for none. Writing one table adds rows to
 * others: stacks to locations, those to mappings and attributes, and all of them to texts, which
 * therefore come last.
 */
static void open_table(struct otlp *o, struct tag tag)
{
	proto_json_list(&o->t, tag);
	proto_json_item(&o->t);
	proto_json_close(&o->t);
}

static uint32_t location_of(struct otlp *o, uint32_t frame)
{
	if (!o->locations[frame]) {
		o->location_frames[o->location_count++] = frame;
		o->locations[frame] = (uint32_t)o->location_count;
	}
	return o->locations[frame];
}

static void put_stacks(struct otlp *o)
{
	const struct stack_node *nodes = o->all.tree.nodes;

	open_table(o, TAG(7, "stackTable"));
	for (size_t i = 0; i < o->stack_count; i++) {
		proto_json_item(&o->t);
		proto_json_numbers(&o->t, TAG(1, "locationIndices"));
		for (uint32_t node = o->stacks[i]; node; node = nodes[node].parent)
			proto_json_index(&o->t, location_of(o, nodes[node].frame));
		proto_json_close(&o->t);
		proto_json_close(&o->t);
	}
	proto_json_close(&o->t);
}

static uint32_t mapping_of(struct otlp *o, uint32_t number)
{
	const uint32_t mapping =
		string_table_number(&o->mappings, export_frame_file(&o->source->frames[number]));

	o->mapping_frames[mapping] = number;
	return mapping;
}

static void put_attribute_index(struct otlp *o, struct tag tag, const char *key, const char *text)
{
	proto_json_numbers(&o->t, tag);
	proto_json_index(&o->t, attribute_number(o, &(const struct otlp_attribute){
							    .key = key, .text = text }));
	proto_json_close(&o->t);
}

static void put_locations(struct otlp *o)
{
	static const char *const types[] = {
		[EXPORT_DOTNET] = "dotnet",
		[EXPORT_NATIVE] = "native",
		[EXPORT_KERNEL] = "kernel",
	};
	struct proto_json *t = &o->t;

	open_table(o, TAG(2, "locationTable"));
	for (size_t i = 0; i < o->location_count; i++) {
		const struct export_frame *frame = &o->source->frames[o->location_frames[i]];

		proto_json_item(t);
		proto_json_i32(t, TAG(1, "mappingIndex"), mapping_of(o, o->location_frames[i]));
		proto_json_list(t, TAG(3, "lines"));
		proto_json_item(t);
		proto_json_i32(t, TAG(1, "functionIndex"), (uint32_t)i + 1);
		proto_json_i64(t, TAG(2, "line"), frame->line);
		proto_json_close(t);
		proto_json_close(t);
		if (frame->origin != EXPORT_MADE_UP)
			put_attribute_index(o, TAG(4, "attributeIndices"), "profile.frame.type",
					    types[frame->origin]);
		proto_json_close(t);
	}
	proto_json_close(t);
}

static void put_functions(struct otlp *o)
{
	struct proto_json *t = &o->t;

	open_table(o, TAG(3, "functionTable"));
	for (size_t i = 0; i < o->location_count; i++) {
		const struct export_frame *frame = &o->source->frames[o->location_frames[i]];

		proto_json_item(t);
		proto_json_i32(t, TAG(1, "nameStrindex"), text_number(o, frame->plain));
		if (frame->module)
			proto_json_i32(t, TAG(2, "systemNameStrindex"),
				       text_number(o, export_frame_bare(frame)));
		if (frame->file)
			proto_json_i32(t, TAG(3, "filenameStrindex"), text_number(o, frame->file));
		proto_json_close(t);
	}
	proto_json_close(t);
}

static void put_mappings(struct otlp *o)
{
	struct proto_json *t = &o->t;

	open_table(o, TAG(1, "mappingTable"));
	for (size_t i = 1; i < o->mappings.count; i++) {
		const char *build_id = o->source->frames[o->mapping_frames[i]].build_id;

		proto_json_item(t);
		proto_json_i32(t, TAG(4, "filenameStrindex"), text_number(o, o->mappings.list[i]));
		if (build_id)
			put_attribute_index(o, TAG(5, "attributeIndices"),
					    "process.executable.build_id.gnu", build_id);
		proto_json_close(t);
	}
	proto_json_close(t);
}

/* The first stands for none: an id of zeros. */
static void put_links(struct otlp *o)
{
	static const struct export_link none;
	const struct export_links *links = &o->source->links;
	struct proto_json *t = &o->t;

	proto_json_list(t, TAG(4, "linkTable"));
	for (size_t i = 0; i == 0 || i < links->count; i++) {
		const struct export_link *link = i ? &links->list[i] : &none;

		proto_json_item(t);
		proto_json_id(t, TAG(1, "traceId"), link->trace_id, sizeof(link->trace_id));
		proto_json_id(t, TAG(2, "spanId"), link->span_id, sizeof(link->span_id));
		proto_json_close(t);
	}
	proto_json_close(t);
}

static void put_attributes(struct otlp *o)
{
	struct proto_json *t = &o->t;

	open_table(o, TAG(6, "attributeTable"));
	for (size_t i = 1; i < o->attribute_count; i++) {
		proto_json_item(t);
		proto_json_i32(t, TAG(1, "keyStrindex"), text_number(o, o->attributes[i].key));
		put_value(o, &o->attributes[i]);
		proto_json_close(t);
	}
	proto_json_close(t);
}

static void put_dictionary(struct otlp *o)
{
	proto_json_open(&o->t, TAG(2, "dictionary"));
	put_stacks(o);
	put_locations(o);
	put_functions(o);
	put_mappings(o);
	put_links(o);
	put_attributes(o);
	proto_json_list(&o->t, TAG(5, "stringTable"));
	for (size_t i = 0; i < o->strings.count; i++)
		proto_json_text_item(&o->t, o->strings.list[i]);
	proto_json_close(&o->t);
	proto_json_close(&o->t);
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
	xfree(o->attributes);
	map_release(&o->numbers);
	xfree(o->stacks);
	xfree(o->locations);
	xfree(o->location_frames);
	xfree(o->mapping_frames);
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
	put_dictionary(&o);
	proto_json_close(&o.t);
	release(&o);
}

const struct export_format export_otlp = {
	.name = "otlp",
	.binary = true,
	.extensions = { ".otlp", ".otlp.json" },
	.json_extension = ".otlp.json",
	.summary = "for OpenTelemetry collectors: profiles by process",
	.many = true,
	.details = true,
	.write = write_output,
};
