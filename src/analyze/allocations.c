/* SPDX-License-Identifier: MIT */
#include "analyze/allocations.h"

#include <math.h>

#include "payload/payload.h"

#define SAMPLED_EVERY 102400.0 /* bytes, on average: every byte has the same chance */

/* What one event tells. */
struct allocation_event {
	enum alloc_source source;
	enum alloc_heap heap;
	struct alloc_sum sum;
};

void alloc_sum_add(struct alloc_sum *sum, const struct alloc_sum *more)
{
	sum->count += more->count;
	sum->object_bytes += more->object_bytes;
	sum->bytes += more->bytes;
	sum->objects += more->objects;
	sum->variance += more->variance;
	sum->estimate += more->estimate;
}

static void add_told(struct alloc_stats *stats, struct alloc_type *type,
		     const struct allocation_event *told)
{
	struct alloc_table *table = &stats->tables[told->source];
	struct alloc_site *site = record_set_add(
		&table->sites_by_place, &stats->arena,
		&(struct alloc_site){ .type = type, .stack = stats->stack, .heap = told->heap });
	const uint64_t before = site->sum.bytes + alloc_whole(site->sum.estimate);

	alloc_sum_add(&site->sum, &told->sum);
	table->all.count += told->sum.count;
	stats->last = (struct alloc_last){
		.type = type,
		.source = told->source,
		.bytes = site->sum.bytes + alloc_whole(site->sum.estimate) - before,
	};
}

static struct alloc_type *type_called(struct alloc_stats *stats, enum alloc_source source,
				      const struct field_value *name, uint64_t id)
{
	const char *text = name->known ? text_pool_add(&stats->texts, name->text, name->size) : "";

	return record_set_add(&stats->tables[source].types_by_name, &stats->arena,
			      &(struct alloc_type){ .name = text, .type_id = id });
}

static struct alloc_type *type_of_id(struct alloc_stats *stats, int64_t process_id, uint64_t id)
{
	return record_set_add(
		&stats->tables[ALLOC_OBJECTS].types_by_name, &stats->arena,
		&(struct alloc_type){ .name = "", .type_id = id, .process_id = process_id });
}

static enum alloc_heap heap_of(const struct field_value *kind)
{
	return kind->number < ALLOC_PINNED ? (enum alloc_heap)kind->number : ALLOC_PINNED;
}

enum { TICK_AMOUNT, TICK_KIND, TICK_AMOUNT64, TICK_TYPE_ID, TICK_TYPE, TICK_SIZE };
static const char *const tick_fields[] = { "AllocationAmount",
					   "AllocationKind",
					   "AllocationAmount64",
					   "TypeID",
					   "TypeName",
					   "ObjectSize",
					   NULL };

/* Once an old runtime has written a negative amount, none of them is believed. */
static uint64_t believable(struct alloc_stats *stats, uint64_t amount, enum alloc_heap heap)
{
	const uint64_t most = heap == ALLOC_SMALL ? 110 * 1024 : 2 * 1024 * 1024;
	const uint64_t least = 90 * 1024;

	if (amount > INT64_MAX)
		stats->bad_ticks = true;
	if (!stats->bad_ticks)
		return amount;
	if (amount > INT64_MAX || amount < least)
		return least;
	return amount > most ? most : amount;
}

static void take_tick(void *self, const struct watched *watched)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = watched->values;
	const enum alloc_heap heap = heap_of(&values[TICK_KIND]);
	const uint64_t amount64 = values[TICK_AMOUNT64].number;
	const uint64_t amount =
		believable(stats, amount64 ? amount64 : values[TICK_AMOUNT].number, heap);

	if (!values[TICK_KIND].known)
		return;
	add_told(stats,
		 type_called(stats, ALLOC_TICKS, &values[TICK_TYPE], values[TICK_TYPE_ID].number),
		 &(struct allocation_event){
			 .source = ALLOC_TICKS,
			 .heap = heap,
			 .sum = { .count = 1,
				  .bytes = amount,
				  .object_bytes = values[TICK_SIZE].number,
				  .variance = (double)amount * (double)amount },
		 });
}

enum { SAMPLE_KIND, SAMPLE_TYPE_ID, SAMPLE_TYPE, SAMPLE_SIZE };
static const char *const sample_fields[] = { "AllocationKind", "TypeID", "TypeName", "ObjectSize",
					     NULL };

/*
 * An object of s bytes is sampled with the chance p that at least one of its bytes is, so
 * each that is stands for 1 / p of them; what such a sum varies by follows from p, too.
 */
