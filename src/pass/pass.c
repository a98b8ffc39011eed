/* SPDX-License-Identifier: MIT */
#include "pass/pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/trace_file.h"

void pass_init(struct pass *pass, const struct event_query *query)
{
	const struct event_query all = EVENT_QUERY_ALL;

	*pass = (struct pass){ .query = query ? *query : all,
			       .tally = { .earliest_ticks = INT64_MAX,
					  .latest_ticks = INT64_MIN } };
	pass->all = event_query_is_all(&pass->query);
}

void pass_release(struct pass *pass)
{
	for (size_t i = pass->member_count; i-- > 0;) {
		if (pass->members[i].analysis->release)
			pass->members[i].analysis->release(pass->members[i].self);
		xfree(pass->members[i].self);
	}
	xfree(pass->members);
	xfree(pass->every);
	xfree(pass->kinds);
	plans_release(&pass->plans);
	text_pool_release(&pass->texts);
	arena_release(&pass->arena);
	*pass = (struct pass){ 0 };
}

static struct pass_member *find_shared(const struct pass *pass, const struct analysis *analysis)
{
	for (size_t i = 0; i < pass->member_count; i++)
		if (pass->members[i].analysis == analysis && pass->members[i].shared)
			return &pass->members[i];
	return NULL;
}

void *pass_find(const struct pass *pass, const struct analysis *analysis)
{
	const struct pass_member *member = find_shared(pass, analysis);

	return member ? member->self : NULL;
}

void pass_want_every(struct pass *pass, event_handler *every, void *self)
{
	pass->every =
		xgrow(pass->every, pass->every_count, &pass->every_capacity, sizeof(*pass->every));
	pass->every[pass->every_count++] = (struct pass_handler){ .self = self, .handle = every };
}

static void *new_state(const struct analysis *analysis, const struct analysis_setup *setup)
{
	void *self = xcalloc(1, analysis->size);

	if (analysis->initial)
		memcpy(self, analysis->initial, analysis->size);
	if (analysis->has_items)
		*(struct analysis_setup *)self = *setup;
	return self;
}

void *pass_want(struct pass *pass, const struct analysis *analysis,
		const struct analysis_setup *setup)
{
	static const struct analysis_setup plain;
	struct pass_member member = { .analysis = analysis, .shared = !setup || !setup->take };
	const struct pass_member *known = member.shared ? find_shared(pass, analysis) : NULL;

	if (known)
		return known->self;
	setup = setup ? setup : &plain;
	member.self = new_state(analysis, setup);
	pass->members = xgrow(pass->members, pass->member_count, &pass->member_capacity,
			      sizeof(*pass->members));
	pass->members[pass->member_count++] = member;
	if (analysis->begin)
		analysis->begin(member.self, pass, setup);
	if (analysis->every)
		pass_want_every(pass, analysis->every, member.self);
	return member.self;
}

const struct event_row *event_row_find(const struct event_row *rows, const struct pp_kind *kind)
{
	for (const struct event_row *row = rows; row->provider; row++)
		if (((row->name && !row->id) || row->id == kind->id) &&
		    (!row->name || !strcmp(row->name, kind->name)) &&
		    !strcmp(row->provider, kind->provider))
			return row;
	return NULL;
}

static const struct event_row *row_for(const struct pass_member *member, const struct pp_kind *kind)
{
	const struct analysis *analysis = member->analysis;
	const struct event_row *row = analysis->rows ? event_row_find(analysis->rows, kind) : NULL;

	if (row || !analysis->choose)
		return row;
	return analysis->choose(member->self, kind);
}

static struct pass_handler make_handler(struct pass *pass, void *self, const struct event_row *row,
					const struct pp_kind *kind)
{
	struct pass_handler handler = { .self = self,
					.handle = row->handle,
					.plan = plans_for(&pass->plans, kind) };

	field_reader_make(&handler.fields, handler.plan, row->fields ? row->fields : "",
			  &pass->arena);
	return handler;
}

/* At the first event of a kind: finds its handlers, for good. */
static struct pass_kind *add_kind(struct pass *pass, const struct pp_kind *kind)
{
	struct pass_kind *added;

	pass->kinds = xroom(pass->kinds, &pass->kind_count, kind->index, sizeof(*pass->kinds));
	added = &pass->kinds[kind->index];
	*added = (struct pass_kind){ .kind = kind };
	added->handlers = arena_array(&pass->arena, struct pass_handler, pass->member_count + 1);
	for (size_t i = 0; i < pass->member_count; i++) {
		const struct event_row *row = row_for(&pass->members[i], kind);

		if (row)
			added->handlers[added->handler_count++] =
				make_handler(pass, pass->members[i].self, row, kind);
	}
	added->wanted = pass->every_count || added->handler_count;
	return added;
}

