/* SPDX-License-Identifier: MIT */
/*
 * Numbers are varints, strings a u16 size and UTF-8. Readers identify the events of
 * Universal.System by id and those of Universal.Events by name.
 */
#include "perfpipe/nettrace_universal.h"

#include "nettrace/write_group.h"

static const struct {
	const char *provider;
	const char *name;
	uint32_t id;
} kinds[UNIVERSAL_KINDS] = {
	{ PP_UNIVERSAL_SYSTEM, "ExistingProcess", 0 },
	{ PP_UNIVERSAL_SYSTEM, "ProcessCreate", 1 },
	{ PP_UNIVERSAL_SYSTEM, "ProcessExit", 2 },
	{ PP_UNIVERSAL_SYSTEM, "ProcessMapping", 3 },
	{ PP_UNIVERSAL_SYSTEM, "ProcessSymbol", 4 },
	{ PP_UNIVERSAL_SYSTEM, "ProcessMappingMetadata", 5 },
	{ PP_UNIVERSAL_EVENTS, "cpu", 1 },
	{ PP_UNIVERSAL_EVENTS, "cswitch", 2 },
};

static int define(struct pp_writer *w, enum universal_event what, struct pp_error *err)
{
	if (!w->universal[what])
		w->universal[what] = pp_writer_kind(w,
						    &(struct pp_kind){
							    .provider = kinds[what].provider,
							    .name = kinds[what].name,
							    .id = kinds[what].id,
							    .opcode = -1,
							    .fields = universal_fields[what],
						    },
						    err);
	return w->universal[what] ? 0 : -1;
}

/* The writer's scratch payload, emptied. */
static struct buffer *begin(struct pp_writer *w)
{
	buffer_rewind(&w->payload, 0);
	return &w->payload;
}

static int write_event(struct pp_writer *w, enum universal_event what,
		       const struct pp_new_event *at, struct pp_error *err)
{
	struct pp_new_event event = *at;

	if (writer_take_back(w, &w->payload, 0, "a text of a universal event", err) ||
	    define(w, what, err))
		return -1;
	event.kind = w->universal[what];
	event.payload = w->payload.bytes;
	event.payload_size = w->payload.size;
	return pp_writer_event(w, &event, err);
}

int pp_writer_process(struct pp_writer *writer, const struct pp_new_event *at,
		      enum pp_process_event what, const struct pp_new_process *process,
		      struct pp_error *err)
{
	struct buffer *b = begin(writer);

	buffer_varint(b, process->namespace_id);
	buffer_u16_text(b, process->name);
	buffer_u16_text(b, process->namespace_name);
	return write_event(writer,
			   what == PP_PROCESS_CREATE ? UNIVERSAL_PROCESS_CREATE
						     : UNIVERSAL_EXISTING_PROCESS,
			   at, err);
}

int pp_writer_process_exit(struct pp_writer *writer, const struct pp_new_event *at,
			   struct pp_error *err)
{
	begin(writer);
	return write_event(writer, UNIVERSAL_PROCESS_EXIT, at, err);
}

int pp_writer_mapping(struct pp_writer *writer, const struct pp_new_event *at,
		      const struct pp_new_mapping *mapping, struct pp_error *err)
{
	struct buffer *b = begin(writer);

	buffer_varint(b, mapping->id);
	buffer_varint(b, mapping->start);
	buffer_varint(b, mapping->end);
	buffer_varint(b, mapping->file_offset);
	buffer_u16_text(b, mapping->file_name);
	buffer_varint(b, mapping->metadata_id);
	return write_event(writer, UNIVERSAL_MAPPING, at, err);
}

int pp_writer_symbol(struct pp_writer *writer, const struct pp_new_event *at,
		     const struct pp_new_symbol *symbol, struct pp_error *err)
{
	struct buffer *b = begin(writer);

	buffer_varint(b, symbol->id);
	buffer_varint(b, symbol->mapping_id);
	buffer_varint(b, symbol->start);
	buffer_varint(b, symbol->end);
	buffer_u16_text(b, symbol->name);
	return write_event(writer, UNIVERSAL_SYMBOL, at, err);
}

int pp_writer_mapping_metadata(struct pp_writer *writer, const struct pp_new_event *at,
			       const struct pp_new_mapping_metadata *metadata, struct pp_error *err)
{
	struct buffer *b = begin(writer);

	buffer_varint(b, metadata->id);
	buffer_u16_text(b, metadata->symbols);
	buffer_u16_text(b, metadata->version);
	return write_event(writer, UNIVERSAL_MAPPING_METADATA, at, err);
}

int pp_writer_cpu(struct pp_writer *writer, const struct pp_new_event *at, uint64_t value,
		  struct pp_error *err)
{
	buffer_varint(begin(writer), value);
	return write_event(writer, UNIVERSAL_CPU, at, err);
}

int pp_writer_cswitch(struct pp_writer *writer, const struct pp_new_event *at, uint64_t ticks,
		      struct pp_error *err)
{
	buffer_varint(begin(writer), ticks);
	return write_event(writer, UNIVERSAL_CSWITCH, at, err);
}