static void take_sample(void *self, const struct watched *watched)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = watched->values;
	const double size = (double)values[SAMPLE_SIZE].number;
	const double chance = -expm1(size * log1p(-1 / SAMPLED_EVERY));

	if (!values[SAMPLE_SIZE].known || !(chance > 0))
		return;
	add_told(stats,
		 type_called(stats, ALLOC_SAMPLES, &values[SAMPLE_TYPE],
			     values[SAMPLE_TYPE_ID].number),
		 &(struct allocation_event){
			 .source = ALLOC_SAMPLES,
			 .heap = heap_of(&values[SAMPLE_KIND]),
			 .sum = { .count = 1,
				  .object_bytes = values[SAMPLE_SIZE].number,
				  .objects = 1 / chance,
				  .variance = size * size * (1 - chance) / (chance * chance),
				  .estimate = size / chance },
		 });
}

enum { OBJECT_TYPE_ID, OBJECT_COUNT, OBJECT_BYTES };
static const char *const object_fields[] = { "TypeID", "ObjectCountForTypeSample",
					     "TotalSizeForTypeSample", NULL };

#define LARGE_OBJECT 85000 /* bytes, from which on it is large */

static void take_objects(void *self, const struct watched *watched)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = watched->values;
	const uint64_t count = values[OBJECT_COUNT].number;
	const uint64_t bytes = values[OBJECT_BYTES].number;

	if (!values[OBJECT_BYTES].known || !count)
		return;
	add_told(stats,
		 type_of_id(stats, watched->event->thread->process_id,
			    values[OBJECT_TYPE_ID].number),
		 &(struct allocation_event){
			 .source = ALLOC_OBJECTS,
			 .heap = bytes / count >= LARGE_OBJECT ? ALLOC_LARGE : ALLOC_SMALL,
			 .sum = { .count = count,
				  .bytes = bytes,
				  .object_bytes = bytes,
				  .objects = (double)count },
		 });
}

struct type_name {
	struct type_name *next;
	int64_t process_id;
	uint64_t id;
	const char *name;
};

const char *alloc_type_name(const struct alloc_stats *stats, int64_t process_id, uint64_t id)
{
	const struct type_name *name = record_set_find(
		&stats->type_names, &(struct type_name){ .process_id = process_id, .id = id });

	return name ? name->name : NULL;
}

static void add_name(struct alloc_stats *stats, int64_t process_id, uint64_t id,
		     const struct value *text)
{
	struct type_name *name;

	if (!text->size)
		return;
	name = record_set_add(&stats->type_names, &stats->arena,
			      &(struct type_name){ .process_id = process_id, .id = id });
	if (!name->name)
		name->name = arena_text(&stats->arena, text->text, text->size);
}

/* Types by the dozen: in each record the first number is the id, and there is one text. */
static void take_types(void *self, const struct watched *watched)
{
	struct payload payload = { 0 };
	struct value value;
	uint64_t id = 0;
	bool first = false;

	payload_begin(&payload, watched->plan, watched->event, watched->pointer_size);
	while (payload_next(&payload, &value)) {
		if (first && value.kind != VALUE_NULL)
			id = value.unsigned_number;
		first = value.kind == VALUE_OBJECT;
		if (value.kind == VALUE_TEXT)
			add_name(self, watched->event->thread->process_id, id, &value);
	}
	payload_release(&payload);
}

static const struct watch_row rows[] = {
	{ WATCH_RUNTIME, 10, tick_fields, take_tick },
	{ WATCH_RUNTIME, 303, sample_fields, take_sample },
	{ WATCH_RUNTIME, 20, object_fields, take_objects },
	{ WATCH_RUNTIME, 32, object_fields, take_objects },
	{ WATCH_RUNTIME, 15, NULL, take_types },
	{ 0 },
};

void alloc_init(struct alloc_stats *stats)
{
	*stats = (struct alloc_stats){
		.watch = { .rows = rows },
		.type_names = RECORD_SET(struct type_name, id),
		.tables = {
			[ALLOC_TICKS].types_by_name = RECORD_SET(struct alloc_type, name),
			[ALLOC_SAMPLES].types_by_name = RECORD_SET(struct alloc_type, name),
			[ALLOC_OBJECTS].types_by_name = RECORD_SET(struct alloc_type, process_id),
		},
	};
	for (int i = 0; i < ALLOC_SOURCES; i++)
		stats->tables[i].sites_by_place =
			(struct record_set)RECORD_SET(struct alloc_site, heap);
}

void alloc_release(struct alloc_stats *stats)
{
	for (int i = 0; i < ALLOC_SOURCES; i++) {
		record_set_release(&stats->tables[i].types_by_name);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	watch_release(&stats->watch);
	text_pool_release(&stats->texts);
	arena_release(&stats->arena);
	record_set_release(&stats->type_names);
	alloc_init(stats);
}

bool alloc_counts(struct alloc_stats *stats, const struct pp_event *event)
{
	const struct watch_row *row = watch_kind_of(&stats->watch, event->kind)->row;

	return row && row->take != take_types;
}

void alloc_add(struct alloc_stats *stats, const struct pp_trace_header *header,
	       const struct pp_event *event, uint32_t stack)
{
	stats->stack = stack;
	stats->last = (struct alloc_last){ 0 };
	watch_event(&stats->watch, header, event, stats);
}
