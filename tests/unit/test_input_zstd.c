/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "packed_input.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

/* Adds a frame with this content. */
static void add_frame(struct packed *zstd, const void *content, size_t size)
{
	const size_t most = ZSTD_compressBound(size);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	uint8_t *packed = xcalloc(1, most);
	size_t packed_size;

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	packed_size = ZSTD_compress2(context, packed, most, content, size);
	assert_false(ZSTD_isError(packed_size));
	packed_add(zstd, packed, packed_size);
	ZSTD_freeCCtx(context);
	xfree(packed);
}

static struct packed zstd_of(const struct packed *content)
{
	struct packed zstd = { 0 };

	add_frame(&zstd, content->data, content->size);
	return zstd;
}

static void unpacks_one_frame(void **state)
{
	struct packed zstd = { 0 };
	struct pp_error err = { 0 };
	struct input *in;

	(void)state;
	add_frame(&zstd, "Nettrace", 8);
	expect_content(&zstd, "Nettrace", 8);
	in = input_open_memory(zstd.data, zstd.size, &err);
	assert_string_equal(input_compression(in), "zstd");
	input_close(in);
	packed_release(&zstd);
}

static void unpacks_frames_one_after_another(void **state)
{
	struct packed zstd = { 0 };

	(void)state;
	add_frame(&zstd, "Net", 3);
	add_frame(&zstd, "", 0);
	add_frame(&zstd, "trace", 5);
	expect_content(&zstd, "Nettrace", 8);
	packed_release(&zstd);
}

static void skips_the_frame_that_parallel_compressors_write_first(void **state)
{
	struct packed zstd = { 0 };

	(void)state;
	packed_add(&zstd, "\x53\x2a\x4d\x18\4\0\0\0skip", 12);
	add_frame(&zstd, "Nettrace", 8);
	expect_content(&zstd, "Nettrace", 8);
	packed_release(&zstd);
}

static void unpacks_a_file_larger_than_the_window(void **state)
{
	struct packed noise = packed_noise(1000000);
	struct packed zstd = zstd_of(&noise);

	(void)state;
	expect_content_of_file(&zstd, &noise, 1000);
	packed_release(&zstd);
	packed_release(&noise);
}

static void unpacks_what_a_truncated_file_holds(void **state)
{
	struct packed noise = packed_noise(300000);
	struct packed zstd = zstd_of(&noise);

	(void)state;
	zstd.size = 280000; /* blocks of 128 KiB: two are whole */
	expect_part(&zstd, &noise, 262144, "");
	zstd.size = 5;
	expect_part(&zstd, &noise, 0, "");
	packed_release(&zstd);
	packed_release(&noise);
}

static void says_where_the_data_is_corrupt(void **state)
{
	struct packed noise = packed_noise(300000);
	struct packed zstd = zstd_of(&noise);

	(void)state;
	memset(zstd.data + 262159, 0xff, 3); /* the header of the last block */
	expect_part(&zstd, &noise, 262144, "the zstd data is corrupt at byte 262");
	packed_release(&zstd);
	packed_release(&noise);
}

static void unpacks_everything_before_a_wrong_checksum(void **state)
{
	struct packed text = { .data = (uint8_t *)"Nettrace, Nettrace, Nettrace", .size = 28 };
	struct packed zstd = zstd_of(&text);

	(void)state;
	zstd.data[zstd.size - 1] ^= 1;
	expect_wrong_checksum(&zstd, text.data, text.size);
	packed_release(&zstd);
}

static void unpacks_frames_after_a_wrong_checksum(void **state)
{
	struct packed start = { .data = (uint8_t *)"Net", .size = 3 };
	struct packed rest = { .data = (uint8_t *)"trace", .size = 5 };
	struct packed zstd = zstd_of(&start);
	struct packed second = zstd_of(&rest);

	(void)state;
	zstd.data[zstd.size - 1] ^= 1;
	packed_add(&zstd, second.data, second.size);
	expect_wrong_checksum(&zstd, "Nettrace", 8);
	packed_release(&zstd);
	packed_release(&second);
}

static void unpacks_everything_before_a_wrong_block(void **state)
{
	/* magic, no sizes, window of 1 KiB; three raw bytes; a reserved block type */
	struct packed zstd = { .data = (uint8_t *)"\x28\xb5\x2f\xfd\0\0\x18\0\0Net\6\0\0",
			       .size = 15 };
	struct packed text = { .data = (uint8_t *)"Net", .size = 3 };

	(void)state;
	expect_part(&zstd, &text, text.size, "the zstd data is corrupt at byte 12");
}

static void counts_bytes_after_the_last_frame(void **state)
{
	struct packed text = { .data = (uint8_t *)"Nettrace", .size = 8 };
	struct packed zstd = zstd_of(&text);

	(void)state;
	packed_add(&zstd, "garbage", 7);
	expect_trailing(&zstd, "Nettrace", 8, 7);
	packed_release(&zstd);
}

static void rejects_an_excessive_window(void **state)
{
	/* magic, no content size, window descriptor 20 << 3: 2^30 bytes */
	struct packed zstd = { .data = (uint8_t *)"\x28\xb5\x2f\xfd\0\xa0\1\0\0", .size = 9 };
	struct outcome outcome = read_memory(&zstd, 100);

	(void)state;
	assert_string_equal(outcome.err.text, "the zstd data needs a window above 128 MiB: "
					      "unpack it first with zstd --long=31 -d");
	assert_int_equal(outcome.err.code, PP_ERROR_LIMIT);
	outcome_release(&outcome);
}

static void says_that_reading_failed_below(void **state)
{
	struct packed noise = packed_noise(400000);
	struct packed zstd = zstd_of(&noise);

	(void)state;
	expect_failure_below(&zstd);
	packed_release(&zstd);
	packed_release(&noise);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_one_frame),
		cmocka_unit_test(unpacks_frames_one_after_another),
		cmocka_unit_test(skips_the_frame_that_parallel_compressors_write_first),
		cmocka_unit_test(unpacks_a_file_larger_than_the_window),
		cmocka_unit_test(unpacks_what_a_truncated_file_holds),
		cmocka_unit_test(says_where_the_data_is_corrupt),
		cmocka_unit_test(unpacks_everything_before_a_wrong_checksum),
		cmocka_unit_test(unpacks_frames_after_a_wrong_checksum),
		cmocka_unit_test(unpacks_everything_before_a_wrong_block),
		cmocka_unit_test(counts_bytes_after_the_last_frame),
		cmocka_unit_test(rejects_an_excessive_window),
		cmocka_unit_test(says_that_reading_failed_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("built without zstd");
	return 77;
}
#endif
