/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "packed_input.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

enum {
	STORED = 0,
	DEFLATED = 8,
	ENCRYPTED = 1,
	LATE = 8, /* checksum and sizes follow the data */
};

/* Deviations of an entry from the usual form. */
struct shape {
	unsigned method;
	unsigned flags;
	bool large;		 /* sizes of eight bytes */
	bool unsigned_late;	 /* no signature before the late sizes */
	bool without_late_sizes; /* even if the flag is set */
	uint32_t wrong_sum;	 /* added to the checksum */
};

static struct packed deflated(const void *content, size_t size)
{
	z_stream zlib = { .next_in = (unsigned char *)content, .avail_in = (unsigned)size };
	const size_t most = size + size / 100 + 100;
	struct packed packed = { .data = xcalloc(1, most) };

	zlib.next_out = packed.data;
	zlib.avail_out = (unsigned)most;
	assert_int_equal(deflateInit2(&zlib, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
	packed.size = zlib.total_out;
	deflateEnd(&zlib);
	return packed;
}

static void add_header(struct packed *zip, const char *name, const struct shape *shape)
{
	packed_add(zip, "PK\3\4", 4);
	packed_add_number(zip, 45, 2);
	packed_add_number(zip, shape->flags, 2);
	packed_add_number(zip, shape->method, 2);
	packed_add_number(zip, 0, 4);
	packed_add(zip, "\0\0\0\0\0\0\0\0\0\0\0", 12); /* checksum and sizes: see fill_in() */
	packed_add_number(zip, strlen(name), 2);
	packed_add_number(zip, shape->large ? 4 + 5 + 4 + 16 : 0, 2);
	packed_add(zip, name, strlen(name));
	if (shape->large) {
		packed_add(zip, "xy\5\0other", 4 + 5); /* an extra field of no interest */
		packed_add_number(zip, 1, 2);
		packed_add_number(zip, 16, 2);
		packed_add_number(zip, 0, 16 / 2);
		packed_add_number(zip, 0, 16 / 2);
	}
}

static void put(struct packed *zip, size_t offset, uint64_t value, size_t size)
{
	memcpy(zip->data + offset, &value, size);
}

/* Sets the sizes in a header that ends at `end`. */
static void fill_in(struct packed *zip, size_t start, size_t end, const struct shape *shape,
		    const uint64_t numbers[3])
{
	const uint64_t elsewhere = 0xFFFFFFFF;

	if (shape->flags & LATE)
		return;
	put(zip, start + 14, numbers[0], 4);
	put(zip, start + 18, shape->large ? elsewhere : numbers[1], 4);
	put(zip, start + 22, shape->large ? elsewhere : numbers[2], 4);
	if (shape->large) {
		put(zip, end - 16, numbers[2], 8);
		put(zip, end - 8, numbers[1], 8);
	}
}

static void add_late_sizes(struct packed *zip, const struct shape *shape, const uint64_t numbers[3])
{
	if (!(shape->flags & LATE) || shape->without_late_sizes)
		return;
	if (!shape->unsigned_late)
		packed_add(zip, "PK\7\10", 4);
	packed_add_number(zip, numbers[0], 4);
	packed_add_number(zip, numbers[1], shape->large ? 8 : 4);
	packed_add_number(zip, numbers[2], shape->large ? 8 : 4);
}

static void add_shaped(struct packed *zip, const char *name, const struct packed *content,
		       struct shape shape)
{
	struct packed packed = { 0 };
	const size_t start = zip->size;
	uint64_t numbers[3]; /* checksum, packed size, size */

	if (shape.method == DEFLATED)
		packed = deflated(content->data, content->size);
	else
		packed_add(&packed, content->data, content->size);
	numbers[0] = crc32_z(0, content->data, content->size) + shape.wrong_sum;
	numbers[1] = packed.size;
	numbers[2] = content->size;
	add_header(zip, name, &shape);
	fill_in(zip, start, zip->size, &shape, numbers);
	packed_add(zip, packed.data, packed.size);
	add_late_sizes(zip, &shape, numbers);
	packed_release(&packed);
}

static void add(struct packed *zip, const char *name, const char *content, struct shape shape)
{
	struct packed bytes = { .data = (uint8_t *)content, .size = strlen(content) };

	add_shaped(zip, name, &bytes, shape);
}

/* Only its signature matters to a sequential reader. */
static void add_directory(struct packed *zip)
{
	packed_add(zip, "PK\1\2central directory", 21);
}

#define TRACE "Nettrace of some bytes, some bytes, some bytes, some bytes"

static void expect_trace(struct packed *zip)
{
	add_directory(zip);
	expect_content(zip, TRACE, strlen(TRACE));
	packed_release(zip);
}

static void unpacks_a_stored_trace(void **state)
{
	struct packed zip = { 0 };
	struct pp_error err = { 0 };
	struct input *in;

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = STORED });
	in = input_open_memory(zip.data, zip.size, &err);
	assert_string_equal(input_compression(in), "zip");
	assert_int_equal(input_size(in), zip.size);
	input_close(in);
	expect_trace(&zip);
}

