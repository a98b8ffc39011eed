/* SPDX-License-Identifier: MIT */
/*
 * The format is tools/perf/Documentation/jitdump-specification.txt of the kernel. All fields have
 * the byte order of the machine that wrote them:
 *
 *	header	u32 'JiTD', version, size of the header, ELF machine, 0, PID; u64 timestamp, flags
 *	record	u32 id, size of the record; u64 timestamp; then by id
 *	load	u32 PID, TID; u64 vma, address, size, number of the code; name\0; the code
 *	move	u32 PID, TID; u64 vma, old address, new address, size, number of the code
 *	debug	u64 address, count; count times: u64 address, u32 line, discriminator; file\0
 */
#include "symbols/jitdump.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/unicode.h"
#include "symbols/code_timeline.h"
#include "symbols/file_window.h"

#define HEADER_SIZE    40u
#define MAGIC	       0x4A695444u
#define FLAG_ARCH_TIME 1u
#define RECORD_SIZE    16u
#define LOAD_SIZE      40u
#define NAME_MOST      ((size_t)16 << 10)   /* bytes of a name; what is more is cut */
#define LINES_MOST     ((uint32_t)64 << 20) /* bytes of a record */
#define LINE_SIZE      17u		    /* at least */
#define SAME_FILE      "\xff"		    /* as the entry before */
#define ELF_HEADER     0x40u
#define CODE_MOST      ((size_t)1 << 22)

struct jit_line {
	uint64_t offset; /* in the code */
	const char *file;
	uint32_t line;
	uint32_t order;
};

struct jit_lines {
	size_t count;
	struct jit_line list[]; /* by offset */
};

/* What was compiled, wherever it is. */
struct jit_function {
	const char *name;
	uint64_t size;
	const struct jit_lines *lines; /* NULL: none */
};

struct jitdump {
	struct arena arena;
	struct map files;
	struct code_timeline timeline;
	bool timeless; /* times are those of a processor's counter */
};

struct jit_reader {
	struct jitdump *dump;
	struct file_window file;
	bool swapped;
	uint64_t functions;
	int64_t time_ns;       /* of the record */
	struct map by_number;  /* struct jit_function */
	struct map by_address; /* the same, where the last one was put */
	struct map lines;      /* struct jit_lines of code that is yet to come, by address */
};

