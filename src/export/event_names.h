/* SPDX-License-Identifier: MIT */
/*
 * event_names.h - the providers, names and fields of a trace, to say which filters match none.
 *
 *	event_names_add(&names, event->kind, name, passes);
 *	...
 *	event_filter_explain(&filter, &output, say);
 *
 * says "no event has a field 'Dept'; did you mean Depth?"
 */
#ifndef EXPORT_EVENT_NAMES_H
#define EXPORT_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct pp_kind;

struct event_names {
	struct named_kind {
		const struct pp_kind *kind; /* NULL: it has no event */
		const char *name;	    /* as events show it */
		bool passes;		    /* filters on its kind */
	} * list;			    /* by kind->index */
	size_t count;
};

/* An event of that kind; both live as long as the names are used. */
void event_names_add(struct event_names *names, const struct pp_kind *kind, const char *name,
		     bool passes);
void event_names_release(struct event_names *names);

struct event_filter;
struct event_output;

/* At the end: a sentence, without a capital and a full stop, for each filter that matches none. */
void event_filter_explain(const struct event_filter *filter, struct event_output *output,
			  void (*say)(const char *text));

#endif
