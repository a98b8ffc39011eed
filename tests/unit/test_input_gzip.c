/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "packed_input.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

/* Adds a gzip member with this content. */
static void add_member(struct packed *gzip, const void *content, size_t size)
{
	z_stream zlib = { .next_in = (unsigned char *)content, .avail_in = (unsigned)size };
	const size_t most = size + size / 100 + 100;
	uint8_t *packed = xcalloc(1, most);

	zlib.next_out = packed;
	zlib.avail_out = (unsigned)most;
	assert_int_equal(deflateInit2(&zlib, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
	packed_add(gzip, packed, zlib.total_out);
	deflateEnd(&zlib);
	xfree(packed);
}

static struct packed gzip_of(const struct packed *content)
{
	struct packed gzip = { 0 };

	add_member(&gzip, content->data, content->size);
	return gzip;
}

static void unpacks_one_member(void **state)
{
	struct packed gzip = { 0 };
	struct pp_error err = { 0 };
	struct input *in;

	(void)state;
	add_member(&gzip, "Nettrace", 8);
	expect_content(&gzip, "Nettrace", 8);
	in = input_open_memory(gzip.data, gzip.size, &err);
	assert_string_equal(input_compression(in), "gzip");
	assert_int_equal(input_size(in), gzip.size);
	input_close(in);
	packed_release(&gzip);
}

static void unpacks_members_one_after_another(void **state)
{
	struct packed gzip = { 0 };

	(void)state;
	add_member(&gzip, "Net", 3);
	add_member(&gzip, "", 0);
	add_member(&gzip, "trace", 5);
	expect_content(&gzip, "Nettrace", 8);
	packed_release(&gzip);
}

static void counts_bytes_after_the_last_member(void **state)
{
	struct packed zeros = { 0 };
	struct packed one = { 0 };
	struct packed text = { 0 };

	(void)state;
	add_member(&zeros, "Nettrace", 8);
	add_member(&one, "Nettrace", 8);
	add_member(&text, "Nettrace", 8);
	packed_add(&zeros, "\0\0\0\0\0\0\0\0", 8);
	packed_add(&one, "\x1f", 1);
	packed_add(&text, "garbage", 7);
	expect_content(&zeros, "Nettrace", 8);
	expect_trailing(&one, "Nettrace", 8, 1);
	expect_trailing(&text, "Nettrace", 8, 7);
	packed_release(&zeros);
	packed_release(&one);
	packed_release(&text);
}

static void unpacks_a_file_larger_than_the_window(void **state)
{
	struct packed noise = packed_noise(1000000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	expect_content_of_file(&gzip, &noise, 100000);
	packed_release(&gzip);
	packed_release(&noise);
}

static void unpacks_what_a_pipe_has(void **state)
{
	const int end = pipe_as_stdin();
	struct packed gzip = { 0 };
	struct pp_error err = { 0 };
	char buffer[64];
	struct input *in;
	size_t got;

	(void)state;
	add_member(&gzip, "Nettrace", 8);
	assert_int_equal(write(end, gzip.data, gzip.size), gzip.size);
	in = input_open("-", &err);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 8); /* without waiting for another member */
	close(end);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 0);
	input_close(in);
	packed_release(&gzip);
}

static void unpacks_what_a_truncated_file_holds(void **state)
{
	struct packed noise = packed_noise(20000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	gzip.size = 12000;
	expect_part(&gzip, &noise, 8000, "");
	gzip.size = 5; /* not even the header */
	expect_part(&gzip, &noise, 0, "");
	packed_release(&gzip);
	packed_release(&noise);
}

static void treats_a_missing_checksum_as_truncation(void **state)
{
	struct packed noise = packed_noise(1000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	gzip.size -= 8;
	expect_part(&gzip, &noise, 1000, "");
	packed_release(&gzip);
	packed_release(&noise);
}

static void says_where_the_data_is_corrupt(void **state)
{
	struct packed noise = packed_noise(200000);
	struct packed gzip = gzip_of(&noise);
	struct outcome outcome;
	unsigned long long offset = 0;

	(void)state;
	memset(gzip.data + 150000, 0xff, 40000); /* the header of a block among it */
	outcome = read_memory(&gzip, 65536);
	assert_int_equal(sscanf(outcome.err.text, "the gzip data is corrupt at byte %llu", &offset),
			 1);
	assert_int_equal(outcome.err.code, PP_ERROR_FORMAT);
	assert_in_range(offset, 150000, gzip.size);
	assert_in_range(outcome.content.size, 140000, noise.size);
	assert_memory_equal(outcome.content.data, noise.data, 140000);
	outcome_release(&outcome);
	packed_release(&gzip);
	packed_release(&noise);
}

static void says_that_the_checksum_is_wrong(void **state)
{
	struct packed noise = packed_noise(1000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	gzip.data[gzip.size - 8] ^= 1;
	expect_wrong_checksum(&gzip, noise.data, 1000);
	packed_release(&gzip);
	packed_release(&noise);
}

static void says_that_the_length_is_wrong(void **state)
{
	struct packed noise = packed_noise(1000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	gzip.data[gzip.size - 4] ^= 1;
	expect_wrong_checksum(&gzip, noise.data, 1000);
	packed_release(&gzip);
	packed_release(&noise);
}

static void unpacks_members_after_a_wrong_checksum(void **state)
{
	struct packed gzip = { 0 };

	(void)state;
	add_member(&gzip, "Net", 3);
	gzip.data[gzip.size - 8] ^= 1;
	add_member(&gzip, "tr", 2);
	gzip.data[gzip.size - 1] ^= 1;
	add_member(&gzip, "ace", 3);
	expect_wrong_checksum(&gzip, "Nettrace", 8);
	packed_release(&gzip);
}

static void unpacks_one_layer_only(void **state)
{
	struct packed inner = { 0 };
	struct packed outer = { 0 };

	(void)state;
	add_member(&inner, "Nettrace", 8);
	add_member(&outer, inner.data, inner.size);
	expect_content(&outer, inner.data, inner.size);
	packed_release(&inner);
	packed_release(&outer);
}

static void says_that_reading_failed_below(void **state)
{
	struct packed noise = packed_noise(400000);
	struct packed gzip = gzip_of(&noise);

	(void)state;
	expect_failure_below(&gzip);
	packed_release(&gzip);
	packed_release(&noise);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_one_member),
		cmocka_unit_test(unpacks_members_one_after_another),
		cmocka_unit_test(counts_bytes_after_the_last_member),
		cmocka_unit_test(unpacks_a_file_larger_than_the_window),
		cmocka_unit_test(unpacks_what_a_pipe_has),
		cmocka_unit_test(unpacks_what_a_truncated_file_holds),
		cmocka_unit_test(treats_a_missing_checksum_as_truncation),
		cmocka_unit_test(says_where_the_data_is_corrupt),
		cmocka_unit_test(says_that_the_checksum_is_wrong),
		cmocka_unit_test(says_that_the_length_is_wrong),
		cmocka_unit_test(unpacks_members_after_a_wrong_checksum),
		cmocka_unit_test(unpacks_one_layer_only),
		cmocka_unit_test(says_that_reading_failed_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("built without zlib");
	return 77;
}
#endif
