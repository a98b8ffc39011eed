/* SPDX-License-Identifier: MIT */
/*
 * event_query.h - what is asked of a conversion, for formats of events.
 */
#ifndef EXPORT_EVENT_QUERY_H
#define EXPORT_EVENT_QUERY_H

#include "export/event_filter.h"
#include "export/query.h"

struct event_filter event_filter_for(const struct export_query *query);

/* At the end: an error if there were events, and it let none of them through. */
int event_filter_check(const struct event_filter *filter, struct pp_error *err);

#endif
