/* SPDX-License-Identifier: MIT */
/*
 * Finds the trace in a zip archive, reading front to back so that a pipe will do.
 *
 *	local header, 30 bytes:  "PK\3\4" version:2 flags:2 method:2 time:2 date:2
 *	                         crc:4 packed:4 unpacked:4 name_size:2 extra_size:2
 *	then name, extra fields, the data, and with flag 8 a descriptor:
 *	                         ["PK\7\8"] crc:4 packed:4 or 8 unpacked:4 or 8
 *	and so on, until the central directory ("PK\1\2"), which only shows whether there are
 *	several traces (zip_directory.h).
 *
 * Deflated data marks its own end; the sizes are used for stored data only. The source is
 * APPNOTE.TXT 4.3 and 4.5.3 (sizes of eight bytes).
 */
#include <string.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/error.h"
#include "input/inflating.h"
#include "input/zip_directory.h"
#include "input/zip_names.h"

#define HEADER_SIZE    30
#define FLAG_ENCRYPTED 1u
#define FLAG_LATE      8u /* checksum and sizes follow the data */
#define METHOD_STORED  0
#define METHOD_DEFLATE 8
#define SIZE_ELSEWHERE 0xFFFFFFFFu /* it is in extra field 1 */

#define FAST_SERIALIZATION "\x14\0\0\0!FastSerialization.1"
#define HEAD_SIZE	   (sizeof(FAST_SERIALIZATION) - 1)

struct zip_entry {
	char name[ZIP_NAME]; /* clean */
	bool directory;
	bool wanted; /* by its name */
	uint16_t flags;
	uint16_t method;
	uint32_t checksum;
	uint64_t left; /* of stored data */
};

struct zip {
	struct decoding decoding;
	struct inflating inflating;
	struct zip_names names; /* of entries that are not traces */
	struct zip_entry entry;
	uint8_t head[HEAD_SIZE]; /* first bytes of the entry, by which traces are recognised */
	size_t head_size;
	size_t head_given;
	uint32_t checksum; /* of the bytes unpacked so far */
};

static const struct {
	uint16_t number;
	const char *name;
} other_methods[] = {
	{ 9, "deflate64" }, { 12, "bzip2" }, { 14, "LZMA" },
	{ 93, "zstd" },	    { 95, "xz" },    { 99, "AES encryption" },
};

static const char *method_name(uint16_t method)
{
	for (size_t i = 0; i < ARRAY_COUNT(other_methods); i++)
		if (other_methods[i].number == method)
			return other_methods[i].name;
	return "an unusual method";
}

/* Sizes above 4 GiB: the unpacked size, then the packed size, each only if it is elsewhere. */
static void read_extra(struct cursor extra, uint32_t unpacked, struct zip_entry *entry)
{
	while (cursor_left(&extra) >= 4) {
		const uint16_t kind = cursor_u16(&extra);
		struct cursor field = cursor_within(&extra, cursor_u16(&extra));

		if (kind != 1 || entry->left != SIZE_ELSEWHERE)
			continue;
		if (unpacked == SIZE_ELSEWHERE)
			cursor_u64(&field);
		entry->left = cursor_u64(&field);
	}
}

static struct zip_entry parse_header(const uint8_t *bytes, size_t size, const char *member)
{
	struct cursor c = cursor_over(bytes, size);
	struct zip_entry entry = { 0 };

	cursor_bytes(&c, 6);
	entry.flags = cursor_u16(&c);
	entry.method = cursor_u16(&c);
	cursor_u32(&c); /* time and date */
	entry.checksum = cursor_u32(&c);
	entry.left = cursor_u32(&c);

	const uint32_t unpacked = cursor_u32(&c);
	const uint16_t name_size = cursor_u16(&c);
	const uint16_t extra_size = cursor_u16(&c);
	const uint8_t *name = cursor_bytes(&c, name_size);

	zip_name_clean(name, name_size, entry.name);
	entry.directory = name_size && name[name_size - 1] == '/';
	entry.wanted = !member || (strlen(member) == name_size && !memcmp(member, name, name_size));
	read_extra(cursor_within(&c, extra_size), unpacked, &entry);
	return entry;
}

static bool signed_as(const struct raw_file *raw, size_t offset, const char *signature)
{
	return raw->left >= offset + 4 && !memcmp(raw->at + offset, signature, 4);
}

