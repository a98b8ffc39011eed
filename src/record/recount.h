/* SPDX-License-Identifier: MIT */
/*
 * recount.h - the figures of a recording, by what is on disk.
 *
 * While it runs, a recording counts what it writes. Where a disk is full or a file was deleted,
 * less than that is there in the end: after a failure the files are read once more.
 */
#ifndef RECORD_RECOUNT_H
#define RECORD_RECOUNT_H

#include "record/recording.h"

/* After it has ended. Sizes are those of its files; of a pipe, what was written. */
void recording_recount(struct recording *r);

#endif
