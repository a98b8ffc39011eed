/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "clr/enums.h"
#include "clr/generated.h"
#include "places.h"

static void expect_name(const char *map, uint64_t number, const char *name)
{
	const struct value_map *found = value_map_find(map);
	char text[VALUE_MAP_TEXT];
	const char *ours;

	assert_non_null(found);
	ours = value_map_name(found, number, text);
	if (name)
		assert_string_equal(ours ? ours : "(none)", name);
	else
		assert_null(ours);
}

static void names_one_of_several_values(void **state)
{
	(void)state;
	expect_name("GCReason", 1, "Induced");
	expect_name("GCType", 2, "ForegroundGC");
	expect_name("GCJoinID", 4294967295, "Restart");
}

static void spells_as_the_tools_do(void **state)
{
	(void)state;
	expect_name("GCReason", 7, "InducedNotForced"); /* InducedNoForce in the manifest */
	expect_name("GCReason", 14, "BgcTuningSOH");	/* which the tools have no name for */
	expect_name("OptimizationTier", 255, "PreJIT"); /* which only the tools have */
}

static void leaves_numbers_without_a_name_alone(void **state)
{
	(void)state;
	expect_name("GCReason", 99, NULL);
	expect_name("GCType", UINT64_MAX, NULL);
	expect_name("GCRootFlags", 0x10, NULL);
	assert_null(value_map_find("NoSuchMap"));
	assert_null(value_map_find(""));
}

static void joins_bits(void **state)
{
	(void)state;
	expect_name("GCGlobalMechanisms", 0x15, "Concurrent|Promotion|CardBundles");
	expect_name("ExceptionThrownFlags", 0x10, "CLSCompliant");
	expect_name("Keywords.Runtime", 0x8003, "GC|GCHandle|Exception");
}

static void names_the_absence_of_bits(void **state)
{
	(void)state;
	expect_name("MethodFlags", 0, "None");
	expect_name("TieredCompilationSettingsFlags", 0, "None");
}

static void shows_bits_without_a_name(void **state)
{
	(void)state;
	expect_name("GCGlobalMechanisms", 0x101, "Concurrent|0x100");
}

static void names_numbers_held_in_bits(void **state)
{
	(void)state;
	expect_name("MethodFlags", 0x18a, "Generic|Jitted|OptimizationTier=QuickJitted");
	expect_name("MethodFlags", 0x10000008, "Jitted|MethodExtent=ColdSection");
	expect_name("TypeFlags", 0x208, "Array|ArrayRank=2");
	expect_name("ChunkIndex", 0x80000002, "FinalChunk|ChunkNumber=2");
	expect_name("ChunkIndex", 0, "ChunkNumber=0");
	expect_name("GCCondemnReasons0", 0x14, "InitialGen=0|FinalPerHeapGen=1|AllocBudgetGen=1");
}

static void recognises_maps_of_positions(void **state)
{
	(void)state;
	assert_true(value_map_is_index(value_map_find("GCTimeSlot")));
	assert_false(value_map_is_index(value_map_find("GCReason")));
	expect_name("GCTimeSlot", 5, "plan");
}

static void fits_all_names_of_a_map(void **state)
{
	char text[VALUE_MAP_TEXT];

	(void)state;
	for (size_t i = 0; i < clr_map_count; i++)
		if (clr_maps[i].kind == VALUE_MAP_BITS) {
			value_map_name(&clr_maps[i], UINT64_MAX, text);
			assert_true(strlen(text) < VALUE_MAP_TEXT - 100);
		}
}

/* The row of the file, without its last column. */
static void write_row(const struct value_map *map, const struct value_name *row, char *out,
		      size_t size)
{
	static const char *const kinds[] = { "value", "bits", "index" };
	char value[64];

	if (row->masked)
		sprintf(value, "0x%llx>>%u", (unsigned long long)row->value, row->shift);
	else if (map->kind == VALUE_MAP_BITS || row->value > UINT32_MAX ||
		 !strcmp(clr_map_texts + map->name, "KeywordSets"))
		sprintf(value, "0x%llx", (unsigned long long)row->value);
	else
		sprintf(value, "%llu", (unsigned long long)row->value);
	snprintf(out, size, "%s\t%s\t%s\t%s\t%s\t", clr_map_texts + map->name, kinds[map->kind],
		 value, clr_map_texts + row->name, clr_map_texts + row->shown);
}

/* Maps are contiguous in the table, but not in the file: each has its own position. */
static void expect_rows_of(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t next[128] = { 0 };
	size_t rows = 0;
	char line[1024];
	char ours[1024];

	if (!file)
		skip();
	while (fgets(line, sizeof(line), file)) {
		char name[128] = "";
		const struct value_map *map;

		if (line[0] == '#')
			continue;
		sscanf(line, "%127[^\t]", name);
		map = value_map_find(name);
		assert_non_null(map);
		assert_true(next[map - clr_maps] < map->count);
		write_row(map, &clr_value_names[map->first + next[map - clr_maps]++], ours,
			  sizeof(ours));
		*(strrchr(line, '\t') + 1) = '\0';
		assert_string_equal(ours, line);
		rows++;
	}
	fclose(file);
	for (size_t i = 0; i < clr_map_count; i++)
		assert_int_equal(next[i], clr_maps[i].count);
	assert_true(rows > 500);
}

static void matches_the_file_it_was_generated_from(void **state)
{
	(void)state;
	expect_rows_of(place_of("EVENTS", "src/clr", "enums.tsv"));
}

static void matches_the_reference_row_by_row(void **state)
{
	(void)state;
	expect_rows_of(place_of("SHARED", "../shared", "reference/clr-enums.tsv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_one_of_several_values),
		cmocka_unit_test(spells_as_the_tools_do),
		cmocka_unit_test(leaves_numbers_without_a_name_alone),
		cmocka_unit_test(joins_bits),
		cmocka_unit_test(names_the_absence_of_bits),
		cmocka_unit_test(shows_bits_without_a_name),
		cmocka_unit_test(names_numbers_held_in_bits),
		cmocka_unit_test(recognises_maps_of_positions),
		cmocka_unit_test(fits_all_names_of_a_map),
		cmocka_unit_test(matches_the_file_it_was_generated_from),
		cmocka_unit_test(matches_the_reference_row_by_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