/* Reads the next entry's header; `*found` is false after the last and if it is truncated. */
static int next_header(struct zip *zip, bool *found, struct pp_error *err)
{
	struct raw_file *raw = zip->decoding.raw;
	size_t size = HEADER_SIZE;

	*found = false;
	if (raw_file_need(raw, size, err))
		return -1;
	if (!signed_as(raw, 0, "PK\3\4") || raw->left < size)
		return 0;
	size += (size_t)(raw->at[26] | raw->at[27] << 8);
	size += (size_t)(raw->at[28] | raw->at[29] << 8);
	if (raw_file_need(raw, size, err))
		return -1;
	if (raw->left < size)
		return 0;
	zip->entry = parse_header(raw->at, size, zip->decoding.member);
	raw_file_take(raw, size);
	*found = true;
	return 0;
}

/* A descriptor has one of four sizes, and only the signature after it shows which. */
static int find_descriptor(struct raw_file *raw, size_t *size, struct pp_error *err)
{
	static const size_t shapes[] = { 16, 12, 24, 20 };

	*size = 0;
	if (raw_file_need(raw, 24 + 4, err))
		return -1;
	for (size_t i = 0; i < ARRAY_COUNT(shapes) && !*size; i++)
		if (signed_as(raw, shapes[i], "PK\3\4") || signed_as(raw, shapes[i], "PK\1\2"))
			*size = shapes[i];
	return 0;
}

static int skip_descriptor(struct zip *zip, struct pp_error *err)
{
	size_t size;

	if (!(zip->entry.flags & FLAG_LATE))
		return 0;
	if (find_descriptor(zip->decoding.raw, &size, err))
		return -1;
	raw_file_take(zip->decoding.raw, size);
	return 0;
}

/* The end of stored data whose size follows it can only be found if the data is empty. */
static int check_size_known(struct zip *zip, struct pp_error *err)
{
	const struct zip_entry *entry = &zip->entry;
	size_t size;

	if (!(entry->flags & FLAG_LATE) || entry->left || entry->directory)
		return 0;
	if (find_descriptor(zip->decoding.raw, &size, err))
		return -1;
	if (!size)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "the zip does not say where %s ends; unpack it first",
				 entry->name);
	return 0;
}

static int begin_entry(struct zip *zip, struct pp_error *err)
{
	const struct zip_entry *entry = &zip->entry;

	zip->checksum = 0;
	if (entry->flags & FLAG_ENCRYPTED)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "%s in the zip is encrypted; unpack it first", entry->name);
	if (entry->method == METHOD_STORED)
		return check_size_known(zip, err);
	if (entry->method != METHOD_DEFLATE)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "%s in the zip is packed with %s (method %u), which perfpipe "
				 "does not support; unpack it first",
				 entry->name, method_name(entry->method), entry->method);
	inflating_again(&zip->inflating);
	return 0;
}

static int read_stored(struct zip *zip, struct decoded_piece *piece, struct pp_error *err)
{
	const uint64_t left = zip->entry.left;
	const size_t size = left < piece->size ? (size_t)left : piece->size;
	int failed = 0;

	if (size)
		failed = raw_file_read(zip->decoding.raw, piece->to, size, &piece->got, err);
	zip->entry.left -= piece->got;
	zip->decoding.truncated = size && !piece->got && !failed;
	return failed;
}

/* Returns bytes of the entry, none at its end. */
static int read_entry(struct zip *zip, struct decoded_piece *piece, struct pp_error *err)
{
	int failed = 0;

	if (zip->entry.method == METHOD_STORED)
		failed = read_stored(zip, piece, err);
	else if (!zip->inflating.finished)
		failed = inflating_read(&zip->inflating, &zip->decoding, piece, err);
	zip->checksum = (uint32_t)crc32_z(zip->checksum, piece->to, piece->got);
	return failed;
}

static int read_head(struct zip *zip, struct pp_error *err)
{
	size_t got = 1;

	zip->head_size = 0;
	while (zip->head_size < HEAD_SIZE && got) {
		struct decoded_piece piece = { .to = zip->head + zip->head_size,
					       .size = HEAD_SIZE - zip->head_size };

		if (read_entry(zip, &piece, err))
			return -1;
		got = piece.got;
		zip->head_size += got;
	}
	return 0;
}

static bool is_trace(const struct zip *zip)
{
	return (zip->head_size >= 8 && !memcmp(zip->head, "Nettrace", 8)) ||
	       (zip->head_size == HEAD_SIZE && !memcmp(zip->head, FAST_SERIALIZATION, HEAD_SIZE));
}

