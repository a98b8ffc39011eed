/* SPDX-License-Identifier: MIT */
/*
 * One file in an archive, written as it comes: sizes and sum follow behind its bytes, and are
 * in the directory at the end, where readers look.
 */
#include "export/zip_out.h"

#include <string.h>

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"

#define PIECE	 ((size_t)64 * 1024)
#define RAW_BITS (-15) /* zlib's largest window, without a wrapper */
#define LEVEL	 6
#define VERSION	 20	 /* of the format: 2.0 */
#define FLAGS	 0x0808u /* sizes follow, names are UTF-8 */
#define DEFLATED 8
#define DAY	 0x0021u /* 1980-01-01: the same input gives the same file */

static void put_common(struct buffer *out, const struct zip_out *zip, bool known)
{
	buffer_u16(out, VERSION);
	buffer_u16(out, FLAGS);
	buffer_u16(out, DEFLATED);
	buffer_u16(out, 0);
	buffer_u16(out, DAY);
	buffer_u32(out, known ? zip->sum : 0);
	buffer_u32(out, known ? (uint32_t)zip->packed_size : 0);
	buffer_u32(out, known ? (uint32_t)zip->size : 0);
	buffer_u16(out, (uint16_t)strlen(zip->name));
	buffer_u16(out, 0);
}

static void put_name(struct buffer *out, const struct zip_out *zip)
{
	buffer_bytes(out, zip->name, strlen(zip->name));
}

static void pack(struct zip_out *zip, int flush)
{
	struct buffer *bytes = &zip->to->bytes;
	z_stream *stream = zip->stream;

	do {
		uint8_t *room = buffer_room(bytes, PIECE);

		if (!room)
			return;
		stream->next_out = room;
		stream->avail_out = (uInt)PIECE;
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			zip->failed = true;
		zip->packed_size += PIECE - stream->avail_out;
		buffer_wrote(bytes, stream->next_out);
		export_out_flush(zip->to);
	} while (!stream->avail_out && !zip->failed);
}

static void write_packed(void *to, const void *bytes, size_t size)
{
	struct zip_out *zip = to;
	z_stream *stream = zip->stream;

	for (size_t done = 0; done < size && !zip->failed; done += PIECE) {
		stream->next_in = (Bytef *)bytes + done; /* it is only read */
		stream->avail_in = (uInt)(size - done < PIECE ? size - done : PIECE);
		zip->sum = (uint32_t)crc32(zip->sum, stream->next_in, stream->avail_in);
		zip->size += stream->avail_in;
		pack(zip, Z_NO_FLUSH);
	}
}

int zip_out_open(struct zip_out *zip, struct export_out *to, const char *name, struct pp_error *err)
{
	z_stream *stream = xcalloc(1, sizeof(*stream));

	*zip = (struct zip_out){ .to = to, .name = name, .stream = stream };
	zip->out = (struct export_out){ .write = write_packed, .to = zip };
	if (deflateInit2(stream, LEVEL, Z_DEFLATED, RAW_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(stream);
		zip->stream = NULL;
		return error_set(err, PP_ERROR_SYSTEM, "zip cannot start: out of memory");
	}
	buffer_u32(&to->bytes, 0x04034b50);
	put_common(&to->bytes, zip, false);
	put_name(&to->bytes, zip);
	return 0;
}

/* What follows the file: its sizes, the directory, and the directory's place. */
static void put_end(struct zip_out *zip)
{
	struct buffer *out = &zip->to->bytes;
	const uint32_t header = 30 + (uint32_t)strlen(zip->name);
	const uint32_t place = header + (uint32_t)zip->packed_size + 16;

	buffer_u32(out, 0x08074b50);
	buffer_u32(out, zip->sum);
	buffer_u32(out, (uint32_t)zip->packed_size);
	buffer_u32(out, (uint32_t)zip->size);
	buffer_u32(out, 0x02014b50);
	buffer_u16(out, VERSION);
	put_common(out, zip, true);
	for (int i = 0; i < 7; i++)
		buffer_u16(out, 0); /* no comment, attributes or place: all begins at 0 */
	put_name(out, zip);
	buffer_u32(out, 0x06054b50);
	buffer_u32(out, 0);
	buffer_u16(out, 1);
	buffer_u16(out, 1);
	buffer_u32(out, header + 16); /* of the directory: 46 bytes and the name */
	buffer_u32(out, place);
	buffer_u16(out, 0);
}

int zip_out_close(struct zip_out *zip, struct pp_error *err)
{
	z_stream *stream = zip->stream;
	int failed = -1;

	if (stream) {
		failed = export_out_end(&zip->out, err);
		stream->avail_in = 0;
		pack(zip, Z_FINISH);
		deflateEnd(stream);
		free(stream);
		if (zip->size > UINT32_MAX || zip->packed_size > UINT32_MAX / 2)
			failed = error_set(err, PP_ERROR_LIMIT,
					   "the output is larger than a zip archive may hold; "
					   "leave some out with --from and --to");
		put_end(zip);
	}
	export_out_release(&zip->out);
	return zip->failed ? error_set(err, PP_ERROR_SYSTEM, "zip failed") : failed;
}

#else

int zip_out_open(struct zip_out *zip, struct export_out *to, const char *name, struct pp_error *err)
{
	(void)to;
	(void)name;
	*zip = (struct zip_out){ 0 };
	return error_set(err, PP_ERROR_UNSUPPORTED, "this build has no zlib, which zip needs");
}

int zip_out_close(struct zip_out *zip, struct pp_error *err)
{
	(void)zip;
	(void)err;
	return -1;
}

#endif
