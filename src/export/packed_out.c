/* SPDX-License-Identifier: MIT */
#include "export/packed_out.h"

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

#define PIECE	    ((size_t)64 * 1024) /* bytes that zlib gets, or returns, at a time */
#define LEVEL	    6
#define WINDOW_RAW  (-15) /* zlib's largest window, without a wrapper */
#define WINDOW_GZIP (15 + 16)

/* Fields of a zip archive. */
#define VERSION	 20	 /* of the format: 2.0 */
#define FLAGS	 0x0808u /* sizes follow the file, names are UTF-8 */
#define DEFLATED 8
#define DAY	 0x0021u /* 1980-01-01: the same input gives the same archive */

/* What the file's header and the directory have in common. */
static void put_entry(struct buffer *out, const struct packed_out *packed, bool sizes_known)
{
	buffer_u16(out, VERSION);
	buffer_u16(out, FLAGS);
	buffer_u16(out, DEFLATED);
	buffer_u16(out, 0);
	buffer_u16(out, DAY);
	buffer_u32(out, sizes_known ? packed->crc : 0);
	buffer_u32(out, sizes_known ? (uint32_t)packed->packed_size : 0);
	buffer_u32(out, sizes_known ? (uint32_t)packed->size : 0);
	buffer_u16(out, (uint16_t)strlen(packed->file));
	buffer_u16(out, 0);
}

/* The file is written as it comes, so its sizes follow it; readers look into the directory. */
static void put_directory(const struct packed_out *packed)
{
	struct buffer *out = &packed->to->bytes;
	const uint32_t header = 30 + (uint32_t)strlen(packed->file);
	const uint32_t place = header + (uint32_t)packed->packed_size + 16;

	buffer_u32(out, 0x08074b50);
	buffer_u32(out, packed->crc);
	buffer_u32(out, (uint32_t)packed->packed_size);
	buffer_u32(out, (uint32_t)packed->size);
	buffer_u32(out, 0x02014b50);
	buffer_u16(out, VERSION);
	put_entry(out, packed, true);
	for (int i = 0; i < 7; i++)
		buffer_u16(out, 0); /* no comment, attributes or offset: the file is the first */
	buffer_text(out, packed->file);
	buffer_u32(out, 0x06054b50);
	buffer_u32(out, 0);
	buffer_u16(out, 1);
	buffer_u16(out, 1);
	buffer_u32(out, header + 16); /* size of the directory: 46 bytes and the name */
	buffer_u32(out, place);
	buffer_u16(out, 0);
}

/* zlib has more to return as long as it fills all the room it gets. */
static void run_deflate(struct packed_out *packed, int flush)
{
	struct buffer *bytes = &packed->to->bytes;
	z_stream *stream = packed->stream;

	do {
		uint8_t *room = buffer_room(bytes, PIECE);

		if (!room)
			return;
		stream->next_out = room;
		stream->avail_out = (uInt)PIECE;
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			error_set(&packed->to->failed, PP_ERROR_SYSTEM, "compression failed");
		packed->packed_size += PIECE - stream->avail_out;
		buffer_wrote(bytes, stream->next_out);
		output_buffer_flush(packed->to);
	} while (!stream->avail_out && !packed->to->failed.code);
}

static void write_bytes(void *to, const void *bytes, size_t size)
{
	struct packed_out *packed = to;
	z_stream *stream = packed->stream;

	packed->size += size;
	if (packed->file)
		packed->crc = (uint32_t)crc32_z(packed->crc, bytes, size);
	for (size_t done = 0; done < size && !packed->to->failed.code; done += PIECE) {
		stream->next_in = (Bytef *)bytes + done; /* zlib only reads it */
		stream->avail_in = (uInt)(size - done < PIECE ? size - done : PIECE);
		run_deflate(packed, Z_NO_FLUSH);
	}
}

static int begin(struct packed_out *packed)
{
	const int window = packed->file ? WINDOW_RAW : WINDOW_GZIP;
	struct buffer *out = &packed->to->bytes;

	packed->stream = xcalloc(1, sizeof(z_stream));
	if (deflateInit2(packed->stream, LEVEL, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		xfree(packed->stream);
		return error_set(&packed->to->failed, PP_ERROR_SYSTEM,
				 "cannot compress: out of memory");
	}
	if (packed->file) {
		buffer_u32(out, 0x04034b50);
		put_entry(out, packed, false);
		buffer_text(out, packed->file);
	}
	return 0;
}

static void end(struct packed_out *packed)
{
	run_deflate(packed, Z_FINISH);
	deflateEnd(packed->stream);
	xfree(packed->stream);
	if (!packed->file)
		return;
	put_directory(packed);
	if (packed->size > UINT32_MAX || packed->packed_size > UINT32_MAX / 2)
		error_set(&packed->to->failed, PP_ERROR_LIMIT,
			  "the output is too large for a zip archive; convert less of the trace "
			  "with --from and --to");
}

#else

static void write_bytes(void *to, const void *bytes, size_t size)
{
	struct packed_out *packed = to;

	buffer_bytes(&packed->to->bytes, bytes, size);
	output_buffer_flush(packed->to);
}

static int begin(struct packed_out *packed)
{
	if (!packed->file)
		return 0;
	return error_set(&packed->to->failed, PP_ERROR_UNSUPPORTED,
			 "this build cannot write zip archives: it lacks zlib");
}

static void end(struct packed_out *packed)
{
	(void)packed;
}

#endif

int packed_out_open(struct packed_out *packed, struct output_buffer *to, const char *file)
{
	*packed = (struct packed_out){ .to = to, .file = file };
	packed->out = (struct output_buffer){ .write = write_bytes, .to = packed };
	return begin(packed);
}

void packed_out_close(struct packed_out *packed)
{
	output_buffer_end(&packed->out, &packed->to->failed);
	end(packed);
	buffer_release(&packed->out.bytes);
}
