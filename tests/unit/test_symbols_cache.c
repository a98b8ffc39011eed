/* SPDX-License-Identifier: MIT */
#include "cached_tables.h"
#include "symbols/cache_file.h"

#include <sys/mount.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/heap.h"
#include "failing_alloc.h"

static void a_table_comes_back_as_it_was(void **state)
{
	struct symbol_table table = make_table("main", 100), got;
	const mode_t mask = umask(0);

	(void)state;
	assert_true(symbol_cache_put(&cache, ID, "symtab", &table));
	umask(mask);
	assert_true(symbol_cache_get(&cache, ID, "symtab", &got));
	assert_int_equal(got.size, table.size);
	assert_memory_equal(got.bytes, table.bytes, table.size);
	assert_int_equal((uintptr_t)got.bytes % 64, 0);
	symbol_table_release(&got);
	symbol_table_release(&table);
	assert_int_equal(status_of("cache").st_mode, S_IFDIR | 0700);
	assert_int_equal(status_of(FILE_NAME).st_mode, S_IFREG | 0600);
}

static void a_table_without_symbols_is_kept_too(void **state)
{
	struct symbol_table table = make_table("", 0), got;

	(void)state;
	assert_true(symbol_cache_put(&cache, ID, "symtab", &table));
	assert_true(symbol_cache_get(&cache, ID, "symtab", &got));
	assert_int_equal(symbol_table_count(&got), 0);
	symbol_table_release(&got);
	symbol_table_release(&table);
}

static void tables_are_kept_by_build_id_and_kind(void **state)
{
	struct symbol_table table;

	(void)state;
	assert_true(put_named(&cache, ID, "one"));
	assert_true(put_named(&cache, OTHER_ID, "two"));
	assert_true(has_named(&cache, ID, "one"));
	assert_true(has_named(&cache, OTHER_ID, "two"));
	assert_true(has_named(&cache, "0123456789ABCDEF0123456789ABCDEF01234567", "one"));
	assert_false(symbol_cache_get(&cache, ID, "dynsym", &table));
	assert_true(put_named(&cache, ID, "newer"));
	assert_true(has_named(&cache, ID, "newer"));
}

static void only_build_ids_become_names_of_files(void **state)
{
	static const char *const refused[] = {
		"",
		"ab",
		"abc",
		"abcde",
		"../../etc",
		"abcg",
		"ab/c",
		"abcd\n",
		"abcd efgh",
		"\xc3\xa4\xc3\xa4",
		"abcd.symtab",
		".build-id",
	};
	struct symbol_table table = make_table("main", 1), got;
	char longest[BUILD_ID_SIZE + 2] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		assert_false(symbol_cache_put(&cache, refused[i], "symtab", &table));
		assert_false(symbol_cache_get(&cache, refused[i], "symtab", &got));
	}
	assert_false(symbol_cache_put(&cache, NULL, "symtab", &table));
	assert_false(symbol_cache_put(&cache, ID, "../symtab", &table));
	assert_false(symbol_cache_put(&cache, ID, "", &table));
	assert_false(symbol_cache_put(&cache, ID, "abcdefghijklmnopqrstuvwx", &table));
	assert_int_equal(access("cache", F_OK), -1);
	memset(longest, 'a', BUILD_ID_SIZE - 1);
	assert_true(symbol_cache_put(&cache, longest, "abcdefghijklmnopqrstuvw", &table));
	assert_true(symbol_cache_get(&cache, longest, "abcdefghijklmnopqrstuvw", &got));
	symbol_table_release(&got);
	memset(longest, 'a', BUILD_ID_SIZE + 1);
	assert_false(symbol_cache_put(&cache, longest, "symtab", &table));
	symbol_table_release(&table);
}

static size_t read_file(const char *path, uint8_t *bytes, size_t most)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	assert_non_null(file);
	size = fread(bytes, 1, most, file);
	fclose(file);
	assert_true(size < most);
	return size;
}

