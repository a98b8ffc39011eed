/* SPDX-License-Identifier: MIT */
/*
 * The histories of heaps in a collection, and sizes that follow from them.
 */
#include <string.h>

#include "analyze/gc_process.h"
#include "payload/payload.h"

/* The history of a server's background collection comes after its end. */
static struct gc *target(struct gc_process *process)
{
	struct gc *gc = gc_current(process);

	if (gc || process->last_background == GC_NONE)
		return gc;
	return &process->list[process->last_background];
}

enum { GLOBAL_HEAPS, GLOBAL_MECHANISMS, GLOBAL_PAUSE_MODE, GLOBAL_MEMORY_LOAD };
const char gc_global_history_fields[] = "NumHeaps GlobalMechanisms PauseMode MemoryPressure";

static void take_times(struct gc *gc, const struct event_context *at)
{
	struct payload payload = { 0 };
	struct value value;
	bool inside = false;

	gc->time_count = 0;
	payload_begin(&payload, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&payload, &value))
		if (value.kind == VALUE_ARRAY)
			inside = true;
		else if (inside && value.kind == VALUE_UNSIGNED && gc->time_count < GC_TIMES)
			gc->times_us[gc->time_count++] = (uint32_t)value.unsigned_number;
	payload_release(&payload);
}

void gc_take_global_history(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *gc = target(process);
	const struct field_value *values = at->values;

	if (!gc || gc->has_global)
		return;
	gc->has_global = true;
	gc->heaps = (uint32_t)values[GLOBAL_HEAPS].number;
	gc->mechanisms = (uint32_t)values[GLOBAL_MECHANISMS].number;
	gc->pause_mode = (uint32_t)values[GLOBAL_PAUSE_MODE].number;
	gc->memory_load = (uint32_t)values[GLOBAL_MEMORY_LOAD].number;
	take_times(gc, at);
}

enum { HEAP_CONDEMNED0, HEAP_CONDEMNED1, HEAP_COMPACTION, HEAP_EXPANSION };
const char gc_heap_history_fields[] =
	"CondemnReasons0 CondemnReasons1 CompactMechanisms ExpandMechanisms";

/* The fields of a generation in one heap, in the order in which they come. */
enum {
	SIZE_BEFORE,
	FREE_LIST_BEFORE,
	FREE_OBJECTS_BEFORE,
	SIZE_AFTER,
	FREE_LIST_AFTER,
	FREE_OBJECTS_AFTER,
	IN,
	PINNED_SURVIVED,
	OTHERS_SURVIVED,
	NEW_ALLOCATION,
	NUMBERS,
};

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void add_generation(struct gc *gc, int generation, const uint64_t *numbers)
{
	struct gc_generation *sum = &gc->generations[generation];
	const uint64_t free_after = numbers[FREE_LIST_AFTER] + numbers[FREE_OBJECTS_AFTER];
	const uint64_t before = less(numbers[SIZE_BEFORE],
				     numbers[FREE_LIST_BEFORE] + numbers[FREE_OBJECTS_BEFORE]);
	const uint64_t out = numbers[PINNED_SURVIVED] + numbers[OTHERS_SURVIVED];
	uint64_t left = less(numbers[SIZE_AFTER], free_after);

	/* a young collection does not touch the last two, and records zeros for them */
	if (generation >= GC_LARGE && !left && gc->generation < 1)
		left = before;
	sum->size_before += numbers[SIZE_BEFORE];
	sum->free_after += free_after;
	sum->in += numbers[IN];
	sum->out += out;
	sum->budget += numbers[NEW_ALLOCATION];
	sum->objects_before += before;
	sum->objects_left += left;
}

static void take_generations(struct gc *gc, const struct event_context *at)
{
	struct payload payload = { 0 };
	struct value value;
	uint64_t numbers[NUMBERS] = { 0 };
	int generation = -1;
	int number = 0;

	payload_begin(&payload, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&payload, &value)) {
		if (value.kind == VALUE_OBJECT) {
			generation++;
			number = 0;
			memset(numbers, 0, sizeof(numbers));
		} else if (value.kind == VALUE_END && number == NUMBERS) {
			if (generation < GC_GENERATIONS)
				add_generation(gc, generation, numbers);
			gc->has_pinned = gc->has_pinned || generation == GC_PINNED;
			number = 0;
		} else if (generation >= 0 && number < NUMBERS) {
			numbers[number++] = value.kind == VALUE_NULL ? 0 : value.unsigned_number;
		}
	}
	payload_release(&payload);
}

/* The first heap that asked for this generation decided. */
static void take_condemned(struct gc *gc, const struct field_value *values)
{
	const uint32_t reasons = (uint32_t)values[HEAP_CONDEMNED0].number;
	const bool decided = (gc->condemned[0] >> 2 & 3) == gc->generation;

	if (gc->heaps_seen && (decided || (reasons >> 2 & 3) != gc->generation))
		return;
	gc->condemned[0] = reasons;
	gc->condemned[1] = (uint32_t)values[HEAP_CONDEMNED1].number;
}

