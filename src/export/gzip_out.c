/* SPDX-License-Identifier: MIT */
#include "export/gzip_out.h"

#ifdef HAVE_ZLIB

static void write_packed(void *to, const void *bytes, size_t size)
{
	struct gzip_out *gzip = to;

	deflating_put(&gzip->packing, bytes, size);
}

static int begin(struct gzip_out *gzip, struct pp_error *err)
{
	gzip->out.write = write_packed;
	if (deflating_begin(&gzip->packing, gzip->to, DEFLATING_GZIP))
		return error_set(err, PP_ERROR_SYSTEM, "gzip cannot start: out of memory");
	return 0;
}

static void end(struct gzip_out *gzip)
{
	deflating_end(&gzip->packing);
}

#else

static void hand_on(void *to, const void *bytes, size_t size)
{
	struct gzip_out *gzip = to;

	buffer_bytes(&gzip->to->bytes, bytes, size);
	output_buffer_flush(gzip->to);
}

static int begin(struct gzip_out *gzip, struct pp_error *err)
{
	(void)err;
	gzip->out.write = hand_on;
	return 0;
}

static void end(struct gzip_out *gzip)
{
	(void)gzip;
}

#endif

int gzip_out_open(struct gzip_out *gzip, struct output_buffer *to, struct pp_error *err)
{
	*gzip = (struct gzip_out){ .to = to, .out = { .to = gzip } };
	return begin(gzip, err);
}

int gzip_out_close(struct gzip_out *gzip, struct pp_error *err)
{
	const int failed = output_buffer_end(&gzip->out, err);

	end(gzip);
	output_buffer_release(&gzip->out);
	return gzip->packing.failed ? error_set(err, PP_ERROR_SYSTEM, "gzip failed") : failed;
}
