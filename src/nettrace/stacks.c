/* SPDX-License-Identifier: MIT */
#include "nettrace/stacks.h"

#include <string.h>

#include "base/hash.h"

struct stack_entry {
	struct pp_stack stack;
	struct stack_entry *same_hash;
	uint64_t addresses[];
};

static struct stack_entry *find(const struct stacks *stacks, uint64_t hash, struct cursor c,
				size_t width)
{
	const size_t count = cursor_left(&c) / width;
	struct stack_entry *e = map_find(&stacks->by_content, hash);

	for (; e; e = e->same_hash) {
		struct cursor at = c;
		size_t i = 0;

		if (e->stack.count != count)
			continue;
		while (i < count &&
		       e->addresses[i] == (width == 8 ? cursor_u64(&at) : cursor_u32(&at)))
			i++;
		if (i == count)
			return e;
	}
	return NULL;
}

static struct stack_entry *add(struct stacks *stacks, uint64_t hash, struct cursor c, size_t width)
{
	const size_t count = cursor_left(&c) / width;
	struct stack_entry *e =
		arena_alloc(stacks->arena, sizeof(*e) + count * sizeof(e->addresses[0]));

	for (size_t i = 0; i < count; i++)
		e->addresses[i] = width == 8 ? cursor_u64(&c) : cursor_u32(&c);
	e->stack.addresses = e->addresses;
	e->stack.count = count;
	e->stack.index = stacks->count++;
	e->same_hash = map_find(&stacks->by_content, hash);
	map_put(&stacks->by_content, hash, e);
	return e;
}

/* Versions 1 and 2 do not record the pointer size. */
static size_t address_size(const struct stacks *stacks, size_t size)
{
	if (stacks->pointer_size > 0)
		return (size_t)stacks->pointer_size;
	return size % 8 ? 4 : 8;
}

const struct pp_stack *stacks_intern(struct stacks *stacks, struct cursor addresses)
{
	const size_t size = cursor_left(&addresses);
	const size_t width = address_size(stacks, size);
	struct stack_entry *e;
	uint64_t hash;

	if (size < width || stacks->left_out)
		return NULL;
	hash = hash_bytes(addresses.at, size);
	e = find(stacks, hash, addresses, width);
	if (!e && table_limit_allows(stacks->limit, size))
		e = add(stacks, hash, addresses, width);
	return e ? &e->stack : NULL;
}

/* A map cannot hold NULL, but an id can be redefined as empty. */
static const struct pp_stack empty;

static void define(struct stacks *stacks, uint32_t id, const struct pp_stack *stack)
{
	map_put(&stacks->by_id, id, (void *)(stack ? stack : &empty));
}

bool stacks_define(struct stacks *stacks, struct cursor c)
{
	uint32_t id = cursor_u32(&c);
	const uint32_t count = cursor_u32(&c);

	for (uint32_t i = 0; i < count && !c.failed; i++, id++) {
		struct cursor addresses = cursor_within(&c, cursor_u32(&c));

		if (!addresses.failed && !stacks->left_out && table_limit_allows(stacks->limit, 0))
			define(stacks, id, stacks_intern(stacks, addresses));
	}
	return !c.failed;
}

const struct pp_stack *stacks_find(const struct stacks *stacks, uint32_t id)
{
	const struct pp_stack *stack = map_find(&stacks->by_id, id);

	return stack == &empty ? NULL : stack;
}