static void unpacks_a_deflated_trace(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = DEFLATED });
	expect_trace(&zip);
}

static void unpacks_a_trace_whose_sizes_follow_it(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		const struct shape shape = {
			.method = DEFLATED, .flags = LATE, .large = i & 1, .unsigned_late = i & 2
		};
		struct packed zip = { 0 };

		add(&zip, "a.nettrace", TRACE, shape);
		expect_trace(&zip);
	}
}

static void unpacks_a_stored_trace_with_large_sizes(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = STORED, .large = true });
	add(&zip, "b.nettrace", "Nettrace, another one", (struct shape){ .method = STORED });
	expect_trace(&zip);
}

static void unpacks_the_old_netperf_format(void **state)
{
	struct packed trace = { .data = (uint8_t *)"\x14\0\0\0!FastSerialization.1 and so on",
				.size = 34 };
	struct packed zip = { 0 };

	(void)state;
	add_shaped(&zip, "a.netperf", &trace, (struct shape){ .method = DEFLATED });
	expect_content(&zip, trace.data, trace.size);
	packed_release(&zip);
}

static void takes_the_first_of_two_traces(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = DEFLATED });
	add(&zip, "b.nettrace", "Nettrace, another one", (struct shape){ .method = DEFLATED });
	expect_trace(&zip);
}

static void skips_entries_that_are_not_traces(void **state)
{
	struct packed noise = packed_noise(10000);
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "folder/", "", (struct shape){ .method = STORED });
	add(&zip, "late/", "", (struct shape){ .method = STORED, .flags = LATE });
	add(&zip, "bare/", "",
	    (struct shape){ .method = STORED, .flags = LATE, .without_late_sizes = true });
	add(&zip, "empty", "", (struct shape){ .method = STORED });
	add(&zip, "late empty", "", (struct shape){ .method = STORED, .flags = LATE });
	add(&zip, "a.txt", "text", (struct shape){ .method = STORED });
	add_shaped(&zip, "a", &noise, (struct shape){ .method = STORED });
	add_shaped(&zip, "b", &noise, (struct shape){ .method = DEFLATED });
	for (int i = 0; i < 4; i++) {
		const struct shape shape = {
			.method = DEFLATED, .flags = LATE, .large = i & 1, .unsigned_late = i & 2
		};

		add_shaped(&zip, "late", &noise, shape);
	}
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = DEFLATED });
	expect_trace(&zip);
	packed_release(&noise);
}

static void unpacks_a_large_trace_from_a_pipe(void **state)
{
	struct packed noise = packed_noise(60000);
	struct packed zip = { 0 };
	struct pp_error err = { 0 };
	struct outcome outcome;
	struct input *in;
	int end;

	(void)state;
	memcpy(noise.data, "Nettrace", 8);
	add_shaped(&zip, "a.nettrace", &noise, (struct shape){ .method = DEFLATED, .flags = LATE });
	add_directory(&zip);
	end = pipe_as_stdin();
	assert_int_equal(write(end, zip.data, zip.size), zip.size);
	close(end);
	in = input_open("-", &err);
	outcome = read_open(in, 1000);
	assert_int_equal(outcome.content.size, noise.size);
	assert_memory_equal(outcome.content.data, noise.data, noise.size);
	assert_false(outcome.truncated);
	assert_int_equal(input_size(in), zip.size);
	outcome_release(&outcome);
	input_close(in);
	packed_release(&zip);
	packed_release(&noise);
}

static void refuses(struct packed *zip, enum pp_error_code code, const char *sentence)
{
	add_directory(zip);
	expect_refusal(zip, code, sentence);
	packed_release(zip);
}

static void says_what_it_holds_instead_of_a_trace(void **state)
{
	struct packed two = { 0 };
	struct packed six = { 0 };

	(void)state;
	add(&two, "a.txt", "text", (struct shape){ .method = STORED });
	add(&two, "b.txt", "text", (struct shape){ .method = DEFLATED });
	refuses(&two, PP_ERROR_FORMAT, "the zip holds no trace; it holds a.txt and b.txt");
	add(&six, "folder/", "", (struct shape){ .method = STORED });
	for (int i = 0; i < 6; i++)
		add(&six, (const char[]){ (char)('a' + i), 0 }, "text",
		    (struct shape){ .method = STORED });
	refuses(&six, PP_ERROR_FORMAT, "the zip holds no trace; it holds a, b, c and 3 others");
}

