/* SPDX-License-Identifier: MIT */
/*
 * Any model must be written in every format: names of any bytes, times and weights of any size.
 * A strict reader of each format must accept it. The input is
 *
 *	byte 0   the view
 *	byte 1   bit 0: group by module, 1: flame graph, 2: as SVG, 3: as JSON, 4: little memory
 *	byte 2   number of frames, each a size and that many bytes of module and name
 *	then samples:
 *	byte 0   thread; bit 7: process
 *	byte 1   kind; bits 6 and 7: with a task, with a reading of a counter
 *	byte 2   frame on top of the previous sample's stack, or of a part of it
 *	then 8 bytes of time and 8 bytes of weight
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<jansson.h>)
#include <jansson.h>
#endif

#include "../tests/unit/format_readers.h"
#include "base/array.h"
#include "base/cursor.h"
#include "base/buffer.h"
#include "export/format.h"

#define MOST	 200 /* samples */
#define FARTHEST (INT64_C(1) << 60)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *read_text(struct model *model, struct cursor *c)
{
	const size_t wanted = cursor_u8(c) % 16;
	const size_t size = wanted < cursor_left(c) ? wanted : cursor_left(c);
	const uint8_t *bytes = cursor_bytes(c, size);
	char text[17] = "";

	for (size_t i = 0; i < size; i++)
		text[i] = (char)bytes[i];
	return model_text(model, text);
}

static void read_frames(struct model *model, struct cursor *c)
{
	const size_t count = cursor_u8(c) % 8 + 1;

	model->frames = calloc(count, sizeof(*model->frames));
	if (!model->frames)
		abort();
	model->frame_count = model->frame_capacity = count;
	for (size_t i = 0; i < count; i++) {
		struct model_frame *frame = &model->frames[i];

		frame->path = frame->module = read_text(model, c);
		frame->name = read_text(model, c);
		frame->method = MODEL_NONE;
	}
}

static uint32_t read_stack(struct model *model, uint32_t before, uint8_t byte)
{
	uint32_t node = before;

	for (unsigned up = byte >> 5; up && node; up--)
		node = model->stacks.nodes[node].parent;
	return stack_tree_child(&model->stacks, node, byte % (uint32_t)model->frame_count);
}

static void add_task(struct model *model, const struct model_sample *sample)
{
	model_add_task(model, &(const struct model_task){
				      .id = model->task_count,
				      .process = model->threads[sample->thread].process,
				      .parent = MODEL_NONE,
				      .made_on = sample->thread,
				      .ran_on = (uint32_t)(model->thread_count - 1),
				      .activity = MODEL_NONE,
				      .made_ns = sample->time_ns,
				      .started_ns = sample->time_ns / 2,
				      .ended_ns = sample->weight_ns % FARTHEST,
			      });
}

/* The bits of the weight as a floating-point number of any size, or not a number. */
static void add_reading(struct model *model, const struct model_sample *sample)
{
	const struct model_counter counter = { .provider = model->frames[0].module,
					       .name = model->frames[0].name,
					       .unit = "",
					       .tags = "",
					       .part = "",
					       .process = model->threads[sample->thread].process };
	struct model_reading reading = { .time_ns = sample->time_ns,
					 .counter = model_counter(model, &counter) };

	memcpy(&reading.value, &sample->weight_ns, sizeof(reading.value));
	model_add_reading(model, &reading);
}

static void read_samples(struct model *model, struct cursor *c)
{
	uint32_t stack = STACK_EMPTY;

	for (size_t i = 0; i < MOST && cursor_left(c); i++) {
		const uint8_t who = cursor_u8(c);
		const uint32_t process = model_process(model, who >> 7);
		const uint32_t thread = model_thread(model, process, (int64_t)(who & 7) - 2);
		const uint8_t more = cursor_u8(c);
		const uint8_t kind = more % SAMPLE_KINDS;
		struct model_sample sample = { .thread = thread, .kind = kind };

		stack = sample.stack = read_stack(model, stack, cursor_u8(c));
		sample.time_ns = (int64_t)cursor_u64(c) % FARTHEST;
		sample.weight_ns = (int64_t)cursor_u64(c);
		if (who & 64)
			model->threads[thread].name = model->frames[0].name;
		if (who & 32)
			model->processes[process].name = model->frames[0].name;
		if (who & 16)
			model_add_span(model, &(const struct model_span){
						      .name = model->frames[0].name,
						      .provider = model->frames[0].module,
						      .thread = thread,
						      .start_ns = sample.time_ns,
						      .stop_ns = sample.weight_ns % FARTHEST,
					      });
		if (more & 64)
			add_task(model, &sample);
		if (more & 128)
			add_reading(model, &sample);
		samples_add(&model->samples, &sample);
	}
}

