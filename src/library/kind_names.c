/* SPDX-License-Identifier: MIT */
#include "library/kind_names.h"

#include "base/alloc.h"
#include "clr/event_name.h"

#define OPCODES 256 /* of labels, which are a byte */

static bool has_own_opcode(const struct pp_event *event)
{
	return event->labels && event->labels->present & PP_LABEL_OPCODE;
}

static uint64_t labelled_key(const struct pp_event *event)
{
	return (uint64_t)event->kind->index * OPCODES + event->labels->opcode;
}

const char *kind_names_known(const struct kind_names *names, const struct pp_event *event)
{
	if (has_own_opcode(event))
		return map_find(&names->labelled, labelled_key(event));
	return event->kind->index < names->count ? names->list[event->kind->index] : NULL;
}

static const char *make_name(struct kind_names *names, const struct pp_event *event)
{
	const struct pp_kind *kind = event->kind;
	const char *name;

	if (has_own_opcode(event)) {
		name = event_labelled_name(kind, event->labels->opcode, &names->arena);
		map_put(&names->labelled, labelled_key(event), (void *)name);
		return name;
	}
	name = event_kind_name(kind, &names->arena);
	names->list = xroom(names->list, &names->count, kind->index, sizeof(*names->list));
	names->list[kind->index] = name;
	return name;
}

const char *kind_names_of(struct kind_names *names, const struct pp_event *event)
{
	const char *known = kind_names_known(names, event);

	return known ? known : make_name(names, event);
}

void kind_names_release(struct kind_names *names)
{
	map_release(&names->labelled);
	arena_release(&names->arena);
	xfree(names->list);
	*names = (struct kind_names){ 0 };
}
