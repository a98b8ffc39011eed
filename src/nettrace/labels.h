/* SPDX-License-Identifier: MIT */
/*
 * labels.h - the label lists of version 6.
 *
 * A list is good until the next sequence point. Events that are still held back
 * then come out before the block after it is read, so the lists of the region
 * before stay until the sequence point after that.
 */
#ifndef NETTRACE_LABELS_H
#define NETTRACE_LABELS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "perfpipe/event.h"

struct labels {
	struct arena now;
	struct arena before;
	struct map by_index;
};

void labels_release(struct labels *labels);
void labels_forget(struct labels *labels); /* a sequence point */
int labels_define(struct labels *labels, struct cursor c, struct pp_error *err);

#endif
