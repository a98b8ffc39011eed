/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *bytes, size_t size, const char *wanted)
{
	char text[SHA256_TEXT_SIZE];

	for (size_t piece = 1; piece < 200; piece += 31) {
		struct sha256 sum = sha256_start();

		for (size_t at = 0; at < size; at += piece)
			sha256_add(&sum, bytes + at, size - at < piece ? size - at : piece);
		sha256_text(&sum, text);
		assert_string_equal(text, wanted);
	}
}

/* The examples of the standard, and sizes around the end of a block. */
static void computes_the_sums_of_the_standard(void **state)
{
	char many[200];

	(void)state;
	memset(many, 'a', sizeof(many));
	expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
	       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect(many, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	expect(many, 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
	expect(many, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
	expect(many, 200, "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes_the_sums_of_the_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