static void says_that_it_is_empty(void **state)
{
	struct packed empty = { .data = (uint8_t *)"PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
				.size = 22 };

	(void)state;
	expect_refusal(&empty, PP_ERROR_FORMAT, "the zip holds no trace; it holds nothing");
}

static void makes_names_safe_for_terminals(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a\33[2Jb\nc\xff", "text", (struct shape){ .method = STORED });
	refuses(&zip, PP_ERROR_FORMAT, "the zip holds no trace; it holds a?[2Jb?c?");
}

static void does_not_unpack_a_second_layer(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace.gz", "\x1f\x8b\x08 and so on", (struct shape){ .method = STORED });
	refuses(&zip, PP_ERROR_FORMAT, "the zip holds no trace; it holds a.nettrace.gz");
}

static void rejects_encrypted_entries(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = DEFLATED, .flags = ENCRYPTED });
	refuses(&zip, PP_ERROR_UNSUPPORTED, "a.nettrace in the zip is encrypted; unpack it first");
}

static void rejects_other_methods_by_name(void **state)
{
	struct packed lzma = { 0 };
	struct packed odd = { 0 };

	(void)state;
	add(&lzma, "a.nettrace", TRACE, (struct shape){ .method = 14 });
	refuses(&lzma, PP_ERROR_UNSUPPORTED,
		"a.nettrace in the zip is packed with LZMA (method 14), which perfpipe does "
		"not support; unpack it first");
	add(&odd, "a.nettrace", TRACE, (struct shape){ .method = 77 });
	refuses(&odd, PP_ERROR_UNSUPPORTED,
		"a.nettrace in the zip is packed with an unusual method (method 77), which "
		"perfpipe does not support; unpack it first");
}

static void rejects_stored_data_of_unknown_size(void **state)
{
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = STORED, .flags = LATE });
	refuses(&zip, PP_ERROR_UNSUPPORTED,
		"the zip does not say where a.nettrace ends; unpack it first");
}

static void unpacks_what_a_truncated_archive_holds(void **state)
{
	struct packed noise = packed_noise(20000);

	(void)state;
	memcpy(noise.data, "Nettrace", 8);
	for (unsigned method = STORED; method <= DEFLATED; method += DEFLATED) {
		struct packed zip = { 0 };

		add_shaped(&zip, "a.nettrace", &noise, (struct shape){ .method = method });
		zip.size = 12000;
		expect_part(&zip, &noise, 8000, "");
		packed_release(&zip);
	}
	packed_release(&noise);
}

static void treats_missing_late_sizes_as_truncation(void **state)
{
	struct packed text = { .data = (uint8_t *)TRACE, .size = strlen(TRACE) };
	struct packed zip = { 0 };

	(void)state;
	add(&zip, "a.nettrace", TRACE, (struct shape){ .method = DEFLATED, .flags = LATE });
	zip.size -= 10;
	expect_part(&zip, &text, text.size, "");
	packed_release(&zip);
}

static void says_that_it_is_truncated_before_any_trace(void **state)
{
	static const char nothing[] = "the zip is cut short before any trace; it holds nothing";
	struct packed zip = { 0 };
	size_t first;

	(void)state;
	add(&zip, "a.txt", "some text", (struct shape){ .method = STORED });
	first = zip.size;
	add(&zip, "b.nettrace", TRACE, (struct shape){ .method = STORED });
	zip.size = first + 35; /* in the name */
	expect_refusal(&zip, PP_ERROR_FORMAT,
		       "the zip is cut short before any trace; it holds a.txt");
	zip.size = first - 4; /* in the text */
	expect_refusal(&zip, PP_ERROR_FORMAT,
		       "the zip is cut short before any trace; it holds a.txt");
	zip.size = 20;
	expect_refusal(&zip, PP_ERROR_FORMAT, nothing);
	zip.size = 4;
	expect_refusal(&zip, PP_ERROR_FORMAT, nothing);
	packed_release(&zip);
}

/* Noise is stored in blocks with their size twice; in the second one the two no longer agree. */
static void spoil_second_block(struct packed *zip)
{
	uint8_t *block = zip->data + 30 + strlen("a.nettrace");
	const size_t size = 5 + (size_t)(block[1] | block[2] << 8);

	assert_int_equal(block[0], 0);
	block[size + 3] ^= 1;
}

