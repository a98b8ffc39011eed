/* SPDX-License-Identifier: MIT */
/*
 * cached_tables.h - a cache of symbol tables in the folder "cache", with small tables in it.
 */
#ifndef CACHED_TABLES_H
#define CACHED_TABLES_H

#include "own_folder.h"
#include "symbols/symbol_cache.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define ID	  "0123456789abcdef0123456789abcdef01234567"
#define OTHER_ID  "ff23456789abcdef0123456789abcdef01234567"
#define FILE_NAME "cache/" ID ".symtab.symbols"

static const struct symbol_cache cache = { .folder = "cache", .limit = 1 << 20 };

static inline struct symbol_table make_table(const char *name, size_t count)
{
	struct symbol_list list = { 0 };

	for (size_t i = 0; i < count; i++)
		symbol_list_add(&list, &(struct symbol){ .start = 0x1000 + 16 * i,
							 .size = 16,
							 .limit = UINT64_MAX,
							 .name = name });
	return symbol_list_seal(&list);
}

static inline bool put_named(const struct symbol_cache *to, const char *build_id, const char *name)
{
	struct symbol_table table = make_table(name, 1);
	const bool kept = symbol_cache_put(to, build_id, "symtab", &table);

	symbol_table_release(&table);
	return kept;
}

/* Whether there is a table, which then must be the one with this name. */
static inline bool has_named(const struct symbol_cache *from, const char *build_id,
			     const char *name)
{
	struct symbol_table table;
	struct symbol symbol;

	if (!symbol_cache_get(from, build_id, "symtab", &table))
		return false;
	assert_true(symbol_table_find(&table, 0x1008, &symbol));
	assert_string_equal(symbol.name, name);
	symbol_table_release(&table);
	return true;
}

static inline int clear_folder(void **state)
{
	(void)state;
	return system("rm -rf cache other link");
}

static inline struct stat status_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status;
}

static inline void write_file(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *file;

	unlink(path);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0600), 0);
}

static inline void set_age(const char *path, int64_t age_s)
{
	const time_t then = time(NULL) - (time_t)age_s;
	const struct timespec times[2] = { { .tv_sec = then }, { .tv_sec = then } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

#define IN_NEW_FOLDER(test) cmocka_unit_test_setup(test, clear_folder)

#endif
