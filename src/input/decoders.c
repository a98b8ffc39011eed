/* SPDX-License-Identifier: MIT */
#include "input/decoder.h"

#include <string.h>

#include "base/array.h"

#ifdef HAVE_ZLIB
#define WITH_ZLIB(ops) (&(ops))
#else
#define WITH_ZLIB(ops) NULL
#endif

#ifdef HAVE_ZSTD
#define WITH_ZSTD(ops) (&(ops))
#else
#define WITH_ZSTD(ops) NULL
#endif

#define TWO  "\xff\xff\0\0"
#define FOUR "\xff\xff\xff\xff"

/*
 * For zstd also the skippable frame, which parallel compressors write first; for zip also the end
 * record, which is all of an empty archive.
 */
static const struct decoder decoders[] = {
	{ "gzip", "zlib", "\x1f\x8b\0\0", TWO, WITH_ZLIB(gzip_decoder) },
	{ "zstd", "zstd", "\x28\xb5\x2f\xfd", FOUR, WITH_ZSTD(zstd_decoder) },
	{ "zstd", "zstd", "\x50\x2a\x4d\x18", "\xf0\xff\xff\xff", WITH_ZSTD(zstd_decoder) },
	{ "zip", "zlib", "PK\3\4", FOUR, WITH_ZLIB(zip_decoder) },
	{ "zip", "zlib", "PK\5\6", FOUR, WITH_ZLIB(zip_decoder) },
};

static bool begins_like(const struct decoder *decoder, const uint8_t *bytes)
{
	for (size_t i = 0; i < DECODER_MAGIC; i++)
		if ((bytes[i] & (uint8_t)decoder->mask[i]) != (uint8_t)decoder->magic[i])
			return false;
	return true;
}

const struct decoder *decoder_for(const uint8_t *bytes, size_t size)
{
	uint8_t start[DECODER_MAGIC] = { 0 };

	if (size)
		memcpy(start, bytes, size < sizeof(start) ? size : sizeof(start));
	for (size_t i = 0; i < ARRAY_COUNT(decoders); i++)
		if (begins_like(&decoders[i], start))
			return &decoders[i];
	return NULL;
}
