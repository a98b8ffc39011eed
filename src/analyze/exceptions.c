/* SPDX-License-Identifier: MIT */
/*
 * A throw is told first, then the catch, on one thread:
 *
 *	Exception/Start A .. ExceptionCatch/Start M .. ExceptionCatch/Stop, Exception/Stop
 *
 * What is thrown out of a catch ends it without a stop, and what a catch throws again is not
 * told: another catch begins then. In a finally another one may be thrown and caught before
 * the first one is, so those that fly are a stack, of which a catch takes the newest.
 */
#include "analyze/exceptions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define FLYING 16 /* on one thread; what is older is no longer waited for */

enum exception_flags {
	HAS_INNER = 0x1,
	NESTED = 0x2,
	RETHROWN = 0x4,
};

struct exception_thread {
	struct exception_site *flying[FLYING]; /* thrown, not caught; NULL: it does not count */
	uint8_t flying_count;
	const struct exception_type *handling; /* the last event was its catch; NULL: it was not */
	struct exception_type *caught;	       /* last; NULL: its handling has ended */
};

static struct exception_thread *thread_of(struct exception_stats *stats,
					  const struct pp_thread *thread)
{
	stats->threads =
		xroom(stats->threads, &stats->thread_count, thread->index, sizeof(*stats->threads));
	return &stats->threads[thread->index];
}

static struct exception_type *type_called(struct exception_stats *stats, int64_t process_id,
					  const char *name)
{
	const uint64_t key = hash_u64((uint64_t)(uintptr_t)name ^ (uint64_t)process_id << 32);
	struct exception_type *first = map_find(&stats->types_by_name, key);
	struct exception_type *type = first;

	while (type && (type->name != name || type->process_id != process_id))
		type = type->next;
	if (type)
		return type;
	type = arena_new(&stats->arena, struct exception_type);
	*type = (struct exception_type){ .next = first, .process_id = process_id, .name = name };
	map_put(&stats->types_by_name, key, type);
	stats->types = xgrow(stats->types, stats->type_count, &stats->type_capacity,
			     sizeof(struct exception_type *));
	stats->types[stats->type_count++] = type;
	return type;
}

static struct exception_site *site_like(struct exception_stats *stats,
					const struct exception_site *like)
{
	const uint64_t key = hash_u64(
		hash_u64((uint64_t)(uintptr_t)like->type ^ (uint64_t)like->stack << 32) ^
		(uint64_t)(uintptr_t)like->handling ^ (uint64_t)(uintptr_t)like->catcher << 16);
	struct exception_site *first = map_find(&stats->sites_by_place, key);
	struct exception_site *site = first;

	while (site && (site->type != like->type || site->stack != like->stack ||
			site->handling != like->handling || site->catcher != like->catcher))
		site = site->next;
	if (site)
		return site;
	site = arena_new(&stats->arena, struct exception_site);
	*site = *like;
	site->next = first;
	site->count = 0;
	map_put(&stats->sites_by_place, key, site);
	stats->sites = xgrow(stats->sites, stats->site_count, &stats->site_capacity,
			     sizeof(struct exception_site *));
	stats->sites[stats->site_count++] = site;
	return site;
}

static void count_catch(struct exception_stats *stats, const struct exception_type *type,
			const char *catcher)
{
	const uint64_t key =
		hash_u64((uint64_t)(uintptr_t)type ^ (uint64_t)(uintptr_t)catcher << 16);
	struct exception_catch *first = map_find(&stats->catches_by_name, key);
	struct exception_catch *caught = first;

	while (caught && (caught->type != type || caught->catcher != catcher))
		caught = caught->next;
	if (!caught) {
		caught = arena_new(&stats->arena, struct exception_catch);
		*caught = (struct exception_catch){ first, type, catcher, 0 };
		map_put(&stats->catches_by_name, key, caught);
		stats->catches = xgrow(stats->catches, stats->catch_count, &stats->catch_capacity,
				       sizeof(struct exception_catch *));
		stats->catches[stats->catch_count++] = caught;
	}
	caught->count++;
}

