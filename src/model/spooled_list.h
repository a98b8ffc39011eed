/* SPDX-License-Identifier: MIT */
/*
 * spooled_list.h - a list of numbered records that may not fit into memory.
 *
 * Records are added in any order, each with a number of its own. Sealing sorts them by that number
 * (base/external_sort.h) and packs them into a reel of a spool; then they can be read any number
 * of times. Those of task_list.h and span_list.h are such lists.
 *
 *	struct spooled_list list = { .spool = &spool, .type = &type };
 *	spooled_list_add(&list, &record);
 *	spooled_list_seal(&list);		(nothing is added after this)
 *
 *	struct spooled_reader reader = { .list = &list };
 *	struct thing record = { 0 };		(the type's own zero)
 *	while (spooled_next(&reader, &record))	(each time the record that was read before)
 *		...
 *	spooled_reader_release(&reader);
 *	spooled_list_release(&list);		(before its spool)
 */
#ifndef MODEL_SPOOLED_LIST_H
#define MODEL_SPOOLED_LIST_H

#include "base/external_sort.h"

/* Packed, a record is what differs from the one before; that of the first is all zero. */
struct spooled_type {
	size_t size; /* of a record: at most SPOOL_RECORD, as is a packed one */
	int (*compare)(const void *left, const void *right);
	uint8_t *(*pack)(uint8_t *at, const void *before, const void *record);
	const uint8_t *(*unpack)(const uint8_t *at, void *record); /* it is the one before */
};

struct spooled_list {
	struct spool *spool;
	const struct spooled_type *type;
	uint64_t count;
	struct external_sort added; /* until the list is sealed */
	struct reel reel;	    /* in order, afterwards */
};

/* For external_sort.batch: what is in memory while it is sorted is no more than the spool's own. */
size_t spooled_batch(const struct spool *spool);

void spooled_list_add(struct spooled_list *list, const void *record);
void spooled_list_seal(struct spooled_list *list);
void spooled_list_release(struct spooled_list *list);

/* Replaces all records of a sealed list, in order, by what `change` makes of them. */
void spooled_list_rewrite(struct spooled_list *list, void (*change)(void *to, void *record),
			  void *to);

struct spooled_reader {
	const struct spooled_list *list;
	struct reel_reader reel;
};

bool spooled_next(struct spooled_reader *reader, void *record);
void spooled_reader_release(struct spooled_reader *reader);

#endif
