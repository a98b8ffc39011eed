/* SPDX-License-Identifier: MIT */
#include "analyze/allocations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clr/event_ids.h"
#include "clr/providers.h"
#include "payload/payload.h"

#define SAMPLED_EVERY 102400.0 /* bytes, on average: every byte has the same chance */

#define SIGMAS	     1.96  /* within which the truth lies 19 times out of 20 */
#define LARGE_OBJECT 85000 /* bytes of the smallest large object */

/* The report of one event. */
struct allocation_event {
	enum alloc_source source;
	enum alloc_heap heap;
	struct alloc_type type;
	struct alloc_sum sum;
};

/* An estimate of bytes, rounded, so that all sums add up; hostile ones exceed any number. */
static uint64_t whole(double bytes)
{
	return bytes < 9e18 ? (uint64_t)(bytes + 0.5) : UINT64_MAX;
}

static void add_sum(struct alloc_sum *sum, const struct alloc_sum *more)
{
	sum->count += more->count;
	sum->object_bytes += more->object_bytes;
	sum->bytes = more->bytes > UINT64_MAX - sum->bytes ? UINT64_MAX : sum->bytes + more->bytes;
	sum->objects += more->objects;
	sum->variance += more->variance;
}

static void add_report(struct alloc_stats *stats, const struct event_context *at,
		       const struct allocation_event *report)
{
	struct arena *arena = &at->pass->arena;
	struct alloc_table *table = &stats->tables[report->source];
	struct alloc_type *type = record_set_add(&table->types_by_name, arena, &report->type);
	struct alloc_site *site = record_set_add(&table->sites_by_place, arena,
						 &(struct alloc_site){ .type = type,
								       .stack = event_stack(at),
								       .heap = report->heap });
	const struct alloc_item item = { .type = type,
					 .source = report->source,
					 .first = !table->counted,
					 .count = report->sum.count,
					 .bytes = report->sum.bytes,
					 .at = at };

	add_sum(&site->sum, &report->sum);
	burst_add(&table->burst, at->time_ns, report->sum.bytes);
	table->counted = true;
	if (stats->setup.take)
		setup_take(&stats->setup, &item);
}

/* Notes that there was one, which the query may leave out. */
static bool is_wanted(struct alloc_stats *stats, enum alloc_source source, uint64_t count,
		      const struct event_context *at)
{
	stats->tables[source].seen += count;
	return at->wanted;
}

static enum alloc_heap heap_of(const struct field_value *kind)
{
	return kind->number < ALLOC_PINNED ? (enum alloc_heap)kind->number : ALLOC_PINNED;
}

enum { TICK_AMOUNT, TICK_KIND, TICK_AMOUNT64, TICK_TYPE_ID, TICK_TYPE, TICK_SIZE };
static const char tick_fields[] =
	"AllocationAmount AllocationKind AllocationAmount64 TypeID TypeName ObjectSize";

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

/* NativeAOT calls all types NULL, so that only their ids tell them apart. */
static const char *tick_type(const struct event_context *at)
{
	const char *name = event_string(at, TICK_TYPE);
	char text[32];
	int size;

	if (strcmp(name, "NULL") != 0)
		return name;
	size = snprintf(text, sizeof(text), "type 0x%" PRIx64, at->values[TICK_TYPE_ID].number);
	return text_pool_add(&at->pass->texts, (const uint8_t *)text, (size_t)size);
}

static void take_tick(void *self, const struct event_context *at)
{
	struct alloc_stats *stats = self;
	const struct field_value *values = at->values;
	const enum alloc_heap heap = heap_of(&values[TICK_KIND]);
	const uint64_t amount64 = values[TICK_AMOUNT64].number;
	const uint64_t amount =
		believable(stats, amount64 ? amount64 : values[TICK_AMOUNT].number, heap);

	if (!values[TICK_KIND].known || !is_wanted(stats, ALLOC_TICKS, 1, at))
		return;
	add_report(
		stats, at,
		&(struct allocation_event){
			.source = ALLOC_TICKS,
			.heap = heap,
			.type = { .name = tick_type(at), .type_id = values[TICK_TYPE_ID].number },
			.sum = { .count = 1,
				 .bytes = amount,
				 .object_bytes = values[TICK_SIZE].number,
				 .variance = (double)amount * (double)amount },
		});
}

enum { SAMPLE_KIND, SAMPLE_TYPE_ID, SAMPLE_TYPE, SAMPLE_SIZE };
static const char sample_fields[] = "AllocationKind TypeID TypeName ObjectSize";

/*
 * 1 - e^-x for x > 0, by a series for a small part of x, from which 1 - e^-2x follows. libm has
 * it as expm1(), but as a library that is loaded it would cost every command 0.4 MB.
 */