static void damage_anywhere_is_found(void **state)
{
	uint8_t bytes[4096];
	size_t size;

	(void)state;
	assert_true(put_named(&cache, ID, "main"));
	size = read_file(FILE_NAME, bytes, sizeof(bytes));
	for (size_t i = 0; i < size; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes[i] ^= (uint8_t)(1u << bit);
			write_file(FILE_NAME, bytes, size);
			assert_false(has_named(&cache, ID, "main"));
			bytes[i] ^= (uint8_t)(1u << bit);
		}
	for (size_t cut = 0; cut < size; cut++) {
		write_file(FILE_NAME, bytes, cut);
		assert_false(has_named(&cache, ID, "main"));
	}
	bytes[size] = 0;
	write_file(FILE_NAME, bytes, size + 1);
	assert_false(has_named(&cache, ID, "main"));
	assert_true(put_named(&cache, ID, "main"));
	assert_true(has_named(&cache, ID, "main"));
}

/* Changes that a weak checksum misses: the same in two places, and parts in another order. */
static void changes_that_cancel_each_other_are_found(void **state)
{
	struct symbol_table table = make_table("main", 64);
	struct cache_key key;
	struct cache_header right, wrong;
	uint8_t *bytes = (uint8_t *)(uintptr_t)table.bytes;

	(void)state;
	assert_true(cache_key_make(&key, ID, "symtab"));
	cache_header_make(&right, &key, &table);
	for (size_t other = 8; other + 8 <= 256; other += 8) {
		bytes[7] ^= 0x80;
		bytes[other + 7] ^= 0x80;
		cache_header_make(&wrong, &key, &table);
		assert_true(wrong.sum != right.sum);
		bytes[7] ^= 0x80;
		bytes[other + 7] ^= 0x80;
	}
	cache_header_make(&wrong, &key, &table);
	assert_true(wrong.sum == right.sum);
	symbol_table_release(&table);
}

static void the_file_of_another_build_is_not_used(void **state)
{
	(void)state;
	assert_true(put_named(&cache, ID, "one"));
	assert_int_equal(rename(FILE_NAME, "cache/" OTHER_ID ".symtab.symbols"), 0);
	assert_false(has_named(&cache, OTHER_ID, "one"));
}

