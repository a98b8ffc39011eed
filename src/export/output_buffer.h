/* SPDX-License-Identifier: MIT */
/*
 * output_buffer.h - the bytes that a format writes, on their way out.
 *
 * A format appends to `bytes` and calls output_buffer_flush() in between; flushed bytes cannot be
 * changed any more.
 */
#ifndef EXPORT_OUTPUT_BUFFER_H
#define EXPORT_OUTPUT_BUFFER_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define OUTPUT_BUFFER_FLUSH_AT ((size_t)128 * 1024)

struct output_buffer {
	struct buffer bytes;
	void (*write)(void *to, const void *bytes, size_t size);
	void *to;
	void (*progress)(void *to, uint64_t done, uint64_t total); /* or NULL */
	struct pp_error failed; /* a format cannot go on; output_buffer_end() reports it */
};

void output_buffer_flush_all(struct output_buffer *out);

static inline void output_buffer_flush(struct output_buffer *out)
{
	if (out->bytes.size >= OUTPUT_BUFFER_FLUSH_AT)
		output_buffer_flush_all(out);
}

static inline void output_buffer_progress(struct output_buffer *out, uint64_t done, uint64_t total)
{
	if (out->progress)
		out->progress(out->to, done, total);
}

/* The quotient with all digits: 1500000 / 1000000 is "1.500000". The divisor is a power of ten. */
void output_put_fixed(struct buffer *out, int64_t value, uint64_t divisor);

/* Writes what is left; fails if the format did, or if a piece was too large. */
int output_buffer_end(struct output_buffer *out, struct pp_error *err);

#endif
