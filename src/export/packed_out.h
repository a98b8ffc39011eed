/* SPDX-License-Identifier: MIT */
/*
 * packed_out.h - an output_buffer whose bytes go to another one compressed, as gzip or as the only
 * file of a zip archive.
 *
 * A build without zlib passes on what should be gzip as it is, since readers accept both. Errors
 * are kept in the other buffer.
 *
 *	struct packed_out packed;
 *	if (packed_out_open(&packed, out, NULL)) ...
 *	write(&packed.out.bytes); output_buffer_flush(&packed.out);
 *	packed_out_close(&packed);
 */
#ifndef EXPORT_PACKED_OUT_H
#define EXPORT_PACKED_OUT_H

#include "export/output_buffer.h"

struct packed_out {
	struct output_buffer out; /* write there */
	struct output_buffer *to;
	const char *file; /* its name in the archive, borrowed; NULL: gzip */
	void *stream;	  /* zlib's */
	uint64_t size, packed_size;
	uint32_t crc; /* of the file in the archive */
};

/* If it fails there is nothing to close. */
int packed_out_open(struct packed_out *packed, struct output_buffer *to, const char *file);

/* Writes what is left and releases everything. */
void packed_out_close(struct packed_out *packed);

#endif
