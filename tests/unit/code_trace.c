/* SPDX-License-Identifier: MIT */
#include "code_trace.h"

static int keep(void *context, const void *bytes, size_t size)
{
	buffer_bytes(context, bytes, size);
	return 0;
}

void code_trace_begin(struct code_trace *s)
{
	*s = (struct code_trace){ 0 };
	s->writer = pp_writer_new(
		&(const struct pp_writer_options){ .size = sizeof(struct pp_writer_options),
						   .sink = { keep, &s->bytes },
						   .start_ns = 1000000000,
						   .ticks_per_second = 1000000000 },
		&s->err);
	for (int i = 0; i < PROCESSES; i++)
		s->threads[i] = pp_writer_thread(
			s->writer,
			&(const struct pp_thread){ .process_id = 100 + i, .id = 200 + i }, &s->err);
}

struct pp_new_event code_at(const struct code_trace *s, int process, int64_t now)
{
	return (struct pp_new_event){ .thread = s->threads[process], .ticks = now, .cpu = -1 };
}

void code_event(struct code_trace *s, const char *provider, uint32_t id, struct pp_new_event event,
		struct buffer *payload)
{
	event.kind = pp_writer_kind(
		s->writer,
		&(const struct pp_kind){ .provider = provider, .name = "", .id = id, .opcode = -1 },
		&s->err);
	event.payload = payload->bytes;
	event.payload_size = payload->size;
	pp_writer_event(s->writer, &event, &s->err);
	buffer_release(payload);
}

void code_method(struct code_trace *s, const char *provider, uint32_t id, int64_t now,
		 const struct method_spec *method)
{
	struct buffer p = { 0 };

	buffer_u64(&p, method->id);
	buffer_u64(&p, method->module ? method->module : 900);
	buffer_u64(&p, method->start);
	buffer_u32(&p, method->size ? method->size : 0x100);
	buffer_u32(&p, 0);
	buffer_u32(&p, method->flags);
	buffer_utf16z(&p, "T");
	buffer_utf16z(&p, method->name);
	buffer_utf16z(&p, "void  ()");
	code_event(s, provider, id, code_at(s, method->process, now), &p);
}

void code_load_module(struct code_trace *s, int process, int64_t now, uint64_t id, const char *path)
{
	struct buffer p = { 0 };

	buffer_u64(&p, id);
	buffer_u64(&p, 0);
	buffer_u64(&p, 0);
	buffer_utf16z(&p, path);
	buffer_utf16z(&p, "");
	code_event(s, CLR_RUNTIME_PROVIDER, CLR_MODULE_LOAD, code_at(s, process, now), &p);
}

void code_unload_module(struct code_trace *s, int process, int64_t now, uint64_t id)
{
	struct buffer p = { 0 };

	buffer_u64(&p, id);
	code_event(s, CLR_RUNTIME_PROVIDER, CLR_MODULE_UNLOAD, code_at(s, process, now), &p);
}

void code_sample(struct code_trace *s, int process, int64_t now, const uint64_t *addresses,
		 size_t count)
{
	struct pp_new_event event = code_at(s, process, now);
	struct buffer p = { 0 };

	event.stack = addresses;
	event.stack_count = count;
	buffer_u32(&p, SAMPLE_MANAGED);
	code_event(s, SAMPLE_PROFILER_PROVIDER, 0, event, &p);
}

void code_map_file(struct code_trace *s, int process, uint64_t id, uint64_t start, const char *path)
{
	const struct pp_new_event at = code_at(s, process, 0);

	pp_writer_mapping(s->writer, &at,
			  &(const struct pp_new_mapping){ .id = id,
							  .start = start,
							  .end = start + 0x1000,
							  .file_offset = 0x400,
							  .file_name = path,
							  .metadata_id = id },
			  &s->err);
}

void code_add_symbol(struct code_trace *s, int process, uint64_t mapping, uint64_t start,
		     const char *name)
{
	const struct pp_new_event at = code_at(s, process, 0);

	pp_writer_symbol(s->writer, &at,
			 &(const struct pp_new_symbol){ .id = start,
							.mapping_id = mapping,
							.start = start,
							.end = start + 0xf,
							.name = name },
			 &s->err);
}

void code_trace_read(struct code_trace *s, size_t size, struct fill_options options)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &s->err);
	const struct pp_event *event;
	struct pass pass;
	struct fill *fill;

	options.model = &s->model;
	pass_init(&pass, NULL);
	fill = pass_want(&pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
	pp_nettrace_feed(trace, s->bytes.bytes, size);
	while (pp_nettrace_next(trace, &event, &s->err) == PP_NEXT_ITEM)
		pass_event(&pass, pp_nettrace_header(trace), event);
	pp_nettrace_end(trace);
	while (pp_nettrace_next(trace, &event, &s->err) == PP_NEXT_ITEM)
		pass_event(&pass, pp_nettrace_header(trace), event);
	pass_finish(&pass, trace);
	pp_nettrace_free(trace);
	fill_build(fill);
	pass_release(&pass);
	assert_int_equal(s->err.code, 0);
}

void code_trace_end_with(struct code_trace *s, struct fill_options options)
{
	assert_int_equal(pp_writer_close(s->writer, &s->err), 0);
	code_trace_read(s, s->bytes.size, options);
	assert_false(s->model.losses.cut);
}

void code_trace_end(struct code_trace *s)
{
	code_trace_end_with(s, (struct fill_options){ 0 });
}

void code_trace_release(struct code_trace *s)
{
	model_release(&s->model);
	buffer_release(&s->bytes);
}

static void put_stack(struct buffer *text, const struct model *model, uint32_t node, bool modules)
{
	const struct stack_node *at = &model->stacks.nodes[node];

	if (at->parent) {
		put_stack(text, model, at->parent, modules);
		buffer_text(text, ";");
	}
	if (modules) {
		buffer_text(text, model->frames[at->frame].module);
		buffer_text(text, "!");
	}
	buffer_text(text, model->frames[at->frame].name);
}

void code_trace_expect(const struct code_trace *s, bool modules, const char *expected)
{
	struct samples_by_time walk;
	struct model_sample sample;
	struct buffer text = { 0 };

	samples_by_time_begin(&walk, &s->model.samples, UNTIL_NOTHING);
	while (samples_by_time_next(&walk, &sample)) {
		if (text.size)
			buffer_text(&text, " ");
		put_stack(&text, &s->model, sample.stack, modules);
	}
	samples_by_time_end(&walk);
	buffer_u8(&text, '\0');
	assert_string_equal((const char *)text.bytes, expected);
	buffer_release(&text);
}
