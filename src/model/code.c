/* SPDX-License-Identifier: MIT */
#include "model/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/model.h"

#define NEAR_BITS 8 /* addresses that differ only in these bits are chained */

/* No method is larger; bounds the work for a hostile size. */
#define LARGEST (UINT64_C(1) << 20)

/* Keys that collide share a chain, which is harmless. */
static uint64_t near_key(uint32_t process, uint64_t address)
{
	return (address >> NEAR_BITS) ^ ((uint64_t)process << 44);
}

static uint32_t first_near(const struct code *code, uint64_t key)
{
	return (uint32_t)(uintptr_t)map_find(&code->near, key);
}

static void set_first(struct code *code, uint64_t key, uint32_t entry)
{
	/* a map cannot hold 0: UINT32_MAX stands for an empty chain */
	map_put(&code->near, key, (void *)(uintptr_t)(entry ? entry : UINT32_MAX));
}

static uint32_t find_or_add(struct code *code, uint32_t process, uint64_t address, int64_t now_ns)
{
	const uint64_t key = near_key(process, address);
	uint32_t first = first_near(code, key);

	if (first == UINT32_MAX)
		first = 0;
	for (uint32_t at = first; at; at = code->entries[at - 1].next) {
		const struct code_entry *entry = &code->entries[at - 1];

		if (entry->address == address && entry->process == process)
			return at - 1;
	}
	code->entries = xgrow(code->entries, code->count, &code->capacity, sizeof(*code->entries));
	code->entries[code->count] = (struct code_entry){
		.address = address,
		.first_ns = now_ns,
		.process = process,
		.next = first,
		.method = MODEL_NONE,
		.module = MODEL_NONE,
		.frame = MODEL_NONE,
	};
	set_first(code, key, code->count + 1);
	return code->count++;
}

uint32_t code_find(struct code *code, uint32_t process, uint64_t address, int64_t now_ns)
{
	uint32_t *recent = &code->recent[(address ^ address >> 10) % CODE_RECENT];

	if (*recent) {
		const struct code_entry *entry = &code->entries[*recent - 1];

		if (entry->address == address && entry->process == process)
			return *recent - 1;
	}
	*recent = find_or_add(code, process, address, now_ns) + 1;
	return *recent - 1;
}

/* Removes the addresses in [start, start + size) from one chain. */
static bool split_chain(struct code *code, uint32_t process, uint64_t start, uint64_t size,
			uint64_t key)
{
	const uint32_t first = first_near(code, key);
	uint32_t kept = 0;
	bool any = false;

	if (!first || first == UINT32_MAX)
		return false;
	for (uint32_t at = first, next; at; at = next) {
		struct code_entry *entry = &code->entries[at - 1];

		next = entry->next;
		if (entry->process == process && entry->address - start < size) {
			any = true;
		} else {
			entry->next = kept;
			kept = at;
		}
	}
	set_first(code, key, kept);
	return any;
}

bool code_split(struct code *code, uint32_t process, uint64_t start, uint64_t size)
{
	const uint64_t step = UINT64_C(1) << NEAR_BITS;
	bool any = false;

	size = size < LARGEST ? size : LARGEST;
	if (!size || start > UINT64_MAX - size - step)
		return false;
	for (uint64_t at = start & ~(step - 1); at < start + size; at += step)
		any |= split_chain(code, process, start, size, near_key(process, at));
	if (any)
		memset(code->recent, 0, sizeof(code->recent));
	return any;
}

void code_release(struct code *code)
{
	xfree(code->entries);
	xfree(code->inlined);
	map_release(&code->near);
}
