/* SPDX-License-Identifier: MIT */
#include <zstd.h>

#include "record/compressor.h"

#define PIECE ((size_t)128 * 1024) /* by which room for packed bytes grows */
#define LEVEL 3

struct zstd_packing {
	struct compressing compressing;
	ZSTD_CCtx *context;
};

static int begin(struct compressing *c, struct pp_error *err)
{
	struct zstd_packing *zstd = (struct zstd_packing *)c;

	zstd->context = ZSTD_createCCtx();
	if (!zstd->context)
		return error_set(err, PP_ERROR_SYSTEM, "zstd cannot start: out of memory");
	ZSTD_CCtx_setParameter(zstd->context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(zstd->context, ZSTD_c_checksumFlag, 1);
	return 0;
}

static int pack(struct compressing *c, const void *bytes, size_t size, enum compress_mode mode,
		struct pp_error *err)
{
	static const ZSTD_EndDirective directives[] = { [COMPRESS_MORE] = ZSTD_e_continue,
							[COMPRESS_FLUSH] = ZSTD_e_flush,
							[COMPRESS_END] = ZSTD_e_end };
	ZSTD_CCtx *context = ((struct zstd_packing *)c)->context;
	ZSTD_inBuffer in = { bytes, size, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { NULL, PIECE, 0 };

		if (!buffer_grow(c->out, PIECE))
			return error_set(err, PP_ERROR_SYSTEM,
					 "zstd cannot continue: out of memory");
		out.dst = c->out->bytes + c->out->size;
		left = ZSTD_compressStream2(context, &out, &in, directives[mode]);
		if (ZSTD_isError(left))
			return error_set(err, PP_ERROR_SYSTEM, "zstd failed: %s",
					 ZSTD_getErrorName(left));
		c->out->size += out.pos;
	} while (mode == COMPRESS_MORE ? in.pos < in.size : left > 0);
	return 0;
}

static void end(struct compressing *c)
{
	ZSTD_freeCCtx(((struct zstd_packing *)c)->context);
}

const struct compressor_ops zstd_compressor = {
	.size = sizeof(struct zstd_packing),
	.begin = begin,
	.pack = pack,
	.end = end,
};
