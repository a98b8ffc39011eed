/* SPDX-License-Identifier: MIT */
/*
 * beginning.h - a recording that is being started, on a thread of its own.
 *
 * A process that is stopped, or is just ending, does not answer, and nobody else shall
 * wait for it. The thread ends when the client's time has passed at the latest.
 *
 *	struct beginning *beginning = beginning_new(&setup, &err);
 *
 *	while (!beginning_is_done(beginning))
 *		poll(others, count, BEGINNING_LOOK_MS);
 *	recording = beginning_take(beginning, &err);
 */
#ifndef RECORD_BEGINNING_H
#define RECORD_BEGINNING_H

#include "record/segment.h"

#define BEGINNING_LOOK_NS INT64_C(20000000) /* how often to look whether it is done */

struct beginning;

/* Of what the setup points to, only what is taken need not live until it is done. */
struct beginning *beginning_new(const struct segment_setup *setup, struct pp_error *err);

bool beginning_is_done(const struct beginning *beginning);

/* Waits until it is done. NULL: it failed. */
struct segment *beginning_take(struct beginning *taken, struct pp_error *err);

#endif
