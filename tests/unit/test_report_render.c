/* SPDX-License-Identifier: MIT */
/* One result in every format. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/render.h"

struct row {
	const char *provider, *name, *note;
	uint64_t events;
	int64_t time_ns, start_ns;
	uint64_t depth;
	bool hot;
	uint8_t state;
	double share;
};

static const char *const states[] = { "running", "waiting" };

static const struct result_field plain_fields[] = {
	FIELD(struct row, name, "name", "Name", UNIT_TEXT),
	FIELD(struct row, events, "events", "Events", UNIT_COUNT),
	FIELD(struct row, note, "note", "Note", UNIT_TEXT),
	FIELD_END,
};
static const struct result_shape plain_shape = { plain_fields, NULL };

static const struct result_field full_fields[] = {
	FIELD(struct row, provider, "provider", "", UNIT_TEXT, .flags = GROUPS),
	FIELD(struct row, depth, "depth", NULL, UNIT_COUNT),
	FIELD(struct row, hot, "hot", "Hot", UNIT_FLAG),
	FIELD(struct row, state, "state", "State", UNIT_ENUM, .names = states, .name_count = 2),
	FIELD(struct row, time_ns, "time_ns", "Time", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(struct row, share, "share", "%", UNIT_PERCENT, .flags = SHOWN_IF_ROOM),
	FIELD(struct row, note, "note", "Note", UNIT_TEXT, .flags = SHOWN_IF_ANY | OR_NULL),
	FIELD(struct row, name, "name", "Method", UNIT_TEXT, .flags = METHOD),
	FIELD_END,
};
static const struct result_shape full_shape = { full_fields, NULL };

static const struct result_field point_fields[] = {
	FIELD(struct row, start_ns, "time_ns", NULL, UNIT_TIME),
	FIELD(struct row, events, "count", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape point_shape = { point_fields, NULL };
static const struct result_chart line_chart = {
	.kind = CHART_TIMELINE,
	.title = "Events <over> time",
	.label = "time_ns",
	.series = { { "count", "events", '#' } },
};

static const struct result_field card_fields[] = {
	FIELD(struct row, name, "id", NULL, UNIT_TEXT),
	FIELD(struct row, note, "note", NULL, UNIT_TEXT),
	FIELD_END,
};
static const struct result_line card_lines[] = {
	{ "warning", "{id}", NULL, false },
	{ "", "{note}", NULL, false },
	{ 0 },
};
static const struct result_shape card_shape = { card_fields, card_lines };

struct page_data {
	uint64_t count;
	int64_t paused_ns;
	const char *missing;
	struct result_rows plain, full, points, cards;
};

static bool waits(const void *row, size_t index, struct result_entry *entry, struct arena *arena)
{
	(void)row;
	(void)arena;
	*entry = (struct result_entry){ .key = "dns",
					.title = "DNS %s",
					.value = { UNIT_TIME, true, .number = 1500 } };
	return index == 0;
}

#define DATA struct page_data

static const struct result_field fields[] = {
	FIELD(DATA, count, "count", NULL, UNIT_COUNT),
	FIELD(DATA, paused_ns, "paused_ns", NULL, UNIT_TIME),
	FIELD(DATA, missing, "missing_text", NULL, UNIT_TEXT),
	COMPUTED("waits_ns", NULL, UNIT_MAP, .entry = waits),
	LIST(DATA, plain, "plain", "", &plain_shape, .flags = CSV),
	LIST(DATA, full, "full", NULL, &full_shape, .flags = TREE),
	LIST(DATA, full, "shown", "", &full_shape, .flags = TREE | SHOWN_PEOPLE),
	LIST(DATA, points, "points", NULL, &point_shape, .chart = &line_chart),
	LIST(DATA, cards, "cards", "Findings", &card_shape, .flags = CARDS),
	FIELD_END,
};
static const struct result_line lines[] = {
	{ "Collections", "{count|time|times}[, paused {paused_ns}]", NULL, false },
	{ "Gone", "{missing_text}", NULL, false },
	{ "Waits", "{waits_ns}", "count", false },
	{ "End", "{count} at last", NULL, true },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };
static const struct result_kind kind = {
	.name = "test", .version = 7, .summary = "a test", .shape = &shape
};

static void expect(const struct renderer *renderer, const struct result *result, size_t width,
		   const char *wanted)
{
	struct buffer out = { 0 };

	renderer->render(result, &(struct render_options){ .width = width }, &out);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, wanted);
	buffer_release(&out);
}

static void expect_text(const struct page_data *data, size_t width, const char *wanted)
{
	const struct result result = { .kind = &kind, .data = data };

	expect(&render_text, &result, width, wanted);
}

static void lines_show_known_values_only(void **state)
{
	(void)state;
	expect_text(&(struct page_data){ .count = 1, .paused_ns = 1500000 }, 0,
		    "Collections  1 time, paused 1.5 ms\n"
		    "Waits        DNS 1.5 µs\n"
		    "\n"
		    "End          1 at last\n");
	expect_text(&(struct page_data){ 0 }, 0,
		    "Collections  0 times\n"
		    "\n"
		    "End          0 at last\n");
}

static void columns_are_as_wide_as_their_contents(void **state)
{
	static const struct row rows[] = {
		{ .name = "Größe", .events = 12, .note = "" },
		{ .name = "Microsoft-Windows-DotNETRuntime", .events = 105540, .note = "lost" },
		{ .events = 1, .note = "\x1b[2J" },
	};

	(void)state;
	expect_text(&(struct page_data){ .plain = ROWS_OF(rows, 3) }, 0,
		    "Collections  0 times\n"
		    "\n"
		    "Name                              Events  Note\n"
		    "Größe                                 12\n"
		    "Microsoft-Windows-DotNETRuntime  105,540  lost\n"
		    "-                                      1  \\x1b[2J\n"
		    "\n"
		    "End          0 at last\n");
}

static void one_long_name_does_not_widen_all_rows(void **state)
{
	char name[101];
	const struct row rows[] = { { .name = name, .events = 1, .note = "a" },
				    { .name = "b", .events = 2, .note = "c" } };
	struct page_data data = { .plain = ROWS_OF(rows, 2) };
	const struct result result = { .kind = &kind, .data = &data };
	struct buffer out = { 0 };

	(void)state;
	memset(name, 'x', 100);
	name[100] = '\0';
	render_text.render(&result, &(struct render_options){ 0 }, &out);
	buffer_u8(&out, 0);
	assert_non_null(strstr((const char *)out.bytes, "x       1  a\n"));
	assert_non_null(strstr((const char *)out.bytes, "\nb          2  c\n"));
	buffer_release(&out);
}

static const struct row tree[] = {
	{ .provider = "one",
	  .name = "Shop.Orders.Place(int) [shop]",
	  .time_ns = 5,
	  .share = 12.5,
	  .hot = true },
	{ .provider = "one",
	  .name = "Shop.Prices.Get() [shop]",
	  .time_ns = -1,
	  .depth = 2,
	  .state = 1 },
	{ .provider = "two", .name = "Main", .state = 9, .note = "x" },
};

static void rows_are_grouped_indented_and_truncated(void **state)
{
	const struct page_data data = { .full = { tree, 3, sizeof(*tree), 8 } };

	(void)state;
	expect_text(&data, 0,
		    "Collections  0 times\n"
		    "\n"
		    "one\n"
		    "Hot  State    Time      %  Method\n"
		    "  *  running  5 ns  12.50  Shop.Orders.Place(int) [shop]\n"
		    "     waiting     -   0.00    Shop.Prices.Get() [shop]\n"
		    "\n"
		    "two\n"
		    "Hot  State  Time     %  Note  Method\n"
		    "     9      0 ns  0.00  x     Main\n"
		    "... and 5 more\n"
		    "\n"
		    "End          0 at last\n");
	expect_text(&data, 40,
		    "Collections  0 times\n"
		    "\n"
		    "one\n"
		    "Hot  State    Time  Method\n"
		    "  *  running  5 ns  Shop.Orders.Place(…)\n"
		    "     waiting     -    Shop.Prices.Get()\n"
		    "\n"
		    "two\n"
		    "Hot  State  Time     %  Note  Method\n"
		    "     9      0 ns  0.00  x     Main\n"
		    "... and 5 more\n"
		    "\n"
		    "End          0 at last\n");
}

static void json_has_every_digit_and_null(void **state)
{
	static const struct row rows[] = {
		{ .name = "a\"b", .share = 1.0 / 3, .time_ns = -1, .note = "" },
		{ .name = NULL, .share = NAN, .state = 1 }
	};
	const struct page_data data = { .count = UINT64_MAX, .full = ROWS_OF(rows, 2) };

	(void)state;
	expect(&render_json, &(struct result){ .kind = &kind, .data = &data }, 0,
	       "{\n"
	       "  \"schema\": \"perfpipe/test/7\",\n"
	       "  \"perfpipe_version\": \"" PERFPIPE_VERSION "\",\n"
	       "  \"count\": 18446744073709551615,\n"
	       "  \"paused_ns\": 0,\n"
	       "  \"missing_text\": null,\n"
	       "  \"waits_ns\": {\n"
	       "    \"dns\": 1500\n"
	       "  },\n"
	       "  \"plain\": [],\n"
	       "  \"full\": [\n"
	       "    {\n"
	       "      \"provider\": null,\n"
	       "      \"depth\": 0,\n"
	       "      \"hot\": false,\n"
	       "      \"state\": \"running\",\n"
	       "      \"state_id\": 0,\n"
	       "      \"time_ns\": null,\n"
	       "      \"share\": 0.3333333333333333,\n"
	       "      \"note\": null,\n"
	       "      \"name\": \"a\\\"b\"\n"
	       "    },\n"
	       "    {\n"
	       "      \"provider\": null,\n"
	       "      \"depth\": 0,\n"
	       "      \"hot\": false,\n"
	       "      \"state\": \"waiting\",\n"
	       "      \"state_id\": 1,\n"
	       "      \"time_ns\": 0,\n"
	       "      \"share\": null,\n"
	       "      \"note\": null,\n"
	       "      \"name\": null\n"
	       "    }\n"
	       "  ],\n"
	       "  \"points\": [],\n"
	       "  \"cards\": []\n"
	       "}\n");
}

static void unrecorded_data_says_how_to_record_it(void **state)
{
	static const struct result_kind may_be_missing = {
		.name = "test", .version = 7, .shape = &shape, .may_be_missing = true
	};
	const struct result result = { .kind = &may_be_missing,
				       .title = "garbage",
				       .file = "a.nettrace",
				       .missing = "the trace has no <b>",
				       .remedy = "perfpipe collect" };

	(void)state;
	expect(&render_text, &result, 0,
	       "a.nettrace: garbage\n"
	       "\n"
	       "Not recorded: the trace has no <b>.\n"
	       "To record it:\n"
	       "\n"
	       "  perfpipe collect\n");
	expect(&render_json, &result, 0,
	       "{\n"
	       "  \"schema\": \"perfpipe/test/7\",\n"
	       "  \"perfpipe_version\": \"" PERFPIPE_VERSION "\",\n"
	       "  \"available\": false,\n"
	       "  \"missing\": \"the trace has no <b>\",\n"
	       "  \"remedy\": \"perfpipe collect\"\n"
	       "}\n");
	expect(&render_markdown, &result, 0,
	       "### perfpipe garbage\n"
	       "\n"
	       "- **File**: a.nettrace\n"
	       "\n"
	       "Not recorded: the trace has no \\<b\\>.\n"
	       "\n"
	       "To record it:\n"
	       "\n"
	       "    perfpipe collect\n");
}

static void csv_quotes_cells_when_necessary(void **state)
{
	static const struct row rows[] = { { .name = "a,\"b\"", .events = 1234567, .note = "c\nd" },
					   { .events = 1 } };
	const struct page_data data = { .plain = ROWS_OF(rows, 2) };

	(void)state;
	expect(&render_csv, &(struct result){ .kind = &kind, .data = &data }, 0,
	       "name,events,note\r\n"
	       "\"a,\"\"b\"\"\",1234567,\"c\nd\"\r\n"
	       ",1,\r\n");
}

static void markdown_escapes_markup_from_a_trace(void **state)
{
	static const struct row rows[] = { { .name = "List<int>|_x_", .events = 3, .note = "" } };
	static const struct row cards[] = { { .name = "Lock convoy", .note = "3 `waits`" },
					    { .name = "", .note = "x" } };
	static const struct row nothing[] = { { .start_ns = 0 }, { .start_ns = 5 } };
	const struct page_data data = { .plain = ROWS_OF(rows, 1),
					.points = ROWS_OF(nothing, 2),
					.cards = ROWS_OF(cards, 2) };

	(void)state;
	expect(&render_markdown, &(struct result){ .kind = &kind, .data = &data }, 0,
	       "### perfpipe a test\n"
	       "\n"
	       "- **Collections**: 0 times\n"
	       "\n"
	       "| Name | Events | Note |\n"
	       "|---|---:|---|\n"
	       "| List\\<int\\>\\|\\_x\\_ | 3 |  |\n"
	       "\n"
	       "**Findings**\n"
	       "\n"
	       "- **warning**: Lock convoy\n"
	       "  - 3 \\`waits\\`\n"
	       "- **warning**\n"
	       "  - x\n"
	       "\n"
	       "- **End**: 0 at last\n");
}

static void a_page_has_tables_and_charts(void **state)
{
	static const struct row rows[] = { { .name = "<script>", .events = 1234, .start_ns = 0 },
					   { .name = "b", .events = 2, .start_ns = 1000000 } };
	const struct page_data data = { .plain = ROWS_OF(rows, 2), .points = ROWS_OF(rows, 2) };
	const struct result result = { .kind = &kind, .file = "<x>.nettrace", .data = &data };
	static const char *const parts[] = {
		"<title>&lt;x&gt;.nettrace: a test</title>",
		"<h1>&lt;x&gt;.nettrace: a test</h1>",
		"<th class=\"\">Collections</th><td>0 times</td>",
		"<th>Name</th><th class=\"number\">Events</th>",
		"<table class=\"data\" data-list=\"plain\">",
		"<td>&lt;script&gt;</td><td class=\"number\" data-value=\"1234\">1,234</td>",
		"<figcaption>Events &lt;over&gt; time</figcaption>",
		"<path class=\"series0\" d=\"M100.0 20.0L840.0 219.7L840.0 220L100.0 220Z\"/>",
		"Content-Security-Policy\" content=\"default-src 'none'",
	};
	struct buffer out = { 0 };

	(void)state;
	render_html.render(&result, &(struct render_options){ 0 }, &out);
	buffer_u8(&out, 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strstr((const char *)out.bytes, parts[i]))
			fail_msg("no %s in\n%s", parts[i], (const char *)out.bytes);
	assert_null(strstr((const char *)out.bytes, "://"));
	buffer_release(&out);
}

static void charts_are_drawn_as_text(void **state)
{
	static const struct row rows[] = { { .events = 2, .start_ns = 0 },
					   { .events = 2, .start_ns = 500000 },
					   { .events = 1, .start_ns = 1000000 } };

	(void)state;
	expect_text(&(struct page_data){ .points = ROWS_OF(rows, 3) }, 0,
		    "Collections  0 times\n"
		    "\n"
		    "Events <over> time\n"
		    "           2  |#############################################\n"
		    "              |############################################################\n"
		    "              +------------------------------------------------------------\n"
		    "               0 ns                                                  1.0 ms\n"
		    "\n"
		    "End          0 at last\n");
}

struct side {
	const char *title;
	struct result_rows shares, methods, changes;
};

#define SIDE struct side

static const struct result_field share_fields[] = {
	FIELD(struct row, share, "share", NULL, UNIT_PERCENT),
	FIELD(struct row, name, "name", NULL, UNIT_TEXT),
	FIELD_END,
};
static const struct result_line share_lines[] = {
	{ "", "{share} %  {name}", NULL, false },
	{ 0 },
};
static const struct result_shape share_shape = { share_fields, share_lines };

static const struct result_field side_fields[] = {
	FIELD(SIDE, title, "title", "Side", UNIT_TEXT),
	LIST(SIDE, shares, "shares", "", &share_shape, .flags = INSET),
	LIST(SIDE, methods, "methods", "", &point_shape, .flags = OPTIONAL | CSV),
	LIST(SIDE, changes, "changes", "", &plain_shape, .flags = CSV),
	FIELD_END,
};
static const struct result_shape side_shape = { side_fields, NULL };

struct sides {
	struct side server, client;
};

static const struct result_field sides_fields[] = {
	OBJECT(struct sides, server, "server", &side_shape),
	OBJECT(struct sides, client, "client", &side_shape),
	FIELD_END,
};
static const struct result_shape sides_shape = { sides_fields, NULL };
static const struct result_kind sides_kind = {
	.name = "sides", .version = 1, .summary = "two sides", .shape = &sides_shape
};

static const struct row side_rows[] = { { .name = "System.String", .events = 1, .share = 97.93 },
					{ .name = "Order", .events = 2, .share = 2.07 } };

static void facts_after_a_table_are_set_apart(void **state)
{
	const struct sides data = {
		.server = { .title = "server", .changes = ROWS_OF(side_rows, 1) },
		.client = { .title = "client", .shares = ROWS_OF(side_rows, 2) },
	};
	const struct result result = { .kind = &sides_kind, .data = &data };

	(void)state;
	expect(&render_text, &result, 0,
	       "Side         server\n"
	       "\n"
	       "Name           Events  Note\n"
	       "System.String       1  -\n"
	       "\n"
	       "Side         client\n"
	       "             97.93 %  System.String\n"
	       "              2.07 %  Order\n");
	expect(&render_markdown, &result, 0,
	       "### perfpipe two sides\n"
	       "\n"
	       "- **Side**: server\n"
	       "\n"
	       "| Name | Events | Note |\n"
	       "|---|---:|---|\n"
	       "| System.String | 1 |  |\n"
	       "\n"
	       "- **Side**: client\n"
	       "  - 97.93 %  System.String\n"
	       "  - 2.07 %  Order\n");
}

static bool tags(const void *row, size_t index, struct result_entry *entry, struct arena *arena)
{
	(void)arena;
	*entry = (struct result_entry){ .key = index ? "path" : "host",
					.value = { UNIT_TEXT, true, .text = row } };
	return index < 2;
}

static const struct result_field tag_fields[] = {
	COMPUTED("tags", NULL, UNIT_MAP, .entry = tags),
	FIELD_END,
};
static const struct result_field tagged_fields[] = {
	LIST(struct page_data, plain, "plain", "", SHAPE(tag_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_kind tagged_kind = { .shape = SHAPE(tagged_fields) };

static void csv_quotes_a_map_as_a_whole(void **state)
{
	static const char *const rows[] = { "a,\"b\"", "c" };
	const struct page_data data = { .plain = ROWS_AT(rows, 2) };

	(void)state;
	expect(&render_csv, &(struct result){ .kind = &tagged_kind, .data = &data }, 0,
	       "tags\r\n"
	       "\"host=a,\"\"b\"\";path=a,\"\"b\"\"\"\r\n"
	       "host=c;path=c\r\n");
}

static void csv_has_one_kind_of_rows_per_object(void **state)
{
	const struct sides data = {
		.server = { .methods = ROWS_OF(side_rows, 2), .changes = ROWS_OF(side_rows, 1) },
		.client = { .changes = ROWS_OF(side_rows, 1) },
	};

	(void)state;
	expect(&render_csv, &(struct result){ .kind = &sides_kind, .data = &data }, 0,
	       "part,time_ns,count\r\n"
	       "server,0,1\r\n"
	       "server,0,2\r\n"
	       "\r\n"
	       "part,name,events,note\r\n"
	       "client,System.String,1,\r\n");
}

static void long_lines_break_after_commas_and_semicolons(void **state)
{
	const struct sides data = { .server = { .title = "one, two; three:four" } };

	(void)state;
	expect(&render_text, &(struct result){ .kind = &sides_kind, .data = &data }, 21,
	       "Side         one,\n"
	       "             two;\n"
	       "             three:four\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_show_known_values_only),
		cmocka_unit_test(columns_are_as_wide_as_their_contents),
		cmocka_unit_test(one_long_name_does_not_widen_all_rows),
		cmocka_unit_test(rows_are_grouped_indented_and_truncated),
		cmocka_unit_test(json_has_every_digit_and_null),
		cmocka_unit_test(unrecorded_data_says_how_to_record_it),
		cmocka_unit_test(csv_quotes_cells_when_necessary),
		cmocka_unit_test(markdown_escapes_markup_from_a_trace),
		cmocka_unit_test(a_page_has_tables_and_charts),
		cmocka_unit_test(charts_are_drawn_as_text),
		cmocka_unit_test(facts_after_a_table_are_set_apart),
		cmocka_unit_test(csv_quotes_a_map_as_a_whole),
		cmocka_unit_test(csv_has_one_kind_of_rows_per_object),
		cmocka_unit_test(long_lines_break_after_commas_and_semicolons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
