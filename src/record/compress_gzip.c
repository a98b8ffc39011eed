/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <zlib.h>

#include "record/compressor.h"

#define PIECE	  ((size_t)64 * 1024) /* by which room for packed bytes grows */
#define GZIP_BITS (15 + 16)	      /* zlib's largest window, in a gzip wrapper */
#define LEVEL	  4		      /* the fastest level with lazy matching: recording is live */

struct gzip_packing {
	struct compressing compressing;
	z_stream stream;
	bool begun;
};

static int begin(struct compressing *c, struct pp_error *err)
{
	struct gzip_packing *gzip = (struct gzip_packing *)c;

	if (deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, GZIP_BITS, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return error_set(err, PP_ERROR_SYSTEM, "gzip cannot start: out of memory");
	gzip->begun = true;
	return 0;
}

/* A full output buffer means that there may be more. */
static int pack(struct compressing *c, const void *bytes, size_t size, enum compress_mode mode,
		struct pp_error *err)
{
	static const int flushes[] = { [COMPRESS_MORE] = Z_NO_FLUSH,
				       [COMPRESS_FLUSH] = Z_SYNC_FLUSH,
				       [COMPRESS_END] = Z_FINISH };
	z_stream *stream = &((struct gzip_packing *)c)->stream;

	if (size > UINT_MAX)
		return error_set(err, PP_ERROR_LIMIT, "a block is too large for gzip");
	stream->next_in = (Bytef *)bytes;
	stream->avail_in = (uInt)size;
	do {
		if (!buffer_grow(c->out, PIECE))
			return error_set(err, PP_ERROR_SYSTEM,
					 "gzip cannot continue: out of memory");
		stream->next_out = c->out->bytes + c->out->size;
		stream->avail_out = (uInt)PIECE;
		if (deflate(stream, flushes[mode]) == Z_STREAM_ERROR)
			return error_set(err, PP_ERROR_SYSTEM, "gzip failed");
		c->out->size += PIECE - stream->avail_out;
	} while (!stream->avail_out);
	return 0;
}

static void end(struct compressing *c)
{
	struct gzip_packing *gzip = (struct gzip_packing *)c;

	if (gzip->begun)
		deflateEnd(&gzip->stream);
}

const struct compressor_ops gzip_compressor = {
	.size = sizeof(struct gzip_packing),
	.begin = begin,
	.pack = pack,
	.end = end,
};
