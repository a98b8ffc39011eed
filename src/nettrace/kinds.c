/* SPDX-License-Identifier: MIT */
#include "nettrace/kinds.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

struct kind_entry {
	struct pp_kind kind;
	const char *definition;
	size_t size;
	struct kind_entry *same_hash;
};

void kinds_release(struct kinds *kinds)
{
	map_release(&kinds->by_id);
	map_release(&kinds->by_content);
	free(kinds->list);
}

struct pp_kind *kinds_known(const struct kinds *kinds, struct cursor definition)
{
	const size_t size = cursor_left(&definition);
	struct kind_entry *e = map_find(&kinds->by_content, hash_bytes(definition.at, size));

	while (e && (e->size != size || memcmp(e->definition, definition.at, size)))
		e = e->same_hash;
	return e ? &e->kind : NULL;
}

struct pp_kind *kinds_add(struct kinds *kinds, struct cursor definition)
{
	struct kind_entry *e = arena_new(kinds->arena, struct kind_entry);
	uint64_t hash;

	e->size = cursor_left(&definition);
	e->definition = arena_text(kinds->arena, (const char *)definition.at, e->size);
	hash = hash_bytes(e->definition, e->size);
	e->same_hash = map_find(&kinds->by_content, hash);
	map_put(&kinds->by_content, hash, e);

	kinds->list = xgrow(kinds->list, kinds->count, &kinds->capacity, sizeof(*kinds->list));
	kinds->list[kinds->count] = &e->kind;
	e->kind.index = kinds->count++;
	return &e->kind;
}