/* NULL: there is no room for another one. */
static struct exception_message *message_of(struct exception_stats *stats,
					    struct exception_type *type, const struct picked *text)
{
	const bool full = stats->messages == EXCEPTION_MESSAGES;
	const char *kept = full ? text_pool_find(&stats->texts, text->text, text->size)
				: text_pool_add(&stats->texts, text->text, text->size);
	const uint64_t key = hash_u64((uint64_t)(uintptr_t)kept ^ (uint64_t)(uintptr_t)type << 16);
	struct exception_message *first = kept ? map_find(&stats->messages_by_text, key) : NULL;
	struct exception_message *message = first;

	while (message && (message->text != kept || message->type != type))
		message = message->next;
	if (message || full)
		return message;
	message = arena_new(&stats->arena, struct exception_message);
	*message = (struct exception_message){ .next = first, .type = type, .text = kept };
	map_put(&stats->messages_by_text, key, message);
	type->messages = xgrow(type->messages, type->message_count, &type->message_capacity,
			       sizeof(struct exception_message *));
	type->messages[type->message_count++] = message;
	stats->messages++;
	return message;
}

static void push(struct exception_thread *thread, struct exception_site *site)
{
	if (thread->flying_count == FLYING) {
		memmove(thread->flying, thread->flying + 1,
			(FLYING - 1) * sizeof(thread->flying[0]));
		thread->flying_count--;
	}
	thread->flying[thread->flying_count++] = site;
}

enum { THROW_TYPE, THROW_MESSAGE, THROW_FLAGS };
static const char *const throw_fields[] = { "ExceptionType", "ExceptionMessage", "ExceptionFlags",
					    NULL };

static void count_throw(struct exception_stats *stats, struct exception_type *type,
			const struct watched *watched)
{
	const struct picked *values = watched->values;
	const uint64_t flags = values[THROW_FLAGS].number;
	struct exception_message *message;

	stats->total++;
	if (!type->count++)
		type->first_ns = watched->time_ns;
	type->last_ns = watched->time_ns;
	type->inner += (flags & HAS_INNER) != 0;
	type->nested += (flags & NESTED) != 0;
	type->rethrown += (flags & RETHROWN) != 0;
	if (!values[THROW_MESSAGE].known)
		return;
	message = message_of(stats, type, &values[THROW_MESSAGE]);
	if (message)
		message->count++;
	else
		type->other_messages++;
}

static void take_throw(void *self, const struct watched *watched)
{
	struct exception_stats *stats = self;
	const struct picked *name = &watched->values[THROW_TYPE];
	struct exception_thread *thread = thread_of(stats, watched->event->thread);
	struct exception_site *site = NULL;

	stats->seen++;
	if (stats->place->counts) {
		struct exception_type *type = type_called(
			stats, watched->event->thread->process_id,
			name->known ? text_pool_add(&stats->texts, name->text, name->size) : "");

		count_throw(stats, type, watched);
		site = site_like(stats, &(struct exception_site){ .type = type,
								  .stack = stats->place->stack,
								  .handling = thread->handling });
		site->count++;
	}
	push(thread, site);
	thread->handling = NULL;
}

enum { CATCH_METHOD };
static const char *const catch_fields[] = { "MethodName", NULL };

/* One that flies, or that who caught it last has thrown again. */
static void take_catch(void *self, const struct watched *watched)
{
	struct exception_stats *stats = self;
	const struct picked *method = &watched->values[CATCH_METHOD];
	struct exception_thread *thread = thread_of(stats, watched->event->thread);
	const char *catcher =
		method->known ? text_pool_add(&stats->texts, method->text, method->size) : "";
	struct exception_site *site;

	stats->catches_told = true;
	if (thread->flying_count) {
		site = thread->flying[--thread->flying_count];
		thread->caught = site ? site->type : NULL;
		if (site) {
			struct exception_site caught = *site;

			caught.catcher = catcher;
			site->count--;
			site_like(stats, &caught)->count++;
			site->type->caught++;
			count_catch(stats, site->type, catcher);
		}
	} else if (thread->caught) {
		thread->caught->rethrown++;
		count_catch(stats, thread->caught, catcher);
	}
	thread->handling = thread->caught;
}