static double one_minus_exp(double x)
{
	double part = 1;
	int halvings = 0;

	if (x > 40)
		return 1;
	while (x > 1.0 / 32) {
		x /= 2;
		halvings++;
	}
	for (int i = 8; i > 1; i--)
		part = 1 - x / i * part;
	for (part *= x; halvings; halvings--)
		part *= 2 - part;
	return part;
}

/*
 * An object is sampled with the probability p that at least one of its bytes is, so each sample
 * represents 1 / p objects; the variance of such a sum follows from p, too.
 */
static void take_sample(void *self, const struct event_context *at)
{
	const struct field_value *values = at->values;
	const double size = (double)values[SAMPLE_SIZE].number;
	const double chance = one_minus_exp(-size * log1p(-1 / SAMPLED_EVERY));

	if (!values[SAMPLE_SIZE].known || !(chance > 0) || !is_wanted(self, ALLOC_SAMPLES, 1, at))
		return;
	add_report(self, at,
		   &(struct allocation_event){
			   .source = ALLOC_SAMPLES,
			   .heap = heap_of(&values[SAMPLE_KIND]),
			   .type = { .name = event_string(at, SAMPLE_TYPE),
				     .type_id = values[SAMPLE_TYPE_ID].number },
			   .sum = { .count = 1,
				    .bytes = whole(size / chance),
				    .object_bytes = values[SAMPLE_SIZE].number,
				    .objects = 1 / chance,
				    .variance = size * size * (1 - chance) / (chance * chance) },
		   });
}

enum { OBJECT_TYPE_ID, OBJECT_COUNT, OBJECT_BYTES };
static const char object_fields[] = "TypeID ObjectCountForTypeSample TotalSizeForTypeSample";

