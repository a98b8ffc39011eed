/* SPDX-License-Identifier: MIT */
#include "input/inflating.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* NULL is an error of zlib, which leaves its state as it was. */
static void *allocate(void *context, unsigned count, unsigned size)
{
	(void)context;
	return try_calloc(count, size);
}

static void release(void *context, void *memory)
{
	(void)context;
	xfree(memory);
}

int inflating_begin(struct inflating *inflating, const char *format, int kind, struct pp_error *err)
{
	inflating->format = format;
	inflating->zlib.zalloc = allocate;
	inflating->zlib.zfree = release;
	if (inflateInit2(&inflating->zlib, kind) != Z_OK)
		return error_set(err, PP_ERROR_MEMORY, "zlib cannot start: out of memory");
	inflating->begun = true;
	return 0;
}

void inflating_again(struct inflating *inflating)
{
	inflateReset(&inflating->zlib);
	inflating->finished = false;
}

void inflating_end(struct inflating *inflating)
{
	if (inflating->begun)
		inflateEnd(&inflating->zlib);
}

static unsigned count_for_zlib(size_t size)
{
	return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static int refused(const struct inflating *inflating, int code, const struct raw_file *raw,
		   struct pp_error *err)
{
	const char *reason = inflating->zlib.msg;

	if (code == Z_MEM_ERROR)
		return error_set(err, PP_ERROR_MEMORY, "out of memory for %s data",
				 inflating->format);
	return error_set(err, PP_ERROR_FORMAT, "the %s data is corrupt at byte %llu (%s)",
			 inflating->format, (unsigned long long)raw_file_offset(raw),
			 reason ? reason : "no reason given");
}

#define LENGTH_SIZE 4 /* bytes of the length, which follows the checksum */

/*
 * Whether everything was unpacked before zlib stopped at the checksum or at the length. A wrong
 * checksum is as far as it reads.
 */
static bool stopped_at_checksum(const struct inflating *inflating, struct raw_file *raw)
{
	const char *reason = inflating->zlib.msg ? inflating->zlib.msg : "";
	struct pp_error ignored = { 0 };

	if (!strcmp(reason, "incorrect length check"))
		return true;
	if (strcmp(reason, "incorrect data check") != 0)
		return false;
	if (!raw_file_need(raw, LENGTH_SIZE, &ignored))
		raw_file_take(raw, raw->left < LENGTH_SIZE ? raw->left : LENGTH_SIZE);
	return true;
}

/* Unpacks the available bytes, which may yield nothing. */
static int step(struct inflating *inflating, struct decoding *decoding, struct decoded_piece *piece,
		struct pp_error *err)
{
	struct raw_file *raw = decoding->raw;
	z_stream *zlib = &inflating->zlib;
	int code;

	zlib->next_in = (unsigned char *)raw->at; /* zlib 1.2 lacks the const */
	zlib->avail_in = count_for_zlib(raw->left);
	zlib->next_out = piece->to;
	zlib->avail_out = count_for_zlib(piece->size);
	code = inflate(zlib, Z_NO_FLUSH);
	raw_file_take(raw, (size_t)(zlib->next_in - raw->at));
	piece->got = (size_t)(zlib->next_out - (unsigned char *)piece->to);
	inflating->finished = code == Z_STREAM_END;
	if (code == Z_DATA_ERROR && stopped_at_checksum(inflating, raw)) {
		inflating->finished = decoding->wrong_checksum = true;
		return 0;
	}
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		return refused(inflating, code, raw, err);
	return 0;
}

int inflating_read(struct inflating *inflating, struct decoding *decoding,
		   struct decoded_piece *piece, struct pp_error *err)
{
	struct raw_file *raw = decoding->raw;

	while (!inflating->finished) {
		/* first, even without input: zlib may still hold output back */
		if (step(inflating, decoding, piece, err))
			return -1;
		if (piece->got || inflating->finished)
			return 0;
		if (raw_file_need(raw, 1, err))
			return -1;
		if (!raw->left) {
			decoding->truncated = true;
			return 0;
		}
	}
	return 0;
}
