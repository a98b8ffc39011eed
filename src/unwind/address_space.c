/* SPDX-License-Identifier: MIT */
#include "unwind/address_space.h"

#include <string.h>

#include "base/alloc.h"

/* The first mapping that ends after the address. */
static size_t first_after(const struct address_space *space, uint64_t address)
{
	size_t first = 0, end = space->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (space->mappings[middle].end <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

const struct code_mapping *address_space_find(const struct address_space *space, uint64_t address)
{
	const size_t index = first_after(space, address);

	return index < space->count && space->mappings[index].start <= address
		       ? &space->mappings[index]
		       : NULL;
}

const struct unwind_rule *address_space_rule_near(const struct address_space *space,
						  uint64_t address,
						  const struct code_mapping **mapping)
{
	static const struct unwind_rule none = { .kind = UNWIND_NO_RULE };
	const struct code_mapping *found = *mapping;
	const struct unwind_rule *rule = NULL;

	if (!found || address - found->start >= found->end - found->start)
		*mapping = found = address_space_find(space, address);
	if (!found)
		return &none;
	if (found->module->is_managed)
		rule = method_frames_find(&space->methods, address);
	return rule ? rule
		    : unwind_table_find(&found->module->table,
					found->address + (address - found->start));
}

const struct unwind_rule *address_space_rule(const struct address_space *space, uint64_t address,
					     const struct code_mapping **mapping)
{
	*mapping = NULL;
	return address_space_rule_near(space, address, mapping);
}

static void insert(struct address_space *space, size_t index, struct code_mapping mapping)
{
	space->mappings =
		xgrow(space->mappings, space->count, &space->capacity, sizeof(*space->mappings));
	memmove(&space->mappings[index + 1], &space->mappings[index],
		(space->count - index) * sizeof(*space->mappings));
	space->mappings[index] = mapping;
	space->count++;
}

static void drop(struct address_space *space, size_t index)
{
	unwind_module_unref(space->mappings[index].module);
	space->count--;
	memmove(&space->mappings[index], &space->mappings[index + 1],
		(space->count - index) * sizeof(*space->mappings));
}

void address_space_unmap(struct address_space *space, uint64_t start, uint64_t end)
{
	size_t i = first_after(space, start);

	while (start < end && i < space->count && space->mappings[i].start < end) {
		struct code_mapping *mapping = &space->mappings[i];
		const struct code_mapping rest = { end, mapping->end, mapping->module,
						   mapping->address + (end - mapping->start) };

		if (mapping->start < start && mapping->end > end) { /* a hole in it */
			mapping->end = start;
			unwind_module_ref(rest.module);
			insert(space, i + 1, rest);
			return;
		}
		if (mapping->start < start) {
			mapping->end = start;
			i++;
		} else if (mapping->end > end) {
			*mapping = rest;
			return;
		} else {
			drop(space, i);
		}
	}
}

void address_space_map(struct address_space *space, uint64_t start, uint64_t end,
		       struct unwind_module *module, uint64_t address)
{
	if (start >= end)
		return;
	address_space_unmap(space, start, end);
	insert(space, first_after(space, start),
	       (struct code_mapping){ start, end, unwind_module_ref(module), address });
}

void address_space_release(struct address_space *space)
{
	for (size_t i = 0; i < space->count; i++)
		unwind_module_unref(space->mappings[i].module);
	xfree(space->mappings);
	method_frames_release(&space->methods);
	*space = (struct address_space){ .machine = space->machine };
}