static void says_where_the_data_is_corrupt(void **state)
{
	struct packed noise = packed_noise(100000);
	struct packed zip = { 0 };

	(void)state;
	memcpy(noise.data, "Nettrace", 8);
	add_shaped(&zip, "a.nettrace", &noise, (struct shape){ .method = DEFLATED });
	spoil_second_block(&zip);
	expect_part(&zip, &noise, 20000, "the zip data is corrupt at byte ");
	packed_release(&zip);
	packed_release(&noise);
}

static void expect_corrupt_before_the_trace(const struct packed *zip)
{
	struct pp_error err = { 0 };

	assert_null(input_open_memory(zip->data, zip->size, &err));
	assert_non_null(strstr(err.text, "the zip data is corrupt at byte "));
	assert_int_equal(err.code, PP_ERROR_FORMAT);
}

static void says_where_an_earlier_entry_is_corrupt(void **state)
{
	struct packed noise = packed_noise(100000);
	struct packed zip = { 0 };

	(void)state;
	add_shaped(&zip, "a.something", &noise, (struct shape){ .method = DEFLATED });
	zip.data[41] = 6; /* an invalid block type */
	expect_corrupt_before_the_trace(&zip);
	packed_release(&zip);
	add_shaped(&zip, "a.nottrace", &noise, (struct shape){ .method = DEFLATED });
	spoil_second_block(&zip);
	expect_corrupt_before_the_trace(&zip);
	packed_release(&zip);
	packed_release(&noise);
}

static void says_that_the_checksum_is_wrong(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= LATE; flags += LATE) {
		const struct shape shape = { .method = DEFLATED, .flags = flags, .wrong_sum = 1 };
		struct packed zip = { 0 };

		add(&zip, "a.nettrace", TRACE, shape);
		expect_wrong_checksum(&zip, TRACE, strlen(TRACE));
		packed_release(&zip);
	}
}

/* The archive on standard input, whose descriptor becomes invalid after `offset` bytes. */
static void expect_read_error(const struct packed *zip, size_t offset)
{
	struct packed start = { .data = zip->data, .size = offset };
	struct pp_error err = { 0 };
	uint8_t buffer[100];
	struct input *in;
	size_t got = 1;
	int end = pipe_as_stdin();

	assert_int_equal(write(end, start.data, start.size), start.size);
	in = input_open("-", &err);
	assert_non_null(in);
	assert_int_equal(input_read(in, buffer, 1, &got, &err), 0);
	assert_non_null(freopen("/dev/null", "a", stdin));
	while (!input_read(in, buffer, sizeof(buffer), &got, &err))
		assert_int_not_equal(got, 0);
	assert_non_null(strstr(err.text, "cannot read at byte"));
	input_close(in);
	close(end);
}

static void says_that_reading_failed_below(void **state)
{
	(void)state;
	for (unsigned method = STORED; method <= DEFLATED; method += DEFLATED) {
		struct packed zip = { 0 };

		add(&zip, "a.nettrace", TRACE,
		    (struct shape){ .method = method, .flags = method ? LATE : 0 });
		expect_read_error(&zip, zip.size - 17);
		if (method)
			expect_read_error(&zip, zip.size - 14);
		packed_release(&zip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_a_stored_trace),
		cmocka_unit_test(unpacks_a_deflated_trace),
		cmocka_unit_test(unpacks_a_trace_whose_sizes_follow_it),
		cmocka_unit_test(unpacks_a_stored_trace_with_large_sizes),
		cmocka_unit_test(unpacks_the_old_netperf_format),
		cmocka_unit_test(takes_the_first_of_two_traces),
		cmocka_unit_test(skips_entries_that_are_not_traces),
		cmocka_unit_test(unpacks_a_large_trace_from_a_pipe),
		cmocka_unit_test(says_what_it_holds_instead_of_a_trace),
		cmocka_unit_test(says_that_it_is_empty),
		cmocka_unit_test(makes_names_safe_for_terminals),
		cmocka_unit_test(does_not_unpack_a_second_layer),
		cmocka_unit_test(rejects_encrypted_entries),
		cmocka_unit_test(rejects_other_methods_by_name),
		cmocka_unit_test(rejects_stored_data_of_unknown_size),
		cmocka_unit_test(unpacks_what_a_truncated_archive_holds),
		cmocka_unit_test(treats_missing_late_sizes_as_truncation),
		cmocka_unit_test(says_that_it_is_truncated_before_any_trace),
		cmocka_unit_test(says_where_the_data_is_corrupt),
		cmocka_unit_test(says_where_an_earlier_entry_is_corrupt),
		cmocka_unit_test(says_that_the_checksum_is_wrong),
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
