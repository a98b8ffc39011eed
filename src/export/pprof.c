/* SPDX-License-Identifier: MIT */
/*
 * pprof's profile.proto, packed with gzip: go tool pprof, Pyroscope, Parca and others read it.
 *
 * Samples of a thread with the same stack are one. A frame is a function and a location, with the
 * frame's number + 1; one with calls inlined into it is a further location, with a line for each. A
 * text is written when it is first needed: readers assemble the table before they look anything up.
 *
 * Names include the module, as in all our formats. A system name that equals the name would make
 * pprof take both for mangled C++ and cut off type arguments, so it is left out.
 */
#include <string.h>

#include "base/decimal.h"
#include "base/intern.h"
#include "base/protobuf.h"
#include "export/format.h"
#include "export/packed_out.h"
#include "export/stack_sums.h"
#include "export/string_table.h"

/* Fields of the messages Profile, ValueType, Sample, Label, Mapping, Location, Line, Function. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STR = 2,
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

#define INLINED_MOST 64 /* lines of a location */

struct pprof {
	struct export_source *source;
	struct packed_out packed;
	struct proto out; /* into `packed` */
	struct string_table strings;
	struct string_table mappings; /* by path */
	struct stack_sums sums;
	struct buffer labels; /* of the current thread */
	struct buffer stack;  /* locations of the current sample */
	struct map inlined;   /* of frames and those inlined into them: the location */
	struct arena arena;   /* of that */
	size_t location_count;
};

/* The number of a text, which is written if it is new; so not to be called inside a message. */
static uint64_t text(struct pprof *p, const char *words)
{
	const size_t known = p->strings.count;
	const uint32_t number = string_table_number(&p->strings, words);

	if (p->strings.count > known)
		proto_text_always(&p->out, PROFILE_STRING_TABLE, words);
	return number;
}

static void put_type(struct pprof *p, uint32_t field, const char *type, const char *unit)
{
	const uint64_t type_number = text(p, type);
	const uint64_t unit_number = text(p, unit);

	proto_open(&p->out, field);
	proto_u64(&p->out, VALUE_TYPE_TYPE, type_number);
	proto_u64(&p->out, VALUE_TYPE_UNIT, unit_number);
	proto_close(&p->out);
}

static void put_head(struct pprof *p)
{
	const struct export_source *source = p->source;
	const struct export_view *view = source->view;
	const int64_t period = export_period(source);

	proto_text_always(&p->out, PROFILE_STRING_TABLE, "");
	if (view->count)
		put_type(p, PROFILE_SAMPLE_TYPE, view->count, "count");
	put_type(p, PROFILE_SAMPLE_TYPE, view->type, export_unit_names[view->unit]);
	proto_u64(&p->out, PROFILE_DEFAULT_SAMPLE_TYPE, text(p, view->type));
	if (source->start_unix_ns > 0)
		proto_u64(&p->out, PROFILE_TIME_NANOS, (uint64_t)source->start_unix_ns);
	if (source->last_ns > 0)
		proto_u64(&p->out, PROFILE_DURATION_NANOS, (uint64_t)source->last_ns);
	if (period > 0) {
		put_type(p, PROFILE_PERIOD_TYPE, view->type, export_unit_names[view->unit]);
		proto_u64(&p->out, PROFILE_PERIOD, (uint64_t)period);
	}
	proto_always(&p->out, PROFILE_COMMENT, text(p, source->query->exporter));
	proto_always(&p->out, PROFILE_COMMENT, text(p, export_title(source)));
}

/* pprof takes all mappings without a path for one, so a frame without a file has none. */
static uint64_t mapping_of(struct pprof *p, const struct export_frame *frame)
{
	const size_t known = p->mappings.count;
	const char *path = export_frame_file(frame);
	const uint64_t number = string_table_number(&p->mappings, path);
	uint64_t path_number, build_id;

	if (p->mappings.count == known)
		return number;
	path_number = text(p, path);
	build_id = text(p, frame->build_id ? frame->build_id : "");
	proto_open(&p->out, PROFILE_MAPPING);
	proto_u64(&p->out, MAPPING_ID, number);
	proto_u64(&p->out, MAPPING_FILENAME, path_number);
	proto_u64(&p->out, MAPPING_BUILD_ID, build_id);
	proto_u64(&p->out, MAPPING_HAS_FUNCTIONS, 1);
	proto_close(&p->out);
	return number;
}

