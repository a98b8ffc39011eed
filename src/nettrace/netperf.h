/* SPDX-License-Identifier: MIT */
/*
 * netperf.h - decodes the events of versions 1 to 3.
 *
 * Events are in order of time, each with its stack, and definitions of kinds are among them.
 */
#ifndef NETTRACE_NETPERF_H
#define NETTRACE_NETPERF_H

#include "nettrace/event_block.h"

struct netperf {
	struct tables *tables;
	int version;
};

/*
 * Reads events from `block` into `batch` until it is full or no complete event is left, and adds
 * the bytes they took to `*used`. A truncated event is an error in a complete block of version 3,
 * and is otherwise left alone.
 */
int netperf_decode(struct netperf *n, const struct block *block, struct batch *batch, size_t *used,
		   struct pp_error *err);

#endif
