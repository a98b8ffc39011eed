/* SPDX-License-Identifier: MIT */
/*
 * compressor.h - packing a recording while it is made.
 *
 * A compressor appends packed bytes to `out`, and the caller writes them. After a flush all input
 * so far can be unpacked, so that a file can be read up to there while it grows. To add one: a
 * file that defines a `const struct compressor_ops`, and a row in compressors.c.
 */
#ifndef RECORD_COMPRESSOR_H
#define RECORD_COMPRESSOR_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* The first member of the compressor's own struct. */
struct compressing {
	struct buffer *out; /* borrowed */
};

enum compress_mode {
	COMPRESS_MORE,
	COMPRESS_FLUSH,
	COMPRESS_END,
};

struct compressor_ops {
	size_t size; /* of that struct */
	int (*begin)(struct compressing *c, struct pp_error *err);
	int (*pack)(struct compressing *c, const void *bytes, size_t size, enum compress_mode mode,
		    struct pp_error *err);
	void (*end)(struct compressing *c); /* releases what begin allocated, also if that failed */
};

extern const struct compressor_ops gzip_compressor, zstd_compressor;

struct compressor {
	const char *name;   /* for --compress */
	const char *suffix; /* of file names */
	const struct compressor_ops *ops;
};

/* NULL and an error if it is unknown, or this build lacks its library. */
const struct compressor *compressor_find(const char *name, struct pp_error *err);

#endif
