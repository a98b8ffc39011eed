/* SPDX-License-Identifier: MIT */
#include "analyze/allocations.h"

#include <math.h>

#include "clr/event_ids.h"
#include "clr/providers.h"
#include "payload/payload.h"

#define SAMPLED_EVERY 102400.0 /* bytes, on average: every byte has the same chance */

/* What one event reports. */
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

static void add_report(struct alloc_stats *stats, const struct event_context *at,
		       struct alloc_type *type, const struct allocation_event *report)
{
	struct alloc_table *table = &stats->tables[report->source];
	struct alloc_site *site = record_set_add(&table->sites_by_place, &stats->arena,
						 &(struct alloc_site){ .type = type,
								       .stack = event_stack(at),
								       .heap = report->heap });
	struct alloc_item item = {
		.type = type, .source = report->source, .first = !table->all.count, .at = at
	};
	const uint64_t before = site->sum.bytes + alloc_whole(site->sum.estimate);

	alloc_sum_add(&site->sum, &report->sum);
	table->all.count += report->sum.count;
	item.bytes = site->sum.bytes + alloc_whole(site->sum.estimate) - before;
	if (stats->take)
		stats->take(stats->to, &item);
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

static void take_tick(void *self, const struct event_context *at)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = at->values;
	const enum alloc_heap heap = heap_of(&values[TICK_KIND]);
	const uint64_t amount64 = values[TICK_AMOUNT64].number;
	const uint64_t amount =
		believable(stats, amount64 ? amount64 : values[TICK_AMOUNT].number, heap);

	if (!values[TICK_KIND].known || !at->wanted)
		return;
	add_report(stats, at,
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
static void take_sample(void *self, const struct event_context *at)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = at->values;
	const double size = (double)values[SAMPLE_SIZE].number;
	const double chance = -expm1(size * log1p(-1 / SAMPLED_EVERY));

	if (!values[SAMPLE_SIZE].known || !(chance > 0) || !at->wanted)
		return;
	add_report(stats, at,
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

static void take_objects(void *self, const struct event_context *at)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = at->values;
	const uint64_t count = values[OBJECT_COUNT].number;
	const uint64_t bytes = values[OBJECT_BYTES].number;

	if (!values[OBJECT_BYTES].known || !count || !at->wanted)
		return;
	add_report(stats, at,
		   type_of_id(stats, at->event->thread->process_id, values[OBJECT_TYPE_ID].number),
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
static void take_types(void *self, const struct event_context *at)
{
	struct payload payload = { 0 };
	struct value value;
	uint64_t id = 0;
	bool first = false;

	payload_begin(&payload, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&payload, &value)) {
		if (first && value.kind != VALUE_NULL)
			id = value.unsigned_number;
		first = value.kind == VALUE_OBJECT;
		if (value.kind == VALUE_TEXT)
			add_name(self, at->event->thread->process_id, id, &value);
	}
	payload_release(&payload);
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_GC_ALLOCATION_TICK, NULL, tick_fields, take_tick },
	{ CLR_RUNTIME_PROVIDER, CLR_ALLOCATION_SAMPLED, NULL, sample_fields, take_sample },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SAMPLED_OBJECT_ALLOCATION_HIGH, NULL, object_fields,
	  take_objects },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SAMPLED_OBJECT_ALLOCATION_LOW, NULL, object_fields,
	  take_objects },
	{ CLR_RUNTIME_PROVIDER, CLR_BULK_TYPE, NULL, NULL, take_types },
	{ 0 },
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct alloc_stats *stats = self;

	(void)pass;
	*stats = (struct alloc_stats){
		.take = setup->take,
		.to = setup->to,
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

static void finish(void *self, const struct pass *pass)
{
	(void)pass;
	alloc_sum_up(self);
}

static void release(void *self)
{
	struct alloc_stats *stats = self;

	for (int i = 0; i < ALLOC_SOURCES; i++) {
		record_set_release(&stats->tables[i].types_by_name);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	text_pool_release(&stats->texts);
	arena_release(&stats->arena);
	record_set_release(&stats->type_names);
}

enum alloc_source alloc_main_source(const struct alloc_stats *stats)
{
	if (stats->tables[ALLOC_TICKS].all.count)
		return ALLOC_TICKS;
	return stats->tables[ALLOC_SAMPLES].all.count ? ALLOC_SAMPLES : ALLOC_OBJECTS;
}

const struct analysis alloc_analysis = {
	.name = "alloc",
	.size = sizeof(struct alloc_stats),
	.rows = rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};
