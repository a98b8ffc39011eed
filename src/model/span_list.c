/* SPDX-License-Identifier: MIT */
/*
 * A packed span is a byte that says which fields follow, and these:
 *
 *	number, start_ns	as the difference from the span before
 *	thread
 *	name and provider	as pointers, if they are not those of the span before
 *	activity
 *	parent			if there is one, and it is not that of the span before
 *	stop_ns			as the difference from the start, if it was seen
 */
#include "model/span_list.h"

#include <string.h>

#include "base/varint.h"

enum {
	HAS_NAMES = 1,
	HAS_PARENT = 2,
	SAME_PARENT = 4,
	HAS_STOP = 8,
};

struct names {
	const char *name;
	const char *provider;
};

static const uint8_t none[16];

static bool has_names(const struct model_span *before, const struct model_span *span)
{
	return span->name != before->name || span->provider != before->provider;
}

static unsigned head_of(const struct model_span *before, const struct model_span *span)
{
	unsigned head = has_names(before, span) ? HAS_NAMES : 0;

	if (!memcmp(span->parent, before->parent, 16))
		head |= SAME_PARENT;
	else if (memcmp(span->parent, none, 16) != 0)
		head |= HAS_PARENT;
	return head | (span->stop_ns != INT64_MIN ? HAS_STOP : 0);
}

static uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

static void take_bytes(const uint8_t **at, void *bytes, size_t size)
{
	memcpy(bytes, *at, size);
	*at += size;
}

static uint8_t *pack(uint8_t *at, const void *previous, const void *record)
{
	const struct model_span *before = previous;
	const struct model_span *span = record;
	const struct names names = { span->name, span->provider };
	const unsigned head = head_of(before, span);

	*at++ = (uint8_t)head;
	at = delta_put(at, span->number, before->number);
	at = delta_put(at, span->start_ns, before->start_ns);
	at = varint_put(at, span->thread);
	at = put_bytes(at, span->activity, 16);
	if (head & HAS_NAMES)
		at = put_bytes(at, &names, sizeof(names));
	if (head & HAS_PARENT)
		at = put_bytes(at, span->parent, 16);
	return head & HAS_STOP ? delta_put(at, span->stop_ns, span->start_ns) : at;
}

static const uint8_t *unpack(const uint8_t *at, void *record)
{
	struct model_span *span = record;
	struct names names = { span->name, span->provider };
	const unsigned head = *at++;

	span->number = (uint32_t)delta_take(&at, span->number);
	span->start_ns = delta_take(&at, span->start_ns);
	span->thread = (uint32_t)varint_take(&at);
	take_bytes(&at, span->activity, 16);
	if (head & HAS_NAMES)
		take_bytes(&at, &names, sizeof(names));
	span->name = names.name;
	span->provider = names.provider;
	if (head & HAS_PARENT)
		take_bytes(&at, span->parent, 16);
	else if (!(head & SAME_PARENT))
		memset(span->parent, 0, 16);
	span->stop_ns = head & HAS_STOP ? delta_take(&at, span->start_ns) : INT64_MIN;
	return at;
}

static int by_number(const void *left, const void *right)
{
	const struct model_span *a = left;
	const struct model_span *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

static const struct spooled_type type = {
	.size = sizeof(struct model_span),
	.compare = by_number,
	.pack = pack,
	.unpack = unpack,
};

/* An event that starts or stops an activity. */
struct half_span {
	struct model_span span; /* of a stop: its activity and stop_ns */
	uint64_t order;		/* of arrival */
	bool starts;
};

static int by_activity(const void *left, const void *right)
{
	const struct half_span *a = left;
	const struct half_span *b = right;
	const int order = memcmp(a->span.activity, b->span.activity, 16);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

void span_list_init(struct span_list *spans, struct spool *spool)
{
	*spans = (struct span_list){ .list = { .spool = spool, .type = &type } };
}

static void add_half(struct span_list *spans, struct half_span half)
{
	struct spool *spool = spans->list.spool;

	if (!spans->halves.size)
		spans->halves = (struct external_sort){
			.spool = spool,
			.size = sizeof(half),
			.compare = by_activity,
			.batch = spooled_batch(spool),
		};
	half.order = spans->halves.count;
	external_sort_add(&spans->halves, &half);
}

void span_list_start(struct span_list *spans, const struct model_span *span)
{
	struct half_span half = { .span = *span, .starts = true };

	half.span.number = spans->started++;
	half.span.stop_ns = INT64_MIN;
	add_half(spans, half);
}

void span_list_stop(struct span_list *spans, const uint8_t activity[static 16], int64_t stop_ns)
{
	struct half_span half = { .span.stop_ns = stop_ns };

	memcpy(half.span.activity, activity, 16);
	add_half(spans, half);
}

/* A stop ends the start just before it; a start that another start follows has no end. */
static void join_halves(struct span_list *spans)
{
	struct external_sort_reader reader = { .sorted = &spans->halves };
	struct half_span start = { 0 };
	const struct half_span *half;

	while ((half = external_sort_next(&reader))) {
		if (start.starts && !half->starts &&
		    !memcmp(half->span.activity, start.span.activity, 16))
			start.span.stop_ns = half->span.stop_ns;
		if (start.starts)
			spooled_list_add(&spans->list, &start.span);
		start = *half;
	}
	if (start.starts)
		spooled_list_add(&spans->list, &start.span);
	external_sort_reader_release(&reader);
}

void span_list_seal(struct span_list *spans)
{
	external_sort_seal(&spans->halves);
	join_halves(spans);
	external_sort_release(&spans->halves);
	spooled_list_seal(&spans->list);
}

void span_list_release(struct span_list *spans)
{
	external_sort_release(&spans->halves);
	spooled_list_release(&spans->list);
}

void span_walk_begin(struct span_walk *walk, const struct span_list *spans)
{
	*walk = (struct span_walk){ .reader = { .list = &spans->list } };
}

bool span_walk_next(struct span_walk *walk, struct model_span *span)
{
	if (!spooled_next(&walk->reader, &walk->span))
		return false;
	*span = walk->span;
	return true;
}

void span_walk_end(struct span_walk *walk)
{
	spooled_reader_release(&walk->reader);
}
