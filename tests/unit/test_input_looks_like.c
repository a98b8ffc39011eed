/* SPDX-License-Identifier: MIT */
#include "packed_input.h"

#include "input/looks_like.h"

#define LOOKS(bytes) looks_like(bytes, sizeof(bytes) - 1)

static void knows_an_empty_file(void **state)
{
	(void)state;
	assert_string_equal(looks_like(NULL, 0), "an empty file");
}

static void knows_files_by_their_magic(void **state)
{
	(void)state;
	assert_string_equal(LOOKS("PERFILE2\x68"), "a perf.data file");
	assert_string_equal(LOOKS("DTiJ\1\0\0\0"), "a jitdump file");
	assert_string_equal(LOOKS("MZ\x90\0\3"), "a Windows executable");
	assert_string_equal(LOOKS("MDMP\x93\xa7"), "a minidump");
	assert_string_equal(LOOKS("%PDF-1.7"), "a PDF");
	assert_string_equal(LOOKS("\x57\x1d\xd1\x75"), "LTTng CTF metadata");
	assert_string_equal(LOOKS("/* CTF 1.8 */\n"), "LTTng CTF metadata");
	assert_string_equal(LOOKS("\xc1\x1f\xfc\xc1"), "an LTTng CTF stream");
	assert_string_equal(LOOKS("\xfd\67zXZ\0"), "an xz archive");
	assert_string_equal(LOOKS("BZh91AY"), "a bzip2 archive");
	assert_string_equal(LOOKS("7z\xbc\xaf\x27\x1c"), "a 7z archive");
	assert_string_equal(LOOKS("Rar!\x1a\x07\x01"), "a rar archive");
	assert_string_equal(LOOKS("\x1f\x8b\x08"), "gzip data");
	assert_string_equal(LOOKS("SQLite format 3\0"), "an SQLite database");
}

static void knows_a_tar_archive_by_its_middle(void **state)
{
	char tar[512] = "file.txt";

	(void)state;
	memcpy(tar + 257, "ustar", 5);
	assert_string_equal(looks_like(tar, sizeof(tar)), "a tar archive");
}

static void distinguishes_a_core_dump_from_a_program(void **state)
{
	char elf[64] = "\177ELF\2\1\1";

	(void)state;
	elf[16] = 3;
	assert_string_equal(looks_like(elf, sizeof(elf)), "an ELF program");
	elf[16] = 4;
	assert_string_equal(looks_like(elf, sizeof(elf)), "a core dump");
	assert_string_equal(looks_like(elf, 10), "an ELF program");
	elf[5] = 2; /* big-endian */
	elf[16] = 0;
	elf[17] = 4;
	assert_string_equal(looks_like(elf, sizeof(elf)), "a core dump");
}

#define STREAM "\x14\0\0\0!FastSerialization.1\4\4\1\n\0\0\0\10\0\0\0"

static void distinguishes_the_files_of_perfview(void **state)
{
	(void)state;
	assert_string_equal(LOOKS(STREAM "\n\0\0\0GCHeapDump\6"), "a gcdump");
	assert_string_equal(LOOKS(STREAM "\x2b\0\0\0Microsoft.Diagnostics.Tracing.Etlx.TraceLog"),
			    "a PerfView .etlx file");
	assert_string_equal(LOOKS(STREAM "\4\0\0\0Else"), "a PerfView file");
}

/* The first buffer of an ETL file: its header of 72 bytes, then the first event's. */
static void make_etl(unsigned char etl[128])
{
	memset(etl, 0, 128);
	memcpy(etl, "\0\0\1\0", 4);	 /* 64 KiB */
	memcpy(etl + 4, "\0\2\0\0", 4);	 /* saved */
	memcpy(etl + 8, "\0\2\0\0", 4);	 /* current */
	memcpy(etl + 48, "\0\2\0\0", 4); /* offset */
	memcpy(etl + 72, "\2\0\2\xc0", 4);
}

