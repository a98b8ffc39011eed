/* SPDX-License-Identifier: MIT */
/*
 * One file in an archive, written as it comes: sizes and sum follow behind its bytes, and are
 * in the directory at the end, where readers look.
 */
#include "export/zip_out.h"

#include <string.h>

#ifdef HAVE_ZLIB

#include <zlib.h>

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
	buffer_u32(out, known ? (uint32_t)zip->packing.packed_size : 0);
	buffer_u32(out, known ? (uint32_t)zip->size : 0);
	buffer_u16(out, (uint16_t)strlen(zip->name));
	buffer_u16(out, 0);
}

static void put_name(struct buffer *out, const struct zip_out *zip)
{
	buffer_text(out, zip->name);
}

static void write_packed(void *to, const void *bytes, size_t size)
{
	struct zip_out *zip = to;

	zip->sum = (uint32_t)crc32_z(zip->sum, bytes, size);
	zip->size += size;
	deflating_put(&zip->packing, bytes, size);
}

int zip_out_open(struct zip_out *zip, struct output_buffer *to, const char *name,
		 struct pp_error *err)
{
	*zip = (struct zip_out){ .to = to, .name = name };
	zip->out = (struct output_buffer){ .write = write_packed, .to = zip };
	if (deflating_begin(&zip->packing, to, DEFLATING_RAW))
		return error_set(err, PP_ERROR_SYSTEM, "zip cannot start: out of memory");
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
	const uint32_t place = header + (uint32_t)zip->packing.packed_size + 16;

	buffer_u32(out, 0x08074b50);
	buffer_u32(out, zip->sum);
	buffer_u32(out, (uint32_t)zip->packing.packed_size);
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
	int failed = -1;

	if (zip->packing.stream) {
		failed = output_buffer_end(&zip->out, err);
		deflating_end(&zip->packing);
		if (zip->size > UINT32_MAX || zip->packing.packed_size > UINT32_MAX / 2)
			failed = error_set(err, PP_ERROR_LIMIT,
					   "the output is larger than a zip archive may hold; "
					   "leave some out with --from and --to");
		put_end(zip);
	}
	output_buffer_release(&zip->out);
	return zip->packing.failed ? error_set(err, PP_ERROR_SYSTEM, "zip failed") : failed;
}

#else

int zip_out_open(struct zip_out *zip, struct output_buffer *to, const char *name,
		 struct pp_error *err)
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
