/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "symbols/symbol_table.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct symbol_table table_of(const struct symbol *symbols, size_t count)
{
	struct symbol_list list = { .whole = true };

	for (size_t i = 0; i < count; i++)
		symbol_list_add(&list, &symbols[i]);
	return symbol_list_seal(&list);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	struct symbol found;

	return symbol_table_find(table, address, &found) ? found.name : "";
}

static void finds_the_function_that_covers_an_address(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x2000, .size = 0x10, .name = "second" },
		{ .start = 0x1000, .size = 0x20, .name = "first" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));
	struct symbol found;

	(void)state;
	assert_int_equal(symbol_table_count(&table), 2);
	assert_string_equal(name_at(&table, 0xfff), "");
	assert_string_equal(name_at(&table, 0x1000), "first");
	assert_string_equal(name_at(&table, 0x101f), "first");
	assert_string_equal(name_at(&table, 0x1020), "");
	assert_string_equal(name_at(&table, 0x200f), "second");
	assert_string_equal(name_at(&table, 0x2010), "");
	assert_string_equal(name_at(&table, UINT64_MAX), "");
	assert_true(symbol_table_find(&table, 0x2004, &found));
	assert_int_equal(found.start, 0x2000);
	assert_int_equal(found.size, 0x10);
	symbol_table_release(&table);
}

static void knows_the_nearest_function_before_an_address(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x1000, .size = 0x20, .name = "first" },
		{ .start = 0x2000, .size = 0x10, .name = "second" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));
	struct symbol found;

	(void)state;
	assert_false(symbol_table_nearest(&table, 0xfff, &found));
	assert_true(symbol_table_nearest(&table, 0x1fff, &found));
	assert_string_equal(found.name, "first");
	assert_true(symbol_table_nearest(&table, UINT64_MAX, &found));
	assert_string_equal(found.name, "second");
	symbol_table_release(&table);
}

static void a_table_without_symbols_is_valid(void **state)
{
	struct symbol_list list = { .whole = true };
	struct symbol_table table = symbol_list_seal(&list), opened, zero = { 0 };
	struct pp_error err = { 0 };
	struct symbol found;

	(void)state;
	assert_int_equal(symbol_table_count(&table), 0);
	assert_true(symbol_table_is_whole(&table));
	assert_false(symbol_table_find(&table, 0, &found));
	assert_false(symbol_table_nearest(&table, UINT64_MAX, &found));
	assert_false(symbol_table_at(&table, 0, &found));
	assert_int_equal(symbol_table_open(&opened, table.bytes, table.size, &err), 0);
	assert_false(symbol_table_find(&zero, 0, &found));
	assert_false(symbol_table_is_whole(&zero));
	symbol_table_release(&table);
	symbol_table_release(&zero);
}

static void keeps_the_best_name_of_an_address(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 1, .size = 9, .name = "local", .rank = SYMBOL_LOCAL },
		{ .start = 1, .size = 9, .name = "weak", .rank = SYMBOL_WEAK },
		{ .start = 1, .limit = 100, .name = "a_global_without_size" },
		{ .start = 1, .size = 9, .name = "__ox" },
		{ .start = 1, .size = 9, .name = "antelope" },
		{ .start = 1, .size = 9, .name = "zebra" },
		{ .start = 1, .size = 9, .name = "horse" },
		{ .start = 1, .size = 9, .name = "a@plt", .rank = SYMBOL_MADE_UP },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_int_equal(symbol_table_count(&table), 1);
	assert_string_equal(name_at(&table, 1), "horse");
	symbol_table_release(&table);
}

static void an_alias_without_a_size_has_that_of_the_others(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x10, .size = 8, .name = "sized", .rank = SYMBOL_LOCAL },
		{ .start = 0x10, .limit = 0x100, .name = "global" },
		{ .start = 0x30, .size = 8, .name = "small" },
		{ .start = 0x30, .size = 16, .name = "large", .rank = SYMBOL_LOCAL },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_string_equal(name_at(&table, 0x17), "global");
	assert_string_equal(name_at(&table, 0x18), "");
	assert_string_equal(name_at(&table, 0x3f), "small");
	assert_string_equal(name_at(&table, 0x40), "");
	symbol_table_release(&table);
}

static void one_without_a_size_ends_at_the_next_or_at_its_limit(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x10, .limit = 0x1000, .name = "first" },
		{ .start = 0x20, .limit = 0x28, .name = "second" },
		{ .start = 0x40, .limit = UINT64_MAX, .name = "last" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_string_equal(name_at(&table, 0x1f), "first");
	assert_string_equal(name_at(&table, 0x27), "second");
	assert_string_equal(name_at(&table, 0x28), "");
	assert_string_equal(name_at(&table, 0x12345678), "last");
	symbol_table_release(&table);
}

