/* SPDX-License-Identifier: MIT */
/*
 * deflating.h - bytes that are packed by zlib into an export_out, for gzip and for archives.
 * Only in a build that has zlib.
 */
#ifndef EXPORT_DEFLATING_H
#define EXPORT_DEFLATING_H

#include "export/output_buffer.h"

#define DEFLATING_RAW  (-15) /* zlib's largest window, without a wrapper */
#define DEFLATING_GZIP (15 + 16)

struct deflating {
	struct output_buffer *to;
	void *stream; /* zlib's; NULL: it could not begin, or has ended */
	uint64_t packed_size;
	bool failed;
};

/* -1: out of memory. */
int deflating_begin(struct deflating *deflating, struct output_buffer *to, int window);
void deflating_put(struct deflating *deflating, const void *bytes, size_t size);

/* All out, and everything released. */
void deflating_end(struct deflating *deflating);

#endif
