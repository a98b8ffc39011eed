/* SPDX-License-Identifier: MIT */
#include "analyze/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char *const no_fields[] = { NULL };

static const struct watch_row *row_for(const struct watch *watch, const struct pp_kind *kind)
{
	for (const struct watch_row *row = watch->rows; row->provider; row++)
		if (row->id == kind->id && !strcmp(row->provider, kind->provider))
			return row;
	for (const struct watch_named *named = watch->named; named && named->name; named++)
		if (!strcmp(named->name, kind->name) &&
		    !strcmp(named->row.provider, kind->provider))
			return &named->row;
	return NULL;
}

const struct watch_kind *watch_meet(struct watch *watch, const struct pp_kind *kind)
{
	struct watch_kind *met;

	watch->kinds = xroom(watch->kinds, &watch->kind_count, kind->index, sizeof(*watch->kinds));
	met = &watch->kinds[kind->index];
	met->met = true;
	met->row = row_for(watch, kind);
	if (met->row) {
		met->plan = plans_for(&watch->plans, kind);
		field_reader_make(&met->pick, met->plan,
				  met->row->fields ? met->row->fields : no_fields, &watch->arena);
	}
	return met;
}

void watch_hand_out(const struct watch_kind *kind, const struct pp_trace_header *header,
		    const struct pp_event *event, void *self)
{
	struct field_value values[FIELD_READER_MOST];
	const struct watched watched = {
		.event = event,
		.plan = kind->plan,
		.pointer_size = header->pointer_size,
		.time_ns = pp_trace_time_ns(header, event->ticks),
		.values = values,
	};

	field_reader_read(&kind->pick, event, header->pointer_size, values);
	kind->row->take(self, &watched);
}

void watch_release(struct watch *watch)
{
	free(watch->kinds);
	plans_release(&watch->plans);
	arena_release(&watch->arena);
	*watch = (struct watch){ .rows = watch->rows, .named = watch->named };
}
