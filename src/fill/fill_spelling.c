/* SPDX-License-Identifier: MIT */
/*
 * How .NET's own library spells the modules of methods, which decides what it takes for one method.
 *
 * A module whose own event comes first is spelled in lower case, one that an event of a method
 * mentions first as it is; after its unload the next event decides anew. So a module of a program
 * that was recorded to its end may have both spellings: the one of jitted methods is decided when
 * they are loaded, that of others in the rundown.
 */
#include "base/hash.h"
#include "fill/fill_rows.h"

static uint64_t key_of(const struct fill *fill, uint64_t module_id)
{
	const uint64_t parts[] = { fill_process_now(fill), module_id };

	return hash_bytes(parts, sizeof(parts));
}

static uint8_t decide(struct fill *fill, uint64_t module_id, enum fill_spelling first)
{
	const uint64_t key = key_of(fill, module_id);
	const void *known = map_find(&fill->spellings, key);

	if (known)
		return (uint8_t)(uintptr_t)known;
	map_put(&fill->spellings, key, (void *)(uintptr_t)first);
	return (uint8_t)first;
}

void fill_spell_module(struct fill *fill, uint64_t module_id)
{
	if (fill->options.notes)
		decide(fill, module_id, SPELLED_LOWER);
}

void fill_spell_method(struct fill *fill, uint64_t module_id, struct fill_body *body)
{
	if (fill->options.notes && body->spelling == SPELLING_OPEN)
		body->spelling = decide(fill, module_id, SPELLED_PLAIN);
}

void fill_module_unload(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);

	map_remove(&fill->spellings, key_of(fill, cursor_u64(&c)));
}
