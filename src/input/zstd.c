/* SPDX-License-Identifier: MIT */
#include <zstd.h>
#include <zstd_errors.h>

#include "base/error.h"
#include "input/decoder.h"

/* A window of 128 MiB: the most that zstd uses without --long. */
#define WINDOW_LOG 27

#define FRAME_START  5 /* bytes of a frame from which its header's size is known */
#define BLOCK_HEADER 3 /* zstd asks for it together with the previous block */

struct zstd_decoding {
	struct decoding decoding;
	ZSTD_DCtx *context;
	size_t wanted; /* bytes to the end of the header or block; 0 between frames */
	bool full;     /* the output was full, so more may be pending */
};

static int begin(struct decoding *decoding, struct pp_error *err)
{
	struct zstd_decoding *zstd = (struct zstd_decoding *)decoding;

	zstd->context = ZSTD_createDCtx();
	if (!zstd->context)
		return error_set(err, PP_ERROR_MEMORY, "zstd cannot start: out of memory");
	ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax, WINDOW_LOG);
	return 0;
}

static void end(struct decoding *decoding)
{
	ZSTD_freeDCtx(((struct zstd_decoding *)decoding)->context);
}

static int refused(size_t code, const struct raw_file *raw, struct pp_error *err)
{
	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		return error_set(err, PP_ERROR_MEMORY, "out of memory for zstd data");
	if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
		return error_set(err, PP_ERROR_LIMIT,
				 "the zstd data needs a window above %u MiB: unpack it first with "
				 "zstd --long=31 -d",
				 1u << (WINDOW_LOG - 20));
	return error_set(err, PP_ERROR_FORMAT, "the zstd data is corrupt at byte %llu (%s)",
			 (unsigned long long)raw_file_offset(raw), ZSTD_getErrorName(code));
}

/*
 * A call that fails does not return what it unpacked before. So it gets one block at a time, and no
 * input while output is pending.
 */
static size_t bytes_to_feed(const struct zstd_decoding *zstd, size_t left)
{
	size_t most = zstd->wanted;

	if (zstd->full)
		return 0;
	if (most > BLOCK_HEADER)
		most -= BLOCK_HEADER;
	return left < most ? left : most;
}

/* The bytes of the last call ended with the checksum, and everything was unpacked before. */
static void end_frame(struct zstd_decoding *zstd, const ZSTD_inBuffer *in)
{
	raw_file_take(zstd->decoding.raw, in->size - in->pos);
	ZSTD_DCtx_reset(zstd->context, ZSTD_reset_session_only);
	zstd->wanted = 0;
}

/* Unpacks the available bytes, which may yield nothing. */
static int step(struct zstd_decoding *zstd, struct raw_file *raw, struct decoded_piece *piece,
		struct pp_error *err)
{
	ZSTD_inBuffer in = { raw->at, bytes_to_feed(zstd, raw->left), 0 };
	ZSTD_outBuffer out = { piece->to, piece->size, 0 };
	const size_t hint = ZSTD_decompressStream(zstd->context, &out, &in);

	raw_file_take(raw, in.pos);
	piece->got = out.pos;
	zstd->full = out.pos == out.size;
	if (ZSTD_getErrorCode(hint) == ZSTD_error_checksum_wrong) {
		zstd->decoding.wrong_checksum = true;
		end_frame(zstd, &in);
		return 0;
	}
	if (ZSTD_isError(hint))
		return refused(hint, raw, err);
	if (in.pos || out.pos)
		zstd->wanted = hint;
	return 0;
}

/* Nothing is wanted if no other frame begins here. */
static int next_frame(struct zstd_decoding *zstd, struct raw_file *raw, struct pp_error *err)
{
	const struct decoder *decoder;

	if (raw_file_need(raw, DECODER_MAGIC, err))
		return -1;
	decoder = decoder_for(raw->at, raw->left);
	zstd->wanted = decoder && decoder->ops == &zstd_decoder ? FRAME_START : 0;
	return 0;
}

static int read_bytes(struct decoding *decoding, struct decoded_piece *piece, struct pp_error *err)
{
	struct zstd_decoding *zstd = (struct zstd_decoding *)decoding;
	struct raw_file *raw = decoding->raw;

	for (;;) {
		if (!zstd->wanted && next_frame(zstd, raw, err))
			return -1;
		if (!zstd->wanted)
			return 0;
		/* first, even without input: zstd may still hold output back */
		if (step(zstd, raw, piece, err))
			return -1;
		if (piece->got)
			return 0;
		if (zstd->wanted && raw_file_need(raw, 1, err))
			return -1;
		decoding->truncated = zstd->wanted && !raw->left;
		if (decoding->truncated)
			return 0;
	}
}

const struct decoder_ops zstd_decoder = {
	.size = sizeof(struct zstd_decoding),
	.has_end = true,
	.begin = begin,
	.read = read_bytes,
	.end = end,
};