static void take_catch_end(void *self, const struct watched *watched)
{
	struct exception_thread *thread = thread_of(self, watched->event->thread);

	thread->handling = NULL;
	thread->caught = NULL;
}

static const struct watch_row rows[] = {
	{ WATCH_RUNTIME, 80, throw_fields, take_throw },
	{ WATCH_RUNTIME, 250, catch_fields, take_catch },
	{ WATCH_RUNTIME, 251, NULL, take_catch_end },
	{ 0 },
};

void exceptions_init(struct exception_stats *stats)
{
	*stats = (struct exception_stats){ .watch = { .rows = rows } };
}

void exceptions_release(struct exception_stats *stats)
{
	for (size_t i = 0; i < stats->type_count; i++)
		free(stats->types[i]->messages);
	free(stats->types);
	free(stats->sites);
	free(stats->catches);
	free(stats->threads);
	map_release(&stats->types_by_name);
	map_release(&stats->sites_by_place);
	map_release(&stats->catches_by_name);
	map_release(&stats->messages_by_text);
	watch_release(&stats->watch);
	text_pool_release(&stats->texts);
	arena_release(&stats->arena);
	exceptions_init(stats);
}

void exceptions_add(struct exception_stats *stats, const struct pp_trace_header *header,
		    const struct pp_event *event, const struct exception_place *place)
{
	stats->place = place;
	watch_event(&stats->watch, header, event, stats);
	stats->place = NULL;
}

static int by_count(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int types_by_count(const void *left, const void *right)
{
	const struct exception_type *a = *(const struct exception_type *const *)left;
	const struct exception_type *b = *(const struct exception_type *const *)right;
	const int order = by_count(a->count, b->count);
	const int names = order ? order : strcmp(a->name, b->name);

	return names ? names : (a->process_id > b->process_id) - (a->process_id < b->process_id);
}

static int messages_by_count(const void *left, const void *right)
{
	const struct exception_message *a = *(const struct exception_message *const *)left;
	const struct exception_message *b = *(const struct exception_message *const *)right;
	const int order = by_count(a->count, b->count);

	return order ? order : strcmp(a->text, b->text);
}

static int sites_by_count(const void *left, const void *right)
{
	const struct exception_site *a = *(const struct exception_site *const *)left;
	const struct exception_site *b = *(const struct exception_site *const *)right;
	const int order = by_count(a->count, b->count);
	const int names = order ? order : strcmp(a->type->name, b->type->name);

	if (names || a->stack != b->stack)
		return names ? names : a->stack < b->stack ? -1 : 1;
	return strcmp(a->catcher ? a->catcher : "", b->catcher ? b->catcher : "");
}

static int catches_by_count(const void *left, const void *right)
{
	const struct exception_catch *a = *(const struct exception_catch *const *)left;
	const struct exception_catch *b = *(const struct exception_catch *const *)right;
	const int order = by_count(a->count, b->count);
	const int names = order ? order : strcmp(a->catcher, b->catcher);

	return names ? names : strcmp(a->type->name, b->type->name);
}

static void sort(void *list, size_t count, int (*order)(const void *, const void *))
{
	if (count)
		qsort(list, count, sizeof(void *), order);
}

void exceptions_finish(struct exception_stats *stats)
{
	size_t count = 0;

	for (size_t i = 0; i < stats->site_count; i++)
		if (stats->sites[i]->count)
			stats->sites[count++] = stats->sites[i];
	stats->site_count = count;
	sort(stats->types, stats->type_count, types_by_count);
	sort(stats->sites, stats->site_count, sites_by_count);
	sort(stats->catches, stats->catch_count, catches_by_count);
	for (size_t i = 0; i < stats->type_count; i++)
		sort(stats->types[i]->messages, stats->types[i]->message_count, messages_by_count);
}
