/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/csv.h"

static void expect_text(const char *text, const char *expected)
{
	struct buffer out = { 0 };

	csv_put_text(&out, text, strlen(text));
	buffer_u8(&out, 0);
	assert_string_equal(out.bytes, expected);
	buffer_release(&out);
}

static void quotes_what_would_end_a_cell(void **state)
{
	(void)state;
	expect_text("", "");
	expect_text("plain text", "plain text");
	expect_text("a,b", "\"a,b\"");
	expect_text("a \"b\"", "\"a \"\"b\"\"\"");
	expect_text("a\nb", "\"a\nb\"");
}

static void disarms_what_a_spreadsheet_would_run(void **state)
{
	(void)state;
	expect_text("=1+1", "'=1+1");
	expect_text("+1", "'+1");
	expect_text("-1", "'-1");
	expect_text("@SUM(A1)", "'@SUM(A1)");
	expect_text("\t=1", "'\t=1");
	expect_text("\r=1", "\"'\r=1\"");
	expect_text("＝1", "'＝1");
	expect_text("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"");
	expect_text("1=1", "1=1");
}

/* So that the first apostrophe is always ours. */
static void adds_an_apostrophe_to_an_apostrophe(void **state)
{
	(void)state;
	expect_text("'=1", "''=1");
	expect_text("'", "''");
	expect_text("it's", "it's");
}

static void leaves_plain_cells_alone(void **state)
{
	struct buffer out = { 0 };

	(void)state;
	csv_put_plain(&out, "-1", 2);
	csv_put_plain(&out, "{\"a\":1}", 7);
	buffer_u8(&out, 0);
	assert_string_equal(out.bytes, "-1\"{\"\"a\"\":1}\"");
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_what_would_end_a_cell),
		cmocka_unit_test(disarms_what_a_spreadsheet_would_run),
		cmocka_unit_test(adds_an_apostrophe_to_an_apostrophe),
		cmocka_unit_test(leaves_plain_cells_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
