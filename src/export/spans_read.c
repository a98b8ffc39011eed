/* SPDX-License-Identifier: MIT */
/*
 * Spans of all parts in order of time, as formats see them. Each part has them in order by its own
 * clock, so the next one is the earliest of the next ones of all parts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "export/spans_kept.h"

const char *const export_span_names[EXPORT_SPAN_KINDS] = {
	[EXPORT_GC] = "gc",	      [EXPORT_GC_PAUSE] = "gc-pause",
	[EXPORT_JIT] = "jit",	      [EXPORT_EXCEPTION] = "exception",
	[EXPORT_WAIT] = "contention", [EXPORT_ACTIVITY] = "activity",
};

static const char *enum_text(const char *map, uint64_t number, char text[static VALUE_MAP_TEXT])
{
	const char *name = value_map_name(value_map_find(map), number, text);

	return name ? name : "?";
}

static void show_gc(const struct kept_span *kept, struct shown_span *shown)
{
	const struct export_note notes[EXPORT_NOTES] = {
		{ "generation", NULL, kept->gc.generation },
		{ "reason", enum_text("GCReason", kept->gc.reason, shown->texts[0]), 0 },
		{ "type", enum_text("GCType", kept->gc.type, shown->texts[1]), 0 },
		{ "promoted", NULL, (int64_t)kept->gc.promoted },
		{ "heap after", NULL, (int64_t)kept->gc.heap_after },
	};

	snprintf(shown->name, sizeof(shown->name), "GC #%u gen %u", kept->gc.number,
		 kept->gc.generation);
	shown->span.name = shown->name;
	for (size_t i = 0; i < EXPORT_NOTES; i++)
		shown->span.notes[i] = notes[i];
}

static void show_pause(const struct kept_span *kept, struct shown_span *shown)
{
	shown->span.name = "GC pause";
	shown->span.notes[0] = (struct export_note){ "number", NULL, kept->gc.number };
}

static void show_method(const struct kept_span *kept, struct shown_span *shown)
{
	const char *tier = enum_text("OptimizationTier", kept->jit.tier, shown->texts[0]);

	shown->span.name = kept->jit.name;
	shown->span.notes[0] = (struct export_note){ "tier", tier, 0 };
	shown->span.notes[1] = (struct export_note){ "IL bytes", NULL, kept->jit.il_size };
	shown->span.notes[2] = (struct export_note){ "native bytes", NULL, kept->jit.native_size };
}

static void show_exception(const struct kept_span *kept, struct shown_span *shown)
{
	shown->span.name = kept->other.name;
	shown->span.notes[0] = (struct export_note){ "message", kept->other.text, 0 };
}

static void show_wait(const struct kept_span *kept, struct shown_span *shown)
{
	(void)kept;
	shown->span.name = "waiting for a lock";
}

static void show_activity(const struct kept_span *kept, struct shown_span *shown)
{
	shown->span.name = kept->other.name;
	guid_text(kept->other.activity, shown->texts[0]);
	shown->span.notes[0] = (struct export_note){ "provider", kept->other.text, 0 };
	shown->span.notes[1] = (struct export_note){ "activity", shown->texts[0], 0 };
}

static const struct {
	bool on_thread;
	void (*show)(const struct kept_span *kept, struct shown_span *shown);
} kinds[EXPORT_SPAN_KINDS] = {
	[EXPORT_GC] = { false, show_gc },     [EXPORT_GC_PAUSE] = { false, show_pause },
	[EXPORT_JIT] = { true, show_method }, [EXPORT_EXCEPTION] = { true, show_exception },
	[EXPORT_WAIT] = { true, show_wait },  [EXPORT_ACTIVITY] = { true, show_activity },
};

static uint32_t stack_of(const struct export_part *part, const struct kept_span *kept)
{
	uint32_t stack = model_stack_now(&part->model, kept->stack);

	if (part->has_tree && stack)
		stack = calltree_node(&part->tree, stack);
	return stack == MODEL_NONE ? STACK_EMPTY : stack;
}

void spans_show(const struct export_source *source, const struct kept_span *kept,
		struct shown_span *shown)
{
	const struct export_part *part = source->parts[kept->part];
	const struct model_thread *thread =
		kinds[kept->kind].on_thread ? &part->model.threads[kept->who] : NULL;

	shown->span = (struct export_span){
		.kind = kept->kind,
		.unfinished = kept->unfinished,
		.on_thread = thread,
		.process = part->processes[thread ? thread->process : kept->who] - 1,
		.thread_id = thread ? thread->id : 0,
		.thread_name = thread ? thread->name : NULL,
		.start_ns = kept->start_ns + part->offset_ns,
		.end_ns = kept->end_ns + part->offset_ns,
		.part = kept->part,
		.stack = stack_of(part, kept),
	};
	kinds[kept->kind].show(kept, shown);
}

static int compare(const struct kept_span *a, int64_t a_offset_ns, const struct kept_span *b,
		   int64_t b_offset_ns)
{
	if (a->start_ns + a_offset_ns != b->start_ns + b_offset_ns)
		return a->start_ns + a_offset_ns < b->start_ns + b_offset_ns ? -1 : 1;
	if (a->end_ns + a_offset_ns != b->end_ns + b_offset_ns) /* the outer one first */
		return a->end_ns + a_offset_ns > b->end_ns + b_offset_ns ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

int spans_by_time(const void *left, const void *right)
{
	const struct kept_span *a = left;
	const struct kept_span *b = right;
	const int order = compare(a, 0, b, 0);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void begin(struct span_reader *reader)
{
	const struct export_source *source = reader->source;

	reader->parts = xcalloc(source->part_count + 1, sizeof(*reader->parts));
	reader->heads = xcalloc(source->part_count + 1, sizeof(*reader->heads));
	for (size_t i = 0; i < source->part_count; i++) {
		if (!source->parts[i]->spans)
			continue;
		reader->parts[i].sorted = &source->parts[i]->spans->kept;
		reader->heads[i] = external_sort_next(&reader->parts[i]);
	}
}

/* The part whose span comes next. */
static size_t first_part(const struct span_reader *reader)
{
	const struct export_source *source = reader->source;
	size_t first = 0;

	for (size_t i = 1; i < source->part_count; i++)
		if (reader->heads[i] &&
		    (!reader->heads[first] ||
		     compare(reader->heads[i], source->parts[i]->offset_ns, reader->heads[first],
			     source->parts[first]->offset_ns) < 0))
			first = i;
	return first;
}

const struct export_span *span_next(struct span_reader *reader)
{
	if (!reader->parts)
		begin(reader);
	else if (reader->heads[reader->part])
		reader->heads[reader->part] = external_sort_next(&reader->parts[reader->part]);
	reader->part = first_part(reader);
	if (!reader->heads[reader->part])
		return NULL;
	spans_show(reader->source, reader->heads[reader->part], &reader->shown);
	return &reader->shown.span;
}

void span_reader_release(struct span_reader *reader)
{
	for (size_t i = 0; reader->parts && i < reader->source->part_count; i++)
		if (reader->parts[i].sorted)
			external_sort_reader_release(&reader->parts[i]);
	xfree(reader->parts);
	xfree(reader->heads);
	reader->parts = NULL;
	reader->heads = NULL;
}
