/* SPDX-License-Identifier: MIT */
/*
 * netperf.h - the events of versions 1 to 3.
 *
 * They lie in the order of time, each with its stack, and definitions of kinds
 * stand between them.
 */
#ifndef NETTRACE_NETPERF_H
#define NETTRACE_NETPERF_H

#include "nettrace/event_block.h"

struct netperf {
	struct tables *tables;
	int version;
};

/*
 * Read events from `block` into `batch` until it is full or no whole event is
 * left; `*used` is how many bytes they took. An event that is cut short is an
 * error in a whole block of version 3, and else not looked at.
 */
int netperf_decode(struct netperf *n, const struct block *block, struct batch *batch, size_t *used,
		   struct pp_error *err);

#endif
