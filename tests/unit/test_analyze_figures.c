/* SPDX-License-Identifier: MIT */
/* Figures of views by name, what is different between two, and conditions on them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/condition.h"
#include "analyze/condition_find.h"
#include "analyze/figure_diff.h"

static struct figures read_text(const char *text)
{
	struct figures figures = { 0 };

	assert_int_equal(figures_read(&figures, text, strlen(text)), 0);
	return figures;
}

static double value(const struct figures *figures, const char *table, const char *label,
		    const char *name)
{
	const struct figure *figure = figure_of(figures_find(figures, table, label), name);

	if (!figure)
		fail_msg("no %s of %s %s", name, table, label);
	return figure->value;
}

static const char gc_text[] =
	"{\"view\":\"gc\",\"available\":true,\"process_id\":7,\"lost\":{\"events\":3,"
	"\"samples\":null},\"unresolved\":{\"frames\":1,\"samples\":1},\"complete\":true,"
	"\"gcs\":[{\"number\":1,\"reason\":\"x\",\"pause_ns\":5}],"
	"\"summary\":{\"count\":37,\"pause_total_ns\":1000,\"pause_percent\":1.5,"
	"\"generations\":[{\"generation\":0,\"count\":30},{\"generation\":1,\"count\":7}]}}";

static void reads_figures_and_rows(void **state)
{
	struct figures figures = read_text(gc_text);

	(void)state;
	assert_true(figures.available);
	assert_true(figures.complete);
	assert_int_equal(figures.lost, 3);
	assert_int_equal(figures.row_count, 3);
	assert_true(value(&figures, "", "", "count") == 37);
	assert_true(value(&figures, "", "", "pause_percent") == 1.5);
	assert_null(figure_of(figures.rows[0], "process_id"));
	assert_null(figure_of(figures.rows[0], "unresolved.frames"));
	assert_true(value(&figures, "generations", "generation 1", "count") == 7);
	assert_null(figures_find(&figures, "gcs", "x"));
	figures_release(&figures);
}

static void sums_up_rows_of_one_name(void **state)
{
	struct figures figures = read_text(
		"{\"available\":true,\"methods\":["
		"{\"name\":\"A\",\"module\":\"m\",\"tier\":\"T\",\"start_ns\":9,\"time_ns\":5,"
		"\"max_ns\":3,"
		"\"frames\":[\"x\"],\"waits_ns\":{\"dns\":4}},"
		"{\"time_ns\":7,\"max_ns\":2,\"name\":\"A\",\"module\":\"m\",\"tier\":\"T\"},"
		"{\"name\":\"A\",\"module\":null,\"time_ns\":1},{\"time_ns\":8}],"
		"\"threads\":[{\"thread_id\":1,\"cpu_ns\":5},{\"thread_id\":2,\"cpu_ns\":6}],"
		"\"client\":{\"total\":3,\"groups\":[{\"name\":\"/"
		"a\",\"method\":\"GET\",\"count\":1}]}}");
	const struct figure_row *row = figures_find(&figures, "methods", "A [m, T]");

	(void)state;
	assert_string_equal(row->name, "A");
	assert_true(figure_of(row, "time_ns")->value == 12);
	assert_true(figure_of(row, "max_ns")->value == 3);
	assert_true(figure_of(row, "waits_ns.dns")->value == 4);
	assert_int_equal(figure_unit_of("waits_ns.dns"), FIGURE_TIME);
	assert_null(figure_of(row, "start_ns"));
	assert_string_equal(figure_main(row), "time_ns");
	assert_non_null(figures_find(&figures, "methods", "A"));
	assert_true(value(&figures, "", "", "threads.cpu_ns") == 11);
	assert_true(value(&figures, "", "", "threads.rows") == 2);
	assert_true(value(&figures, "", "", "client.total") == 3);
	assert_non_null(figures_find(&figures, "client.groups", "/a [GET]"));
	figures_release(&figures);
}

static void refuses_what_is_no_view(void **state)
{
	static const char *const wrong[] = { "", "[1]", "{\"a\":", "7", "{\"a\":[{]}" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct figures figures = { 0 };

		assert_int_equal(figures_read(&figures, wrong[i], strlen(wrong[i])), -1);
		figures_release(&figures);
	}
}

static void finds_what_changed(void **state)
{
	struct figures before =
		read_text("{\"available\":true,\"count\":5,\"same\":1,\"gone\":2,\"types\":["
			  "{\"type\":\"A\",\"bytes\":10,\"count\":1},{\"type\":\"B\",\"bytes\":50},"
			  "{\"type\":\"C\",\"bytes\":7},{\"type\":\"D\",\"bytes\":7}]}");
	struct figures after =
		read_text("{\"available\":true,\"count\":6,\"same\":1,\"new\":4,\"types\":["
			  "{\"type\":\"E\",\"bytes\":30},{\"type\":\"A\",\"bytes\":15,\"count\":1},"
			  "{\"type\":\"C\",\"bytes\":7}]}");
	struct figure_diff diff = figure_diff_of(&before, &after);
	struct figure_pair pair;
	size_t pairs = 0;
	double percent;

	(void)state;
	assert_int_equal(diff.count, 5); /* the view's own, B, E, D, A */
	assert_string_equal(figure_change_row(&diff.rows[0])->table, "");
	while (figure_change_pair(&diff.rows[0], pairs, &pair))
		pairs++;
	assert_int_equal(pairs, 4); /* count, same, new, gone */
	pair = figure_change_called(&diff.rows[0], "gone");
	assert_true(pair.before == 2 && pair.after == 0);
	assert_string_equal(figure_change_row(&diff.rows[1])->label, "B");
	assert_null(diff.rows[1].after);
	assert_string_equal(figure_change_row(&diff.rows[2])->label, "E");
	assert_null(diff.rows[2].before);
	assert_string_equal(figure_change_row(&diff.rows[4])->label, "A");
	assert_true(figure_percent(10, 15, &percent) && percent == 50);
	assert_false(figure_percent(0, 15, &percent));
	figure_diff_release(&diff);
	diff = figure_diff_of(&before, &before);
	assert_int_equal(diff.count, 0);
	figure_diff_release(&diff);
	figures_release(&before);
	figures_release(&after);
}