static void links_and_other_kinds_of_files_are_not_followed(void **state)
{
	(void)state;
	assert_true(put_named(&cache, ID, "one"));
	assert_int_equal(rename(FILE_NAME, "cache/elsewhere"), 0);
	assert_int_equal(symlink("elsewhere", FILE_NAME), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_int_equal(unlink(FILE_NAME), 0);
	assert_int_equal(mkfifo(FILE_NAME, 0600), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_true(put_named(&cache, ID, "two"));
	assert_true(has_named(&cache, ID, "two"));
	assert_int_equal(rename("cache", "other"), 0);
	assert_int_equal(symlink("other", "cache"), 0);
	assert_false(has_named(&cache, ID, "two"));
	assert_false(put_named(&cache, ID, "three"));
}

static void what_others_may_write_to_is_not_used(void **state)
{
	(void)state;
	assert_true(put_named(&cache, ID, "one"));
	assert_int_equal(chmod(FILE_NAME, 0666), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_int_equal(chmod(FILE_NAME, 0600), 0);
	assert_int_equal(chmod("cache", 0777), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_false(put_named(&cache, ID, "one"));
	assert_int_equal(chmod("cache", 0700), 0);
	assert_true(has_named(&cache, ID, "one"));
	if (geteuid())
		return;
	assert_int_equal(chown(FILE_NAME, 65534, 65534), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_int_equal(chown(FILE_NAME, 0, 0), 0);
	assert_int_equal(chown("cache", 65534, 65534), 0);
	assert_false(has_named(&cache, ID, "one"));
	assert_false(put_named(&cache, ID, "one"));
}

static void root_creates_nothing_in_the_home_of_another_user(void **state)
{
	const struct symbol_cache theirs = { .folder = "other/.cache/perfpipe/symbols" };

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(mkdir("other", 0755), 0);
	assert_int_equal(chown("other", 65534, 65534), 0);
	assert_false(put_named(&theirs, ID, "one"));
	assert_int_equal(access("other/.cache", F_OK), -1);
	assert_int_equal(chown("other", 0, 0), 0);
	assert_true(put_named(&theirs, ID, "one"));
	assert_int_equal(status_of("other/.cache").st_mode, S_IFDIR | 0700);
}

static void without_a_folder_nothing_is_kept(void **state)
{
	const struct symbol_cache none = { 0 };
	const struct symbol_cache in_file = { .folder = "/dev/null/cache" };

	(void)state;
	assert_false(put_named(&none, ID, "one"));
	assert_false(has_named(&none, ID, "one"));
	assert_false(put_named(&in_file, ID, "one"));
	assert_false(has_named(&in_file, ID, "one"));
}

static void name_of(const char *build_id, char path[static CACHE_NAME_SIZE])
{
	snprintf(path, CACHE_NAME_SIZE, "cache/%s.symtab.symbols", build_id);
}

static void the_least_recently_used_are_removed(void **state)
{
	static const char *const ids[] = { "aaaa", "bbbb", "cccc", "dddd" };
	struct symbol_cache small = cache;
	char path[CACHE_NAME_SIZE];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_true(put_named(&cache, ids[i], "name"));
		name_of(ids[i], path);
		set_age(path, 1000 - 100 * (int64_t)i);
	}
	assert_true(has_named(&cache, "aaaa", "name")); /* which makes it the newest */
	small.limit = 3 * (uint64_t)status_of(path).st_size + 1;
	assert_true(put_named(&small, "eeee", "name"));
	assert_true(has_named(&small, "aaaa", "name"));
	assert_false(has_named(&small, "bbbb", "name"));
	assert_false(has_named(&small, "cccc", "name"));
	assert_true(has_named(&small, "dddd", "name"));
	assert_true(has_named(&small, "eeee", "name"));
	small.limit = (uint64_t)status_of(path).st_size - 1;
	assert_false(put_named(&small, "ffff", "name"));
	assert_true(has_named(&cache, "dddd", "name"));
}

static void a_use_is_noted_now_and_then(void **state)
{
	int64_t before;

	(void)state;
	assert_true(put_named(&cache, ID, "one"));
	set_age(FILE_NAME, 30);
	before = status_of(FILE_NAME).st_mtime;
	assert_true(has_named(&cache, ID, "one"));
	assert_int_equal(status_of(FILE_NAME).st_mtime, before);
	set_age(FILE_NAME, 600);
	assert_true(has_named(&cache, ID, "one"));
	assert_true(status_of(FILE_NAME).st_mtime >= before);
}

static void what_killed_writers_left_is_removed(void **state)
{
	static const char *const kept[] = {
		"cache/" ID ".symtab.symbols.0123456789abcdef.tmp", /* new */
		"cache/notes.txt",
		"cache/" ID ".symtab.symbols.old",
		"cache/" ID ".symtab.symbols.0123456789abcdef.tmp.gz",
	};
	const char *left = "cache/" ID ".symtab.symbols.fedcba9876543210.tmp";

	(void)state;
	assert_true(put_named(&cache, OTHER_ID, "one"));
	write_file(left, (const uint8_t *)"half", 4);
	set_age(left, 7200);
	for (size_t i = 0; i < 4; i++) {
		write_file(kept[i], (const uint8_t *)"x", 1);
		if (i)
			set_age(kept[i], 100000);
	}
	assert_true(put_named(&cache, ID, "two"));
	assert_int_equal(access(left, F_OK), -1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(access(kept[i], F_OK), 0);
}

#define ROUNDS 1000

static void write_often(const char *name)
{
	if (fork())
		return;
	for (int i = 0; i < ROUNDS; i++)
		if (!put_named(&cache, ID, name))
			_exit(1);
	_exit(0);
}

/* A reader sees a whole table of one of the writers, at any time. */
static void writers_at_the_same_time_do_no_harm(void **state)
{
	int status, running = 2;
	struct symbol_table table;
	struct symbol symbol;

	(void)state;
	assert_true(put_named(&cache, ID, "name of one"));
	write_often("name of one");
	write_often("the other");
	while (running) {
		assert_true(symbol_cache_get(&cache, ID, "symtab", &table));
		assert_true(symbol_table_find(&table, 0x1000, &symbol));
		assert_true(!strcmp(symbol.name, "name of one") ||
			    !strcmp(symbol.name, "the other"));
		symbol_table_release(&table);
		if (waitpid(-1, &status, WNOHANG) > 0) {
			assert_int_equal(status, 0);
			running--;
		}
	}
	assert_int_equal(system("test `ls -A cache | wc -l` = 1"), 0);
}

static void a_full_disc_means_no_cache(void **state)
{
	const struct symbol_cache full = { .folder = "other/cache" };
	struct symbol_table table;
	bool kept;

	(void)state;
	assert_int_equal(mkdir("other", 0700), 0);
	if (mount("none", "other", "tmpfs", 0, "size=64k,mode=700")) {
		print_message("skipped: no rights to mount a file system\n");
		return;
	}
	table = make_table("a name that is long enough to fill it", 10000);
	kept = symbol_cache_put(&full, ID, "symtab", &table);
	symbol_table_release(&table);
	assert_true(put_named(&full, ID, "small")); /* there is space again: nothing was left */
	assert_int_equal(mount("none", "other", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	assert_true(has_named(&full, ID, "small"));
	assert_false(put_named(&full, OTHER_ID, "small"));
	assert_int_equal(umount("other"), 0);
	assert_false(kept);
}

/* In a public call files are read, and memory may be gone at any time. */
static int use_in_call(void *context, struct pp_error *err)
{
	struct symbol_table table = make_table("main", 3), got;

	(void)context;
	symbol_cache_put(&cache, ID, "symtab", &table);
	symbol_table_release(&table);
	if (!symbol_cache_get(&cache, ID, "symtab", &got))
		return error_set(err, PP_ERROR_MEMORY, "no memory for a file of the cache");
	symbol_table_release(&got);
	return 0;
}

static int run_call(void *context, struct pp_error *err)
{
	return guard_run(use_in_call, context, err);
}

static void nothing_stays_open_when_memory_is_gone(void **state)
{
	const int before = count_open_files();

	(void)state;
	assert_true(put_named(&cache, ID, "main"));
	assert_true(fails_at_each_allocation(run_call, NULL) > 3);
	assert_int_equal(count_open_files(), before);
	assert_true(has_named(&cache, ID, "main"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_NEW_FOLDER(a_table_comes_back_as_it_was),
		IN_NEW_FOLDER(a_table_without_symbols_is_kept_too),
		IN_NEW_FOLDER(tables_are_kept_by_build_id_and_kind),
		IN_NEW_FOLDER(only_build_ids_become_names_of_files),
		IN_NEW_FOLDER(damage_anywhere_is_found),
		IN_NEW_FOLDER(changes_that_cancel_each_other_are_found),
		IN_NEW_FOLDER(the_file_of_another_build_is_not_used),
		IN_NEW_FOLDER(links_and_other_kinds_of_files_are_not_followed),
		IN_NEW_FOLDER(what_others_may_write_to_is_not_used),
		IN_NEW_FOLDER(root_creates_nothing_in_the_home_of_another_user),
		IN_NEW_FOLDER(without_a_folder_nothing_is_kept),
		IN_NEW_FOLDER(the_least_recently_used_are_removed),
		IN_NEW_FOLDER(a_use_is_noted_now_and_then),
		IN_NEW_FOLDER(what_killed_writers_left_is_removed),
		IN_NEW_FOLDER(writers_at_the_same_time_do_no_harm),
		IN_NEW_FOLDER(a_full_disc_means_no_cache),
		IN_NEW_FOLDER(nothing_stays_open_when_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
