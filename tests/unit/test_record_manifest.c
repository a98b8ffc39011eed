/* SPDX-License-Identifier: MIT */
#include "record/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/perfpipe-test-manifest-XXXXXX";
static char trace[64], beside[96];

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(trace, sizeof(trace), "%s/a.nettrace", folder);
	snprintf(beside, sizeof(beside), "%s.manifest.json", trace);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(trace);
	unlink(beside);
	return rmdir(folder);
}

static void save(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static void write_one(void)
{
	const struct manifest manifest = { .artifact = trace,
					   .process_id = getpid(),
					   .name = "orders",
					   .runtime = "10.0.1",
					   .end_ns = 1500000000,
					   .stopped_by = "duration",
					   .events = 12 };
	struct pp_error err = { 0 };

	save(trace, "abc");
	unlink(beside);
	assert_int_equal(manifest_write(&manifest, (struct replace_choice){ 0 }, &err), 0);
}

static const struct manifest_fact *fact(const struct manifest_found *found, const char *key)
{
	for (size_t i = 0; i < found->count; i++)
		if (!strcmp(found->facts[i].key, key))
			return &found->facts[i];
	return NULL;
}

static void reads_back_a_manifest(void **state)
{
	struct manifest_found found;
	struct pp_error err = { 0 };

	(void)state;
	write_one();
	assert_int_equal(manifest_find(trace, &found, &err), 1);
	assert_true(found.matches);
	assert_string_equal(fact(&found, "schema")->text, MANIFEST_SCHEMA);
	assert_string_equal(fact(&found, "process_name")->text, "orders");
	assert_non_null(strstr(fact(&found, "command")->text, "test_record_manifest"));
	assert_string_equal(fact(&found, "end_time")->text, "1970-01-01T00:00:01.5000000Z");
	assert_string_equal(fact(&found, "sha256")->text,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_int_equal(fact(&found, "size_bytes")->number, 3);
	assert_null(fact(&found, "size_bytes")->text);
	assert_non_null(fact(&found, "kernel"));
	assert_null(fact(&found, "container")); /* null is the same as absent */
	manifest_found_release(&found);
}

static void notices_that_the_trace_has_changed(void **state)
{
	struct manifest_found found;
	struct pp_error err = { 0 };

	(void)state;
	write_one();
	save(trace, "abd");
	assert_int_equal(manifest_find(trace, &found, &err), 1);
	assert_false(found.matches);
	manifest_found_release(&found);
}

static void returns_nothing_without_a_manifest(void **state)
{
	struct manifest_found found;
	struct pp_error err = { 0 };

	(void)state;
	unlink(beside);
	assert_int_equal(manifest_find(trace, &found, &err), 0);
	assert_int_equal(manifest_find("-", &found, &err), 0);
}

static void explains_a_malformed_manifest(void **state)
{
	static const char *const texts[] = { "", "{", "[1]", "{\"a\":}", "\xff" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct manifest_found found;
		struct pp_error err = { 0 };

		save(trace, "abc");
		save(beside, texts[i]);
		assert_int_equal(manifest_find(trace, &found, &err), -1);
		assert_non_null(strstr(err.text, "is not a manifest"));
	}
}

static void expect_unwritten(struct replace_choice replace, const char *sentence)
{
	const struct manifest manifest = { .artifact = trace };
	struct pp_error early = { 0 }, late = { 0 };
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "%s%s", beside, sentence);
	assert_int_equal(manifest_check(trace, replace, &early), -1);
	assert_string_equal(early.text, wanted);
	assert_int_equal(manifest_write(&manifest, replace, &late), -1);
	assert_string_equal(late.text, wanted);
}

static void replaces_a_manifest_only_if_forced(void **state)
{
	const struct replace_choice force = { .force = true };
	const struct manifest manifest = { .artifact = trace };
	struct pp_error err = { 0 };
	struct stat status;

	(void)state;
	save(trace, "abc");
	save(beside, "{}");
	expect_unwritten((struct replace_choice){ 0 }, " already exists; choose another name");
	assert_int_equal(manifest_check(trace, force, &err), 0);
	assert_int_equal(manifest_write(&manifest, force, &err), 0);
	assert_int_equal(lstat(beside, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_true(status.st_size > 100);
}

static void does_not_follow_a_link(void **state)
{
	const struct manifest manifest = { .artifact = trace };
	struct pp_error err = { 0 };
	struct stat status;

	(void)state;
	save(trace, "abc");
	unlink(beside);
	assert_int_equal(symlink("a.nettrace", beside), 0);
	expect_unwritten((struct replace_choice){ 0 }, " already exists; choose another name");
	assert_int_equal(manifest_write(&manifest, (struct replace_choice){ .force = true }, &err),
			 0);
	assert_int_equal(lstat(beside, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(stat(trace, &status), 0);
	assert_int_equal(status.st_size, 3);
}

/* Somebody else may have made it, and one that is read would keep us waiting. */
static void does_not_wait_at_a_pipe(void **state)
{
	struct manifest_found found;
	struct pp_error err = { 0 };

	(void)state;
	save(trace, "abc");
	unlink(beside);
	assert_int_equal(mkfifo(beside, 0600), 0);
	assert_int_equal(manifest_find(trace, &found, &err), -1);
	assert_non_null(strstr(err.text, "is not a regular file"));
	unlink(beside);

	save(beside, "{}");
	unlink(trace);
	assert_int_equal(mkfifo(trace, 0600), 0);
	err = (struct pp_error){ 0 };
	assert_int_equal(manifest_find(trace, &found, &err), -1);
	assert_non_null(strstr(err.text, "is not a regular file"));
	unlink(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back_a_manifest),
		cmocka_unit_test(notices_that_the_trace_has_changed),
		cmocka_unit_test(returns_nothing_without_a_manifest),
		cmocka_unit_test(explains_a_malformed_manifest),
		cmocka_unit_test(replaces_a_manifest_only_if_forced),
		cmocka_unit_test(does_not_follow_a_link),
		cmocka_unit_test(does_not_wait_at_a_pipe),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
