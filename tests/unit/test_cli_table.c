/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/table.h"

static const struct table_column columns[] = {
	{ "Provider", TABLE_LEFT },
	{ "Events", TABLE_RIGHT },
	{ "Note", TABLE_LEFT },
	{ 0 },
};

static const struct table_column untitled[] = { { "", TABLE_LEFT }, { "", TABLE_RIGHT }, { 0 } };

static void expect_table(struct table *table, const char *wanted)
{
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	table_print(table, out);
	fclose(out);
	assert_string_equal(printed, wanted);
	free(printed);
	table_release(table);
}

static void fill(struct table *table, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_cell(table, cells[i]);
}

static void aligns_columns_by_their_widest_cell(void **state)
{
	const char *const cells[] = { "Größe",	 "12",	"", "Microsoft-Windows-DotNETRuntime",
				      "105,540", "lost" };
	struct table table = { .columns = columns, .indent = 2 };

	(void)state;
	fill(&table, cells, 6);
	expect_table(&table, "  Provider                          Events  Note\n"
			     "  Größe                                 12\n"
			     "  Microsoft-Windows-DotNETRuntime  105,540  lost\n");
}

static void keeps_the_place_of_an_empty_cell(void **state)
{
	const char *const cells[] = { "", "", "note", "a", "1", "b" };
	struct table table = { .columns = columns };

	(void)state;
	fill(&table, cells, 6);
	expect_table(&table, "Provider  Events  Note\n"
			     "                  note\n"
			     "a              1  b\n");
}

static void prints_no_line_of_empty_titles(void **state)
{
	const char *const cells[] = { "a", "1", "b", "20" };
	struct table table = { .columns = untitled };

	(void)state;
	fill(&table, cells, 4);
	expect_table(&table, "a   1\nb  20\n");
}

static void makes_cells_safe(void **state)
{
	const char *const cells[] = { "\x1b[2J", "1" };
	struct table table = { .columns = untitled };

	(void)state;
	fill(&table, cells, 2);
	expect_table(&table, "\\x1b[2J  1\n");
}

static void does_not_let_one_long_name_push_all_rows(void **state)
{
	struct table table = { .columns = untitled };
	char name[501], wanted[1024];

	(void)state;
	memset(name, 'x', 500);
	name[500] = '\0';
	table_cell(&table, name);
	table_cell(&table, "1");
	table_cell(&table, "b");
	table_cell(&table, "2");
	snprintf(wanted, sizeof(wanted), "%s  1\nb%81s2\n", name, "");
	expect_table(&table, wanted);
}

static void prints_only_titles_without_rows(void **state)
{
	struct table table = { .columns = columns };

	(void)state;
	expect_table(&table, "Provider  Events  Note\n");
}

static void cuts_the_last_column_to_the_width(void **state)
{
	const char *const cells[] = {
		"GC", "1", "all of it", "GC", "1", "nö, not all", "", "", "x"
	};
	struct table table = { .columns = columns, .width = 27 };

	(void)state;
	fill(&table, cells, 9);
	expect_table(&table, "Provider  Events  Note\n"
			     "GC             1  all of it\n"
			     "GC             1  nö, not …\n"
			     "                  x\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligns_columns_by_their_widest_cell),
		cmocka_unit_test(keeps_the_place_of_an_empty_cell),
		cmocka_unit_test(prints_no_line_of_empty_titles),
		cmocka_unit_test(makes_cells_safe),
		cmocka_unit_test(does_not_let_one_long_name_push_all_rows),
		cmocka_unit_test(prints_only_titles_without_rows),
		cmocka_unit_test(cuts_the_last_column_to_the_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
