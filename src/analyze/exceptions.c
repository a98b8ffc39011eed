/* SPDX-License-Identifier: MIT */
/*
 * A throw comes first, then the catch, on one thread:
 *
 *	Exception/Start A .. ExceptionCatch/Start M .. ExceptionCatch/Stop, Exception/Stop
 *
 * What is thrown out of a catch ends it without a stop, and a rethrow writes no event: another
 * catch begins then. In a finally another one may be thrown and caught before
 * the first one is, so those that fly are a stack, of which a catch takes the newest.
 */
#include "analyze/exceptions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

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

static void count_catch(struct exception_stats *stats, const struct exception_type *type,
			const char *catcher)
{
	struct exception_catch *caught =
		record_set_add(&stats->catches_by_name, &stats->arena,
			       &(struct exception_catch){ .type = type, .catcher = catcher });

	caught->count++;
}

/* NULL: there is no room for another one. */
static struct exception_message *message_of(struct exception_stats *stats,
					    struct exception_type *type,
					    const struct field_value *text)
{
	const bool full = stats->messages.count == EXCEPTION_MESSAGES;
	const struct exception_message like = {
		.type = type,
		.text = full ? text_pool_find(&stats->texts, text->text, text->size)
			     : text_pool_add(&stats->texts, text->text, text->size),
	};

	return full ? record_set_find(&stats->messages, &like)
		    : record_set_add(&stats->messages, &stats->arena, &like);
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
			const struct event_context *at)
{
	const struct field_value *values = at->values;
	const uint64_t flags = values[THROW_FLAGS].number;
	struct exception_message *message;

	stats->total++;
	if (!type->count++)
		type->first_ns = at->time_ns;
	type->last_ns = at->time_ns;
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

static const char *text_of(struct exception_stats *stats, const struct field_value *value)
{
	return value->known ? text_pool_add(&stats->texts, value->text, value->size) : "";
}

static void hand_out(struct exception_stats *stats, const struct event_context *at)
{
	stats->take(stats->to, &(const struct exception_thrown){
				       .type = text_of(stats, &at->values[THROW_TYPE]),
				       .message = text_of(stats, &at->values[THROW_MESSAGE]),
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
	struct exception_site *site = NULL;

	stats->seen++;
	if (stats->take) {
		hand_out(stats, at);
		return;
	}
	if (at->wanted) {
		struct exception_type *type =
			record_set_add(&stats->types_by_name, &stats->arena,
				       &(struct exception_type){
					       .process_id = at->event->thread->process_id,
					       .name = text_of(stats, &at->values[THROW_TYPE]),
				       });

		count_throw(stats, type, at);
		site = record_set_add(&stats->sites_by_place, &stats->arena,
				      &(struct exception_site){ .type = type,
								.stack = event_stack(at),
								.handling = thread->handling });

		site->count++;
	}
	push(thread, site);
	thread->handling = NULL;
}

enum { CATCH_METHOD };
static const char *const catch_fields[] = { "MethodName", NULL };

/* One that flies, or that who caught it last has thrown again. */
static void take_catch(void *self, const struct event_context *at)
{
	struct exception_stats *stats = self;
	struct exception_thread *thread = thread_of(stats, at->event->thread);
	const char *catcher = text_of(stats, &at->values[CATCH_METHOD]);
	struct exception_site *site;

	stats->catches_recorded = true;
	if (thread->flying_count) {
		site = thread->flying[--thread->flying_count];
		thread->caught = site ? site->type : NULL;
		if (site) {
			struct exception_site like = { .type = site->type,
						       .handling = site->handling,
						       .catcher = catcher,
						       .stack = site->stack };
			struct exception_site *caught =
				record_set_add(&stats->sites_by_place, &stats->arena, &like);

			site->count--;
			caught->count++;
			site->type->caught++;
			count_catch(stats, site->type, catcher);
		}
	} else if (thread->caught) {
		thread->caught->rethrown++;
		count_catch(stats, thread->caught, catcher);
	}
	thread->handling = thread->caught;
}

static void take_catch_end(void *self, const struct event_context *at)
{
	struct exception_thread *thread = thread_of(self, at->event->thread);

	thread->handling = NULL;
	thread->caught = NULL;
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_THROWN, NULL, throw_fields, take_throw },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_CATCH_START, NULL, catch_fields, take_catch },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_CATCH_STOP, NULL, NULL, take_catch_end },
	{ 0 },
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	(void)pass;
	*(struct exception_stats *)self = (struct exception_stats){
		.take = setup->take,
		.to = setup->to,
		.types_by_name = RECORD_SET(struct exception_type, name),
		.sites_by_place = RECORD_SET(struct exception_site, stack),
		.catches_by_name = RECORD_SET(struct exception_catch, catcher),
		.messages = RECORD_SET(struct exception_message, text),
	};
}

static void release(void *self)
{
	struct exception_stats *stats = self;

	free(stats->threads);
	record_set_release(&stats->types_by_name);
	record_set_release(&stats->sites_by_place);
	record_set_release(&stats->catches_by_name);
	record_set_release(&stats->messages);
	text_pool_release(&stats->texts);
	arena_release(&stats->arena);
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
		stats->site_count--; /* they became others when they were caught */
	share_messages(stats);
}

const struct analysis exception_analysis = {
	.name = "exceptions",
	.size = sizeof(struct exception_stats),
	.rows = rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};
