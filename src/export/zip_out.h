/* SPDX-License-Identifier: MIT */
/*
 * zip_out.h - an output_buffer whose bytes become the one file in a zip archive.
 *
 *	struct zip_out zip;
 *	if (zip_out_open(&zip, out, "trace.xml", err)) ...
 *	write(&zip.out.bytes); output_buffer_flush(&zip.out);
 *	return zip_out_close(&zip, err);
 */
#ifndef EXPORT_ZIP_OUT_H
#define EXPORT_ZIP_OUT_H

#include "export/deflating.h"

struct zip_out {
	struct output_buffer out; /* write there */
	struct output_buffer *to;
	const char *name; /* of the file; borrowed */
	struct deflating packing;
	uint32_t sum; /* CRC-32 */
	uint64_t size;
};

int zip_out_open(struct zip_out *zip, struct output_buffer *to, const char *name,
		 struct pp_error *err);

/* All out, and everything released; to be called also after an error. */
int zip_out_close(struct zip_out *zip, struct pp_error *err);

#endif
