/* SPDX-License-Identifier: MIT */
/*
 * The seeds in fuzz/corpus/nettrace are the samples: complete, truncated and with a wrong byte,
 * after the two bytes that fuzz_nettrace.c reads first. UPDATE=1 rewrites them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "trace_reading.h"
#include "trace_samples.h"

enum change {
	WHOLE,
	CUT,
	WRONG,
	CHANGES,
};

static const char *const suffixes[CHANGES] = { "", "_cut", "_wrong" };

/* Cycles through ways of feeding and sizes of pieces. */
static struct builder seed_of(size_t index, enum change change)
{
	struct builder trace = samples[index].build();
	struct builder seed = { 0 };

	if (change == CUT)
		trace.size -= trace.size / 3;
	if (change == WRONG)
		trace.bytes[trace.size / 2] ^= 0x55;
	put_u8(&seed, (unsigned)(7 * index + 5 * change) % 32);
	put_u8(&seed, (unsigned)(index * 41) % 256);
	put_built(&seed, &trace);
	return seed;
}

static void write_seed(const char *path, const struct builder *seed)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(seed->bytes, 1, seed->size, file), seed->size);
	assert_int_equal(fclose(file), 0);
}

static void check_seed(const char *path, const struct builder *seed)
{
	FILE *file = fopen(path, "rb");
	uint8_t bytes[4096];

	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof(bytes), file), seed->size);
	assert_memory_equal(bytes, seed->bytes, seed->size);
	fclose(file);
}

static void holds_every_sample(void **state)
{
	const char *source = getenv("SOURCE");
	char path[4096];

	(void)state;
	for (size_t i = 0; i < sample_count; i++)
		for (int change = WHOLE; change < CHANGES; change++) {
			struct builder seed = seed_of(i, (enum change)change);

			assert_true(seed.size < 2048);
			snprintf(path, sizeof(path), "%s/fuzz/corpus/nettrace/%s%s",
				 source ? source : ".", samples[i].name, suffixes[change]);
			if (getenv("UPDATE"))
				write_seed(path, &seed);
			else
				check_seed(path, &seed);
			builder_release(&seed);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_every_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
