/* SPDX-License-Identifier: MIT */
/*
 * A throw comes first, then the catch, on one thread:
 *
 *	Exception/Start A .. ExceptionCatch/Start M .. ExceptionCatch/Stop, Exception/Stop
 *
 * What is thrown out of a catch ends it without a stop, and a rethrow writes no event: another
 * catch begins then. In a finally another exception may be thrown and caught before the first one
 * is, so those in flight are a stack, of which a catch takes the newest.
 */
#include "analyze/exceptions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define IN_FLIGHT 16 /* on one thread; older ones are given up */

enum exception_flags {
	HAS_INNER = 0x1,
	NESTED = 0x2,
	RETHROWN = 0x4,
};

struct exception_thread {
	struct exception_site *in_flight[IN_FLIGHT]; /* NULL: it is not counted */
	uint8_t in_flight_count;
	const struct exception_type *handling; /* the last event was its catch; or NULL */
	struct exception_type *caught;	       /* the last one; NULL: its handling has ended */
};

static struct exception_thread *thread_of(struct exception_stats *stats,
					  const struct pp_thread *thread)
{
	stats->threads =
		xroom(stats->threads, &stats->thread_count, thread->index, sizeof(*stats->threads));
	return &stats->threads[thread->index];
}

static void push(struct exception_thread *thread, struct exception_site *site)
{
	if (thread->in_flight_count == IN_FLIGHT) {
		memmove(thread->in_flight, thread->in_flight + 1,
			(IN_FLIGHT - 1) * sizeof(thread->in_flight[0]));
		thread->in_flight_count--;
	}
	thread->in_flight[thread->in_flight_count++] = site;
}

enum { THROW_TYPE, THROW_MESSAGE, THROW_FLAGS };
static const char throw_fields[] = "ExceptionType ExceptionMessage ExceptionFlags";

/* NULL: EXCEPTION_MESSAGES others are known. */
static struct exception_message *message_of(struct exception_stats *stats,
					    struct exception_type *type,
					    const struct event_context *at)
{
	const struct field_value *text = &at->values[THROW_MESSAGE];
	const bool full = stats->messages.count == EXCEPTION_MESSAGES;
	const struct exception_message like = {
		.type = type,
		.text = full ? text_pool_find(&at->pass->texts, text->text, text->size)
			     : event_string(at, THROW_MESSAGE),
	};

	return full ? record_set_find(&stats->messages, &like)
		    : record_set_add(&stats->messages, &at->pass->arena, &like);
}

static void count_throw(struct exception_stats *stats, struct exception_type *type,
			const struct event_context *at)
{
	const uint64_t flags = at->values[THROW_FLAGS].number;
	struct exception_message *message;

	stats->total++;
	if (!type->count++)
		type->first_ns = at->time_ns;
	type->last_ns = at->time_ns;
	type->inner += (flags & HAS_INNER) != 0;
	type->nested += (flags & NESTED) != 0;
	type->rethrown += (flags & RETHROWN) != 0;
	if (!at->values[THROW_MESSAGE].is_text)
		return;
	message = message_of(stats, type, at);
	if (message)
		message->count++;
	else
		type->other_messages++;
}

static struct exception_site *count_at(struct exception_stats *stats,
				       const struct exception_site *like, struct arena *arena)
{
	struct exception_site *site = record_set_add(&stats->sites_by_place, arena, like);

	site->count++;
	return site;
}

/* Over several traces, types of one name are one type. */
static int64_t process_of(const struct event_context *at)
{
	return at->pass->many ? -1 : at->event->thread->process_id;
}

static struct exception_site *add_throw(struct exception_stats *stats,
					const struct exception_thread *thread,
					const struct event_context *at)
{
	struct exception_type *type = record_set_add(&stats->types_by_name, &at->pass->arena,
						     &(struct exception_type){
							     .process_id = process_of(at),
							     .name = event_string(at, THROW_TYPE),
						     });

	count_throw(stats, type, at);
	return count_at(stats,
			&(struct exception_site){ .type = type,
						  .stack = event_stack(at),
						  .handling = thread->handling },
			&at->pass->arena);
}