static void keep(void *to, const void *bytes, size_t size)
{
	buffer_bytes(to, bytes, size);
}

static void check_json(const struct buffer *text)
{
#if __has_include(<jansson.h>)
	json_t *root = json_loadb((const char *)text->bytes, text->size, JSON_ALLOW_NUL, NULL);

	if (!root)
		abort();
	json_decref(root);
#else
	(void)text;
#endif
}

static bool is_json(const struct export_format *format, const struct export_query *query)
{
	const char *end = strrchr(format->extensions[0], '.');

	return query->json || (end && !strcmp(end, ".json"));
}

typedef const char *reader(const void *bytes, size_t size, stack_found *found, void *to);

static const struct {
	const char *format;
	reader *read;
} readers[] = {
	{ "speedscope", read_speedscope },
	{ "chromium", read_chromium },
	{ "pprof", read_pprof },
	{ "otlp", read_otlp },
	{ "firefox", read_firefox },
	{ "perfetto", read_perfetto },
	{ "html", read_page },
	{ "folded", read_folded },
	{ "perf-script", read_perf_script },
	{ "perfview", read_perfview },
};

static reader *reader_of(const struct export_format *format, const struct export_query *query)
{
	if (query->flames && !strcmp(format->name, "folded"))
		return query->svg ? read_xml : read_page;
	for (size_t i = 0; i < ARRAY_COUNT(readers); i++)
		if (!strcmp(readers[i].format, format->name))
			return readers[i].read;
	abort(); /* a format without a reader */
}

static void check(const struct export_format *format, const struct export_query *query,
		  const struct buffer *text)
{
	const char *problem = NULL;

	if (is_json(format, query))
		check_json(text);
	if (!query->json)
		problem = reader_of(format, query)(text->bytes, text->size, NULL, NULL);
	if (problem) {
		fprintf(stderr, "%s: %s\n", format->name, problem);
		abort();
	}
}

static void write_as(const struct export_format *format, struct export_source *source)
{
	struct buffer text = { 0 };
	struct output_buffer out = { .write = keep, .to = &text };
	struct pp_error err = { 0 };

	if (!format->write(source, &out, &err)) {
		if (output_buffer_end(&out, &err))
			abort();
		check(format, source->query, &text);
	} else if (!err.code) {
		abort();
	}
	output_buffer_release(&out);
	buffer_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	struct export_query query = { .samples = { .from_ns = INT64_MIN, .to_ns = INT64_MAX },
				      .spans = true,
				      .tasks = true,
				      .details = true,
				      .exporter = "perfpipe@0" };
	struct export_source *source;
	struct pp_error err = { 0 };
	struct model model;
	uint8_t flags;

	query.view = cursor_u8(&c) & 1 ? &export_views[1] : &export_views[0];
	flags = cursor_u8(&c);
	query.flames = flags & 2;
	query.svg = flags & 4;
	query.json = flags & 8;
	query.budget = flags & 16 ? 1 : 0;
	if (flags & 1 && grouping_parse(&query.calls.group, "{%}!=>module $1", &err))
		abort();
	model_init(&model);
	read_frames(&model, &c);
	read_samples(&model, &c);
	source = export_source_new(&query);
	if (!export_source_take(source, "fuzz", &model, &err) &&
	    !export_source_finish(source, &err))
		for (size_t i = 0; export_formats[i]; i++)
			for (int json = 0; json <= (export_formats[i]->json_extension != NULL);
			     json++) {
				query.json = json;
				if (export_formats[i]->write)
					write_as(export_formats[i], source);
			}
	else if (!err.code)
		abort();
	export_source_free(source);
	call_query_release(&query.calls);
	return 0;
}
