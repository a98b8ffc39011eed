/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "export/format.h"
#include "format_readers.h"

static const struct pp_kind sampler = { .provider = "Microsoft-DotNETCore-SampleProfiler",
					.name = "",
					.opcode = -1 };
static const struct pp_thread thread = { .id = 7, .process_id = 5 };
static const uint64_t addresses[] = { 0x1000, 0x2000 };
static const struct pp_stack stack = { .count = 2, .addresses = addresses };
static const uint8_t managed[4] = { 2 };

static const struct pp_labels first = { .present = PP_LABEL_TRACE | PP_LABEL_SPAN,
					.trace_id = { 0x4b, 0xf9, 0x2f, [15] = 0x36 },
					.span_id = UINT64_C(0x00f067aa0ba902b7) };
static const struct pp_labels second = { .present = PP_LABEL_TRACE,
					 .trace_id = { 0xAA, [15] = 0xBB } };
static const struct pp_labels zeros = { .present = PP_LABEL_TRACE | PP_LABEL_SPAN };

struct text {
	char *bytes;
	size_t size;
};

static void keep(void *to, const void *bytes, size_t size)
{
	struct text *text = to;

	text->bytes = xrealloc(text->bytes, text->size + size + 1, 1);
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = 0;
}

/* Six samples a millisecond apart: in two traces, in none, in a trace without a name. */
static struct export_source *make_source(const struct export_query *query,
					 const struct export_format *format)
{
	static const struct pp_labels *const labels[] = { &first,  &first, NULL,
							  &second, &zeros, &first };
	const struct pp_trace_header header = { .ticks_per_second = 1000000000, .pointer_size = 8 };
	struct export_source *source = export_source_new(query, format);
	struct pass *pass = export_source_begin(source, "test");
	struct pp_error err = { 0 };

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		pass_event(pass, &header,
			   &(const struct pp_event){ .ticks = (int64_t)i * 1000000,
						     .kind = &sampler,
						     .thread = &thread,
						     .stack = &stack,
						     .labels = labels[i],
						     .payload = managed,
						     .payload_size = sizeof(managed) });
	export_source_stop(source, NULL);
	assert_int_equal(export_source_end(source, &err), 0);
	assert_int_equal(export_source_finish(source, &err), 0);
	return source;
}

static struct text written(const char *name, bool json)
{
	struct pp_error err = { 0 };
	const struct export_format *format = export_format_find(name, &err);
	const struct export_query query = { .view = &export_views[0],
					    .samples = { .events = EVENT_QUERY_ALL },
					    .json = json,
					    .exporter = "test@1" };
	struct export_source *source = make_source(&query, format);
	struct text text = { 0 };
	struct output_buffer out = { .write = keep, .to = &text };

	format->write(source, &out);
	assert_int_equal(output_buffer_end(&out, &err), 0);
	buffer_release(&out.bytes);
	export_source_free(source);
	return text;
}

static void otlp_links_samples_to_traces_and_spans(void **state)
{
	struct text text = written("otlp", true);

	(void)state;
	assert_non_null(strstr(text.bytes, "\"linkTable\":["
					   "{\"traceId\":\"00000000000000000000000000000000\","
					   "\"spanId\":\"0000000000000000\"},"
					   "{\"traceId\":\"4bf92f00000000000000000000000036\","
					   "\"spanId\":\"00f067aa0ba902b7\"},"
					   "{\"traceId\":\"aa0000000000000000000000000000bb\","
					   "\"spanId\":\"0000000000000000\"}]"));
	/* the same stack: three samples in the first trace, two in none, one in the second */
	assert_non_null(strstr(
		text.bytes,
		"\"samples\":["
		"{\"stackIndex\":1,\"attributeIndices\":[1],\"linkIndex\":1,\"values\":[\"3\"]},"
		"{\"stackIndex\":1,\"attributeIndices\":[1],\"values\":[\"2\"]},"
		"{\"stackIndex\":1,\"attributeIndices\":[1],\"linkIndex\":2,\"values\":[\"1\"]}]"));
	xfree(text.bytes);
}

static void count_stack(void *to, const char *const *names, size_t depth, uint64_t weight)
{
	(void)weight;
	assert_int_equal(depth, 2);
	assert_string_equal(names[0], "?!?");
	++*(unsigned *)to;
}

static void pprof_separates_samples_of_two_traces(void **state)
{
	struct text text = written("pprof", false);
	unsigned stacks = 0;

	(void)state;
	assert_null(read_pprof(text.bytes, text.size, count_stack, &stacks));
	assert_int_equal(stacks, 3);
	xfree(text.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(otlp_links_samples_to_traces_and_spans),
		cmocka_unit_test(pprof_separates_samples_of_two_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