static struct figures before_cpu, after_cpu;

static int setup(void **state)
{
	(void)state;
	before_cpu = read_text(
		"{\"available\":true,\"samples\":100,\"cpu_ns\":1000,\"zero\":0,"
		"\"pause_percent\":2,\"bytes\":5000,\"a\":{\"b\":{\"x\":1},\"x\":2},"
		"\"modules\":[{\"module\":\"MyApp.M\",\"exclusive_ns\":9}],"
		"\"methods\":[{\"name\":\"MyApp.A(int)\",\"module\":\"m\",\"exclusive_ns\":100,"
		"\"inclusive_ns\":500,\"max_ns\":7},"
		"{\"name\":\"MyApp.B\",\"module\":\"m\",\"exclusive_ns\":100,\"max_ns\":9},"
		"{\"name\":\"System.List<int>.Add\",\"module\":\"m\",\"exclusive_ns\":10}]}");
	after_cpu = read_text(
		"{\"available\":true,\"samples\":150,\"cpu_ns\":900,\"zero\":3,"
		"\"pause_percent\":6,\"bytes\":7000,\"a\":{\"b\":{\"x\":1},\"x\":2},"
		"\"methods\":[{\"name\":\"MyApp.A(int)\",\"module\":\"m\",\"exclusive_ns\":150,"
		"\"inclusive_ns\":400,\"max_ns\":8},"
		"{\"name\":\"MyApp.C\",\"module\":\"m\",\"exclusive_ns\":80,\"max_ns\":3},"
		"{\"name\":\"System.List<int>.Add\",\"module\":\"m\",\"exclusive_ns\":10}]}");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	figures_release(&before_cpu);
	figures_release(&after_cpu);
	return 0;
}

/* 1: it holds, 0: not, -1: an error. */
static int test(const char *text, struct pp_error *err)
{
	struct arena arena = { 0 };
	struct condition condition;
	struct condition_result result;
	const int failed = condition_parse(&condition, text, &arena, err) ||
			   condition_test(&condition, &before_cpu, &after_cpu, &result, err);

	if (!failed)
		assert_string_equal(condition.view, "cpu");
	arena_release(&arena);
	return failed ? -1 : result.holds;
}

