/* SPDX-License-Identifier: MIT */
/*
 * The public calls are safe for any bytes, and with any amount of memory. The input is
 *
 *	byte 0    how: by an odd number, a view; else events (bit 1 from a file) or samples
 *	byte 1    of pieces in which the rest is fed, the size
 *	byte 2-3  how many allocations succeed; 65535: all
 *
 * and then a trace.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfpipe/alloc.h"
#include "perfpipe/fields.h"
#include "perfpipe/report.h"
#include "perfpipe/samples.h"

#define ENOUGH UINT16_MAX
#define DEPTH  16 /* of objects in results */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
	long left, in_use, refused;
};

struct input {
	const uint8_t *bytes;
	size_t size, piece;
	struct pp_error err;
	uint64_t sum; /* of everything that is returned, so that all of it is read */
};

static void *resize(void *context, void *memory, size_t size)
{
	struct memory *now = context;
	void *resized = now->left > 0 ? realloc(memory, size) : NULL;

	now->left -= now->left < ENOUGH;
	now->refused += !resized;
	now->in_use += resized && !memory;
	return resized;
}

static void *allocate(void *context, size_t size)
{
	void *memory = resize(context, NULL, size);

	return memory ? memset(memory, 0, size) : NULL;
}

static void release(void *context, void *memory)
{
	struct memory *now = context;

	now->in_use--;
	free(memory);
}

static void add_text(struct input *in, const char *text)
{
	in->sum += text ? strlen(text) : 0;
}

static void add_value(struct input *in, const struct pp_value *value)
{
	add_text(in, value->name);
	add_text(in, value->symbol);
	add_text(in, value->error);
	if (value->text && value->text[value->size])
		abort();
	for (size_t i = 0; value->bytes && i < value->size; i++)
		in->sum += value->bytes[i];
	in->sum += (uint64_t)value->number;
}

/* All fields, and each that has a name by that name. */
static void add_event(struct input *in, struct pp_trace *trace, const struct pp_event *event)
{
	const size_t count = event->kind->fields.count;
	struct pp_value value;

	add_text(in, pp_event_name(trace, event));
	in->sum += (uint64_t)pp_event_time_ns(trace, event);
	pp_fields_begin(trace, event);
	while (pp_fields_next(trace, &value))
		add_value(in, &value);
	for (size_t i = 0; i < count && i < DEPTH; i++) {
		pp_event_field(trace, event, event->kind->fields.list[i].name, &value);
		add_value(in, &value);
	}
}

static int feed(struct input *in, struct pp_trace *trace)
{
	const size_t size = in->size < in->piece ? in->size : in->piece;
	const uint8_t *bytes = in->bytes;

	in->bytes += size;
	in->size -= size;
	if (size)
		return pp_trace_feed(trace, bytes, size, &in->err);
	pp_trace_end(trace);
	return 0;
}

