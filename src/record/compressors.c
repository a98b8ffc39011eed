/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/array.h"
#include "record/compressor.h"

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

static const struct compressor compressors[] = {
	{ "zstd", ".zst", WITH_ZSTD(zstd_compressor) },
	{ "gzip", ".gz", WITH_ZLIB(gzip_compressor) },
};

const struct compressor *compressor_find(const char *name, struct pp_error *err)
{
	for (size_t i = 0; i < ARRAY_COUNT(compressors); i++) {
		if (strcmp(compressors[i].name, name) != 0)
			continue;
		if (compressors[i].ops)
			return &compressors[i];
		error_set(err, PP_ERROR_UNSUPPORTED, "this perfpipe was built without %s", name);
		return NULL;
	}
	error_set(err, PP_ERROR_USAGE, "unknown compression '%s'; use zstd or gzip", name);
	return NULL;
}
