/* SPDX-License-Identifier: MIT */
/*
 * Finds the code that was at an address when it was seen. Bodies are sorted by start address;
 * bodies loaded at the same place at different times overlap, so the search goes back as far as any
 * earlier body may reach.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"

/* Most steps back for one address: hostile bodies can overlap without end. */
#define STEPS 64

/* A process, or the symbols of a mapping, have an address space of their own. */
struct space {
	bool symbols;
	uint64_t id;
};

/* Where a body of code is, or a mapped file. */
struct code_place {
	struct space space;
	uint64_t start;
	uint64_t reach;	 /* end of this one and of all before it in the space; only of bodies */
	uint32_t number; /* of the method or the module */
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_space(const struct space *a, const struct space *b)
{
	return a->symbols != b->symbols ? compare(a->symbols, b->symbols) : compare(a->id, b->id);
}

static int by_start(const void *left, const void *right)
{
	const struct code_place *a = left;
	const struct code_place *b = right;
	int order = by_space(&a->space, &b->space);

	if (!order)
		order = compare(a->start, b->start);
	return order ? order : compare(a->number, b->number);
}

static struct space space_of(const struct model_method *method)
{
	return (struct space){ .symbols = method->symbol,
			       .id = method->symbol ? method->module_id : method->process };
}

static struct code_places sort_places(const struct model *model)
{
	struct code_places places = { .count = model->method_count };

