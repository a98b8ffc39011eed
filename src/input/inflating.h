/* SPDX-License-Identifier: MIT */
/*
 * inflating.h - zlib's half of gzip and zip: one deflate stream after another.
 */
#ifndef INPUT_INFLATING_H
#define INPUT_INFLATING_H

#include <stdbool.h>
#include <zlib.h>

#include "input/decoder.h"

#define INFLATING_GZIP (15 + 16) /* what zlib calls the window bits: a gzip header is expected, */
#define INFLATING_RAW  (-15)	 /* or none at all */

struct inflating {
	z_stream zlib;
	const char *format; /* for the errors */
	bool begun;
	bool finished; /* the stream is whole, and all of it is out */
};

int inflating_begin(struct inflating *inflating, const char *format, int kind,
		    struct pp_error *err);
void inflating_again(struct inflating *inflating); /* expect another stream of this kind */
void inflating_end(struct inflating *inflating);

/*
 * Some bytes; or none, when the stream has `finished` or when the stored
 * bytes ended early, which is noted in `decoding`.
 */
int inflating_read(struct inflating *inflating, struct decoding *decoding,
		   struct decoded_piece *piece, struct pp_error *err);

#endif
