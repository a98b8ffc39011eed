/* SPDX-License-Identifier: MIT */
/*
 * report_sites.h - what happened at which stacks: events that a view counted by stack, as
 * methods for people and as whole stacks for data.
 */
#ifndef CLI_REPORT_SITES_H
#define CLI_REPORT_SITES_H

#include "cli/report_calls.h"

#define SITE_LABELS 3

struct report_site {
	uint32_t stack;			 /* as fill_stack() gave it */
	const char *labels[SITE_LABELS]; /* equal if their addresses are; NULL: null */
	struct call_sum sum;
	uint64_t max_ns;
};

struct report_sites {
	const char *key; /* of the array of stacks in JSON */
	const char *label_keys[SITE_LABELS];
	bool timed; /* they took time: rows have it, and are in its order */
	struct report_site *list;
	size_t count;
	struct calltree tree;
};

/* Builds the tree, merges sites whose stacks have the same names, and puts them in order. */
void report_sites_begin(struct report *report, struct report_sites *sites);
void report_sites_end(struct report_sites *sites); /* releases the tree and the list */

/* The sheet of methods, and the array of stacks, frames leaf first. */
void report_sites_methods(struct report *report, const struct report_sites *sites,
			  const char *title);
void report_sites_json(struct report *report, const struct report_sites *sites);

/* What the report goes over, in seconds; 0 if it is nothing. */
double report_seconds(const struct report *report);

#endif
