/* SPDX-License-Identifier: MIT */
/*
 * sink.h - where a recording goes.
 *
 * A file is called NAME.partial until sink_finish() gives it its name, and never
 * replaces another unless that is asked for. What was written can be read at any
 * time, up to the last flush if it is packed. A path that names a device or a
 * named pipe is written to as it is. A trace can be repaired at its end only if no
 * torn block has gone out, so what cannot be cut again, since it is packed or goes to a
 * pipe, is held back from the last sink_settle() on, if that is wanted. The first write that fails
 *is remembered in `output.failed`, and later ones do nothing.
 *
 *	struct sink sink = { .path = "app.nettrace" };
 *	if (!sink_open(&sink, &err)) {
 *		sink_write(&sink, bytes, size);
 *		sink_finish(&sink, &err);
 *	}
 *	sink_release(&sink);
 */
#ifndef RECORD_SINK_H
#define RECORD_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/output.h"
#include "record/compressor.h"

struct sink {
	/* the caller's, borrowed */
	const char *path;		     /* "-" is standard output */
	bool force;			     /* replace what is there */
	const struct compressor *compressor; /* NULL: as it is */
	int fd;		  /* an open file to write to instead, which stays the caller's; 0: none */
	int give_up_fd;	  /* of output_open_stdout() */
	bool settles;	  /* there will be calls of sink_settle() */
	bool all_or_none; /* what cannot be written in whole, or not be given its name, goes away */
	const char *what; /* it is, for errors; NULL: a "recording" */

	struct output output;
	char *partial; /* NULL: there is no other name */
	struct compressing *compressing;
	struct buffer packed;
	bool holds;	    /* back what is not settled */
	struct buffer held; /* that */
	uint64_t settled;   /* bytes that were given before those */
	bool unflushed;	    /* bytes went out since the last flush */
};

int sink_open(struct sink *sink, struct pp_error *err);
void sink_write(struct sink *sink, const void *bytes, size_t size);

/* Bytes up to this one, counted from the first, are there to stay. */
void sink_settle(struct sink *sink, uint64_t offset);

/* Those behind are not, and what is written from now on follows at once. */
void sink_drop_held(struct sink *sink);

/* Makes all that was written readable; costs a little where it is packed. */
void sink_flush(struct sink *sink);

/* The end: what is held back is written, too, and the file gets its name. Tells of writes that
 * failed, which does not hinder that. */
int sink_finish(struct sink *sink, struct pp_error *err);

/* Nothing came: the file goes away again. */
void sink_discard(struct sink *sink);

void sink_release(struct sink *sink);

#endif
