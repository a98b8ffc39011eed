/* SPDX-License-Identifier: MIT */
/*
 * inflating.h - reads deflate streams through zlib, for gzip and zip.
 */
#ifndef INPUT_INFLATING_H
#define INPUT_INFLATING_H

#include <stdbool.h>
#include <zlib.h>

#include "input/decoder.h"

#define INFLATING_GZIP (15 + 16) /* window bits of zlib: with a gzip header */
#define INFLATING_RAW  (-15)	 /* without any header */

struct inflating {
	z_stream zlib;
	const char *format; /* for messages */
	bool begun;
	bool finished; /* the stream is complete, and all of it was returned */
};

int inflating_begin(struct inflating *inflating, const char *format, int kind,
		    struct pp_error *err);
void inflating_again(struct inflating *inflating); /* expects another stream of the same kind */
void inflating_end(struct inflating *inflating);

/*
 * Returns some bytes; or none, if the stream has `finished` or the compressed bytes ended early,
 * which sets `decoding->truncated`. A stream whose checksum or length is wrong finishes like any
 * other, and sets `decoding->wrong_checksum`.
 */
int inflating_read(struct inflating *inflating, struct decoding *decoding,
		   struct decoded_piece *piece, struct pp_error *err);

#endif