/* What comes after them may be any of the functions that have no name. */
static void those_without_a_size_are_short_in_a_stripped_file(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x1000, .limit = 0x9000, .name = "stub" },
		{ .start = 0x1020, .limit = 0x9000, .name = "last_stub" },
		{ .start = 0x2000, .size = 0x800, .name = "function" },
		{ .start = 0x3000, .limit = UINT64_MAX, .name = "last" },
	};
	struct symbol_list list = { 0 };
	struct symbol_table table;

	(void)state;
	for (size_t i = 0; i < COUNT(symbols); i++)
		symbol_list_add(&list, &symbols[i]);
	table = symbol_list_seal(&list);
	assert_string_equal(name_at(&table, 0x101f), "stub");
	assert_string_equal(name_at(&table, 0x103f), "last_stub");
	assert_string_equal(name_at(&table, 0x1060), "");
	assert_string_equal(name_at(&table, 0x27ff), "function");
	assert_string_equal(name_at(&table, 0x303f), "last");
	assert_string_equal(name_at(&table, 0x3040), "");
	symbol_table_release(&table);
}

/* Such as the labels of assembler code, which are not functions. */
static void one_without_a_size_inside_a_function_is_left_out(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x10, .size = 0x20, .name = "function" },
		{ .start = 0x18, .limit = 0x100, .name = "label" },
		{ .start = 0x30, .limit = 0x100, .name = "next" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_string_equal(name_at(&table, 0x18), "function");
	assert_string_equal(name_at(&table, 0x30), "next");
	assert_int_equal(symbol_table_count(&table), 2);
	symbol_table_release(&table);
}

static void of_nested_functions_the_innermost_is_found(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0x100, .size = 0x100, .name = "outer" },
		{ .start = 0x110, .size = 0x40, .name = "middle" },
		{ .start = 0x120, .size = 0x08, .name = "inner" },
		{ .start = 0x130, .size = 0x08, .name = "inner2" },
		{ .start = 0x1f0, .size = 0x20, .name = "overlapping" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_string_equal(name_at(&table, 0x10f), "outer");
	assert_string_equal(name_at(&table, 0x110), "middle");
	assert_string_equal(name_at(&table, 0x127), "inner");
	assert_string_equal(name_at(&table, 0x128), "middle");
	assert_string_equal(name_at(&table, 0x13f), "middle");
	assert_string_equal(name_at(&table, 0x150), "outer");
	assert_string_equal(name_at(&table, 0x1ef), "outer");
	assert_string_equal(name_at(&table, 0x1f0), "overlapping");
	assert_string_equal(name_at(&table, 0x20f), "overlapping");
	assert_string_equal(name_at(&table, 0x210), "");
	symbol_table_release(&table);
}

static void both_ends_of_the_address_space_are_addresses(void **state)
{
	static const struct symbol symbols[] = {
		{ .start = 0, .size = 1, .name = "zero" },
		{ .start = UINT64_MAX - 7, .size = 8, .name = "last" },
		{ .start = UINT64_MAX / 2, .size = UINT64_MAX, .name = "huge" },
	};
	struct symbol_table table = table_of(symbols, COUNT(symbols));

	(void)state;
	assert_string_equal(name_at(&table, 0), "zero");
	assert_string_equal(name_at(&table, 1), "");
	assert_string_equal(name_at(&table, UINT64_MAX), "last");
	assert_string_equal(name_at(&table, UINT64_MAX / 2 + 4096), "huge");
	symbol_table_release(&table);
}

/* What a search without any tree finds. */
static const char *slowly_at(const struct symbol *symbols, size_t count, uint64_t address)
{
	const struct symbol *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (symbols[i].start <= address && address - symbols[i].start < symbols[i].size &&
		    (!best || symbols[i].start > best->start))
			best = &symbols[i];
	return best ? best->name : "";
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 20;
}

static void compare_with_slow_search(size_t count, uint64_t span, uint64_t seed)
{
	struct symbol *symbols = calloc(count, sizeof(*symbols));
	char(*names)[24] = calloc(count, sizeof(*names));
	const uint64_t distance = span / count;
	/* the sizes of a table have 31 bits */
	const uint64_t largest = distance * 3 < INT32_MAX ? distance * 3 : INT32_MAX - 1;
	struct symbol_table table;

	for (size_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "f%zu", i);
		/* no two of one start, which would leave one name only */
		symbols[i] = (struct symbol){ .start = distance * i,
					      .size = next_random(&seed) % largest + 1,
					      .name = names[i] };
	}
	for (size_t i = count; i-- > 1;) {
		const size_t other = next_random(&seed) % (i + 1);
		const struct symbol moved = symbols[i];

		symbols[i] = symbols[other];
		symbols[other] = moved;
	}
	table = table_of(symbols, count);
	for (int i = 0; i < 2000; i++) {
		const uint64_t address = symbols[next_random(&seed) % count].start +
					 next_random(&seed) % (largest + 2);

		assert_string_equal(name_at(&table, address), slowly_at(symbols, count, address));
	}
	symbol_table_release(&table);
	free(symbols);
	free(names);
}

