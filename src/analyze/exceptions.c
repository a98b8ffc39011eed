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
	struct exception_place *caught;	       /* the last one; NULL: its handling has ended */
};

/* How often one of the messages, or one of the catches, was of one place. */
struct place_message {
	struct place_message *next;
	const struct exception_place *place;
	struct exception_message *message;
	uint64_t count;
};

struct place_catch {
	struct place_catch *next;
	const struct exception_place *place;
	struct exception_catch *caught;
	uint64_t count;
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

/* NULL: it was never kept, and EXCEPTION_MESSAGES others are known. */
static struct exception_message *message_of(struct exception_stats *stats,
					    struct exception_type *type,
					    const struct event_context *at)
{
	const struct field_value *text = &at->values[THROW_MESSAGE];
	const bool full = stats->place_messages.count == EXCEPTION_MESSAGES;
	const struct exception_message like = {
		.type = type,
		.text = full ? text_pool_find(&at->pass->texts, text->text, text->size)
			     : event_string(at, THROW_MESSAGE),
	};

	return full ? record_set_find(&stats->messages, &like)
		    : record_set_add(&stats->messages, &at->pass->arena, &like);
}

static void count_message(struct exception_stats *stats, struct exception_place *place,
			  const struct event_context *at)
{
	const bool full = stats->place_messages.count == EXCEPTION_MESSAGES;
	const struct place_message like = { .place = place,
					    .message = message_of(stats, place->type, at) };
	struct place_message *message = NULL;

	if (like.message && full)
		message = record_set_find(&stats->place_messages, &like);
	else if (like.message)
		message = record_set_add(&stats->place_messages, &at->pass->arena, &like);
	if (message)
		message->count++;
	else
		place->other_messages++;
}

static void count_throw(struct exception_stats *stats, struct exception_place *place,
			const struct event_context *at)
{
	const uint64_t flags = at->values[THROW_FLAGS].number;

	burst_add(&stats->burst, at->time_ns, 1);
	if (!place->count++)
		place->first_ns = at->time_ns;
	place->last_ns = at->time_ns;
	place->inner += (flags & HAS_INNER) != 0;
	place->nested += (flags & NESTED) != 0;
	place->rethrown += (flags & RETHROWN) != 0;
	if (at->values[THROW_MESSAGE].is_text)
		count_message(stats, place, at);
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

	struct exception_place *place =
		record_set_add(&stats->places, &at->pass->arena,
			       &(struct exception_place){ .type = type, .stack = event_stack(at) });

	count_throw(stats, place, at);
	return count_at(stats,
			&(struct exception_site){ .type = type,
						  .stack = place->stack,
						  .handling = thread->handling,
						  .place = place },
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

/* What was counted as not caught is another site once it is. */
static void move_to_catcher(struct exception_stats *stats, struct exception_site *site,
			    const char *catcher, struct arena *arena)
{
	struct exception_site caught = *site;

	caught.catcher = catcher;
	caught.count = 0;
	site->count--;
	count_at(stats, &caught, arena);
	site->place->caught++;
}

static void count_catch(struct exception_stats *stats, const struct exception_place *place,
			const char *catcher, struct arena *arena)
{
	struct exception_catch *caught = record_set_add(
		&stats->catches_by_name, arena,
		&(struct exception_catch){ .type = place->type, .catcher = catcher });
	struct place_catch *known =
		record_set_add(&stats->place_catches, arena,
			       &(struct place_catch){ .place = place, .caught = caught });

	known->count++;
}

/* Of the newest one in flight, or else of the one caught last, which was rethrown. */
static void take_catch(void *self, const struct event_context *at)
{
	struct exception_stats *stats = self;
	struct exception_thread *thread = thread_of(stats, at->event->thread);
	const char *catcher = event_string(at, 0);

	stats->catches_recorded = true;
	if (thread->in_flight_count) {
		struct exception_site *site = thread->in_flight[--thread->in_flight_count];

		thread->caught = site ? site->place : NULL;
		if (site)
			move_to_catcher(stats, site, catcher, &at->pass->arena);
	} else if (thread->caught) {
		thread->caught->rethrown++;
	}
	thread->handling = thread->caught ? thread->caught->type : NULL;
	if (thread->caught)
		count_catch(stats, thread->caught, catcher, &at->pass->arena);
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

	xfree(stats->threads);
	record_set_release(&stats->types_by_name);
	record_set_release(&stats->sites_by_place);
	record_set_release(&stats->catches_by_name);
	record_set_release(&stats->messages);
	record_set_release(&stats->places);
	record_set_release(&stats->place_messages);
	record_set_release(&stats->place_catches);
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

	if (names || a->stack.number != b->stack.number)
		return names ? names : a->stack.number < b->stack.number ? -1 : 1;
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

static void add_place(struct exception_type *type, const struct exception_place *place)
{
	if (!type->count || place->first_ns < type->first_ns)
		type->first_ns = place->first_ns;
	if (!type->count || place->last_ns > type->last_ns)
		type->last_ns = place->last_ns;
	type->count += place->count;
	type->inner += place->inner;
	type->nested += place->nested;
	type->rethrown += place->rethrown;
	type->caught += place->caught;
	type->other_messages += place->other_messages;
}

static bool passes(const struct calltree *tree, const struct exception_place *place)
{
	return !tree || calltree_passes(tree, place->stack);
}

static void sum_places(struct exception_stats *stats, const struct calltree *tree)
{
	size_t count;
	struct exception_place **places = record_set_list(&stats->places, NULL, &count);

	for (size_t i = 0; i < count; i++)
		if (passes(tree, places[i])) {
			add_place(places[i]->type, places[i]);
			stats->total += places[i]->count;
		}
	stats->types = record_set_list(&stats->types_by_name, types_by_count, &stats->type_count);
	while (stats->type_count && !stats->types[stats->type_count - 1]->count)
		stats->type_count--; /* all of them are left out */
}

static void sum_messages(struct exception_stats *stats, const struct calltree *tree)
{
	size_t count;
	struct place_message **messages = record_set_list(&stats->place_messages, NULL, &count);
	struct exception_message **list;

	for (size_t i = 0; i < count; i++)
		if (passes(tree, messages[i]->place))
			messages[i]->message->count += messages[i]->count;
	list = record_set_list(&stats->messages, messages_by_count, &count);
	for (size_t i = count; i-- > 0;)
		if (list[i]->count) {
			list[i]->type->messages = &list[i];
			list[i]->type->message_count++;
		}
}

static void sum_catches(struct exception_stats *stats, const struct calltree *tree)
{
	size_t count;
	struct place_catch **catches = record_set_list(&stats->place_catches, NULL, &count);

	for (size_t i = 0; i < count; i++)
		if (passes(tree, catches[i]->place))
			catches[i]->caught->count += catches[i]->count;
	stats->catches =
		record_set_list(&stats->catches_by_name, catches_by_count, &stats->catch_count);
	while (stats->catch_count && !stats->catches[stats->catch_count - 1]->count)
		stats->catch_count--;
}

static void sum_up(struct exception_stats *stats, const struct calltree *tree)
{
	sum_places(stats, tree);
	sum_messages(stats, tree);
	sum_catches(stats, tree);
}

static void finish(void *self, const struct pass *pass)
{
	struct exception_stats *stats = self;

	(void)pass;
	sum_up(stats, NULL);
	stats->sites = record_set_list(&stats->sites_by_place, sites_by_count, &stats->site_count);
	while (stats->site_count && !stats->sites[stats->site_count - 1]->count)
		stats->site_count--; /* all of them were caught, which makes them another site */
}

static void clear_sums(struct exception_stats *stats)
{
	size_t count;
	struct exception_message **messages = record_set_list(&stats->messages, NULL, &count);

	for (size_t i = 0; i < count; i++)
		messages[i]->count = 0;
	for (size_t i = 0; i < stats->type_count; i++)
		*stats->types[i] = (struct exception_type){
			.next = stats->types[i]->next,
			.process_id = stats->types[i]->process_id,
			.name = stats->types[i]->name,
		};
	for (size_t i = 0; i < stats->catch_count; i++)
		stats->catches[i]->count = 0;
	stats->total = 0;
}

void exception_filter(struct exception_stats *stats, const struct calltree *tree)
{
	size_t left = 0;

	for (size_t i = 0; i < stats->site_count; i++)
		if (passes(tree, stats->sites[i]->place))
			stats->sites[left++] = stats->sites[i];
	stats->site_count = left;
	clear_sums(stats);
	sum_up(stats, tree);
}

static const struct exception_stats initial = {
	.types_by_name = RECORD_SET(struct exception_type, name),
	.sites_by_place = RECORD_SET(struct exception_site, stack),
	.catches_by_name = RECORD_SET(struct exception_catch, catcher),
	.messages = RECORD_SET(struct exception_message, text),
	.places = RECORD_SET(struct exception_place, stack),
	.place_messages = RECORD_SET(struct place_message, message),
	.place_catches = RECORD_SET(struct place_catch, caught),
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