static void tests_conditions(void **state)
{
	static const struct {
		const char *text;
		int holds;
	} rows[] = {
		{ "cpu.samples > +49%", 1 },
		{ "cpu.samples > +50%", 0 },
		{ "cpu.samples >= +50%", 1 },
		{ "cpu.samples>150", 0 },
		{ "  cpu.samples >= 150 ", 1 },
		{ "cpu.samples > +49", 1 },
		{ "cpu.samples < -1", 0 },
		{ "cpu.cpu_ns < -5%", 1 },
		{ "cpu.cpu_ns <= -10%", 1 },
		{ "cpu.cpu_ns < -10%", 0 },
		{ "cpu.cpu_ns > 0.8us", 1 },
		{ "cpu.cpu_ns > 1 ms", 0 },
		{ "cpu.bytes > +1kB", 1 },
		{ "cpu.pause_percent > 5%", 1 },
		{ "cpu.pause_percent > +250%", 0 },
		{ "cpu.zero > +1000%", 1 },  /* from nothing */
		{ "cpu.MyApp.* > +10%", 1 }, /* 200 became 230 */
		{ "cpu.MyApp.* > +15%", 0 },
		{ "cpu.MyApp.A* > +10%", 1 },
		{ "cpu.MyApp.C > +10%", 1 },
		{ "cpu.MyApp.B < -99%", 1 },
		{ "cpu.MyApp.A(int):inclusive_ns < 0.45us", 1 },
		{ "cpu.MyApp.*:max_ns > 8ns", 0 }, /* the largest, not the sum */
		{ "cpu.System.List<int>.Add > +0%", 0 },
		{ "cpu.System.List<int>.Add [m] >= 10ns", 1 },
		{ "cpu.summary.samples > 5", 1 },
		{ "cpu.x > 1", 1 }, /* the shortest path that ends so: a.x */
		{ "cpu.b.x > 1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };

		if (test(rows[i].text, &err) != rows[i].holds)
			fail_msg("'%s' is not %d: %s", rows[i].text, rows[i].holds, err.text);
	}
}

static void says_what_is_wrong_with_a_condition(void **state)
{
	static const struct {
		const char *text;
		const char *part; /* of the error */
	} rows[] = {
		{ "", "is no condition" },
		{ "cpu > 5", "is no condition" },
		{ "cpu.samples", "is no condition" },
		{ ".samples > 5", "is no condition" },
		{ "cpu. > 5", "is no condition" },
		{ "cpu.samples > ", "is no number" },
		{ "cpu.samples > nan", "is no number" },
		{ "cpu.samples > 0x10", "is no number" },
		{ "cpu.samples > +ten%", "is no number" },
		{ "cpu.samples > 5 parsecs", "is no unit" },
		{ "cpu.samples => 5", "has no 'samples ='" },
		{ "cpu.sampels > 5", "did you mean cpu.samples?" },
		{ "cpu.MyApp.D > 5", "did you mean cpu.MyApp.C?" },
		{ "cpu.Nothing.Like.This.At.All > 5", "report FILE cpu --json shows" },
		{ "cpu.samples > 5ms", "is no time" },
		{ "cpu.cpu_ns > 5MB", "is no number of bytes" },
		{ "cpu.samples > 5%", "+5% is a change" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };

		assert_int_equal(test(rows[i].text, &err), -1);
		assert_int_equal(err.code, PP_ERROR_USAGE);
		if (!strstr(err.text, rows[i].part))
			fail_msg("'%s' gives: %s", rows[i].text, err.text);
	}
}

static void matches_patterns(void **state)
{
	(void)state;
	assert_true(glob_matches("", ""));
	assert_true(glob_matches("*", ""));
	assert_true(glob_matches("a*c", "abbc"));
	assert_true(glob_matches("*b*b*", "abcb"));
	assert_true(glob_matches("a?c", "abc"));
	assert_true(glob_matches("System.Byte[]", "System.Byte[]"));
	assert_false(glob_matches("a?c", "ac"));
	assert_false(glob_matches("a*", "ba"));
	assert_false(glob_matches("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	assert_false(glob_matches("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_figures_and_rows),
		cmocka_unit_test(sums_up_rows_of_one_name),
		cmocka_unit_test(refuses_what_is_no_view),
		cmocka_unit_test(finds_what_changed),
		cmocka_unit_test_setup_teardown(tests_conditions, setup, teardown),
		cmocka_unit_test_setup_teardown(says_what_is_wrong_with_a_condition, setup,
						teardown),
		cmocka_unit_test(matches_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