/* Around the sizes at which the tree gets another level, with narrow and wide keys. */
static void finds_the_same_as_a_slow_search(void **state)
{
	static const size_t counts[] = { 1,   2,   7,	8,   9,	  16,	63,   64,   65,	 127,
					 128, 129, 255, 256, 257, 1024, 2047, 2048, 2049 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		compare_with_slow_search(counts[i], 16384, i + 1);
		compare_with_slow_search(counts[i], UINT64_C(1) << 41, i + 1);
	}
}

static void lists_all_symbols_by_address(void **state)
{
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct symbol found;
	char name[16];

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%u", i * 7 % 1000);
		symbol_list_add(
			&list,
			&(struct symbol){ .start = i * 7 % 1000 * 16, .size = 16, .name = name });
	}
	table = symbol_list_seal(&list);
	assert_null(list.names);
	assert_int_equal(symbol_table_count(&table), 1000);
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		assert_true(symbol_table_at(&table, i, &found));
		assert_int_equal(found.start, i * 16);
		assert_string_equal(found.name, name);
	}
	assert_false(symbol_table_at(&table, 1000, &found));
	symbol_table_release(&table);
}

static struct symbol_table example(void)
{
	struct symbol_list list = { .whole = true };
	char name[16];

	for (unsigned i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "function%u", i);
		symbol_list_add(&list, &(struct symbol){
					       .start = 4096 + i * 32, .size = 40, .name = name });
	}
	return symbol_list_seal(&list);
}

static void opens_its_own_bytes_anywhere(void **state)
{
	struct symbol_table table = example(), opened;
	struct pp_error err = { 0 };
	uint8_t *moved = xcalloc(1, table.size + 1);

	(void)state;
	memcpy(moved + 1, table.bytes, table.size); /* not aligned */
	assert_int_equal(symbol_table_open(&opened, moved + 1, table.size, &err), 0);
	assert_true(symbol_table_is_whole(&opened));
	assert_int_equal(symbol_table_count(&opened), 200);
	assert_string_equal(name_at(&opened, 4096 + 32 * 150 + 16), "function150");
	symbol_table_release(&opened); /* whose bytes are ours */
	xfree(moved);
	symbol_table_release(&table);
}

static void search_everywhere(const struct symbol_table *table)
{
	struct symbol found;
	size_t length = 0;

	for (uint64_t address = 4000; address < 12000; address += 13) {
		if (symbol_table_find(table, address, &found))
			length += strlen(found.name);
		if (symbol_table_nearest(table, address, &found))
			length += strlen(found.name);
	}
	for (size_t i = 0; i < 300; i++)
		if (symbol_table_at(table, i, &found))
			length += strlen(found.name);
	assert_true(length < UINT64_C(1) << 40);
}

static void refuses_bytes_that_are_cut(void **state)
{
	struct symbol_table table = example(), opened;

	(void)state;
	for (size_t size = 0; size < table.size; size++) {
		uint8_t *cut = xcalloc(1, size + 1);
		struct pp_error err = { 0 };

		memcpy(cut, table.bytes, size);
		cut = xrealloc(cut, size ? size : 1, 1); /* so that a sanitizer sees its end */
		assert_int_equal(symbol_table_open(&opened, cut, size, &err), -1);
		assert_int_equal(err.code, PP_ERROR_FORMAT);
		assert_null(opened.bytes);
		xfree(cut);
	}
	symbol_table_release(&table);
}

static void searches_of_damaged_bytes_stay_in_them(void **state)
{
	struct symbol_table table = example();
	uint8_t *bytes = xcalloc(1, table.size);

	(void)state;
	for (size_t at = 0; at < table.size; at += at < 64 ? 1 : 37) {
		static const uint8_t damages[] = { 0, 1, 0x7f, 0xff };

		for (size_t i = 0; i < sizeof(damages); i++) {
			struct symbol_table opened;
			struct pp_error err = { 0 };

			memcpy(bytes, table.bytes, table.size);
			memset(bytes + at, damages[i], at + 4 < table.size ? 4 : 1);
			if (!symbol_table_open(&opened, bytes, table.size, &err))
				search_everywhere(&opened);
		}
	}
	xfree(bytes);
	symbol_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_function_that_covers_an_address),
		cmocka_unit_test(knows_the_nearest_function_before_an_address),
		cmocka_unit_test(a_table_without_symbols_is_valid),
		cmocka_unit_test(keeps_the_best_name_of_an_address),
		cmocka_unit_test(an_alias_without_a_size_has_that_of_the_others),
		cmocka_unit_test(one_without_a_size_ends_at_the_next_or_at_its_limit),
		cmocka_unit_test(those_without_a_size_are_short_in_a_stripped_file),
		cmocka_unit_test(one_without_a_size_inside_a_function_is_left_out),
		cmocka_unit_test(of_nested_functions_the_innermost_is_found),
		cmocka_unit_test(both_ends_of_the_address_space_are_addresses),
		cmocka_unit_test(finds_the_same_as_a_slow_search),
		cmocka_unit_test(lists_all_symbols_by_address),
		cmocka_unit_test(opens_its_own_bytes_anywhere),
		cmocka_unit_test(refuses_bytes_that_are_cut),
		cmocka_unit_test(searches_of_damaged_bytes_stay_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