int64_t pass_time_ns(const struct pp_trace_header *header, int64_t ticks)
{
	const int64_t ns = pp_trace_time_ns(header, ticks);

	if (ns > PASS_FARTHEST_NS)
		return PASS_FARTHEST_NS;
	return ns < -PASS_FARTHEST_NS ? -PASS_FARTHEST_NS : ns;
}

/* Not inlined: most events have no row, and should not pay for this. */
static __attribute__((noinline)) void hand_to_rows(struct pass *pass, const struct pass_kind *kind)
{
	struct event_context *at = &pass->at;

	for (uint32_t i = 0; i < kind->handler_count; i++) {
		const struct pass_handler *handler = &kind->handlers[i];

		at->plan = handler->plan;
		field_reader_read(&handler->fields, at->event, at->header->pointer_size,
				  pass->values);
		handler->handle(handler->self, at);
	}
}

/* The context is kept in the pass: building it per event would cost more than many handlers. */
static inline void hand_out(struct pass *pass, const struct pass_kind *kind,
			    const struct pp_event *event)
{
	struct event_context *at = &pass->at;

	at->event = event;
	at->time_ns = pass_time_ns(at->header, event->ticks);
	at->wanted = pass->all || event_query_passes(&pass->query, event->thread, at->time_ns);
	for (size_t i = 0; i < pass->every_count; i++)
		pass->every[i].handle(pass->every[i].self, at);
	if (kind->handler_count)
		hand_to_rows(pass, kind);
}

/* False once a consumer has seen enough. */
static inline bool take(struct pass *pass, struct pass_tally *tally, const struct pp_event *event)
{
	const size_t index = event->kind->index;
	struct pass_kind *kind = index < pass->kind_count && pass->kinds[index].kind
					 ? &pass->kinds[index]
					 : add_kind(pass, event->kind);

	kind->events++;
	tally->last_ticks = event->ticks;
	if (event->ticks < tally->earliest_ticks)
		tally->earliest_ticks = event->ticks;
	if (event->ticks > tally->latest_ticks)
		tally->latest_ticks = event->ticks;
	if (!kind->wanted)
		return true;
	hand_out(pass, kind, event);
	return !pass->stopped;
}

static void begin(struct pass *pass, const struct pp_trace_header *header)
{
	pass->at.header = header;
	pass->at.pass = pass;
	pass->at.values = pass->values;
}

void pass_event(struct pass *pass, const struct pp_trace_header *header,
		const struct pp_event *event)
{
	begin(pass, header);
	pass->tally.events++;
	take(pass, &pass->tally, event);
}

void pass_end_trace(struct pass *pass, const struct pp_nettrace *trace)
{
	pass->trace = trace;
	for (size_t i = 0; i < pass->member_count; i++)
		if (pass->members[i].analysis->end_trace)
			pass->members[i].analysis->end_trace(pass->members[i].self, pass);
}

void pass_finish(struct pass *pass, const struct pp_nettrace *trace)
{
	pass_end_trace(pass, trace);
	for (size_t i = 0; i < pass->member_count; i++)
		if (pass->members[i].analysis->finish)
			pass->members[i].analysis->finish(pass->members[i].self, pass);
}

/* All events up to the next call of `progress`, counted in registers. */
static enum pp_next pass_some(struct pass *pass, struct trace_file *file, struct pp_error *err)
{
	struct pass_tally tally = pass->tally;
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_END;
	uint32_t left = PASS_PROGRESS_EVENTS;

	while (left && (next = trace_file_next(file, &event, err)) == PP_NEXT_ITEM) {
		left--;
		if (!pass->at.header)
			begin(pass, pp_nettrace_header(file->trace));
		if (!take(pass, &tally, event))
			break;
	}
	tally.events += PASS_PROGRESS_EVENTS - left;
	pass->tally = tally;
	return pass->stopped ? PP_NEXT_END : next;
}

enum pp_next pass_file(struct pass *pass, struct trace_file *file, struct pp_error *err)
{
	enum pp_next next = PP_NEXT_END;

	while (!pass->stopped && (next = pass_some(pass, file, err)) == PP_NEXT_ITEM)
		if (pass->progress)
			pass->progress(pass->progress_to, input_position(file->input),
				       input_size(file->input));
	pass->cut =
		next == PP_NEXT_END && !pass->stopped && trace_file_state(file) != TRACE_FILE_WHOLE;
	return next;
}

int64_t pass_last_ns(const struct pass *pass)
{
	return pass->tally.events ? pass_time_ns(pass->at.header, pass->tally.last_ticks) : 0;
}

const char *event_string(const struct event_context *at, size_t field)
{
	const struct field_value *value = &at->values[field];

	if (!value->is_text)
		return "";
	return text_pool_add(&at->pass->texts, value->text, value->size);
}
