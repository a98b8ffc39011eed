/* SPDX-License-Identifier: MIT */
/*
 * cache_file.h - a file of the cache of symbol tables: its name, its header and its checksum.
 *
 * The header is made of what the table is about, so a file is valid if its header is the one that a
 * writer of this version would write now: the same magic number, byte order, version, sizes, build
 * id and checksum. Any other file is ignored.
 */
#ifndef SYMBOLS_CACHE_FILE_H
#define SYMBOLS_CACHE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/build_id.h"
#include "symbols/symbol_table.h"

#define CACHE_WHAT_SIZE 24
#define CACHE_NAME_SIZE 256

struct cache_key { /* zeros after the texts */
	char build_id[BUILD_ID_SIZE];
	char what[CACHE_WHAT_SIZE];
};

/* False: texts like these are not cached. */
bool cache_key_make(struct cache_key *key, const char *build_id, const char *what);

/* "0123abcd.symtab.symbols"; while it is written, with a random end. */
void cache_key_name(const struct cache_key *key, char name[static CACHE_NAME_SIZE]);
bool cache_key_new_name(const struct cache_key *key, char name[static CACHE_NAME_SIZE]);

/* The reverse. False: the name is not that of a file of the cache. */
bool cache_key_of_name(struct cache_key *key, const char *name, bool *unfinished);

struct cache_header {
	char magic[8];
	uint32_t byte_order;
	uint32_t version;
	uint64_t size; /* of the table, which follows */
	uint64_t sum;  /* of the table */
	char what[CACHE_WHAT_SIZE];
	char build_id[BUILD_ID_SIZE + 7];
};

void cache_header_make(struct cache_header *header, const struct cache_key *key,
		       const struct symbol_table *table);

/* Over a whole file. The table borrows the bytes; false if they are anything else. */
bool cache_file_over(const void *bytes, size_t size, const struct cache_key *key,
		     struct symbol_table *table);

/* An open file, which may be closed at once; symbol_table_release(). */
bool cache_file_open(int fd, uint64_t size, const struct cache_key *key,
		     struct symbol_table *table);

#endif
