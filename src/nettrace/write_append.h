/* SPDX-License-Identifier: MIT */
/*
 * write_append.h - event definitions in version 4, and the tail of a trace.
 *
 * Fields are written as the old list, type before name, which every reader understands; if there is
 * an array among them, as the tag that .NET 5 added.
 */
#ifndef NETTRACE_WRITE_APPEND_H
#define NETTRACE_WRITE_APPEND_H

#include "base/buffer.h"
#include "base/error.h"
#include "nettrace/event_block.h"
#include "perfpipe/nettrace_append.h"

int kind_check_v4(const struct pp_kind *kind, struct pp_error *err);
void kind_put_v4(struct buffer *b, uint32_t id, const struct pp_kind *kind);

/* An object at the end of `b`, whose first byte is at `offset` of the file; contents are aligned.
 */
void object_put_v4(struct buffer *b, uint64_t offset, const char *name,
		   const struct buffer *contents);

/* Sets the ids that are not used in the trace. */
void tail_find_free_ids(struct pp_tail *tail, const struct tables *tables);

/* Fails if nothing can be appended, with the reason. */
int tail_check(const struct pp_tail *tail, const struct pp_trace_header *header,
	       struct pp_error *err);

#endif
