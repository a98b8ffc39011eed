/* SPDX-License-Identifier: MIT */
/*
 * compressor.h - a way to pack a recording while it is made.
 *
 * A compressor appends packed bytes to `out`, and whoever calls writes them away.
 * After a flush everything given so far can be unpacked, so that a file is readable
 * up to there while it grows. To add one: a file here that defines a
 * `const struct compressor_ops`, and a row in compressors.c.
 */
#ifndef RECORD_COMPRESSOR_H
#define RECORD_COMPRESSOR_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* What the format's own struct starts with. */
struct compressing {
	struct buffer *out; /* borrowed */
};

enum compress_mode {
	COMPRESS_MORE,
	COMPRESS_FLUSH,
	COMPRESS_END,
};

struct compressor_ops {
	size_t size; /* of the format's own struct */
	int (*begin)(struct compressing *c, struct pp_error *err);
	int (*pack)(struct compressing *c, const void *bytes, size_t size, enum compress_mode mode,
		    struct pp_error *err);
	void (*end)(struct compressing *c); /* releases what begin took, also if that failed */
};

extern const struct compressor_ops gzip_compressor, zstd_compressor;

struct compressor {
	const char *name;   /* what --compress takes */
	const char *suffix; /* of file names */
	const struct compressor_ops *ops;
};

/* NULL, and a sentence, if there is none such or this build lacks its library. */
const struct compressor *compressor_find(const char *name, struct pp_error *err);

#endif