/* pprof shows the first mapping as the program. */
static void put_main_mapping(struct pprof *p)
{
	const struct export_source *source = p->source;
	const char *program = source->process_count ? source->processes[0].name : NULL;

	for (size_t i = 0; program && i < source->frame_count; i++)
		if (source->frames[i].module && !strcmp(source->frames[i].module, program)) {
			mapping_of(p, &source->frames[i]);
			return;
		}
}

/* Of frames that are inlined into the next one, up to one that is not. */
static void put_location(struct pprof *p, uint64_t id, const uint32_t *frames, size_t count)
{
	const struct export_frame *all = p->source->frames;
	const uint64_t mapping = mapping_of(p, &all[frames[count - 1]]);

	proto_open(&p->out, PROFILE_LOCATION);
	proto_u64(&p->out, LOCATION_ID, id);
	proto_u64(&p->out, LOCATION_MAPPING_ID, mapping);
	for (size_t i = 0; i < count; i++) {
		proto_open(&p->out, LOCATION_LINE);
		proto_u64(&p->out, LINE_FUNCTION_ID, (uint64_t)frames[i] + 1);
		proto_u64(&p->out, LINE_LINE, all[frames[i]].line);
		proto_close(&p->out);
	}
	proto_close(&p->out);
}

static void put_frame(struct pprof *p, uint32_t number)
{
	const struct export_frame *frame = &p->source->frames[number];
	const uint64_t id = (uint64_t)number + 1;
	const uint64_t name = text(p, frame->plain);
	const uint64_t system_name = text(p, frame->module ? export_frame_bare(frame) : "");
	const uint64_t file = text(p, frame->file ? frame->file : "");

	proto_open(&p->out, PROFILE_FUNCTION);
	proto_u64(&p->out, FUNCTION_ID, id);
	proto_u64(&p->out, FUNCTION_NAME, name);
	proto_u64(&p->out, FUNCTION_SYSTEM_NAME, system_name);
	proto_u64(&p->out, FUNCTION_FILENAME, file);
	proto_close(&p->out);
	put_location(p, id, &number, 1);
}

/* The location of a node, and of those that it is inlined into, which are skipped. */
static uint64_t location_of(struct pprof *p, const struct export_stacks *stacks, uint32_t *node)
{
	uint32_t frames[INLINED_MOST];
	struct interned *known;
	size_t count = 0;

	do {
		frames[count++] = export_frame(stacks, *node);
		*node = export_caller(stacks, *node);
	} while (*node && count < INLINED_MOST && p->source->frames[frames[count - 1]].inlined);
	if (count == 1)
		return (uint64_t)frames[0] + 1;
	known = intern_add(&p->inlined, &p->arena, frames, count * sizeof(*frames));
	if (!known->value) {
		known->value = (void *)(uintptr_t)++p->location_count;
		put_location(p, p->location_count, frames, count);
	}
	return (uintptr_t)known->value;
}

/* Not inside the sample: locations that are new are written. */
static void find_stack(struct pprof *p, const struct export_stacks *stacks,
		       const struct stack_sum *sum)
{
	buffer_rewind(&p->stack, 0);
	if (sum->leaf != EXPORT_NONE)
		buffer_varint(&p->stack, (uint64_t)sum->leaf + 1);
	for (uint32_t node = sum->stack; node;)
		buffer_varint(&p->stack, location_of(p, stacks, &node));
}

static void put_label(struct pprof *p, const char *key, const char *value)
{
	const uint64_t key_number = text(p, key);
	const uint64_t value_number = text(p, value);
	struct proto label = { .out = &p->labels };

	proto_open(&label, SAMPLE_LABEL);
	proto_u64(&label, LABEL_KEY, key_number);
	proto_u64(&label, LABEL_STR, value_number);
	proto_close(&label);
}

