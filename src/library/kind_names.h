/* SPDX-License-Identifier: MIT */
/*
 * kind_names.h - the names of a trace's events, each made once.
 *
 *	struct kind_names names = { 0 };
 *
 *	puts(kind_names_of(&names, event));
 *	kind_names_release(&names);
 */
#ifndef LIBRARY_KIND_NAMES_H
#define LIBRARY_KIND_NAMES_H

#include "base/arena.h"
#include "base/map.h"
#include "perfpipe/event.h"

struct kind_names {
	const char **list; /* by kind->index, without labels; NULL: not yet made */
	size_t count;
	struct map labelled; /* by kind->index and the opcode of an event's labels */
	struct arena arena;
};

/* Valid until the names are released. */
const char *kind_names_of(struct kind_names *names, const struct pp_event *event);

/* The same, but NULL if it is not made yet: allocates nothing. */
const char *kind_names_known(const struct kind_names *names, const struct pp_event *event);

void kind_names_release(struct kind_names *names);

#endif
