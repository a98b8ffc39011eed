/* SPDX-License-Identifier: MIT */
/*
 * decoder.h - what a kind of compression must offer to be read.
 *
 * To add one: a file here that defines a `const struct decoder_ops`, a row in
 * decoders.c, and a line in decoders.cmake if it needs a library.
 */
#ifndef INPUT_DECODER_H
#define INPUT_DECODER_H

#include <stdbool.h>

#include "input/raw_file.h"

/* A decoder's own struct starts with this. */
struct decoding {
	struct raw_file *raw; /* borrowed: the packed bytes */
	bool truncated;	      /* they ended early; set by read */
};

/* Room for unpacked bytes, and how many came. */
struct decoded_piece {
	void *to;
	size_t size; /* not 0 */
	size_t got;
};

struct decoder_ops {
	size_t size; /* of the decoder's own struct, which is handed out zeroed */
	int (*begin)(struct decoding *decoding, struct pp_error *err);

	/*
	 * One byte at least; none is the end. May give bytes and fail at once:
	 * they are delivered before the error. Not called again after either.
	 */
	int (*read)(struct decoding *decoding, struct decoded_piece *piece, struct pp_error *err);
	void (*end)(struct decoding *decoding); /* also after a begin that failed */
};

struct decoder {
	const char *name;
	const char *library;	       /* what it is built with */
	const char *magic;	       /* the four bytes that packed data begins with, */
	const char *mask;	       /* where these bits are set */
	const struct decoder_ops *ops; /* NULL: built without the library */
};

#define DECODER_MAGIC 4 /* bytes that decoder_for() looks at */

/* The decoder for data that begins with these bytes; NULL: they are not packed. */
const struct decoder *decoder_for(const uint8_t *bytes, size_t size);

extern const struct decoder_ops gzip_decoder;
extern const struct decoder_ops zstd_decoder;
extern const struct decoder_ops zip_decoder;

#endif
