/* SPDX-License-Identifier: MIT */
#include "clr/activity_path.h"

#include "trace_reading.h"

static void ids_are_paths_as_dotnet_shows_them(void **state)
{
	static const struct {
		uint8_t id[16];
		const char *path;
	} pairs[] = {
		{ { 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x79,
		    0xa0, 0x9d, 0x59 },
		  "/#14791/1/1/" },
		{ { 0x1c, 0xc2, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0e,
		    0x62, 0xbe, 0x59 },
		  "/#14791/1/194/2/" },
		{ { 0x18, 0x1c, 0x62, 0x11, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12,
		    0x8c, 0xff, 0x6a },
		  "/#14791/1/8/1/98/1/1/1/" },
	};
	char text[ACTIVITY_PATH_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		assert_true(activity_path(pairs[i].id, 14791, text));
		assert_string_equal(text, pairs[i].path);
		assert_false(activity_path(pairs[i].id, 14792, text));
	}
}

static void other_ids_are_not_paths(void **state)
{
	char text[ACTIVITY_PATH_SIZE];

	(void)state;
	assert_false(activity_path((const uint8_t[16]){ 1 }, 14791, text));
	assert_false(activity_path((const uint8_t[16]){ 0 }, -1, text));
}

/* Any half bytes, with a valid checksum. */
static void any_path_is_safe(void **state)
{
	char text[ACTIVITY_PATH_SIZE];
	unsigned seed = 3;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		uint32_t words[4];
		uint8_t id[16];

		for (int i = 0; i < 3; i++)
			words[i] = seed = seed * 1664525u + 1013904223u;
		words[3] = words[0] + words[1] + words[2] + UINT32_C(0x599D99AD);
		memcpy(id, words, sizeof(id));
		assert_true(activity_path(id, -1, text));
		assert_true(strlen(text) < ACTIVITY_PATH_SIZE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_paths_as_dotnet_shows_them),
		cmocka_unit_test(other_ids_are_not_paths),
		cmocka_unit_test(any_path_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
