/* SPDX-License-Identifier: MIT */
/*
 * sink.h - the file that a segment is written to: a partial_file, packed if that is wanted.
 *
 * What was written can be read at any time, up to the last flush if it is packed. The first
 * write that fails is remembered in `file.output.failed`, and later ones do nothing.
 *
 * A trace can be repaired at its end only where no torn block has been written. Bytes that
 * cannot be cut off again, since they are packed or go to a pipe, are therefore held back until
 * sink_settle() says that they are whole.
 *
 *	struct sink sink = { .path = "app.nettrace" };
 *
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
#include "base/partial_file.h"
#include "record/compressor.h"

struct sink {
	/* the caller's, borrowed */
	const char *path; /* "-": standard output */
	struct replace_choice replace;
	const struct compressor *compressor; /* NULL: none */
	int fd;				     /* an open file to write to instead; 0: none */
	int give_up_fd;			     /* readable: a full pipe is not waited for; 0: none */
	int stop_fd;  /* readable: the reader of a named pipe is not waited for; 0: none */
	bool settles; /* sink_settle() will be called */

	struct partial_file file;
	struct compressing *compressing;
	struct buffer packed;
	bool holds;	    /* unsettled bytes are held back */
	struct buffer held; /* those */
	uint64_t settled;   /* count of bytes before them */
	bool begun;	    /* bytes were written */
	bool unflushed;	    /* bytes were written since the last flush */
};

int sink_open(struct sink *sink, struct pp_error *err);
void sink_write(struct sink *sink, const void *bytes, size_t size);

/* Bytes before this offset are whole and can be written out. */
void sink_settle(struct sink *sink, uint64_t offset);

/*
 * Drops all bytes from this offset on; later ones are written out at once. A file can be written to
 * again after a failed write. -1 if those bytes are no longer ours to drop, or that failed.
 */
int sink_cut(struct sink *sink, uint64_t offset);

/* Makes all that was written readable; costs a little where it is packed. */
void sink_flush(struct sink *sink);

/*
 * Writes what is held back, and gives the file its name: also after a write that failed, since
 * a part of a recording is worth having. Reports such a failure. An empty file is removed.
 */
int sink_finish(struct sink *sink, struct pp_error *err);

/* Nothing of it is of use: sink_finish() removes the file. */
void sink_discard(struct sink *sink);

void sink_release(struct sink *sink);

#endif
