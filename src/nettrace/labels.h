/* SPDX-License-Identifier: MIT */
/*
 * labels.h - the label lists of version 6.
 *
 * A list is valid until the next sequence point. Events held back at that point come out before the
 * next block is read, so lists are kept until the sequence point after that.
 */
#ifndef NETTRACE_LABELS_H
#define NETTRACE_LABELS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "nettrace/table_limit.h"
#include "perfpipe/event.h"

struct labels {
	struct table_limit *limit; /* or NULL */
	struct arena now;
	struct arena before;
	struct map by_index;
};

void labels_forget(struct labels *labels); /* a sequence point */
int labels_define(struct labels *labels, struct cursor c, struct pp_error *err);

#endif
