/* SPDX-License-Identifier: MIT */
/*
 * decoder.h - the interface of a compression format.
 *
 * To add one: a file here that defines a `const struct decoder_ops`, a row in decoders.c, and a
 * line in decoders.cmake if it needs a library.
 */
#ifndef INPUT_DECODER_H
#define INPUT_DECODER_H

#include <stdbool.h>

#include "input/raw_file.h"

/* A decoder's own struct starts with this. */
struct decoding {
	struct raw_file *raw; /* borrowed: the compressed bytes */
	const char *member;   /* of an archive, that is wanted; NULL: its only trace */
	bool truncated;	      /* they ended early; set by `read` */
	bool wrong_checksum;  /* what was unpacked is not what was packed; likewise */
};

/* Where unpacked bytes go, and how many there were. */
struct decoded_piece {
	void *to;
	size_t size; /* not 0 */
	size_t got;
};

struct decoder_ops {
	size_t size;  /* of the decoder's own struct, which is passed zeroed */
	bool archive; /* it may have several members */
	bool has_end; /* nothing of the format follows what `read` unpacks */
	int (*begin)(struct decoding *decoding, struct pp_error *err);

	/*
	 * Reads at least one byte, or none at the end. Bytes returned together with an error are
	 * delivered before the error. Not called again after an end or an error. What follows the
	 * end of the compressed data is left in `raw`.
	 */
	int (*read)(struct decoding *decoding, struct decoded_piece *piece, struct pp_error *err);
	void (*end)(struct decoding *decoding); /* also after a begin that failed */
};

struct decoder {
	const char *name;
	const char *library;	       /* the library it needs */
	const char *magic;	       /* the first four bytes of the data, */
	const char *mask;	       /* compared where these bits are set */
	const struct decoder_ops *ops; /* NULL: built without the library */
};

#define DECODER_MAGIC 4 /* bytes that decoder_for() inspects */

/* The decoder for data that begins with these bytes; NULL if it is not compressed. */
const struct decoder *decoder_for(const uint8_t *bytes, size_t size);

extern const struct decoder_ops gzip_decoder;
extern const struct decoder_ops zstd_decoder;
extern const struct decoder_ops zip_decoder;

#endif