static void knows_an_etl_file_by_its_first_buffer(void **state)
{
	unsigned char etl[128];

	(void)state;
	make_etl(etl);
	assert_string_equal(looks_like(etl, sizeof(etl)), "a Windows ETL file");
	etl[74] = 1; /* a 32-bit system */
	assert_string_equal(looks_like(etl, sizeof(etl)), "a Windows ETL file");
}

static void expect_no_etl(size_t offset, unsigned char value)
{
	unsigned char etl[128];

	make_etl(etl);
	etl[offset] = value;
	assert_string_equal(looks_like(etl, sizeof(etl)), "unknown data");
}

static void does_not_mistake_other_numbers_for_an_etl_file(void **state)
{
	unsigned char etl[128];

	(void)state;
	expect_no_etl(0, 1);  /* an odd size */
	expect_no_etl(3, 9);  /* a huge size */
	expect_no_etl(2, 0);  /* none */
	expect_no_etl(6, 2);  /* saved beyond the end */
	expect_no_etl(10, 2); /* current beyond the end */
	expect_no_etl(50, 2); /* offset beyond the end */
	expect_no_etl(74, 9); /* not an event header */
	expect_no_etl(75, 0);
	make_etl(etl);
	assert_string_equal(looks_like(etl, 75), "unknown data");
}

static void knows_json(void **state)
{
	(void)state;
	assert_string_equal(LOOKS("{\n  \"traceEvents\": []}"), "JSON");
	assert_string_equal(LOOKS("\xef\xbb\xbf {}"), "JSON");
	assert_string_equal(LOOKS("[ {\"a\": 1} ]"), "JSON");
	assert_string_equal(LOOKS("[1, 2]"), "JSON");
	assert_string_equal(LOOKS("{"), "JSON");
	assert_string_equal(LOOKS("[main] started"), "text");
	assert_string_equal(LOOKS("{ echo; }"), "text");
}

static void knows_markup(void **state)
{
	(void)state;
	assert_string_equal(LOOKS("<?xml version=\"1.0\"?>"), "XML");
	assert_string_equal(LOOKS("\n<StackWindow>"), "XML");
	assert_string_equal(LOOKS("<!DOCTYPE html>"), "HTML");
	assert_string_equal(LOOKS("<HTML>"), "HTML");
}

static void knows_text(void **state)
{
	char text[600];

	(void)state;
	assert_string_equal(LOOKS("dotnet 123 cycles:\n\t7f12 main\n"), "text");
	assert_string_equal(LOOKS("gr\xc3\xb6\xc3\x9f"), "text");
	assert_string_equal(LOOKS("gr\xc3"), "text"); /* truncated inside a letter */
	assert_string_equal(LOOKS("\xff\xfet\0e\0x\0t\0"), "text in UTF-16");
	memset(text, 'a', sizeof(text));
	text[599] = 0; /* too far into the file */
	assert_string_equal(looks_like(text, sizeof(text)), "text");
}

static void calls_the_rest_unknown(void **state)
{
	(void)state;
	assert_string_equal(LOOKS("\0"), "unknown data");
	assert_string_equal(LOOKS("text\0and more"), "unknown data");
	assert_string_equal(LOOKS("text\x7f"), "unknown data");
	assert_string_equal(LOOKS("\x80\x81\x82\x83\x84"), "unknown data");
	assert_string_equal(LOOKS("\1\2\3"), "unknown data");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_an_empty_file),
		cmocka_unit_test(knows_files_by_their_magic),
		cmocka_unit_test(knows_a_tar_archive_by_its_middle),
		cmocka_unit_test(distinguishes_a_core_dump_from_a_program),
		cmocka_unit_test(distinguishes_the_files_of_perfview),
		cmocka_unit_test(knows_an_etl_file_by_its_first_buffer),
		cmocka_unit_test(does_not_mistake_other_numbers_for_an_etl_file),
		cmocka_unit_test(knows_json),
		cmocka_unit_test(knows_markup),
		cmocka_unit_test(knows_text),
		cmocka_unit_test(calls_the_rest_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
