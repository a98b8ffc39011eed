/* SPDX-License-Identifier: MIT */
#include "analyze/open_activities.h"

#include <string.h>

#include "base/guid.h"
#include "base/hash.h"

/* No key without the label, or if it is zero. */
static struct activity_key key_of(const struct pp_event *event, uint32_t label, const uint8_t *id)
{
	static const uint8_t zero[16];
	struct activity_key key = { .process_id = event->thread->process_id };

	if (!(event->labels->present & label) || !memcmp(id, zero, sizeof(zero)))
		return (struct activity_key){ 0 };
	if (!activity_path(id, key.process_id, key.text))
		guid_text(id, key.text);
	key.size = strlen(key.text);
	return key;
}

struct activity_key activity_key_of(const struct pp_event *event)
{
	if (!event->labels)
		return (struct activity_key){ 0 };
	return key_of(event, PP_LABEL_ACTIVITY, event->labels->activity_id);
}

struct activity_key activity_key_text(const struct pp_event *event, const char *text)
{
	struct activity_key key = { .process_id = event->thread->process_id };
	const size_t size = strlen(text);
	const size_t skipped = size < sizeof(key.text) ? 0 : size - sizeof(key.text) + 1;

	key.size = size - skipped;
	memcpy(key.text, text + skipped, key.size);
	return key;
}

/*
 * "//1/2/" becomes "//1/"; an id that is not a path has none. Before that comes "//1/0/":
 * the runtime numbers activities from 1, but writes the eleventh and later ones as 0 where
 * their number does not begin inside a byte, and nested ones below that 0.
 */
bool activity_key_up(struct activity_key *key)
{
	size_t size = key->size;

	if (size < 2 || key->text[0] != '/' || key->text[size - 1] != '/')
		return false;
	for (size--; size && key->text[size - 1] != '/';)
		size--;
	if (size < 2 || size == key->size - 1)
		return false;
	if (key->text[size] != '0') {
		key->text[size++] = '0';
		key->text[size++] = '/';
	}
	memset(key->text + size, 0, key->size - size);
	key->size = size;
	return true;
}

static uint64_t hash_of(const struct activity_key *key)
{
	return hash_bytes(key->text, key->size) ^ hash_u64((uint64_t)key->process_id);
}

struct open_activity *open_activities_open(struct open_activities *spans,
					   const struct activity_key *key, unsigned type,
					   void *owner)
{
	const uint64_t hash = hash_of(key);
	struct open_activity *span = spans->free;

	if (span)
		spans->free = span->next;
	else
		span = arena_new(&spans->arena, struct open_activity);
	*span = (struct open_activity){
		.next = map_find(&spans->newest, hash),
		.hash = hash,
		.type = type,
		.owner = owner,
		.key = *key,
	};
	map_put(&spans->newest, hash, span);
	spans->count++;
	return span;
}

void open_activities_close(struct open_activities *spans, struct open_activity *span)
{
	struct open_activity *newer = map_find(&spans->newest, span->hash);

	if (newer == span && span->next)
		map_put(&spans->newest, span->hash, span->next);
	else if (newer == span)
		map_remove(&spans->newest, span->hash);
	else
		while (newer->next != span)
			newer = newer->next;
	newer->next = span->next;
	span->next = spans->free;
	spans->free = span;
	spans->count--;
}

struct open_activity *open_activities_find(const struct open_activities *spans,
					   const struct activity_key *key, unsigned types)
{
	struct open_activity *span = key->size ? map_find(&spans->newest, hash_of(key)) : NULL;

	while (span &&
	       (!(types >> span->type & 1) || span->key.process_id != key->process_id ||
		span->key.size != key->size || memcmp(span->key.text, key->text, key->size) != 0))
		span = span->next;
	return span;
}

struct open_activity *open_activities_next(const struct open_activities *spans,
					   struct activity_key *key, unsigned types)
{
	while (spans->count && key->size) {
		struct open_activity *span = open_activities_find(spans, key, types);

		if (!activity_key_up(key))
			key->size = 0;
		if (span)
			return span;
	}
	return NULL;
}

struct open_activity *open_activities_around(const struct open_activities *spans,
					     const struct pp_event *event, unsigned types)
{
	struct activity_key key = activity_key_of(event);
	struct open_activity *span = open_activities_next(spans, &key, types);

	if (span || !spans->count || !event->labels)
		return span;
	key = key_of(event, PP_LABEL_RELATED, event->labels->related_activity_id);
	return open_activities_next(spans, &key, types);
}

void open_activities_release(struct open_activities *spans)
{
	map_release(&spans->newest);
	arena_release(&spans->arena);
	*spans = (struct open_activities){ 0 };
}