static int skip_entry(struct zip *zip, struct pp_error *err)
{
	uint8_t nowhere[4096];
	size_t got = 1;

	while (got) {
		struct decoded_piece piece = { .to = nowhere, .size = sizeof(nowhere) };

		if (read_entry(zip, &piece, err))
			return -1;
		got = piece.got;
	}
	if (!zip->entry.directory)
		zip_names_add(&zip->names, zip->entry.name);
	return skip_descriptor(zip, err);
}

/* The name was given by the user, who sees what there is. */
static int no_member(const struct zip *zip, const char *list, struct pp_error *err)
{
	return error_set(err, PP_ERROR_FORMAT, "the zip has no trace %s; it holds %s",
			 zip->decoding.member, list);
}

static int no_trace(const struct zip *zip, struct pp_error *err)
{
	const struct raw_file *raw = zip->decoding.raw;
	const bool whole = signed_as(raw, 0, "PK\1\2") || signed_as(raw, 0, "PK\5\6");
	char list[(ZIP_NAMES_SHOWN + 1) * ZIP_NAME];

	zip_names_list(&zip->names, list, sizeof(list));
	if (zip->decoding.member)
		return no_member(zip, list, err);
	return error_set(err, PP_ERROR_FORMAT, "the zip %s; it holds %s",
			 whole ? "holds no trace" : "is cut short before any trace", list);
}

static int find_trace(struct zip *zip, struct pp_error *err)
{
	bool found;

	for (;;) {
		if (next_header(zip, &found, err))
			return -1;
		if (!found)
			return no_trace(zip, err);
		if (begin_entry(zip, err) || read_head(zip, err))
			return -1;
		if (is_trace(zip) && zip->entry.wanted)
			return 0;
		if (skip_entry(zip, err))
			return -1;
	}
}

/* One of several would be an answer about something that was perhaps not meant. */
static int check_only(const struct zip *zip, struct pp_error *err)
{
	struct zip_names traces = { 0 };
	char list[(ZIP_NAMES_SHOWN + 1) * ZIP_NAME];

	if (zip->decoding.member)
		return 0;
	zip_directory_traces(zip->decoding.raw, &traces);
	if (traces.count < 2)
		return 0;
	zip_names_list(&traces, list, sizeof(list));
	return error_set(
		err, PP_ERROR_FORMAT,
		"the zip holds %zu traces: %s; choose one by its name after a colon, as in "
		"FILE.zip:%s",
		traces.count, list, traces.shown[0]);
}

static int begin(struct decoding *decoding, struct pp_error *err)
{
	struct zip *zip = (struct zip *)decoding;

	if (check_only(zip, err))
		return -1;
	if (inflating_begin(&zip->inflating, "zip", INFLATING_RAW, err))
		return -1;
	return find_trace(zip, err);
}

static void end(struct decoding *decoding)
{
	inflating_end(&((struct zip *)decoding)->inflating);
}

static int late_checksum(struct zip *zip, struct pp_error *err)
{
	struct raw_file *raw = zip->decoding.raw;

	if (raw_file_need(raw, 8, err))
		return -1;
	zip->decoding.truncated = raw->left < 8;
	if (zip->decoding.truncated)
		return 0;
	if (signed_as(raw, 0, "PK\7\10"))
		raw_file_take(raw, 4);
	memcpy(&zip->entry.checksum, raw->at, sizeof(zip->entry.checksum));
	return 0;
}

static int check_sum(struct zip *zip, struct pp_error *err)
{
	if (zip->entry.flags & FLAG_LATE && late_checksum(zip, err))
		return -1;
	zip->decoding.wrong_checksum =
		!zip->decoding.truncated && zip->checksum != zip->entry.checksum;
	return 0;
}

static void deliver_head(struct zip *zip, struct decoded_piece *piece)
{
	const size_t left = zip->head_size - zip->head_given;

	piece->got = left < piece->size ? left : piece->size;
	memcpy(piece->to, zip->head + zip->head_given, piece->got);
	zip->head_given += piece->got;
}

static int read_bytes(struct decoding *decoding, struct decoded_piece *piece, struct pp_error *err)
{
	struct zip *zip = (struct zip *)decoding;

	if (zip->head_given < zip->head_size) {
		deliver_head(zip, piece);
		return 0;
	}
	if (read_entry(zip, piece, err))
		return -1;
	if (piece->got || decoding->truncated)
		return 0;
	return check_sum(zip, err);
}

const struct decoder_ops zip_decoder = {
	.size = sizeof(struct zip),
	.archive = true,
	.begin = begin,
	.read = read_bytes,
	.end = end,
};
