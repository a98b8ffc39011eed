/* SPDX-License-Identifier: MIT */
#include "nettrace/kinds.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"

void kinds_release(struct kinds *kinds)
{
	map_release(&kinds->by_id);
	map_release(&kinds->by_content);
	free(kinds->list);
}

struct pp_kind *kinds_known(const struct kinds *kinds, struct cursor definition)
{
	const struct interned *known =
		intern_find(&kinds->by_content, definition.at, cursor_left(&definition));

	return known ? known->value : NULL;
}

struct pp_kind *kinds_add(struct kinds *kinds, struct cursor definition)
{
	struct pp_kind *kind = arena_new(kinds->arena, struct pp_kind);

	intern_add(&kinds->by_content, kinds->arena, definition.at, cursor_left(&definition))
		->value = kind;
	kinds->list = xgrow(kinds->list, kinds->count, &kinds->capacity, sizeof(*kinds->list));
	kinds->list[kinds->count] = kind;
	kind->index = kinds->count++;
	return kind;
}
