/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "file_of.h"
#include "symbols/r2r_image.h"

static struct buffer file;

static void zeros(size_t end)
{
	while (file.size < end)
		buffer_u8(&file, 0);
}

static void section(uint32_t rva, uint32_t size, uint32_t offset)
{
	buffer_u64(&file, 0);
	buffer_u32(&file, size);
	buffer_u32(&file, rva);
	buffer_u32(&file, size);
	buffer_u32(&file, offset);
	zeros(file.size + 16);
}

/* An image of two sections, at 0x400 and 0x600 in the file, at 0x1000 and 0x9000 in memory. */
static void make_image(uint16_t magic, const char *map_name)
{
	const unsigned wider = magic == 0x20b ? 16 : 0;

	buffer_rewind(&file, 0);
	buffer_u16(&file, 0x5A4D);
	zeros(0x3c);
	buffer_u32(&file, 0x80);
	zeros(0x80);
	buffer_u32(&file, 0x4550);
	buffer_u16(&file, 0xfd1d);
	buffer_u16(&file, 2);
	zeros(0x80 + 20);
	buffer_u16(&file, (uint16_t)(224 + wider));
	buffer_u16(&file, 0);
	buffer_u16(&file, magic);
	zeros(0x98 + 96 + wider + 6 * 8);
	buffer_u32(&file, 0x1010);
	buffer_u32(&file, 2 * 28);
	zeros(0x98 + 224 + wider);
	section(0x1000, 0x200, 0x400);
	section(0x9000, 0x100, 0x600);
	zeros(0x410 + 12);
	buffer_u32(&file, 2); /* another entry: CodeView */
	zeros(0x410 + 28 + 12);
	buffer_u32(&file, 21);
	buffer_u32(&file, (uint32_t)(24 + strlen(map_name) + 1));
	buffer_u32(&file, 0x1080);
	buffer_u32(&file, 0x480);
	zeros(0x480);
	buffer_text(&file, "R2RM0123456789abcdef");
	buffer_u32(&file, 1);
	buffer_bytes(&file, map_name, strlen(map_name) + 1);
	zeros(0x700);
}

static int read_first(size_t size, struct r2r_image *image, struct pp_error *err)
{
	const int fd = file_of_bytes(file.bytes, size);
	const int failed = r2r_image_read(fd, image, err);

	close(fd);
	return failed;
}

static int forget(void **state)
{
	(void)state;
	buffer_release(&file);
	return 0;
}

static void knows_its_map_and_its_sections(void **state)
{
	static const uint16_t magics[] = { 0x10b, 0x20b };
	struct pp_error err = { 0 };
	struct r2r_image image;
	uint64_t rva;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		make_image(magics[i], "app.ni.r2rmap");
		assert_int_equal(read_first(file.size, &image, &err), 0);
		assert_string_equal(image.map_name, "app.ni.r2rmap");
		assert_memory_equal(image.signature, "0123456789abcdef", 16);
		assert_int_equal(image.version, 1);
		assert_true(r2r_image_rva(&image, 0x400, &rva));
		assert_int_equal(rva, 0x1000);
		assert_true(r2r_image_rva(&image, 0x6ff, &rva));
		assert_int_equal(rva, 0x90ff);
		assert_false(r2r_image_rva(&image, 0x700, &rva));
		assert_false(r2r_image_rva(&image, 0x3ff, &rva));
		r2r_image_release(&image);
	}
}

static void a_map_must_have_its_signature_and_version(void **state)
{
	struct r2r_map_header header = { .has_signature = true, .version = 1 };
	struct pp_error err = { 0 };
	struct r2r_image image;

	(void)state;
	make_image(0x20b, "app.ni.r2rmap");
	assert_int_equal(read_first(file.size, &image, &err), 0);
	memcpy(header.signature, "0123456789abcdef", 16);
	assert_true(r2r_image_has_map(&image, &header));
	header.version = 2;
	assert_false(r2r_image_has_map(&image, &header));
	header.version = 1;
	header.signature[15] ^= 1;
	assert_false(r2r_image_has_map(&image, &header));
	header.signature[15] ^= 1;
	header.has_signature = false;
	assert_false(r2r_image_has_map(&image, &header));
	r2r_image_release(&image);
}

static void the_map_is_never_in_another_folder(void **state)
{
	struct pp_error err = { 0 };
	struct r2r_image image;

	(void)state;
	make_image(0x20b, "../../etc\\x/passwd");
	assert_int_equal(read_first(file.size, &image, &err), 0);
	assert_string_equal(image.map_name, "passwd");
	r2r_image_release(&image);
	make_image(0x20b, "folder/");
	assert_int_equal(read_first(file.size, &image, &err), -1);
}

static void other_files_are_refused(void **state)
{
	struct pp_error err = { 0 };
	struct r2r_image image;

	(void)state;
	make_image(0x20b, "app.ni.r2rmap");
	for (size_t size = 0; size < 0x480 + 24; size++)
		assert_int_equal(read_first(size, &image, &err), -1);
	assert_string_equal(err.text, "not a ReadyToRun image with a perf map");
	for (size_t at = 0; at < 0x480 + 4; at++) {
		file.bytes[at] ^= 0xff; /* whatever it means */
		if (!read_first(file.size, &image, &err))
			r2r_image_release(&image);
		file.bytes[at] ^= 0xff;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_its_map_and_its_sections),
		cmocka_unit_test(a_map_must_have_its_signature_and_version),
		cmocka_unit_test(the_map_is_never_in_another_folder),
		cmocka_unit_test(other_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
