/* SPDX-License-Identifier: MIT */
/*
 * gzip_out.h - an output_buffer whose bytes go into another one packed.
 *
 * A build without zlib hands them on as they are: readers of what we pack take both.
 *
 *	struct gzip_out gzip;
 *	if (gzip_out_open(&gzip, out, err)) ...
 *	write(&gzip.out.bytes); output_buffer_flush(&gzip.out);
 *	return gzip_out_close(&gzip, err);
 */
#ifndef EXPORT_GZIP_OUT_H
#define EXPORT_GZIP_OUT_H

#include "export/deflating.h"

struct gzip_out {
	struct output_buffer out; /* write there */
	struct output_buffer *to;
	struct deflating packing;
};

int gzip_out_open(struct gzip_out *gzip, struct output_buffer *to, struct pp_error *err);

/* All out, and everything released. */
int gzip_out_close(struct gzip_out *gzip, struct pp_error *err);

#endif
