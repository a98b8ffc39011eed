/* SPDX-License-Identifier: MIT */
#include "cached_tables.h"

#include "base/alloc.h"

struct listed {
	char text[1024];
};

static void append_listed(void *context, const struct cached_symbols *cached)
{
	struct listed *listed = context;
	const size_t size = strlen(listed->text);

	assert_true(cached->size > 0 && cached->used_s > 0);
	snprintf(listed->text + size, sizeof(listed->text) - size, "%.4s %s %d %d\n",
		 cached->build_id, cached->what, (int)cached->functions, cached->valid);
}

static const char *list_of(const struct symbol_cache *from, struct listed *listed)
{
	struct pp_error err = { 0 };

	listed->text[0] = 0;
	assert_int_equal(symbol_cache_list(from, append_listed, listed, &err), 0);
	return listed->text;
}

static void the_list_has_the_last_used_first(void **state)
{
	struct listed listed;
	struct symbol_table table = make_table("main", 50);

	(void)state;
	assert_string_equal(list_of(&cache, &listed), "");
	assert_true(put_named(&cache, "aaaa", "one"));
	assert_true(symbol_cache_put(&cache, "bbbb", "dynsym", &table));
	symbol_table_release(&table);
	write_file("cache/cccc.symtab.symbols", (const uint8_t *)"damaged", 7);
	write_file("cache/notes.txt", (const uint8_t *)"mine", 4);
	set_age("cache/aaaa.symtab.symbols", 10);
	set_age("cache/bbbb.dynsym.symbols", 30);
	set_age("cache/cccc.symtab.symbols", 20);
	assert_string_equal(list_of(&cache, &listed),
			    "aaaa symtab 1 1\ncccc symtab 0 0\nbbbb dynsym 50 1\n");
}

static void expect_cleared(const char *build_id, uint64_t files)
{
	struct cache_cleared cleared;
	struct pp_error err = { 0 };

	assert_int_equal(symbol_cache_clear(&cache, build_id, &cleared, &err), 0);
	assert_int_equal(cleared.files, files);
	assert_int_equal(!cleared.bytes, !files);
}

static void clearing_removes_files_of_the_cache_only(void **state)
{
	(void)state;
	expect_cleared(NULL, 0);
	assert_true(put_named(&cache, "aabb", "one"));
	assert_true(put_named(&cache, "aacc", "two"));
	assert_true(put_named(&cache, "bbcc", "three"));
	write_file("cache/notes.txt", (const uint8_t *)"mine", 4);
	assert_int_equal(symlink("notes.txt", "cache/ffff.symtab.symbols"), 0);
	expect_cleared("AAb", 1);
	assert_true(has_named(&cache, "aacc", "two"));
	expect_cleared("cc", 0);
	expect_cleared(NULL, 2);
	assert_int_equal(access("cache/notes.txt", F_OK), 0);
	assert_int_equal(status_of("cache/ffff.symtab.symbols").st_mode & S_IFMT, S_IFLNK);
}

static void expect_refused(const struct symbol_cache *refused, const char *build_id,
			   const char *sentence)
{
	struct cache_cleared cleared;
	struct pp_error err = { 0 };

	assert_int_equal(symbol_cache_clear(refused, build_id, &cleared, &err), -1);
	assert_string_equal(err.text, sentence);
}

static void why_a_cache_is_not_used_is_said(void **state)
{
	const struct symbol_cache none = { 0 };

	(void)state;
	expect_refused(&none, NULL, "there is no folder for the cache: HOME is not set");
	expect_refused(&cache, "", "\"\" is not a build id: it has hexadecimal digits only");
	expect_refused(&cache, "../x",
		       "\"../x\" is not a build id: it has hexadecimal digits only");
	assert_int_equal(mkdir("other", 0700), 0);
	assert_int_equal(symlink("other", "cache"), 0);
	expect_refused(&cache, NULL, "cache is a link or not a folder: it is not used");
	assert_int_equal(unlink("cache"), 0);
	assert_int_equal(mkdir("cache", 0700), 0);
	assert_int_equal(chmod("cache", 0777), 0);
	expect_refused(&cache, NULL,
		       "cache is another user's, or others may write to it: it is not used");
}

static void expect_folder(const char *cache_home, const char *home, const char *expected)
{
	char *path;

	cache_home ? setenv("XDG_CACHE_HOME", cache_home, 1) : unsetenv("XDG_CACHE_HOME");
	home ? setenv("HOME", home, 1) : unsetenv("HOME");
	path = symbol_cache_folder();
	if (expected)
		assert_string_equal(path, expected);
	else
		assert_null(path);
	xfree(path);
}

static void the_folder_is_the_users(void **state)
{
	(void)state;
	expect_folder("/x/cache", "/home/a", "/x/cache/perfpipe/symbols");
	expect_folder(NULL, "/home/a", "/home/a/.cache/perfpipe/symbols");
	expect_folder("relative", "/home/a", "/home/a/.cache/perfpipe/symbols");
	expect_folder("", "/home/a", "/home/a/.cache/perfpipe/symbols");
	expect_folder(NULL, NULL, NULL);
	expect_folder(NULL, "", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_NEW_FOLDER(the_list_has_the_last_used_first),
		IN_NEW_FOLDER(clearing_removes_files_of_the_cache_only),
		IN_NEW_FOLDER(why_a_cache_is_not_used_is_said),
		IN_NEW_FOLDER(the_folder_is_the_users),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
