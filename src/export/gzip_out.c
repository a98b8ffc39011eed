/* SPDX-License-Identifier: MIT */
#include "export/gzip_out.h"

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"

#define PIECE	  ((size_t)64 * 1024) /* of packed bytes, and what is packed in one go */
#define GZIP_BITS (15 + 16)	      /* zlib's largest window, in a gzip wrapper */
#define LEVEL	  6

/* As long as the room is filled to the brim there may be more. */
static void pack(struct gzip_out *gzip, int flush)
{
	struct buffer *bytes = &gzip->to->bytes;
	z_stream *stream = gzip->stream;

	do {
		uint8_t *room = buffer_room(bytes, PIECE);

		if (!room)
			return;
		stream->next_out = room;
		stream->avail_out = (uInt)PIECE;
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			gzip->failed = true;
		buffer_wrote(bytes, stream->next_out);
		export_out_flush(gzip->to);
	} while (!stream->avail_out && !gzip->failed);
}

static void write_packed(void *to, const void *bytes, size_t size)
{
	struct gzip_out *gzip = to;
	z_stream *stream = gzip->stream;

	for (size_t done = 0; done < size && !gzip->failed; done += PIECE) {
		stream->next_in = (Bytef *)bytes + done; /* it is only read */
		stream->avail_in = (uInt)(size - done < PIECE ? size - done : PIECE);
		pack(gzip, Z_NO_FLUSH);
	}
}

static int begin(struct gzip_out *gzip, struct pp_error *err)
{
	z_stream *stream = xcalloc(1, sizeof(*stream));

	gzip->stream = stream;
	gzip->out.write = write_packed;
	if (deflateInit2(stream, LEVEL, Z_DEFLATED, GZIP_BITS, 8, Z_DEFAULT_STRATEGY) == Z_OK)
		return 0;
	free(stream);
	return error_set(err, PP_ERROR_SYSTEM, "gzip cannot start: out of memory");
}

static void end(struct gzip_out *gzip)
{
	z_stream *stream = gzip->stream;

	stream->avail_in = 0;
	pack(gzip, Z_FINISH);
	deflateEnd(stream);
	free(stream);
}

#else

static void hand_on(void *to, const void *bytes, size_t size)
{
	struct gzip_out *gzip = to;

	buffer_bytes(&gzip->to->bytes, bytes, size);
	export_out_flush(gzip->to);
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

int gzip_out_open(struct gzip_out *gzip, struct export_out *to, struct pp_error *err)
{
	*gzip = (struct gzip_out){ .to = to, .out = { .to = gzip } };
	return begin(gzip, err);
}

int gzip_out_close(struct gzip_out *gzip, struct pp_error *err)
{
	const int failed = export_out_end(&gzip->out, err);

	end(gzip);
	export_out_release(&gzip->out);
	return gzip->failed ? error_set(err, PP_ERROR_SYSTEM, "gzip failed") : failed;
}