	places.list = xcalloc(places.count + 1, sizeof(*places.list));
	for (size_t i = 0; i < places.count; i++) {
		const struct model_method *method = &model->methods[i];

		places.list[i] = (struct code_place){ .space = space_of(method),
						      .start = method->start,
						      .reach = method->start + method->size,
						      .number = (uint32_t)i };
	}
	qsort(places.list, places.count, sizeof(*places.list), by_start);
	for (size_t i = 1; i < places.count; i++) {
		const struct code_place *before = &places.list[i - 1];

		if (!by_space(&before->space, &places.list[i].space) &&
		    before->reach > places.list[i].reach)
			places.list[i].reach = before->reach;
	}
	return places;
}

/* The number that start at or before the address, including those of all smaller spaces. */
static size_t count_until(const struct code_places *places, const struct space *space,
			  uint64_t address)
{
	size_t low = 0;
	size_t high = places->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct code_place *place = &places->list[middle];
		const int order = by_space(&place->space, space);

		if (order < 0 || (!order && place->start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum fit {
	FIT_GONE,  /* unloaded before */
	FIT_LATER, /* loaded later: its load event may come late */
	FIT_ALIVE,
};

static enum fit fit_at(const struct model_method *method, int64_t time_ns)
{
	if (method->from_ns > time_ns)
		return FIT_LATER;
	return time_ns < method->to_ns ? FIT_ALIVE : FIT_GONE;
}

static bool fits_better(const struct model_method *a, const struct model_method *b, int64_t time_ns)
{
	const enum fit fit_a = fit_at(a, time_ns);
	const enum fit fit_b = fit_at(b, time_ns);

	if (fit_a != fit_b)
		return fit_a > fit_b;
	if (fit_a == FIT_LATER)
		return a->from_ns < b->from_ns;
	return fit_a == FIT_ALIVE ? a->from_ns > b->from_ns : a->to_ns > b->to_ns;
}

static uint32_t find_method(const struct model *model, const struct code_places *places,
			    struct space space, const struct code_entry *entry)
{
	const size_t count = count_until(places, &space, entry->address);
	uint32_t best = MODEL_NONE;

	for (size_t i = count; i-- > 0 && count - i <= STEPS;) {
		const struct code_place *place = &places->list[i];
		const struct model_method *method = &model->methods[place->number];

		if (by_space(&place->space, &space) || place->reach <= entry->address)
			break;
		if (entry->address - method->start >= method->size)
			continue;
		if (best == MODEL_NONE ||
		    fits_better(method, &model->methods[best], entry->first_ns))
			best = place->number;
	}
	return best;
}

/* All bodies are sorted again after any was added, which happens much less often than lookups. */
uint32_t model_method_at(const struct model *model, struct code_places *index, uint32_t process,
			 uint64_t address)
{
	const struct code_entry now = { .address = address, .first_ns = INT64_MAX - 1 };

	if (index->count != model->method_count) {
		code_places_release(index);
		*index = sort_places(model);
	}
	return find_method(model, index, (struct space){ .id = process }, &now);
}

void code_places_release(struct code_places *places)
{
	xfree(places->list);
	*places = (struct code_places){ 0 };
}

/* The module with the id of the method's when that was loaded, or MODEL_NONE. */
static uint32_t module_of(const struct model *model, const struct model_method *method)
{
	uint32_t at = model_find_module(model, method->process, method->module_id);
	uint32_t found = at;

	if (method->from_ns == INT64_MIN)
		return at;
	for (unsigned i = 0; i < STEPS && at != MODEL_NONE; i++) {
		found = at;
		if (model->modules[at].from_ns <= method->from_ns)
			break;
		at = model->modules[at].same_id;
	}
	return found;
}

static struct code_places sort_mappings(const struct model *model)
{
	struct code_places mappings = { 0 };

	mappings.list = xcalloc(model->module_count + 1, sizeof(*mappings.list));
	for (size_t i = 0; i < model->module_count; i++)
		if (model->modules[i].mapped)
			mappings.list[mappings.count++] =
				(struct code_place){ .space.id = model->modules[i].process,
						     .start = model->modules[i].start,
						     .number = (uint32_t)i };
	qsort(mappings.list, mappings.count, sizeof(*mappings.list), by_start);
	return mappings;
}

static bool covers(const struct model_module *module, uint64_t address)
{
	return address >= module->start && address < module->end;
}

static uint32_t find_mapping(const struct model *model, const struct code_places *mappings,
			     uint32_t process, uint64_t address)
{
	const struct space space = { .id = process };
	const size_t count = count_until(mappings, &space, address);

	for (size_t i = count; i-- > 0 && count - i <= STEPS;) {
		const struct code_place *place = &mappings->list[i];

		if (place->space.id != process)
			break;
		if (covers(&model->modules[place->number], address))
			return place->number;
	}
	return MODEL_NONE;
}

/* Addresses from here on are the same in every process. */
#define KERNEL UINT64_C(0xFFFF800000000000)

static uint32_t find_kernel(const struct model *model, const struct code_places *mappings,
			    uint64_t address)
{
	for (size_t i = 0; i < mappings->count && i < STEPS * STEPS; i++)
		if (covers(&model->modules[mappings->list[i].number], address))
			return mappings->list[i].number;
	return MODEL_NONE;
}

static void resolve_entry(struct model *model, const struct code_places *places,
			  const struct code_places *mappings, struct code_entry *entry)
{
	entry->method = find_method(model, places, (struct space){ .id = entry->process }, entry);
	if (entry->method != MODEL_NONE) {
		entry->module = module_of(model, &model->methods[entry->method]);
		return;
	}
	entry->module = find_mapping(model, mappings, entry->process, entry->address);
	if (entry->module == MODEL_NONE && entry->address >= KERNEL)
		entry->module = find_kernel(model, mappings, entry->address);
	if (entry->module != MODEL_NONE)
		entry->method = find_method(
			model, places,
			(struct space){ .symbols = true, .id = model->modules[entry->module].id },
			entry);
}

void model_resolve(struct model *model)
{
	struct code_places places = sort_places(model);
	struct code_places mappings = sort_mappings(model);

	for (uint32_t i = 0; i < model->code.count; i++) {
		struct code_entry *entry = &model->code.entries[i];

		resolve_entry(model, &places, &mappings, entry);
		if (entry->method == MODEL_NONE)
			continue;
		if (!model->methods[entry->method].used && entry->module != MODEL_NONE)
			model->modules[entry->module].methods++;
		model->methods[entry->method].used = true;
		model->methods[entry->method].module = entry->module;
	}
	code_places_release(&places);
	code_places_release(&mappings);
}