static int read_events(struct input *in, struct pp_trace *trace)
{
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_ERROR;

	while (trace && (next = pp_trace_next(trace, &event, &in->err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM)
			add_event(in, trace, event);
		else if (feed(in, trace))
			break;
	if (trace)
		in->sum += pp_trace_totals(trace).events + pp_trace_state(trace);
	pp_trace_close(trace);
	return next == PP_NEXT_END ? 0 : -1;
}

static void add_object(struct input *in, struct pp_object object, int depth)
{
	struct pp_datum datum;

	if (depth == DEPTH)
		abort();
	for (size_t i = 0; pp_object_field(object, i, &datum); i++) {
		add_text(in, datum.key);
		add_text(in, datum.title);
		if (!datum.known)
			continue;
		add_text(in, datum.text);
		add_object(in, datum.object, depth + 1);
		for (size_t row = 0; row < datum.rows.count; row++)
			add_object(in, pp_row(datum.rows, row), depth + 1);
	}
}

static int add_result(struct input *in, const struct pp_result *result)
{
	static const char *const formats[] = { "text", "json", "csv", "markdown", "html" };
	const char *format = formats[in->piece % 5];
	char *text;
	size_t size;

	add_text(in, pp_result_missing(result));
	add_text(in, pp_result_remedy(result));
	add_object(in, pp_result_object(result), 0);
	text = pp_result_render(result, format, &size, &in->err);
	if (text && text[size])
		abort();
	pp_text_free(text);
	return text ? 0 : -1;
}

/* A trace may name any file: none is opened here. Views without stacks open none. */
static struct pp_report *new_report(const char *view, struct pp_error *err)
{
	static const struct pp_report_option no_symbols = { "no-symbols", NULL };
	const struct pp_report_options options = { .size = sizeof(options),
						   .options = &no_symbols,
						   .option_count = 1 };
	struct pp_report *report = pp_report_new(view, &options, err);

	if (report || err->code != PP_ERROR_USAGE)
		return report;
	*err = (struct pp_error){ 0 };
	return pp_report_new(view, NULL, err);
}

static int ask_report(struct input *in, size_t which)
{
	struct pp_report_view view = { 0 };
	const struct pp_result *result = NULL;
	struct pp_report *report;
	size_t count = 0;
	int failed;

	while (pp_report_view(count, &view))
		count++;
	if (!pp_report_view(which % count, &view))
		abort();
	report = new_report(view.name, &in->err);
	failed = report ? 0 : -1;
	while (!failed && in->size) {
		const size_t size = in->size < in->piece ? in->size : in->piece;

		failed = pp_report_feed(report, in->bytes, size, &in->err);
		in->bytes += size;
		in->size -= size;
	}
	if (!failed)
		result = pp_report_build(report, &in->err);
	failed = result ? add_result(in, result) : -1;
	pp_report_free(report);
	return failed;
}

static int walk_samples(struct input *in, const char *path)
{
	const struct pp_samples_options options = {
		.size = sizeof(options),
		.provider = in->piece & 1 ? "Microsoft-Windows-DotNETRuntime" : NULL,
		.no_symbols = true, /* a trace may name any file */
	};
	struct pp_samples *samples = pp_samples_open(path, &options, &in->err);
	struct pp_sample sample;

	while (samples && pp_samples_next(samples, &sample, &in->err)) {
		add_text(in, sample.thread_name);
		if (sample.stack >= pp_stack_count(samples))
			abort();
		for (uint32_t s = sample.stack; s; s = pp_stack_caller(samples, s)) {
			if (pp_stack_caller(samples, s) >= s)
				abort();
			add_text(in, pp_stack_frame(samples, s)->name);
			add_text(in, pp_stack_frame(samples, s)->module_path);
		}
	}
	pp_samples_close(samples);
	return samples && !in->err.code ? 0 : -1;
}

/* As a file, which may also be compressed. */
static int read_file(struct input *in, bool events)
{
	const int fd = memfd_create("trace", MFD_CLOEXEC);
	char path[32];
	int failed;

	if (fd < 0 || write(fd, in->bytes, in->size) != (ssize_t)in->size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	failed = events ? read_events(in, pp_trace_open(path, NULL, &in->err))
			: walk_samples(in, path);
	close(fd);
	return failed;
}

static int run(struct input *in, uint8_t how)
{
	if (how & 1)
		return ask_report(in, how >> 1);
	return how & 6 ? read_file(in, how & 2) : read_events(in, pp_trace_new(NULL, &in->err));
}

/* A call that fails says so, by the error of what was in short supply, and nothing is left. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory now = { 0 };
	struct input in = { 0 };
	int failed;

	if (size < 4)
		return 0;
	now.left = data[2] | data[3] << 8;
	in = (struct input){ .bytes = data + 4,
			     .size = size - 4,
			     .piece = 1 + 16 * (size_t)data[1] };
	pp_set_alloc(&(struct pp_allocator){ sizeof(struct pp_allocator), allocate, resize, release,
					     &now });
	failed = run(&in, data[0]);
	pp_set_alloc(NULL);
	if (now.in_use || (failed != 0) != (in.err.code != PP_ERROR_NONE) ||
	    (in.err.code == PP_ERROR_MEMORY) != (now.refused > 0))
		abort();
	return 0;
}
