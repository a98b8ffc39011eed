/* SPDX-License-Identifier: MIT */
/*
 * write_append.h - definitions of events as version 4 has them.
 *
 * Fields go into the old list, type before name, which every reader knows; with
 * an array among them, into the tag that .NET 5 added.
 */
#ifndef NETTRACE_WRITE_APPEND_H
#define NETTRACE_WRITE_APPEND_H

#include "base/buffer.h"
#include "base/error.h"
#include "perfpipe/event.h"

int kind_check_v4(const struct pp_kind *kind, struct pp_error *err);
void kind_put_v4(struct buffer *b, uint32_t id, const struct pp_kind *kind);

#endif
