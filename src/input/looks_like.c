/* SPDX-License-Identifier: MIT */
#include "input/looks_like.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/unicode.h"

/* Bytes that must be text for the file to be called text. */
#define TEXT_SIZE 512

#define FAST_SERIALIZATION "\x14\0\0\0!FastSerialization."
#define FAST_SIZE	   (sizeof(FAST_SERIALIZATION) - 1)

struct magic {
	size_t offset;
	const char *bytes;
	size_t size;
	const char *words;
};

#define MAGIC(offset, bytes, words)                                                                \
	{                                                                                          \
		offset, bytes, sizeof(bytes) - 1, words                                            \
	}

/* clang-format off */
static const struct magic magics[] = {
	MAGIC(0, "PERFILE2", "a perf.data file"),
	MAGIC(0, "2ELIFREP", "a perf.data file of another byte order"),
	MAGIC(0, "DTiJ", "a jitdump file"),
	MAGIC(0, "\177ELF", "an ELF program"),
	MAGIC(0, "MZ", "a Windows executable"),
	MAGIC(0, "MDMP", "a minidump"),
	MAGIC(0, "PAGEDU", "a Windows kernel dump"),
	MAGIC(0, "%PDF-", "a PDF"),
	MAGIC(0, "\x57\x1d\xd1\x75", "LTTng CTF metadata"),
	MAGIC(0, "/* CTF 1.", "LTTng CTF metadata"),
	MAGIC(0, "\xc1\x1f\xfc\xc1", "an LTTng CTF stream"),
	MAGIC(0, "\x1f\x8b", "gzip data"),
	MAGIC(0, "\x28\xb5\x2f\xfd", "zstd data"),
	MAGIC(0, "\x04\x22\x4d\x18", "lz4 data"),
	MAGIC(0, "PK\3\4", "a zip archive"),
	MAGIC(0, "\xfd\67zXZ\0", "an xz archive"),
	MAGIC(0, "BZh", "a bzip2 archive"),
	MAGIC(0, "7z\xbc\xaf\x27\x1c", "a 7z archive"),
	MAGIC(0, "Rar!\x1a\x07", "a rar archive"),
	MAGIC(257, "ustar", "a tar archive"),
	MAGIC(0, "SQLite format 3\0", "an SQLite database"),
	MAGIC(0, "\xff\xfe", "text in UTF-16"),
};
/* clang-format on */

static bool has(const struct cursor *c, const struct magic *magic)
{
	return cursor_left(c) >= magic->offset + magic->size &&
	       !memcmp(c->at + magic->offset, magic->bytes, magic->size);
}

static const char *by_magic(struct cursor c)
{
	for (size_t i = 0; i < ARRAY_COUNT(magics); i++)
		if (has(&c, &magics[i]))
			return magics[i].words;
	return NULL;
}

/* In ELF the byte order is at 5 (2: big) and e_type at 16, where 4 is a core file. */
static const char *core_dump(struct cursor c)
{
	if (cursor_left(&c) < 18 || memcmp(c.at, "\177ELF", 4))
		return NULL;
	return c.at[16 + (c.at[5] == 2)] == 4 ? "a core dump" : NULL;
}

/* The format of PerfView's serializer: its first object's type is near the start, in plain text. */
static const char *serialized(struct cursor c)
{
	const size_t near = cursor_left(&c) < 128 ? cursor_left(&c) : 128;

	if (near < sizeof(FAST_SERIALIZATION) || memcmp(c.at, FAST_SERIALIZATION, FAST_SIZE))
		return NULL;
	if (memmem(c.at, near, "HeapDump", 8) || memmem(c.at, near, "MemoryGraph", 11))
		return "a gcdump";
	if (memmem(c.at, near, "TraceLog", 8))
		return "a PerfView .etlx file";
	return "a PerfView file";
}

/*
 * An ETL file has no magic. It begins with a buffer: WMI_BUFFER_HEADER of 72 bytes (buffer size,
 * then at 4, 8 and 48 offsets inside it), and in it the header of the first event, whose fourth
 * byte is always 0xC0 and whose third is 1 (32-bit) or 2 (64-bit).
 */
static const char *windows_etl(struct cursor c)
{
	const uint32_t size = cursor_u32(&c);
	const uint32_t saved = cursor_u32(&c);
	const uint32_t current = cursor_u32(&c);

	cursor_bytes(&c, 36);
	const uint32_t offset = cursor_u32(&c);

	cursor_bytes(&c, 22);
	const uint8_t kind = cursor_u8(&c);
	const uint8_t marker = cursor_u8(&c);

	if (c.failed || size < 1024 || size > 16u << 20 || size % 1024)
		return NULL;
	if (saved > size || current > size || offset > size || marker != 0xC0)
		return NULL;
	return kind == 1 || kind == 2 ? "a Windows ETL file" : NULL;
}

static bool is_text(struct cursor c)
{
	const char *at = (const char *)c.at;
	const char *end = (const char *)c.end;

	while (at < end) {
		const uint32_t code = utf8_decode(&at, end);

		/* a character truncated at the end of the input is still text */
		if (code == 0xFFFD && end - at >= 3)
			return false;
		if (!code || code == 0x7F || (code < ' ' && !strchr("\t\n\r\f\33", (int)code)))
			return false;
	}
	return true;
}

static void skip_blanks(struct cursor *c)
{
	while (cursor_left(c) && isspace(*c->at))
		c->at++;
}

static bool is_json(struct cursor c)
{
	const uint8_t first = cursor_u8(&c);

	if (first != '{' && first != '[')
		return false;
	skip_blanks(&c);
	if (!cursor_left(&c))
		return true;
	return strchr(first == '{' ? "\"}" : "\"{[]-0123456789tfn", *c.at);
}

static bool begins(const struct cursor *c, const char *word)
{
	return cursor_left(c) >= strlen(word) &&
	       !strncasecmp((const char *)c->at, word, strlen(word));
}

static const char *kind_of_text(struct cursor c)
{
	if (cursor_left(&c) > TEXT_SIZE)
		c.end = c.at + TEXT_SIZE;
	if (!is_text(c))
		return NULL;
	if (begins(&c, "\xef\xbb\xbf"))
		c.at += 3;
	skip_blanks(&c);
	if (begins(&c, "<!doctype html") || begins(&c, "<html"))
		return "HTML";
	if (begins(&c, "<"))
		return "XML";
	return is_json(c) ? "JSON" : "text";
}

const char *looks_like(const void *bytes, size_t size)
{
	/* strict guesses first: a magic of two bytes matches by chance */
	static const char *(*const guesses[])(struct cursor c) = {
		serialized, core_dump, windows_etl, by_magic, kind_of_text,
	};
	const char *words = size ? NULL : "an empty file";

	for (size_t i = 0; !words && i < ARRAY_COUNT(guesses); i++)
		words = guesses[i](cursor_over(bytes, size));
	return words ? words : LOOKS_UNKNOWN;
}