static void put_number_label(struct pprof *p, const char *key, int64_t number)
{
	char words[DECIMAL_ROOM];

	*decimal_put_signed((uint8_t *)words, number) = 0;
	put_label(p, key, words);
}

static void make_labels(struct pprof *p, const struct export_thread *thread)
{
	const struct export_process *process = &p->source->processes[thread->process];

	buffer_rewind(&p->labels, 0);
	put_number_label(p, "thread id", thread->id);
	if (thread->name && *thread->name)
		put_label(p, "thread name", thread->name);
	put_number_label(p, "process id", process->id);
	if (process->name && *process->name)
		put_label(p, "process", process->name);
}

static void put_hex_label(struct pprof *p, const char *key, const uint8_t *bytes, size_t size)
{
	struct buffer words = { 0 };

	buffer_hex_bytes(&words, bytes, size);
	buffer_u8(&words, 0);
	if (!words.failed)
		put_label(p, key, (const char *)words.bytes);
	buffer_release(&words);
}

/* After the labels of the thread. */
static void add_link(struct pprof *p, uint32_t number)
{
	static const uint8_t no_span[8];
	const struct export_link *link = &p->source->links.list[number];

	put_hex_label(p, "trace id", link->trace_id, sizeof(link->trace_id));
	if (memcmp(link->span_id, no_span, sizeof(no_span)) != 0)
		put_hex_label(p, "span id", link->span_id, sizeof(link->span_id));
}

static void put_sample(struct pprof *p, const struct export_stacks *stacks,
		       const struct stack_sum *sum)
{
	const size_t label_size = p->labels.size;

	if (sum->link)
		add_link(p, sum->link);
	find_stack(p, stacks, sum);
	proto_open(&p->out, PROFILE_SAMPLE);
	proto_open(&p->out, SAMPLE_LOCATION_ID);
	buffer_bytes(p->out.out, p->stack.bytes, p->stack.size);
	proto_close(&p->out);
	proto_open(&p->out, SAMPLE_VALUE);
	if (p->source->view->count)
		buffer_varint(p->out.out, sum->count);
	buffer_varint(p->out.out, sum->weight);
	proto_close(&p->out);
	buffer_bytes(p->out.out, p->labels.bytes, p->labels.size);
	proto_close(&p->out);
	buffer_rewind(&p->labels, label_size);
	output_buffer_flush(&p->packed.out);
}

static void put_all(struct pprof *p, struct output_buffer *out)
{
	const struct export_source *source = p->source;

	put_head(p);
	put_main_mapping(p);
	p->location_count = source->frame_count;
	for (size_t i = 0; i < source->frame_count; i++) {
		put_frame(p, (uint32_t)i);
		output_buffer_flush(&p->packed.out);
	}
	for (size_t i = 0; i < source->thread_count; i++) {
		const struct export_thread *thread = &source->threads[i];

		make_labels(p, thread);
		stack_sums_of_thread(&p->sums, source, thread);
		for (size_t j = 0; j < p->sums.count; j++)
			put_sample(p, export_stacks(source, thread), &p->sums.list[j]);
		output_buffer_progress(out, i + 1, source->thread_count);
	}
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct pprof p = { .source = source };

	if (packed_out_open(&p.packed, out, NULL))
		return;
	p.out.out = &p.packed.out.bytes;
	string_table_init(&p.strings);
	string_table_init(&p.mappings);
	put_all(&p, out);
	stack_sums_release(&p.sums);
	string_table_release(&p.strings);
	string_table_release(&p.mappings);
	buffer_release(&p.labels);
	buffer_release(&p.stack);
	map_release(&p.inlined);
	arena_release(&p.arena);
	packed_out_close(&p.packed);
}

const struct export_format export_pprof = {
	.name = "pprof",
	.binary = true,
	.extensions = { ".pb.gz", ".pprof" },
	.summary = "for go tool pprof, Pyroscope: sums by stack and thread",
	.opens = "with go tool pprof",
	.many = true,
	.details = true,
	.write = write_output,
};
