/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"

static void gives_equal_bytes_the_same_hash(void **state)
{
	static const char text[] = "some text that is longer than a few words";
	char *copies = malloc(2 * sizeof(text));

	(void)state;
	memcpy(copies + 1, text, sizeof(text)); /* at another, unaligned address */
	for (size_t size = 0; size <= sizeof(text); size++)
		assert_int_equal(hash_bytes(text, size), hash_bytes(copies + 1, size));
	free(copies);
}

static void distinguishes_lengths(void **state)
{
	static const char zeros[64];
	uint64_t seen[65];

	(void)state;
	for (size_t size = 0; size <= 64; size++) {
		seen[size] = hash_bytes(zeros, size);
		for (size_t i = 0; i < size; i++)
			assert_int_not_equal(seen[i], seen[size]);
	}
}

static void distinguishes_single_bits(void **state)
{
	(void)state;
	for (size_t size = 1; size <= 40; size++) {
		unsigned char bytes[40] = { 0 };
		const uint64_t zero = hash_bytes(bytes, size);

		for (size_t bit = 0; bit < 8 * size; bit++) {
			bytes[bit / 8] = (unsigned char)(1u << bit % 8);
			assert_int_not_equal(hash_bytes(bytes, size), zero);
			bytes[bit / 8] = 0;
		}
	}
}

static void distinguishes_the_order_of_words(void **state)
{
	static const uint64_t forth[] = { 1, 2, 3 };
	static const uint64_t back[] = { 3, 2, 1 };

	(void)state;
	assert_int_not_equal(hash_bytes(forth, sizeof(forth)), hash_bytes(back, sizeof(back)));
}

/* The low bits choose the slot: keys with strides of any power of two must use most slots. */
static void spreads_numbers_over_its_low_bits(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift < 52; shift++) {
		unsigned char used[4096] = { 0 };
		unsigned slots = 0;

		for (uint64_t i = 0; i < 4096; i++) {
			unsigned char *slot = &used[hash_u64(i << shift) & 4095];

			slots += !*slot;
			*slot = 1;
		}
		assert_true(slots > 2000); /* 2,589 are expected at random */
	}
}

static void *hash_in_thread(void *result)
{
	*(uint64_t *)result = hash_u64(12345);
	return NULL;
}

static void hashes_alike_in_every_thread(void **state)
{
	uint64_t results[8];
	pthread_t threads[8];

	(void)state;
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hash_in_thread, &results[i]), 0);
	for (size_t i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(results[i], hash_u64(12345));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_alike_in_every_thread), /* before anything was hashed */
		cmocka_unit_test(gives_equal_bytes_the_same_hash),
		cmocka_unit_test(distinguishes_lengths),
		cmocka_unit_test(distinguishes_single_bits),
		cmocka_unit_test(distinguishes_the_order_of_words),
		cmocka_unit_test(spreads_numbers_over_its_low_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
