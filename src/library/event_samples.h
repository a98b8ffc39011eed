/* SPDX-License-Identifier: MIT */
/*
 * event_samples.h - an analysis that keeps time, thread and stack of some events as samples.
 *
 * The model is wanted before it, and built before the samples are walked.
 *
 *	const struct event_choice choice = { .provider = "Orders", .fill = fill };
 *	struct event_samples *kept = pass_want(&pass, &event_samples_analysis,
 *			&(struct analysis_setup){ .options = &choice });
 */
#ifndef LIBRARY_EVENT_SAMPLES_H
#define LIBRARY_EVENT_SAMPLES_H

#include "fill/fill.h"
#include "library/kind_names.h"

struct event_choice {
	const char *provider;
	const char *name; /* NULL: any */
	struct fill *fill;
};

struct event_samples {
	struct event_choice choice;
	struct kind_names names;
	struct samples samples;
};

extern const struct analysis event_samples_analysis;

#endif