static uint32_t field_u32(const struct jit_reader *reader, struct cursor *c)
{
	const uint32_t value = cursor_u32(c);

	return reader->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t field_u64(const struct jit_reader *reader, struct cursor *c)
{
	const uint64_t value = cursor_u64(c);

	return reader->swapped ? __builtin_bswap64(value) : value;
}

/* Up to a NUL, which is skipped, or the end. */
static struct cursor field_bytes(struct cursor *c)
{
	const size_t left = cursor_left(c);
	const size_t size = left ? strnlen((const char *)c->at, left) : 0;
	const struct cursor bytes = cursor_within(c, size);

	c->at += size < left;
	return bytes;
}

static char *keep_name(struct jitdump *dump, struct cursor bytes)
{
	return utf8_text(&dump->arena, bytes.at, cursor_left(&bytes));
}

/* Each only once: lines by the thousands have the same file. */
static const char *keep_file(struct jitdump *dump, struct cursor bytes)
{
	struct interned *file =
		intern_add(&dump->files, &dump->arena, bytes.at, cursor_left(&bytes));

	if (!file->value)
		file->value = keep_name(dump, bytes);
	return file->value;
}

static bool place(struct jit_reader *reader, uint64_t start, uint64_t size,
		  const struct jit_function *function)
{
	struct code_timeline *timeline = &reader->dump->timeline;
	const struct placed_code placed = { start, start + size, reader->time_ns, function };

	if (placed.end <= start || timeline->count >= CODE_MOST)
		return false;
	code_timeline_add(timeline, &placed);
	return true;
}

static const struct jit_lines *take_lines(struct jit_reader *reader, uint64_t start)
{
	const struct jit_lines *lines = map_find(&reader->lines, start);

	map_remove(&reader->lines, start);
	return lines;
}

static bool read_load(struct jit_reader *reader, struct cursor c)
{
	struct jit_function *function;
	uint64_t start, size, number;

	field_u64(reader, &c); /* PID and TID */
	field_u64(reader, &c); /* vma: that of the address, in all known writers */
	start = field_u64(reader, &c);
	size = field_u64(reader, &c);
	number = field_u64(reader, &c);
	if (c.failed)
		return false;
	function = arena_new(&reader->dump->arena, struct jit_function);
	*function = (struct jit_function){ keep_name(reader->dump, field_bytes(&c)), size,
					   take_lines(reader, start) };
	if (!*function->name || !place(reader, start, size, function))
		return false;
	map_put(&reader->by_number, number, function);
	map_put(&reader->by_address, start, function);
	reader->functions++;
	return true;
}

/* By its number; writers that do not count have 0 everywhere. */
static struct jit_function *moved_function(struct jit_reader *reader, uint64_t number,
					   uint64_t from)
{
	struct jit_function *there = map_find(&reader->by_address, from);
	struct jit_function *numbered = map_find(&reader->by_number, number);

	return numbered && number ? numbered : there;
}

/* What is at its old place is gone, unless other code was loaded there before it moved. */
static bool read_move(struct jit_reader *reader, struct cursor c)
{
	struct jit_function *function;
	uint64_t from, to, number;

	field_u64(reader, &c); /* PID and TID */
	field_u64(reader, &c); /* vma */
	from = field_u64(reader, &c);
	to = field_u64(reader, &c);
	field_u64(reader, &c); /* size */
	number = field_u64(reader, &c);
	function = c.failed ? NULL : moved_function(reader, number, from);
	if (!function)
		return false;
	if (map_find(&reader->by_address, from) == function) {
		place(reader, from, function->size, NULL);
		map_remove(&reader->by_address, from);
	}
	map_put(&reader->by_address, to, function);
	return place(reader, to, function->size, function);
}

static bool read_line(struct jit_reader *reader, struct cursor *c, struct jit_line *line,
		      const char *file_before)
{
	struct cursor file;

	line->offset = field_u64(reader, c);
	line->line = field_u32(reader, c);
	field_u32(reader, c); /* discriminator */
	if (c->failed)
		return false;
	file = field_bytes(c);
	line->file = cursor_left(&file) == 1 && *file.at == (uint8_t)*SAME_FILE
			     ? file_before
			     : keep_file(reader->dump, file);
	return true;
}

static int by_offset(const void *left, const void *right)
{
	const struct jit_line *a = left, *b = right;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/*
 * Addresses become offsets in the code. V8 and others add the size of an ELF header to them, since
 * perf writes the code after one; then not even the first line begins where the code does.
 */
static void sort_lines(struct jit_lines *lines, uint64_t start)
{
	uint64_t shift = 0;

	for (size_t i = 0; i < lines->count; i++)
		lines->list[i].offset -= start;
	qsort(lines->list, lines->count, sizeof(*lines->list), by_offset);
	if (lines->list[0].offset >= ELF_HEADER)
		shift = ELF_HEADER;
	for (size_t i = 0; i < lines->count; i++)
		lines->list[i].offset -= shift;
}

static bool read_lines(struct jit_reader *reader, struct cursor c)
{
	const uint64_t start = field_u64(reader, &c), count = field_u64(reader, &c);
	struct jit_lines *lines;
	const char *file = NULL;

	if (c.failed || !count || count > cursor_left(&c) / LINE_SIZE)
		return false;
	lines = arena_alloc(&reader->dump->arena, sizeof(*lines) + count * sizeof(*lines->list));
	for (; lines->count < count; lines->count++) {
		struct jit_line *line = &lines->list[lines->count];

		if (!read_line(reader, &c, line, file))
			return false;
		line->order = (uint32_t)lines->count;
		file = line->file;
	}
	sort_lines(lines, start);
	map_put(&reader->lines, start, lines);
	return true;
}

/* By id; the others, and those that are unknown, have nothing for us. */
static const struct {
	bool (*read)(struct jit_reader *reader, struct cursor c);
	uint32_t most; /* bytes that it needs: code is not read */
} record_kinds[] = {
	{ read_load, LOAD_SIZE + NAME_MOST },
	{ read_move, 48 },
	{ read_lines, LINES_MOST },
};

static bool read_record(struct jit_reader *reader, uint32_t id, uint64_t at, uint32_t size)
{
	if (id >= ARRAY_COUNT(record_kinds))
		return true;
	if (size > record_kinds[id].most)
		size = record_kinds[id].most;
	return record_kinds[id].read(reader, file_window_at(&reader->file, at, size));
}

/* Timestamps are unsigned; without a clock that can be compared, the order in the file counts. */
static int64_t record_time(const struct jit_reader *reader, uint64_t timestamp)
{
	if (reader->dump->timeless)
		return 0;
	return timestamp < INT64_MAX ? (int64_t)timestamp : INT64_MAX - 1;
}

/* The last record may be incomplete: the file is being written. */
static void read_records(struct jit_reader *reader, uint64_t at, struct map_totals *totals)
{
	for (;;) {
		struct cursor c = file_window_at(&reader->file, at, RECORD_SIZE);
		const uint32_t id = field_u32(reader, &c), size = field_u32(reader, &c);

		reader->time_ns = record_time(reader, field_u64(reader, &c));
		if (c.failed || size > reader->file.file_size - at)
			return;
		if (size < RECORD_SIZE) {
			totals->skipped++; /* and all after it, which nobody can find */
			return;
		}
		totals->skipped += !read_record(reader, id, at + RECORD_SIZE, size - RECORD_SIZE);
		at += size;
	}
}

static int read_header(struct jit_reader *reader, uint32_t *size, struct pp_error *err)
{
	struct cursor c = file_window_at(&reader->file, 0, HEADER_SIZE);
	const uint32_t magic = cursor_u32(&c);
	uint32_t version;

	reader->swapped = magic == __builtin_bswap32(MAGIC);
	version = field_u32(reader, &c);
	*size = field_u32(reader, &c);
	cursor_bytes(&c, 20); /* ELF machine, padding, PID, timestamp */
	reader->dump->timeless = field_u64(reader, &c) & FLAG_ARCH_TIME;
	if (c.failed || (magic != MAGIC && !reader->swapped) || *size < HEADER_SIZE)
		return error_set(err, PP_ERROR_FORMAT, "not a jitdump");
	if (version != 1)
		return error_set(err, PP_ERROR_UNSUPPORTED, "a jitdump of version %u; 1 is known",
				 version);
	return 0;
}

static int read_dump(struct jit_reader *reader, int fd, struct map_totals *totals,
		     struct pp_error *err)
{
	uint32_t header_size;

	*totals = (struct map_totals){ 0 };
	if (file_window_open(&reader->file, fd, err) || read_header(reader, &header_size, err))
		return -1;
	read_records(reader, header_size, totals);
	totals->functions = reader->functions;
	code_timeline_seal(&reader->dump->timeline);
	return 0;
}

struct jitdump *jitdump_read(int fd, struct map_totals *totals, struct pp_error *err)
{
	struct jitdump *dump = xcalloc(1, sizeof(*dump));
	struct jit_reader reader = { .dump = dump };
	const int failed = read_dump(&reader, fd, totals, err);

	file_window_close(&reader.file);
	map_release(&reader.by_number);
	map_release(&reader.by_address);
	map_release(&reader.lines);
	if (!failed)
		return dump;
	jitdump_free(dump);
	return NULL;
}

void jitdump_free(struct jitdump *dump)
{
	if (!dump)
		return;
	code_timeline_release(&dump->timeline);
	map_release(&dump->files);
	arena_release(&dump->arena);
	xfree(dump);
}

/* The last line that begins at or before the offset. */
static const struct jit_line *line_at(const struct jit_lines *lines, uint64_t offset)
{
	size_t first = 0, end = lines ? lines->count : 0;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (lines->list[middle].offset <= offset)
			first = middle + 1;
		else
			end = middle;
	}
	return first ? &lines->list[first - 1] : NULL;
}

bool jitdump_find(const struct jitdump *dump, uint64_t address, int64_t time_ns,
		  struct jit_code *code)
{
	const struct jit_function *function;
	const struct jit_line *line;
	struct placed_code placed;
	int64_t to_ns;

	if (!code_timeline_find(&dump->timeline, address, dump->timeless ? INT64_MAX : time_ns,
				&placed, &to_ns))
		return false;
	function = placed.code;
	line = line_at(function->lines, address - placed.start);
	*code = (struct jit_code){ .start = placed.start,
				   .size = function->size,
				   .from_ns = placed.from_ns,
				   .to_ns = to_ns,
				   .name = function->name,
				   .file = line ? line->file : NULL,
				   .line = line ? line->line : 0 };
	return true;
}
