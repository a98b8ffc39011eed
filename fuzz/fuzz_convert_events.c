/* SPDX-License-Identifier: MIT */
/*
 * Any trace must be copied as far as it goes, with and without anonymizing, and printed; the copy
 * must be a valid trace, and the output valid JSON lines or CSV.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/unit/format_readers.h"
#include "base/array.h"
#include "base/buffer.h"
#include "export/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep(void *to, const void *bytes, size_t size)
{
	buffer_bytes(to, bytes, size);
}

/* All events up to the first error. */
static void copy(const uint8_t *data, size_t size, const struct export_stream *stream, void *self)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *event;
	enum pp_next next;
	bool fed = false;
	struct pass pass;

	pass_init(&pass, NULL);
	if (stream)
		pass_want_every(&pass, stream->event, self);
	while ((next = pp_nettrace_next(trace, &event, &err)) > PP_NEXT_END) {
		if (next == PP_NEXT_ITEM) {
			pass_event(&pass, pp_nettrace_header(trace), event);
		} else if (!fed) {
			pp_nettrace_feed(trace, data, size);
			fed = true;
		} else {
			pp_nettrace_end(trace);
		}
	}
	if (stream && next == PP_NEXT_END)
		stream->end(self, trace, &err);
	else if (stream)
		stream->end(self, NULL, &err);
	else if (next == PP_NEXT_ERROR)
		abort(); /* what we wrote */
	pass_release(&pass);
	pp_nettrace_free(trace);
}

static const struct {
	const char *format;
	const char *(*read)(const void *bytes, size_t size, stack_found *found, void *to);
} readers[] = {
	{ "jsonl", read_jsonl },
	{ "text", read_event_text },
	{ "csv", read_csv },
};

static void check(const char *name, const struct buffer *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(readers); i++) {
		const char *problem = NULL;

		if (!strcmp(readers[i].format, name))
			problem = readers[i].read(text->bytes, text->size, NULL, NULL);
		if (problem) {
			fprintf(stderr, "%s: %s\n", name, problem);
			abort();
		}
	}
}

static void convert(const uint8_t *data, size_t size, const char *name, bool anonymize)
{
	const struct export_query query = { .samples = { .events = EVENT_QUERY_ALL },
					    .anonymize = anonymize };
	struct pp_error err = { 0 };
	const struct export_format *format = export_format_find(name, &err);
	struct buffer text = { 0 };
	struct output_buffer out = { .write = keep, .to = &text };
	void *self = format ? calloc(1, format->stream->size) : NULL;

	if (!self)
		abort();
	format->stream->begin(self, format, &query, &out);
	copy(data, size, format->stream, self);
	if (output_buffer_end(&out, &err))
		abort();
	if (!strcmp(name, "nettrace") && text.size)
		copy(text.bytes, text.size, NULL, NULL);
	check(name, &text);
	buffer_release(&out.bytes);
	buffer_release(&text);
	free(self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	convert(data, size, "nettrace", false);
	convert(data, size, "nettrace", true);
	convert(data, size, "jsonl", false);
	convert(data, size, "text", false);
	convert(data, size, "csv", false);
	return 0;
}
