/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "nettrace/write_group.h"

/* Labels of a fixed size: their number in the format, their bit, and where they are. */
static const struct {
	uint8_t kind;
	uint8_t size;
	unsigned bit;
	size_t offset;
} fixed[] = {
	{ 1, 16, PP_LABEL_ACTIVITY, offsetof(struct pp_labels, activity_id) },
	{ 2, 16, PP_LABEL_RELATED, offsetof(struct pp_labels, related_activity_id) },
	{ 3, 16, PP_LABEL_TRACE, offsetof(struct pp_labels, trace_id) },
	{ 4, 8, PP_LABEL_SPAN, offsetof(struct pp_labels, span_id) },
	{ 7, 1, PP_LABEL_OPCODE, offsetof(struct pp_labels, opcode) },
	{ 8, 8, PP_LABEL_KEYWORDS, offsetof(struct pp_labels, keywords) },
	{ 9, 1, PP_LABEL_LEVEL, offsetof(struct pp_labels, level) },
	{ 10, 1, PP_LABEL_VERSION, offsetof(struct pp_labels, version) },
};

enum pair_kind {
	LABEL_TEXT = 5,
	LABEL_NUMBER = 6,
};

#define LAST_OF_LIST 0x80u

static void put_pair(struct buffer *b, const struct pp_label_pair *pair)
{
	buffer_u8(b, pair->text ? LABEL_TEXT : LABEL_NUMBER);
	buffer_varint_text(b, pair->key);
	if (pair->text)
		buffer_varint_text(b, pair->text);
	else
		buffer_zigzag(b, pair->number);
}

void labels_put(struct buffer *b, const struct pp_labels *labels)
{
	const size_t start = b->size;
	size_t last = start;

	for (size_t i = 0; i < ARRAY_COUNT(fixed); i++) {
		if (!(labels->present & fixed[i].bit))
			continue;
		last = b->size;
		buffer_u8(b, fixed[i].kind);
		buffer_bytes(b, (const uint8_t *)labels + fixed[i].offset, fixed[i].size);
	}
	for (size_t i = 0; i < labels->pair_count; i++) {
		last = b->size;
		put_pair(b, &labels->pairs[i]);
	}
	if (b->size > start && !b->failed)
		b->bytes[last] |= LAST_OF_LIST;
}