void gc_take_heap_history(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *gc = target(process);
	const struct field_value *values = at->values;

	if (!gc || (gc->ended && gc->heaps_seen >= gc->heaps))
		return;
	take_condemned(gc, values);
	gc->compaction |= (uint32_t)values[HEAP_COMPACTION].number;
	gc->expansion |= (uint32_t)values[HEAP_EXPANSION].number;
	gc->has_history = true;
	gc->heaps_seen++;
	take_generations(gc, at);
}

static uint64_t size_before(const struct gc *gc)
{
	uint64_t size = 0;

	for (int i = 0; i < GC_GENERATIONS; i++)
		size += gc->generations[i].size_before;
	return size;
}

/* Without a history: sizes after the previous one, and what was allocated since. */
static void estimate_before(struct gc *gc, const struct gc *before)
{
	for (int i = 0; i < GC_GENERATIONS; i++) {
		struct gc_generation *generation = &gc->generations[i];

		generation->size_before = before ? before->generations[i].size_after : 0;
		if (i == GC_GEN0 && gc->ticked[0] > generation->size_before)
			generation->size_before = gc->ticked[0];
		if (i >= GC_LARGE && before && generation->size_after > generation->size_before)
			generation->size_before = generation->size_after;
	}
}

/*
 * Allocated in a generation since the previous collection. For the first one, and for the youngest
 * generation of a background one, this is estimated by allocation ticks; as in .NET's tools those
 * of large objects stand for pinned ones, too.
 */
static uint64_t allocated_in(const struct gc *gc, const struct gc *previous, int generation)
{
	const struct gc_generation *now = &gc->generations[generation];

	if (gc->type == GC_BACKGROUND && generation == GC_GEN0)
		return gc->ticked[0];
	if (!gc->has_history || !previous || !previous->has_history)
		return gc->ticked[generation == GC_GEN0 ? 0 : 1];
	return now->objects_before - previous->generations[generation].objects_left;
}

/*
 * Whole percents, rounded down. All heaps of a server together: objects move between heaps, so that
 * one may have more survivors than objects before. At most 100: what a background collection gets
 * from an ephemeral one within it counts as survived, and not as there before.
 */
static int survival_of(const struct gc_generation *generation)
{
	const double percent =
		generation->objects_before
			? (double)generation->out * 100.0 / (double)generation->objects_before
			: 0;

	return percent < 100 ? (int)percent : 100;
}

static void set_survival(struct gc *gc)
{
	for (uint32_t i = 0; i < GC_GENERATIONS; i++) {
		struct gc_generation *generation = &gc->generations[i];
		const bool collected = i >= GC_LARGE ? gc->generation >= 2 : i <= gc->generation;
		const bool exists = i != GC_PINNED || gc->has_pinned;

		generation->survival_percent =
			gc->has_history && collected && exists ? survival_of(generation) : -1;
	}
}

/* During a background one the heap may have been largest at a foreground one. */
static void set_peak(struct gc_process *process, size_t index)
{
	struct gc *gc = &process->list[index];
	const int64_t end_ns = ns_plus(gc->pause_start_ns, gc->duration_ns);

	gc->heap_peak = gc->heap_before;
	if (gc->type != GC_BACKGROUND)
		return;
	for (size_t i = index + 1; i < process->count; i++) {
		const struct gc *other = &process->list[i];

		if (other->pause_start_ns > end_ns || other->type == GC_BACKGROUND)
			break;
		if (other->heap_before > gc->heap_peak)
			gc->heap_peak = other->heap_before;
	}
}

static int64_t end_of(const struct gc *gc)
{
	return gc->duration_ns > 0 ? ns_plus(gc->start_ns, gc->duration_ns) : gc->start_ns;
}

static void set_percent(struct gc *gc, const struct gc *previous)
{
	int64_t all_ns;

	if (!gc->complete)
		return;
	if (gc->blocking)
		all_ns = ns_plus(gc->pause_ns, gc->since_last_ns);
	else if (!previous)
		all_ns = gc->duration_ns;
	else
		all_ns = ns_between(end_of(previous), end_of(gc));
	if (all_ns > 0)
		gc->pause_percent = 100.0 * (double)gc->pause_ns / (double)all_ns;
}

void gc_process_finish(struct gc_process *process)
{
	const struct gc *with_stats = NULL;

	for (size_t i = 0; i < process->count; i++) {
		struct gc *gc = &process->list[i];
		const struct gc *previous = i ? gc - 1 : NULL;

		if (!gc->has_history)
			estimate_before(gc, with_stats);
		if (gc->has_stats)
			with_stats = gc;
		gc->heap_before = size_before(gc);
		gc->allocated = (int64_t)(allocated_in(gc, previous, GC_GEN0) +
					  allocated_in(gc, previous, GC_LARGE) +
					  allocated_in(gc, previous, GC_PINNED));
		set_survival(gc);
		set_percent(gc, previous);
	}
	for (size_t i = 0; i < process->count; i++)
		set_peak(process, i);
}
