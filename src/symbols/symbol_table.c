/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_table.h"

#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "symbols/table_layout.h"

/* Symbols around one address; more are not followed, since hostile tables may have any number. */
#define ENCLOSING_MOST 64

/* A table whose parts are known to lie in its bytes, while it is searched. */
struct opened_table {
	const uint8_t *bytes;
	struct table_header header;
	struct table_layout layout;
};

/*
 * Checked for every search, not only once: it costs little beside the search, and the bytes may be
 * those of a file. All other values in them are checked where they are used.
 */
static bool open_table(const struct symbol_table *table, struct opened_table *t)
{
	struct table_header header;

	if (table->size < sizeof(header))
		return false;
	memcpy(&header, table->bytes, sizeof(header));
	if (memcmp(header.magic, TABLE_MAGIC, sizeof(header.magic)) != 0 || header.wide > 1 ||
	    header.names_size > table->size - sizeof(header) ||
	    (header.names_size && table->bytes[sizeof(header) + header.names_size - 1]))
		return false;
	t->bytes = table->bytes;
	t->header = header;
	return table_layout_of(&t->layout, &header) == table->size;
}

static struct wide_record record_at(const struct opened_table *t, uint64_t number)
{
	const uint8_t *records = t->bytes + t->layout.records;
	struct wide_record wide;
	struct table_record narrow;

	if (t->header.wide) {
		memcpy(&wide, records + number * sizeof(wide), sizeof(wide));
		return wide;
	}
	memcpy(&narrow, records + number * sizeof(narrow), sizeof(narrow));
	return (struct wide_record){ narrow.key, narrow.size, narrow.name };
}

static uint32_t enclosing_of(const struct opened_table *t, uint32_t number)
{
	uint32_t enclosing;

	memcpy(&enclosing, t->bytes + t->layout.enclosing + (uint64_t)number * sizeof(enclosing),
	       sizeof(enclosing));
	return enclosing;
}

/* How many of some keys are at or before one. Without branches, which would be guesses. */
static ALWAYS_INLINE unsigned rank_of(const uint8_t *keys, unsigned count, size_t distance,
				      uint32_t key)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < count; i++) {
		uint32_t other;

		memcpy(&other, keys + i * distance, sizeof(other));
		rank += other <= key;
	}
	return rank;
}

static ALWAYS_INLINE unsigned wide_rank_of(const uint8_t *keys, unsigned count, size_t distance,
					   uint64_t key)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t other;

		memcpy(&other, keys + i * distance, sizeof(other));
		rank += other <= key;
	}
	return rank;
}

static unsigned rank_in_line(const struct opened_table *t, const uint8_t *line, uint64_t key)
{
	return t->header.wide ? wide_rank_of(line, 8, sizeof(uint64_t), key)
			      : rank_of(line, 16, sizeof(uint32_t), (uint32_t)key);
}

static unsigned rank_in_group(const struct opened_table *t, uint64_t group, uint64_t key)
{
	const uint8_t *records = t->bytes + t->layout.records;
	const uint64_t first = group * TABLE_GROUP;

	return t->header.wide ? wide_rank_of(records + first * sizeof(struct wide_record),
					     TABLE_GROUP, sizeof(struct wide_record), key)
			      : rank_of(records + first * sizeof(struct table_record), TABLE_GROUP,
					sizeof(struct table_record), (uint32_t)key);
}

/* In hostile bytes, and after the last key, a line or a group may be one that is not there. */
static uint64_t at_most(uint64_t number, uint64_t count)
{
	return number < count ? number : count - 1;
}

/* The last symbol whose key is not larger. */
static bool search(const struct opened_table *t, uint64_t key, uint32_t *number)
{
	uint64_t at = 0, part;
	unsigned rank;

	for (unsigned level = t->layout.level_count; level-- > 0;) {
		part = at_most(at, t->layout.lines[level]);
		rank = rank_in_line(t, t->bytes + t->layout.levels[level] + part * TABLE_LINE, key);
		if (!rank)
			return false;
		at = (part << t->layout.line_bits) + rank - 1;
	}
	part = at_most(at, t->layout.groups);
	rank = rank_in_group(t, part, key);
	if (!rank)
		return false;
	*number = (uint32_t)at_most(part * TABLE_GROUP + rank - 1, t->header.count);
	return true;
}

static bool search_address(const struct opened_table *t, uint64_t address, uint32_t *number)
{
	const uint64_t key = address - t->header.base;

	if (!t->header.count || address < t->header.base)
		return false;
	return search(t, key > UINT32_MAX && !t->header.wide ? UINT32_MAX : key, number);
}

static bool describe(const struct opened_table *t, uint32_t number, struct symbol *found)
{
	const struct wide_record record = record_at(t, number);

	if (record.name >= t->header.names_size)
		return false;
	*found =
		(struct symbol){ .start = t->header.base + record.key,
				 .size = record.size & TABLE_SIZE_MOST,
				 .limit = UINT64_MAX,
				 .name = (const char *)t->bytes + sizeof(t->header) + record.name };
	return true;
}

/* The innermost symbol that covers the key, beginning with the last one that starts before it. */
static bool find_covering(const struct opened_table *t, uint64_t key, uint32_t *number)
{
	for (unsigned i = 0; i < ENCLOSING_MOST && *number < t->header.count; i++) {
		const struct wide_record record = record_at(t, *number);

		if (record.key <= key && key - record.key < (record.size & TABLE_SIZE_MOST))
			return true;
		if (!(record.size & TABLE_ENCLOSED))
			return false;
		*number = enclosing_of(t, *number);
	}
	return false;
}

bool symbol_table_find(const struct symbol_table *table, uint64_t address, struct symbol *found)
{
	struct opened_table t;
	uint32_t number;

	return open_table(table, &t) && search_address(&t, address, &number) &&
	       find_covering(&t, address - t.header.base, &number) && describe(&t, number, found);
}

bool symbol_table_nearest(const struct symbol_table *table, uint64_t address, struct symbol *found)
{
	struct opened_table t;
	uint32_t number;

	return open_table(table, &t) && search_address(&t, address, &number) &&
	       describe(&t, number, found);
}

size_t symbol_table_count(const struct symbol_table *table)
{
	struct opened_table t;

	return open_table(table, &t) ? t.header.count : 0;
}

bool symbol_table_at(const struct symbol_table *table, size_t number, struct symbol *found)
{
	struct opened_table t;

	return open_table(table, &t) && number < t.header.count &&
	       describe(&t, (uint32_t)number, found);
}

bool symbol_table_is_whole(const struct symbol_table *table)
{
	struct opened_table t;

	return open_table(table, &t) && t.header.whole;
}

int symbol_table_open(struct symbol_table *table, const void *bytes, size_t size,
		      struct pp_error *err)
{
	struct opened_table t;

	*table = (struct symbol_table){ .bytes = bytes, .size = size };
	if (open_table(table, &t))
		return 0;
	*table = (struct symbol_table){ 0 };
	return error_set(err, PP_ERROR_FORMAT, "this is not a symbol table, or it is damaged");
}

void symbol_table_release(struct symbol_table *table)
{
	if (table->release)
		table->release((void *)table->bytes, table->size);
	*table = (struct symbol_table){ 0 };
}