static void take_objects(void *self, const struct event_context *at)
{
	const struct field_value *values = at->values;
	const uint64_t count = values[OBJECT_COUNT].number;
	const uint64_t bytes = values[OBJECT_BYTES].number;

	if (!values[OBJECT_BYTES].known || !count || !is_wanted(self, ALLOC_OBJECTS, count, at))
		return;
	add_report(self, at,
		   &(struct allocation_event){
			   .source = ALLOC_OBJECTS,
			   .heap = bytes / count >= LARGE_OBJECT ? ALLOC_LARGE : ALLOC_SMALL,
			   .type = { .name = "",
				     .type_id = values[OBJECT_TYPE_ID].number,
				     .process_id = at->event->thread->process_id },
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

static void add_name(struct alloc_stats *stats, const struct event_context *at, uint64_t id,
		     const struct value *text)
{
	struct arena *arena = &at->pass->arena;
	const struct type_name like = { .process_id = at->event->thread->process_id, .id = id };
	struct type_name *name = record_set_add(&stats->type_names, arena, &like);

	if (!name->name)
		name->name = arena_text(arena, text->text, text->size);
}

/* An array of types: in each record the first number is the id, and there is one text. */
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
		if (value.kind == VALUE_TEXT && value.size)
			add_name(self, at, id, &value);
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

static int by_sum(const struct alloc_sum *a, const struct alloc_sum *b)
{
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return (a->count < b->count) - (a->count > b->count);
}

static int types_by_bytes(const void *left, const void *right)
{
	const struct alloc_type *a = *(const struct alloc_type *const *)left;
	const struct alloc_type *b = *(const struct alloc_type *const *)right;
	const int order = by_sum(&a->all, &b->all);
	const int names = order ? order : strcmp(a->name, b->name);

	return names ? names : (a->type_id > b->type_id) - (a->type_id < b->type_id);
}

static int sites_by_bytes(const void *left, const void *right)
{
	const struct alloc_site *a = *(const struct alloc_site *const *)left;
	const struct alloc_site *b = *(const struct alloc_site *const *)right;
	const int order = by_sum(&a->sum, &b->sum);
	const int names = order ? order : strcmp(a->type->name, b->type->name);

	if (names || a->stack.number == b->stack.number)
		return names ? names : (int)a->heap - (int)b->heap;
	return a->stack.number < b->stack.number ? -1 : 1;
}

static void clear_sums(struct alloc_table *table)
{
	table->all = (struct alloc_sum){ 0 };
	memset(table->heaps, 0, sizeof(table->heaps));
	for (size_t i = 0; i < table->type_count; i++) {
		table->types[i]->all = (struct alloc_sum){ 0 };
		memset(table->types[i]->heaps, 0, sizeof(table->types[i]->heaps));
	}
}

static void sum_up(struct alloc_table *table)
{
	clear_sums(table);
	for (size_t i = 0; i < table->site_count; i++) {
		const struct alloc_site *site = table->sites[i];

		add_sum(&table->all, &site->sum);
		add_sum(&table->heaps[site->heap], &site->sum);
		add_sum(&site->type->all, &site->sum);
		add_sum(&site->type->heaps[site->heap], &site->sum);
	}
	if (table->type_count)
		qsort(table->types, table->type_count, sizeof(*table->types), types_by_bytes);
	while (table->type_count && !table->types[table->type_count - 1]->all.count)
		table->type_count--; /* all of them are left out */
}

/* Ticks divide a known sum: the larger a part is, the smaller its error. */
static void scale_error(struct alloc_sum *sum, double all_bytes)
{
	const double share = all_bytes > 0 ? (double)sum->bytes / all_bytes : 1;

	sum->variance *= share < 1 ? 1 - share : 0;
}

static void scale_errors(struct alloc_table *ticks)
{
	const double all_bytes = ticks->all_bytes;

	for (size_t i = 0; i < ticks->type_count; i++) {
		scale_error(&ticks->types[i]->all, all_bytes);
		for (int heap = 0; heap < ALLOC_HEAPS; heap++)
			scale_error(&ticks->types[i]->heaps[heap], all_bytes);
	}
	scale_error(&ticks->all, all_bytes);
	/* of the whole, only what was allocated after the last tick is unknown */
	if (ticks->all.count)
		ticks->all.variance += pow((double)ticks->all.bytes / (double)ticks->all.count, 2) *
				       (double)ticks->all.bytes / all_bytes;
}

static void name_objects(struct alloc_stats *stats, const struct alloc_table *objects)
{
	for (size_t i = 0; i < objects->type_count; i++) {
		struct alloc_type *type = objects->types[i];
		const struct type_name *known = record_set_find(
			&stats->type_names,
			&(struct type_name){ .process_id = type->process_id, .id = type->type_id });

		if (known)
			type->name = known->name;
	}
}

static void list(struct alloc_table *table)
{
	table->types = record_set_list(&table->types_by_name, NULL, &table->type_count);
	table->sites = record_set_list(&table->sites_by_place, NULL, &table->site_count);
}

/* Sums, their errors, and order. */
static void finish(void *self, const struct pass *pass)
{
	struct alloc_stats *stats = self;

	(void)pass;
	for (int i = 0; i < ALLOC_SOURCES; i++)
		list(&stats->tables[i]);
	name_objects(stats, &stats->tables[ALLOC_OBJECTS]);
	for (int i = 0; i < ALLOC_SOURCES; i++) {
		struct alloc_table *table = &stats->tables[i];

		sum_up(table);
		table->all_bytes = (double)table->all.bytes;
		record_set_list(&table->sites_by_place, sites_by_bytes, &table->site_count);
	}
	scale_errors(&stats->tables[ALLOC_TICKS]);
}

void alloc_filter(struct alloc_stats *stats, const struct calltree *tree)
{
	for (int i = 0; i < ALLOC_SOURCES; i++) {
		struct alloc_table *table = &stats->tables[i];
		size_t left = 0;

		for (size_t site = 0; site < table->site_count; site++)
			if (calltree_passes(tree, table->sites[site]->stack))
				table->sites[left++] = table->sites[site];
		table->site_count = left;
		sum_up(table);
	}
	scale_errors(&stats->tables[ALLOC_TICKS]);
}

static void release(void *self)
{
	struct alloc_stats *stats = self;

	for (int i = 0; i < ALLOC_SOURCES; i++) {
		record_set_release(&stats->tables[i].types_by_name);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	record_set_release(&stats->type_names);
}

#define TABLE(last_key)                                                                            \
	{                                                                                          \
		.types_by_name = RECORD_SET(struct alloc_type, last_key),                          \
		.sites_by_place = RECORD_SET(struct alloc_site, heap),                             \
	}

static const struct alloc_stats initial = {
	.type_names = RECORD_SET(struct type_name, id),
	.tables = {
		[ALLOC_TICKS] = TABLE(name),
		[ALLOC_SAMPLES] = TABLE(name),
		[ALLOC_OBJECTS] = TABLE(process_id),
	},
};

const struct analysis alloc_analysis = {
	.name = "alloc",
	.size = sizeof(struct alloc_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.finish = finish,
	.release = release,
};

enum alloc_source alloc_main_source(const struct alloc_stats *stats)
{
	if (stats->tables[ALLOC_TICKS].seen)
		return ALLOC_TICKS;
	return stats->tables[ALLOC_SAMPLES].seen ? ALLOC_SAMPLES : ALLOC_OBJECTS;
}

uint64_t alloc_error(const struct alloc_sum *sum)
{
	return whole(SIGMAS * sqrt(sum->variance));
}
