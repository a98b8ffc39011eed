/* SPDX-License-Identifier: MIT */
#include "nettrace/labels.h"

#include <string.h>

#include "nettrace/pairs.h"

enum label_kind {
	LABEL_ACTIVITY = 1,
	LABEL_RELATED = 2,
	LABEL_TRACE = 3,
	LABEL_SPAN = 4,
	LABEL_TEXT = 5,
	LABEL_NUMBER = 6,
	LABEL_OPCODE = 7,
	LABEL_KEYWORDS = 8,
	LABEL_LEVEL = 9,
	LABEL_VERSION = 10,
};

#define LAST_OF_LIST 0x80u

void labels_forget(struct labels *labels)
{
	arena_release(&labels->before);
	labels->before = labels->now;
	labels->now = (struct arena){ 0 };
	map_clear(&labels->by_index);
}

static void add_pair(struct arena *arena, struct pp_labels *list, struct pp_label_pair pair)
{
	const size_t count = list->pair_count;

	/* capacities are powers of two from 4 on, so a count that is one means full */
	if (count == 0 || (count >= 4 && !(count & (count - 1)))) {
		struct pp_label_pair *pairs =
			arena_array(arena, struct pp_label_pair, count ? count * 2 : 4);

		if (count)
			memcpy(pairs, list->pairs, count * sizeof(*pairs));
		list->pairs = pairs;
	}
	((struct pp_label_pair *)list->pairs)[list->pair_count++] = pair;
}

static void read_pair(struct cursor *c, struct arena *arena, struct pp_labels *list, bool number)
{
	struct pp_label_pair pair = { .key = cursor_string(c, arena) };

	if (number)
		pair.number = cursor_zigzag64(c);
	else
		pair.text = cursor_string(c, arena);
	if (!c->failed)
		add_pair(arena, list, pair);
}

static void read_fixed(struct cursor *c, struct pp_labels *list, unsigned bit, void *to,
		       size_t size)
{
	cursor_copy(c, to, size);
	list->present |= bit;
}

static void read_label(struct cursor *c, struct arena *arena, struct pp_labels *list, unsigned kind)
{
	switch (kind) {
	case LABEL_ACTIVITY:
		read_fixed(c, list, PP_LABEL_ACTIVITY, list->activity_id, 16);
		break;
	case LABEL_RELATED:
		read_fixed(c, list, PP_LABEL_RELATED, list->related_activity_id, 16);
		break;
	case LABEL_TRACE:
		read_fixed(c, list, PP_LABEL_TRACE, list->trace_id, 16);
		break;
	case LABEL_SPAN:
		read_fixed(c, list, PP_LABEL_SPAN, &list->span_id, 8);
		break;
	case LABEL_TEXT:
	case LABEL_NUMBER:
		read_pair(c, arena, list, kind == LABEL_NUMBER);
		break;
	case LABEL_OPCODE:
		read_fixed(c, list, PP_LABEL_OPCODE, &list->opcode, 1);
		break;
	case LABEL_KEYWORDS:
		read_fixed(c, list, PP_LABEL_KEYWORDS, &list->keywords, 8);
		break;
	case LABEL_LEVEL:
		read_fixed(c, list, PP_LABEL_LEVEL, &list->level, 1);
		break;
	case LABEL_VERSION:
		read_fixed(c, list, PP_LABEL_VERSION, &list->version, 1);
		break;
	default: /* without a size of its own it cannot be skipped */
		cursor_fail(c);
	}
}

/* A list can be as long as a block, so each label counts. */
static void read_list(struct labels *labels, struct cursor *c, struct pp_labels *list)
{
	unsigned kind;

	do {
		kind = cursor_u8(c);
		read_label(c, &labels->now, list, kind & ~LAST_OF_LIST);
		if (!table_limit_allows(labels->limit, 0))
			cursor_fail(c);
	} while (!c->failed && !(kind & LAST_OF_LIST));
}

int labels_define(struct labels *labels, struct cursor c, struct pp_error *err)
{
	uint32_t index = cursor_u32(&c);
	const uint32_t count = cursor_u32(&c);

	if (!index && !c.failed)
		return error_set(err, PP_ERROR_FORMAT, "label list 0 cannot be defined");
	for (uint32_t i = 0; i < count && !c.failed; i++, index++) {
		struct pp_labels *list = arena_new(&labels->now, struct pp_labels);

		read_list(labels, &c, list);
		if (!c.failed)
			map_put(&labels->by_index, index, list);
	}
	if (c.failed)
		return error_set(err, PP_ERROR_FORMAT, "a label list is malformed");
	return 0;
}
