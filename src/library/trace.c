/* SPDX-License-Identifier: MIT */
#include "library/trace_state.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"

/* The trace itself; what it reads from is added by the caller. */
static struct pp_trace *make(struct heap *heap)
{
	struct pp_trace *trace = xcalloc(1, sizeof(*trace));

	trace->heap = heap;
	trace->asks = true;
	return trace;
}

static struct pp_nettrace_options reader_options(const struct pp_trace_options *options)
{
	return (struct pp_nettrace_options){ .size = sizeof(struct pp_nettrace_options),
					     .file_order = options->file_order,
					     .no_stacks = options->no_stacks };
}

static struct pp_trace *open_file(struct heap *heap, const char *path,
				  const struct pp_trace_options *options, struct pp_error *err)
{
	const struct pp_nettrace_options wanted = reader_options(options);
	struct pp_trace *trace = make(heap);

	trace->file = trace_file_open(xstrdup(path), &wanted, err);
	trace->reader = trace->file ? trace->file->trace : NULL;
	return trace->file ? trace : NULL;
}

static void drop_reader(void *object)
{
	struct pp_trace *trace = object;

	pp_nettrace_free(trace->reader);
}

static struct pp_trace *open_reader(struct heap *heap, const struct pp_trace_options *options,
				    struct pp_error *err)
{
	const struct pp_nettrace_options wanted = reader_options(options);
	struct pp_trace *trace = make(heap);

	heap_on_drop(drop_reader, trace);
	trace->reader = pp_nettrace_new(&wanted, err);
	return trace->reader ? trace : NULL;
}

struct opening {
	const char *path; /* NULL: the caller has the bytes */
	struct pp_trace_options options;
};

static void *open_trace(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct opening *opening = from;

	return opening->path ? open_file(heap, opening->path, &opening->options, err)
			     : open_reader(heap, &opening->options, err);
}

static struct pp_trace *begin(const char *path, const struct pp_trace_options *options,
			      struct pp_error *err)
{
	struct opening opening = { .path = path };

	if (options && OPTIONS_READ(&opening.options, options, err))
		return NULL;
	return heap_make(open_trace, &opening, err);
}

struct pp_trace *pp_trace_open(const char *path, const struct pp_trace_options *options,
			       struct pp_error *err)
{
	return argument_check(path, "path", err) ? NULL : begin(path, options, err);
}

struct pp_trace *pp_trace_new(const struct pp_trace_options *options, struct pp_error *err)
{
	return begin(NULL, options, err);
}

void pp_trace_close(struct pp_trace *trace)
{
	if (trace)
		heap_free(trace->heap);
}

int pp_trace_feed(struct pp_trace *trace, const void *bytes, size_t size, struct pp_error *err)
{
	const char *left = bytes;

	if (trace->file || !trace->asks)
		return error_set(err, PP_ERROR_USAGE, "the trace did not ask for bytes");
	while (size) {
		size_t room;
		void *to = pp_nettrace_room(trace->reader, &room);
		const size_t part = size < room ? size : room;

		if (!to)
			return error_set(err, PP_ERROR_MEMORY, "out of memory for the bytes");
		memcpy(to, left, part);
		pp_nettrace_filled(trace->reader, part);
		left += part;
		size -= part;
	}
	return 0;
}

void pp_trace_end(struct pp_trace *trace)
{
	if (!trace->file)
		pp_nettrace_end(trace->reader);
}

/* The slow path of pp_trace_next(): the reader has used up its bytes. */
static enum pp_next advance_file(struct pp_trace *trace, enum pp_next next,
				 const struct pp_event **event, struct pp_error *err)
{
	volatile enum pp_next result = PP_NEXT_ERROR;
	struct guard guard;

	if (guard_enter(&guard, trace->heap, err))
		return PP_NEXT_ERROR;
	if (!setjmp(guard.out))
		result = trace_file_advance(trace->file, next, event, err);
	guard_leave(&guard);
	return result;
}

static enum pp_next next_of_file(struct pp_trace *trace, const struct pp_event **event,
				 struct pp_error *err)
{
	const enum pp_next next = pp_nettrace_next(trace->reader, event, &trace->file->inner);

	return next == PP_NEXT_ITEM ? next : advance_file(trace, next, event, err);
}

static enum pp_next next_of_bytes(struct pp_trace *trace, const struct pp_event **event,
				  struct pp_error *err)
{
	const enum pp_next next = pp_nettrace_next(trace->reader, event, err);

	trace->asks = next == PP_NEXT_MORE;
	return next;
}

/* The calls of fields.h have no error of their own: if memory was gone, it is known now. */
static int end_event(struct pp_trace *trace, struct pp_error *err)
{
	if (heap_check(trace->heap, err))
		return -1;
	trace_fields_forget(&trace->fields);
	return 0;
}

enum pp_next pp_trace_next(struct pp_trace *trace, const struct pp_event **event,
			   struct pp_error *err)
{
	if (trace->fields.used && end_event(trace, err))
		return PP_NEXT_ERROR;
	return trace->file ? next_of_file(trace, event, err) : next_of_bytes(trace, event, err);
}

const struct pp_trace_header *pp_trace_header(const struct pp_trace *trace)
{
	return pp_nettrace_header(trace->reader);
}

struct pp_trace_totals pp_trace_totals(const struct pp_trace *trace)
{
	return pp_nettrace_totals(trace->reader);
}

int64_t pp_event_time_ns(const struct pp_trace *trace, const struct pp_event *event)
{
	return pp_trace_time_ns(pp_nettrace_header(trace->reader), event->ticks);
}

enum pp_trace_state trace_state_of(const struct trace_file *file)
{
	static const enum pp_trace_state states[] = {
		[TRACE_FILE_WHOLE] = PP_TRACE_WHOLE,
		[TRACE_FILE_CUT] = PP_TRACE_CUT,
		[TRACE_FILE_DAMAGED] = PP_TRACE_DAMAGED,
	};

	return states[trace_file_state(file)];
}

enum pp_trace_state pp_trace_state(const struct pp_trace *trace)
{
	if (trace->file)
		return trace_state_of(trace->file);
	return pp_nettrace_totals(trace->reader).complete ? PP_TRACE_WHOLE : PP_TRACE_CUT;
}