static void pass_on(const struct exception_stats *stats, const struct event_context *at)
{
	setup_take(&stats->setup, &(const struct exception_thrown){
					  .type = event_string(at, THROW_TYPE),
					  .message = event_string(at, THROW_MESSAGE),
					  .thread = at->event->thread,
					  .time_ns = at->time_ns,
					  .stack = event_stack(at),
					  .link = event_link(at),
				  });
}

static void take_throw(void *self, const struct event_context *at)
{
	struct exception_stats *stats = self;
	struct exception_thread *thread = thread_of(stats, at->event->thread);

	stats->seen++;
	if (stats->setup.take && at->wanted)
		pass_on(stats, at);
	if (stats->setup.take)
		return;
	push(thread, at->wanted ? add_throw(stats, thread, at) : NULL);
	thread->handling = NULL;
}

/* Of the newest one in flight, or else of the one caught last, which was rethrown. */
static void take_catch(void *self, const struct event_context *at)
{
	struct exception_stats *stats = self;
	struct exception_thread *thread = thread_of(stats, at->event->thread);
	struct exception_catch like = { .catcher = event_string(at, 0) };

	stats->catches_recorded = true;
	if (thread->in_flight_count) {
		struct exception_site *site = thread->in_flight[--thread->in_flight_count];

		thread->caught = site ? site->type : NULL;
		if (site) {
			struct exception_site caught = *site;

			caught.catcher = like.catcher;
			caught.count = 0;
			site->count--;
			count_at(stats, &caught, &at->pass->arena);
			site->type->caught++;
		}
	} else if (thread->caught) {
		thread->caught->rethrown++;
	}
	like.type = thread->handling = thread->caught;
	if (like.type) {
		struct exception_catch *known =
			record_set_add(&stats->catches_by_name, &at->pass->arena, &like);

		known->count++;
	}
}

static void take_catch_end(void *self, const struct event_context *at)
{
	struct exception_thread *thread = thread_of(self, at->event->thread);

	thread->handling = NULL;
	thread->caught = NULL;
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_THROWN, NULL, throw_fields, take_throw },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_CATCH_START, NULL, "MethodName", take_catch },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_CATCH_STOP, NULL, NULL, take_catch_end },
	{ 0 },
};

static void release(void *self)
{
	struct exception_stats *stats = self;

	free(stats->threads);
	record_set_release(&stats->types_by_name);
	record_set_release(&stats->sites_by_place);
	record_set_release(&stats->catches_by_name);
	record_set_release(&stats->messages);
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

/* Those of one type together. */
static int messages_by_count(const void *left, const void *right)
{
	const struct exception_message *a = *(const struct exception_message *const *)left;
	const struct exception_message *b = *(const struct exception_message *const *)right;
	const int order = by_count(a->count, b->count);

	if (a->type != b->type)
		return (uintptr_t)a->type < (uintptr_t)b->type ? -1 : 1;
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

static void share_messages(struct exception_stats *stats)
{
	size_t count;
	struct exception_message **list =
		record_set_list(&stats->messages, messages_by_count, &count);

	for (size_t i = count; i-- > 0;) {
		list[i]->type->messages = &list[i];
		list[i]->type->message_count++;
	}
}

static void finish(void *self, const struct pass *pass)
{
	struct exception_stats *stats = self;

	(void)pass;
	stats->types = record_set_list(&stats->types_by_name, types_by_count, &stats->type_count);
	stats->sites = record_set_list(&stats->sites_by_place, sites_by_count, &stats->site_count);
	stats->catches =
		record_set_list(&stats->catches_by_name, catches_by_count, &stats->catch_count);
	while (stats->site_count && !stats->sites[stats->site_count - 1]->count)
		stats->site_count--; /* all of them were caught, which makes them another site */
	share_messages(stats);
}

static const struct exception_stats initial = {
	.types_by_name = RECORD_SET(struct exception_type, name),
	.sites_by_place = RECORD_SET(struct exception_site, stack),
	.catches_by_name = RECORD_SET(struct exception_catch, catcher),
	.messages = RECORD_SET(struct exception_message, text),
};

const struct analysis exception_analysis = {
	.name = "exceptions",
	.size = sizeof(struct exception_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.finish = finish,
	.release = release,
};
