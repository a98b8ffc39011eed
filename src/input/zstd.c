/* SPDX-License-Identifier: MIT */
#include <zstd.h>
#include <zstd_errors.h>

#include "base/error.h"
#include "input/decoder.h"

/* 128 MiB of window: all that zstd packs without being told to go further. */
#define WINDOW_LOG 27

#define FRAME_START  5 /* bytes of a frame that tell how long its header is */
#define BLOCK_HEADER 3 /* which zstd would like to have along with the block before */

struct zstd {
	struct decoding decoding;
	ZSTD_DCtx *context;
	size_t wanted; /* bytes, to the end of the block; 0 between frames */
	bool full;     /* there was no room for more of what is unpacked already */
};

static int begin(struct decoding *decoding, struct pp_error *err)
{
	struct zstd *zstd = (struct zstd *)decoding;

	zstd->context = ZSTD_createDCtx();
	if (!zstd->context)
		return error_set(err, PP_ERROR_SYSTEM, "zstd cannot start: out of memory");
	ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax, WINDOW_LOG);
	return 0;
}

static void end(struct decoding *decoding)
{
	ZSTD_freeDCtx(((struct zstd *)decoding)->context);
}

static int refused(size_t code, const struct stored *stored, struct pp_error *err)
{
	if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
		return error_set(err, PP_ERROR_LIMIT,
				 "the zstd data needs a window above %u MiB: unpack it first with "
				 "zstd --long=31 -d",
				 1u << (WINDOW_LOG - 20));
	return error_set(err, PP_ERROR_FORMAT, "the zstd data is corrupt at byte %llu (%s)",
			 (unsigned long long)stored_offset(stored), ZSTD_getErrorName(code));
}

/*
 * A call that fails does not tell what it had unpacked before. So it gets one
 * block and no more, and nothing while there is something to be fetched.
 */
static size_t bytes_to_feed(const struct zstd *zstd, size_t left)
{
	size_t most = zstd->wanted ? zstd->wanted : FRAME_START;

	if (zstd->full)
		return 0;
	if (most > BLOCK_HEADER)
		most -= BLOCK_HEADER;
	return left < most ? left : most;
}

/* What the bytes in sight give, which may be nothing. */
static int step(struct zstd *zstd, struct stored *stored, struct piece *piece, struct pp_error *err)
{
	ZSTD_inBuffer in = { stored->at, bytes_to_feed(zstd, stored->left), 0 };
	ZSTD_outBuffer out = { piece->to, piece->size, 0 };
	const size_t hint = ZSTD_decompressStream(zstd->context, &out, &in);

	stored_take(stored, in.pos);
	piece->got = out.pos;
	zstd->full = out.pos == out.size;
	if (ZSTD_isError(hint))
		return refused(hint, stored, err);
	if (in.pos || out.pos)
		zstd->wanted = hint;
	return 0;
}

static int read_bytes(struct decoding *decoding, struct piece *piece, struct pp_error *err)
{
	struct zstd *zstd = (struct zstd *)decoding;
	struct stored *stored = decoding->stored;

	for (;;) {
		/* first, and even with no byte in sight: zstd may still hold some back */
		if (step(zstd, stored, piece, err))
			return -1;
		if (piece->got)
			return 0;
		if (stored_need(stored, 1, err))
			return -1;
		if (!stored->left) {
			decoding->truncated = zstd->wanted;
			return 0;
		}
	}
}

const struct decoder_ops zstd_decoder = {
	.size = sizeof(struct zstd),
	.begin = begin,
	.read = read_bytes,
	.end = end,
};
