/* SPDX-License-Identifier: MIT */
/* Two results compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/diff.h"
#include "report/render.h"

struct row {
	const char *name;
	bool known;
	uint64_t count;
};

static const struct result_field row_fields[] = {
	FIELD(struct row, name, "name", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct row, count, "count", NULL, UNIT_COUNT, KNOWN_IF(struct row, known)),
	FIELD_END,
};

struct data {
	struct result_rows types;
};

static const struct result_field fields[] = {
	LIST(struct data, types, "types", "", SHAPE(row_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };
static const struct result_kind kind = { .name = "test", .shape = &shape };
static const struct report_view view = { .name = "test", .summary = "a test" };

static struct report report_of(const struct data *data)
{
	return (struct report){ .view = &view,
				.setup = { .file = "t" },
				.result = { .kind = &kind, .data = data } };
}

/* The text ends so. */
static void expect(const struct data *before, const struct data *after,
		   const struct report_setup *setup, const char *wanted)
{
	struct report base = report_of(before);
	struct report changed = report_of(after);
	struct view_pair pair = { .view = &view };
	struct buffer out = { 0 };
	struct diff diff;

	diff_side_add(&pair.base, &base);
	diff_side_add(&pair.changed, &changed);
	view_pair_scale(&pair, false);
	diff_init(&diff, &pair, &(struct diff_setup){ .report = *setup });
	diff_build(&diff);
	render_text.render(&diff.result, &(struct render_options){ 0 }, &out);
	buffer_u8(&out, 0);
	assert_true(out.size > strlen(wanted));
	assert_string_equal((const char *)out.bytes + out.size - 1 - strlen(wanted), wanted);
	buffer_release(&out);
	diff_release(&diff);
	view_pair_release(&pair);
}

/* Of such a row only the older trace has a metric. */
static void a_row_may_have_no_metrics(void **state)
{
	static const struct row old[] = { { "A", true, 7 }, { "B", true, 1 } };
	static const struct row new[] = { { "A", false, 0 }, { "B", true, 2 } };
	const struct data before = { ROWS_OF(old, 2) };
	const struct data after = { ROWS_OF(new, 2) };

	(void)state;
	expect(&before, &after, &(struct report_setup){ .rows = REPORT_ROWS_UNSET },
	       "types, count\n"
	       "Base  New  Change        %  Name\n"
	       "   1    2      +1  +100.00  B\n");
}

static void a_page_has_a_limit_of_rows(void **state)
{
	static const struct row old[] = { { "A", true, 7 }, { "B", true, 1 } };
	static const struct row new[] = { { "A", true, 9 }, { "B", true, 2 } };
	const struct data before = { ROWS_OF(old, 2) };
	const struct data after = { ROWS_OF(new, 2) };

	(void)state;
	expect(&before, &after, &(struct report_setup){ .rows = REPORT_ROWS_UNSET, .most = 1 },
	       "Base  New  Change       %  Name\n"
	       "   7    9      +2  +28.57  A\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_may_have_no_metrics),
		cmocka_unit_test(a_page_has_a_limit_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
