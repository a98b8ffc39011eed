/* SPDX-License-Identifier: MIT */
/*
 * write_append.h - definitions of events as version 4 has them, and the tail of a trace.
 *
 * Fields go into the old list, type before name, which every reader knows; with
 * an array among them, into the tag that .NET 5 added.
 */
#ifndef NETTRACE_WRITE_APPEND_H
#define NETTRACE_WRITE_APPEND_H

#include "base/buffer.h"
#include "base/error.h"
#include "nettrace/event_block.h"
#include "perfpipe/nettrace_append.h"

int kind_check_v4(const struct pp_kind *kind, struct pp_error *err);
void kind_put_v4(struct buffer *b, uint32_t id, const struct pp_kind *kind);

/* Ids that nothing in the trace has. */
void tail_find_free_ids(struct pp_tail *tail, const struct tables *tables);

/* Whether something can be added there; else why not. */
int tail_check(const struct pp_tail *tail, const struct pp_trace_header *header,
	       struct pp_error *err);

#endif
