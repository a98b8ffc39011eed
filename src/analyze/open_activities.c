/* SPDX-License-Identifier: MIT */
#include "analyze/open_activities.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "base/hash.h"

#define FIRST_BUCKETS 64

static struct activity_key key_of(const struct pp_event *event, const uint8_t *id)
{
	struct activity_key key = { .process_id = event->thread->process_id };

	if (!activity_path(id, key.process_id, key.text))
		guid_text(id, key.text);
	key.size = strlen(key.text);
	return key;
}

static bool is_zero(const uint8_t *id)
{
	static const uint8_t zero[16];

	return !memcmp(id, zero, sizeof(zero));
}

struct activity_key activity_key_of(const struct pp_event *event)
{
	const struct pp_labels *labels = event->labels;

	if (!labels || !(labels->present & PP_LABEL_ACTIVITY) || is_zero(labels->activity_id))
		return (struct activity_key){ 0 };
	return key_of(event, labels->activity_id);
}

struct activity_key activity_key_related(const struct pp_event *event)
{
	const struct pp_labels *labels = event->labels;

	if (!labels || !(labels->present & PP_LABEL_RELATED) ||
	    is_zero(labels->related_activity_id))
		return (struct activity_key){ 0 };
	return key_of(event, labels->related_activity_id);
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
 * "//1/2/" becomes "//1/"; what is no path has nothing around it. Before that comes "//1/0/":
 * the runtime numbers activities from 1, but writes the eleventh and later ones as 0 where
 * their number does not begin inside a byte, and what is inside those over that 0.
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

static struct open_activity **bucket_of(const struct open_activities *spans, uint64_t hash)
{
	return &spans->buckets[hash & (spans->bucket_count - 1)];
}

static void put(struct open_activities *spans, struct open_activity *span)
{
	struct open_activity **bucket = bucket_of(spans, span->hash);

	span->next = *bucket;
	*bucket = span;
}

static void grow(struct open_activities *spans)
{
	struct open_activity **old = spans->buckets;
	const size_t old_count = spans->bucket_count;

	spans->bucket_count = old_count ? 2 * old_count : FIRST_BUCKETS;
	spans->buckets = xcalloc(spans->bucket_count, sizeof(struct open_activity *));
	for (size_t i = 0; i < old_count; i++)
		for (struct open_activity *span = old[i], *next; span; span = next) {
			next = span->next;
			put(spans, span);
		}
	free(old);
}

struct open_activity *open_activities_open(struct open_activities *spans,
					   const struct activity_key *key, unsigned type,
					   void *owner)
{
	struct open_activity *span = spans->free;

	if (spans->count >= spans->bucket_count)
		grow(spans);
	if (span)
		spans->free = span->next;
	else
		span = arena_new(&spans->arena, struct open_activity);
	*span = (struct open_activity){
		.hash = hash_of(key), .type = type, .owner = owner, .key = *key
	};
	put(spans, span);
	spans->count++;
	return span;
}

void open_activities_close(struct open_activities *spans, struct open_activity *span)
{
	struct open_activity **at = bucket_of(spans, span->hash);

	while (*at != span)
		at = &(*at)->next;
	*at = span->next;
	span->next = spans->free;
	spans->free = span;
	spans->count--;
}

struct open_activity *open_activities_find(const struct open_activities *spans,
					   const struct activity_key *key, unsigned types)
{
	const uint64_t hash = hash_of(key);
	struct open_activity *span =
		spans->bucket_count && key->size ? *bucket_of(spans, hash) : NULL;

	while (span && (span->hash != hash || !(types >> span->type & 1) ||
			span->key.process_id != key->process_id || span->key.size != key->size ||
			memcmp(span->key.text, key->text, key->size) != 0))
		span = span->next;
	return span;
}

static struct open_activity *find_around(const struct open_activities *spans,
					 struct activity_key *key, unsigned types)
{
	struct open_activity *span;

	if (!key->size)
		return NULL;
	do
		span = open_activities_find(spans, key, types);
	while (!span && activity_key_up(key));
	return span;
}

struct open_activity *open_activities_around(const struct open_activities *spans,
					     const struct pp_event *event, unsigned types)
{
	struct activity_key key = activity_key_of(event);
	struct open_activity *span = spans->count ? find_around(spans, &key, types) : NULL;

	if (span || !spans->count)
		return span;
	key = activity_key_related(event);
	return find_around(spans, &key, types);
}

void open_activities_release(struct open_activities *spans)
{
	free(spans->buckets);
	arena_release(&spans->arena);
	*spans = (struct open_activities){ 0 };
}
