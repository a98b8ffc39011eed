/* SPDX-License-Identifier: MIT */
/*
 * The dictionary. Writing one table adds rows to others: stacks to locations, those to mappings and
 * attributes, and all of them to texts, which therefore come last.
 */
#include "export/otlp.h"

void otlp_put_value(struct otlp *o, const struct otlp_attribute *attribute)
{
	proto_json_open(&o->t, TAG(2, "value"));
	if (attribute->text)
		proto_json_text_always(&o->t, TAG(1, "stringValue"), attribute->text);
	else
		proto_json_i64_always(&o->t, TAG(3, "intValue"), attribute->number);
	proto_json_close(&o->t);
}

/* A table, in which the number 0 stands for none. */
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
	proto_json_index(&o->t, otlp_attribute(o, &(const struct otlp_attribute){ .key = key,
										  .text = text }));
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
		const enum export_origin origin = o->source->frames[o->location_frames[i]].origin;

		proto_json_item(t);
		proto_json_i32(t, TAG(1, "mappingIndex"), mapping_of(o, o->location_frames[i]));
		proto_json_list(t, TAG(3, "lines"));
		proto_json_item(t);
		proto_json_i32(t, TAG(1, "functionIndex"), (uint32_t)i + 1);
		proto_json_close(t);
		proto_json_close(t);
		if (origin != EXPORT_MADE_UP)
			put_attribute_index(o, TAG(4, "attributeIndices"), "profile.frame.type",
					    types[origin]);
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
		proto_json_i32(t, TAG(1, "nameStrindex"), otlp_text(o, frame->full));
		if (frame->module)
			proto_json_i32(t, TAG(2, "systemNameStrindex"), otlp_text(o, frame->name));
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
		proto_json_i32(t, TAG(4, "filenameStrindex"), otlp_text(o, o->mappings.list[i]));
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
		proto_json_i32(t, TAG(1, "keyStrindex"), otlp_text(o, o->attributes[i].key));
		otlp_put_value(o, &o->attributes[i]);
		proto_json_close(t);
	}
	proto_json_close(t);
}

void otlp_put_dictionary(struct otlp *o)
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
