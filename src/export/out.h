/* SPDX-License-Identifier: MIT */
/*
 * out.h - the bytes that a format writes, on their way out.
 *
 * A format appends to `bytes` and calls export_out_flush() between things; nothing that was
 * flushed can be changed any more.
 */
#ifndef EXPORT_OUT_H
#define EXPORT_OUT_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define EXPORT_FLUSH_AT ((size_t)128 * 1024)

struct export_out {
	struct buffer bytes;
	void (*write)(void *to, const void *bytes, size_t size);
	void *to;
	void (*progress)(void *to, uint64_t done, uint64_t total); /* or NULL */
};

void export_out_flush_all(struct export_out *out);

static inline void export_out_flush(struct export_out *out)
{
	if (out->bytes.size >= EXPORT_FLUSH_AT)
		export_out_flush_all(out);
}

static inline void export_out_progress(struct export_out *out, uint64_t done, uint64_t total)
{
	if (out->progress)
		out->progress(out->to, done, total);
}

/* All out; fails if something was too large to be put together. */
int export_out_end(struct export_out *out, struct pp_error *err);
void export_out_release(struct export_out *out);

#endif
