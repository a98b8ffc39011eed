/* SPDX-License-Identifier: MIT */
#include "model/spooled_list.h"

#include <stdalign.h>
#include <string.h>

/* Appends to a reel. */
struct packing {
	const struct spooled_type *type;
	struct spool *spool;
	struct reel reel;
	alignas(max_align_t) uint8_t before[SPOOL_RECORD];
};

static void pack(struct packing *p, const void *record)
{
	uint8_t *at = reel_room(&p->reel, p->spool);

	reel_wrote(&p->reel, p->type->pack(at, p->before, record));
	memcpy(p->before, record, p->type->size);
}

size_t spooled_batch(const struct spool *spool)
{
	return spool->budget < EXTERNAL_SORT_BATCH ? spool->budget : 0;
}

void spooled_list_add(struct spooled_list *list, const void *record)
{
	if (!list->added.size)
		list->added = (struct external_sort){
			.spool = list->spool,
			.size = list->type->size,
			.compare = list->type->compare,
			.batch = spooled_batch(list->spool),
		};
	external_sort_add(&list->added, record);
	list->count++;
}

void spooled_list_seal(struct spooled_list *list)
{
	struct packing p = { .type = list->type, .spool = list->spool };
	struct external_sort_reader reader = { .sorted = &list->added };
	const void *record;

	external_sort_seal(&list->added);
	while ((record = external_sort_next(&reader)))
		pack(&p, record);
	external_sort_reader_release(&reader);
	external_sort_release(&list->added);
	list->reel = p.reel;
}

void spooled_list_release(struct spooled_list *list)
{
	external_sort_release(&list->added);
	reel_release(&list->reel, list->spool);
	list->count = 0;
}

void spooled_list_rewrite(struct spooled_list *list, void (*change)(void *to, void *record),
			  void *to)
{
	struct packing p = { .type = list->type, .spool = list->spool };
	struct spooled_reader reader = { .list = list };
	alignas(max_align_t) uint8_t record[SPOOL_RECORD] = { 0 };
	alignas(max_align_t) uint8_t changed[SPOOL_RECORD];

	while (spooled_next(&reader, record)) {
		memcpy(changed, record, list->type->size);
		change(to, changed);
		pack(&p, changed);
	}
	spooled_reader_release(&reader);
	reel_release(&list->reel, list->spool);
	list->reel = p.reel;
}

bool spooled_next(struct spooled_reader *reader, void *record)
{
	reader->reel.spool = reader->list->spool;
	reader->reel.reel = &reader->list->reel;
	if (!reel_next(&reader->reel))
		return false;
	reader->reel.at = reader->list->type->unpack(reader->reel.at, record);
	return true;
}

void spooled_reader_release(struct spooled_reader *reader)
{
	reel_reader_release(&reader->reel);
}
