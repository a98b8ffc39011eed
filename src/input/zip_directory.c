/* SPDX-License-Identifier: MIT */
/*
 * The end of an archive says where its directory is (APPNOTE.TXT 4.3.16 and 4.3.12):
 *
 *	end	"PK\5\6" disks:4 entries:2 all_entries:2 size:4 offset:4 comment:2
 *	entry	"PK\1\2" ...:24 name:2 extra:2 comment:2 ...:12, then these three
 */
#include "input/zip_directory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cursor.h"

#define END_SIZE     22
#define END_FARTHEST (END_SIZE + 65535u)	/* with the longest comment */
#define LARGEST	     ((size_t)16 * 1024 * 1024) /* directory; others are not looked at */

static uint8_t *look(const struct raw_file *raw, uint64_t offset, size_t size)
{
	uint8_t *bytes = xcalloc(1, size + 1);

	if (raw_file_look(raw, offset, bytes, size))
		return bytes;
	xfree(bytes);
	return NULL;
}

/* The last one in these bytes. */
static const uint8_t *find_end(const uint8_t *bytes, size_t size)
{
	for (size_t at = size < END_SIZE ? 0 : size - END_SIZE + 1; at-- > 0;)
		if (!memcmp(bytes + at, "PK\5\6", 4))
			return bytes + at;
	return NULL;
}

static bool is_trace(const uint8_t *name, size_t size)
{
	static const char *const ends[] = { ".nettrace", ".netperf" };

	for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
		const size_t end = strlen(ends[i]);

		if (size > end && !strncasecmp((const char *)name + size - end, ends[i], end))
			return true;
	}
	return false;
}

static void take_entry(struct cursor *c, struct zip_names *traces)
{
	char clean[ZIP_NAME];
	uint16_t name_size, extra_size, comment_size;
	const uint8_t *name;

	cursor_bytes(c, 24);
	name_size = cursor_u16(c);
	extra_size = cursor_u16(c);
	comment_size = cursor_u16(c);
	cursor_bytes(c, 12);
	name = cursor_bytes(c, name_size);
	cursor_bytes(c, (size_t)extra_size + comment_size);
	if (c->failed || !is_trace(name, name_size))
		return;
	zip_name_clean(name, name_size, clean);
	zip_names_add(traces, clean);
}

static void take_entries(const uint8_t *bytes, size_t size, struct zip_names *traces)
{
	struct cursor c = cursor_over(bytes, size);

	while (cursor_left(&c) >= 4 && !memcmp(cursor_bytes(&c, 4), "PK\1\2", 4) && !c.failed)
		take_entry(&c, traces);
}

static void read_directory(const struct raw_file *raw, const uint8_t *end, struct zip_names *traces)
{
	struct cursor c = cursor_over(end + 12, 8);
	const uint32_t size = cursor_u32(&c);
	const uint32_t offset = cursor_u32(&c);
	uint8_t *bytes = size <= LARGEST ? look(raw, offset, size) : NULL;

	if (bytes)
		take_entries(bytes, size, traces);
	xfree(bytes);
}

void zip_directory_traces(const struct raw_file *raw, struct zip_names *traces)
{
	const size_t size = raw->size < END_FARTHEST ? (size_t)raw->size : END_FARTHEST;
	uint8_t *bytes = raw->regular ? look(raw, raw->size - size, size) : NULL;
	const uint8_t *end = bytes ? find_end(bytes, size) : NULL;

	if (end)
		read_directory(raw, end, traces);
	xfree(bytes);
}
