/* SPDX-License-Identifier: MIT */
#include "export/deflating.h"

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"

#define PIECE ((size_t)64 * 1024) /* of packed bytes, and what is packed in one go */
#define LEVEL 6

int deflating_begin(struct deflating *deflating, struct output_buffer *to, int window)
{
	z_stream *stream = xcalloc(1, sizeof(*stream));

	*deflating = (struct deflating){ .to = to, .stream = stream };
	if (deflateInit2(stream, LEVEL, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK)
		return 0;
	free(stream);
	deflating->stream = NULL;
	return -1;
}

/* As long as the room is filled to the brim there may be more. */
static void pack(struct deflating *deflating, int flush)
{
	struct buffer *bytes = &deflating->to->bytes;
	z_stream *stream = deflating->stream;

	do {
		uint8_t *room = buffer_room(bytes, PIECE);

		if (!room)
			return;
		stream->next_out = room;
		stream->avail_out = (uInt)PIECE;
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			deflating->failed = true;
		deflating->packed_size += PIECE - stream->avail_out;
		buffer_wrote(bytes, stream->next_out);
		output_buffer_flush(deflating->to);
	} while (!stream->avail_out && !deflating->failed);
}

void deflating_put(struct deflating *deflating, const void *bytes, size_t size)
{
	z_stream *stream = deflating->stream;

	for (size_t done = 0; done < size && !deflating->failed; done += PIECE) {
		stream->next_in = (Bytef *)bytes + done; /* it is only read */
		stream->avail_in = (uInt)(size - done < PIECE ? size - done : PIECE);
		pack(deflating, Z_NO_FLUSH);
	}
}

void deflating_end(struct deflating *deflating)
{
	z_stream *stream = deflating->stream;

	if (!stream)
		return;
	stream->avail_in = 0;
	pack(deflating, Z_FINISH);
	deflateEnd(stream);
	free(stream);
	deflating->stream = NULL;
}

#endif
