/* SPDX-License-Identifier: MIT */
/*
 * table_layout.h - the bytes of a symbol table, for those who write and search them.
 *
 *	header		64 bytes
 *	names		each ends with a NUL
 *	levels		of a search tree: the key of every 16th symbol, then of every 16th of these
 *			(every 8th in a wide table), until they fit in one cache line
 *	records		key, size and offset of the name of each symbol, ascending
 *	enclosing	u32: the last symbol before it that ends after it, or TABLE_NONE; only read
 *			for records that say that they have one
 *
 * A key is a start without the base of the table. It has 32 bits unless the functions are further
 * apart, in a wide table. A search reads one cache line in each level, and 16 records. It is cache
 * misses that take the time: with 16, the levels of 500,000 symbols stay in the second-level cache,
 * and the lines of the records are fetched together. With 8 or 32, a search takes longer.
 *
 * What is left of the last line of a level, and of the last group of records, has the largest key.
 * Names come first since a list already has them in place.
 */
#ifndef SYMBOLS_TABLE_LAYOUT_H
#define SYMBOLS_TABLE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_MAGIC  "ppsymtb1"
#define TABLE_LINE   64u
#define TABLE_GROUP  16u /* records */
#define TABLE_LEVELS 12u /* more than 2^32 symbols need */
#define TABLE_NONE   UINT32_MAX

#define TABLE_ENCLOSED	0x80000000u
#define TABLE_SIZE_MOST 0x7fffffffu /* that, or more */

struct table_header {
	char magic[8];
	uint32_t count;
	uint8_t whole;
	uint8_t wide;
	uint16_t zero;
	uint64_t names_size;
	uint64_t base;
	uint8_t reserved[32];
};

struct table_record {
	uint32_t key;
	uint32_t size; /* and TABLE_ENCLOSED */
	uint32_t name;
};

struct wide_record {
	uint64_t key;
	uint32_t size;
	uint32_t name;
};

_Static_assert(sizeof(struct table_header) == TABLE_LINE, "so that lines are cache lines");
_Static_assert(sizeof(struct table_record) == 12 && sizeof(struct wide_record) == 16, "packed");

/* Where the parts are, from the start of the bytes. */
struct table_layout {
	uint64_t levels[TABLE_LEVELS];
	uint64_t lines[TABLE_LEVELS];
	unsigned level_count;
	unsigned line_bits; /* of the number of keys in a line, since a division takes longer */
	uint64_t groups;    /* of records */
	uint64_t records, enclosing, end;
};

/* Returns the size of all. */
static inline uint64_t table_layout_of(struct table_layout *layout,
				       const struct table_header *header)
{
	const size_t record =
		header->wide ? sizeof(struct wide_record) : sizeof(struct table_record);
	uint64_t at = (sizeof(*header) + header->names_size + TABLE_LINE - 1) &
		      ~(uint64_t)(TABLE_LINE - 1);
	uint64_t keys = ((uint64_t)header->count + TABLE_GROUP - 1) / TABLE_GROUP;

	layout->groups = keys;
	layout->level_count = 0;
	layout->line_bits = header->wide ? 3 : 4;
	while (keys > 1) {
		keys = (keys + (1u << layout->line_bits) - 1) >> layout->line_bits;
		layout->levels[layout->level_count] = at;
		layout->lines[layout->level_count++] = keys;
		at += keys * TABLE_LINE;
	}
	layout->records = at;
	layout->enclosing = at + layout->groups * TABLE_GROUP * record;
	layout->end = layout->enclosing + header->count * sizeof(uint32_t);
	return layout->end;
}

#endif
