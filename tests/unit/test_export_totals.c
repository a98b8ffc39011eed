/* SPDX-License-Identifier: MIT */
/*
 * The same totals in every format: what it writes is read back, and each method must have the
 * inclusive and exclusive time that the report gives it. A format is a row in `readers`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analyze/accounting.h"
#include "analyze/call_rows.h"
#include "analyze/join_tasks.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "base/alloc.h"
#include "export/format.h"
#include "format_readers.h"
#include "input/trace_file.h"
#include "places.h"
#include "trace_passing.h"
#include "trace_reading.h"

struct total {
	char *name;
	uint64_t inclusive;
	uint64_t exclusive;
};

struct totals {
	struct total *list;
	size_t count, capacity;
};

static struct total *total_of(struct totals *totals, const char *name)
{
	for (size_t i = 0; i < totals->count; i++)
		if (!strcmp(totals->list[i].name, name))
			return &totals->list[i];
	totals->list = xgrow(totals->list, totals->count, &totals->capacity, sizeof(struct total));
	totals->list[totals->count] = (struct total){ .name = xstrdup(name) };
	return &totals->list[totals->count++];
}

static void totals_release(struct totals *totals)
{
	for (size_t i = 0; i < totals->count; i++)
		xfree(totals->list[i].name);
	xfree(totals->list);
}

/* The state of a thread is a frame, whose time belongs to the method above it. */
static bool is_state(const char *name)
{
	return !strchr(name, '!') && !strchr(name, '[') && strcmp(name, "AWAIT_TIME") != 0 &&
	       strcmp(name, "STARTING TASK") != 0;
}

/* All code of a module, such as "lib.so [no symbols]", is called that in formats with modules. */
static const char *without_module(const char *name)
{
	const char *own = strchr(name, '!');
	const size_t size = own ? (size_t)(own - name) : 0;

	return own && !strncmp(name, own + 1, size) && !strncmp(own + 1 + size, " [", 2) ? own + 1
											 : name;
}

/* `stack` from the root; a name that occurs twice counts once. */
static void add_stack(struct totals *totals, const char *const *stack, size_t depth,
		      uint64_t weight)
{
	while (depth && is_state(stack[depth - 1]))
		depth--;
	for (size_t i = 0; i < depth; i++) {
		bool again = false;

		for (size_t j = 0; j < i && !again; j++)
			again = !strcmp(stack[i], stack[j]);
		if (!again)
			total_of(totals, stack[i])->inclusive += weight;
	}
	if (depth)
		total_of(totals, stack[depth - 1])->exclusive += weight;
}

#define DEEPEST 2000

static json_t *load(const char *text, size_t size)
{
	json_error_t problem;
	json_t *root = json_loadb(text, size, 0, &problem);

	if (!root)
		print_error("%s\n", problem.text);
	assert_non_null(root);
	return root;
}

static void add_found(void *to, const char *const *names, size_t depth, uint64_t weight)
{
	const char **stack = xcalloc(depth + 1, sizeof(*stack));

	for (size_t i = 0; i < depth; i++)
		stack[i] = without_module(names[i]);
	add_stack(to, stack, depth, weight);
	xfree(stack);
}

/* The text of a cell, from `*at` to its end, unescaped. */
static char *cell_text(const char **at)
{
	static const struct {
		const char *words;
		char character;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' } };
	const char *end = strstr(*at, "</td>");
	char *text = xcalloc(1, (size_t)(end - *at) + 1);
	size_t size = 0;

	for (const char *from = *at; from < end; size++) {
		text[size] = *from;
		for (size_t i = 0; *from == '&' && i < COUNT(entities); i++)
			if (!strncmp(from, entities[i].words, strlen(entities[i].words))) {
				text[size] = entities[i].character;
				from += strlen(entities[i].words) - 1;
				break;
			}
		from++;
	}
	*at = end;
	return text;
}

/* A row: exclusive and inclusive weights with their shares, the name, the module. */
static const char *read_html_row(const char *at, struct totals *totals)
{
	uint64_t numbers[3];
	char *name, *module, *full;
	struct total *total;

	for (size_t i = 0; i < 3; i++) {
		at = strstr(at, "data-value=\"") + 12;
		numbers[i] = strtoull(at, NULL, 10);
	}
	at = strstr(at, "<td class=\"wide\">") + 17; /* after the second share */
	name = cell_text(&at);
	at = strstr(at, "<td>") + 4;
	module = cell_text(&at);
	/* a label has no module */
	assert_true(asprintf(&full, "%s%s%s", module, *module ? "!" : "", name) > 0);
	total = total_of(totals, without_module(full));
	assert_int_equal(total->inclusive + total->exclusive, 0);
	total->exclusive = numbers[0];
	total->inclusive = numbers[2];
	xfree(name);
	xfree(module);
	free(full);
	return at;
}

static void read_html(const char *text, size_t size, struct totals *totals)
{
	const char *at = strstr(text, "<table class=\"data\" data-list=\"methods\">");
	const char *end;

	assert_int_equal(strlen(text), size);
	assert_non_null(at);
	at = strstr(at, "<tbody>");
	end = strstr(at, "</tbody>");
	while ((at = strstr(at, "<tr>")) && at < end)
		at = read_html_row(at, totals);
}

/* A row of a table, by its index in another object. */
static const json_t *row_of(const json_t *dictionary, const char *table, const json_t *object,
			    const char *key)
{
	const json_t *rows = json_object_get(dictionary, table);
	const json_t *index = json_object_get(object, key);

	assert_true(json_integer_value(index) < (json_int_t)json_array_size(rows));
	return json_array_get(rows, (size_t)json_integer_value(index));
}

static void add_otlp_sample(const json_t *dictionary, const json_t *sample, struct totals *totals)
{
	const json_t *stack = row_of(dictionary, "stackTable", sample, "stackIndex");
	const json_t *indices = json_object_get(stack, "locationIndices");
	const json_t *values = json_object_get(sample, "values");
	const size_t depth = json_array_size(indices);
	const char *names[DEEPEST];

	for (size_t i = 0; i < depth; i++) {
		const json_t *locations = json_object_get(dictionary, "locationTable");
		const json_t *location = json_array_get(
			locations, (size_t)json_integer_value(json_array_get(indices, i)));
		const json_t *line = json_array_get(json_object_get(location, "lines"), 0);
		const json_t *function = row_of(dictionary, "functionTable", line, "functionIndex");

		names[depth - 1 - i] = json_string_value(
			row_of(dictionary, "stringTable", function, "nameStrindex"));
	}
	add_stack(totals, names, depth,
		  strtoull(json_string_value(json_array_get(values, 0)), NULL, 10));
}

static void read_otlp_json(const char *text, size_t size, struct totals *totals)
{
	json_t *root = load(text, size);
	const json_t *dictionary = json_object_get(root, "dictionary");
	const json_t *resources = json_object_get(root, "resourceProfiles");

	for (size_t i = 0; i < json_array_size(resources); i++) {
		const json_t *scopes =
			json_object_get(json_array_get(resources, i), "scopeProfiles");
		const json_t *profiles = json_object_get(json_array_get(scopes, 0), "profiles");
		const json_t *samples;

		assert_int_equal(json_array_size(profiles), 2);
		samples = json_object_get(json_array_get(profiles, 1), "samples");
		for (size_t j = 0; j < json_array_size(samples); j++)
			add_otlp_sample(dictionary, json_array_get(samples, j), totals);
	}
	json_decref(root);
}

static const struct reader {
	const char *format;
	const char *(*strict)(const void *bytes, size_t size, stack_found *found, void *to);
	void (*read)(const char *text, size_t size, struct totals *totals); /* or this one */
	bool json; /* the format's second form */
} readers[] = {
	{ "speedscope", read_speedscope, NULL, false },
	{ "chromium", read_chromium, NULL, false },
	{ "folded", read_folded, NULL, false },
	{ "pprof", read_pprof, NULL, false },
	{ "otlp", read_otlp, NULL, false },
	{ "otlp", NULL, read_otlp_json, true },
	{ "firefox", read_firefox, NULL, false },
	{ "perfetto", read_perfetto, NULL, false },
	{ "html", read_page, read_html, false },
	{ "perf-script", read_perf_script, NULL, false },
	{ "perfview", read_perfview, NULL, false },
};

static struct export_source *read_trace(const char *name, const struct export_query *query,
					const struct export_format *format)
{
	struct pp_error err = { 0 };
	struct trace_file *file = trace_file_open(place_of_data(name), NULL, &err);
	struct export_source *source;

	assert_string_equal(err.text, "");
	assert_non_null(format);
	source = export_source_new(query, format);
	assert_int_equal(pass_file(export_source_begin(source, name), file, &err), PP_NEXT_END);
	export_source_stop(source, file->trace);
	trace_file_close(file);
	assert_int_equal(export_source_end(source, &err), 0);
	assert_int_equal(export_source_finish(source, &err), 0);
	return source;
}

/* Computed as in view_cpu.c and view_threadtime.c, from a separate model. */
static struct totals wanted_totals(const char *name, const char *view,
				   const struct fill_symbols *symbols)
{
	const struct call_query plain = { 0 };
	const bool marks = !strcmp(view, "threadtime");
	struct totals totals = { 0 };
	struct model model;
	struct calltree tree;
	struct call_rows rows;
	struct sample_walk walk;
	struct model_sample sample;
	struct task_walk tasks;
	struct model_task task;

	trace_fill(&model, place_of_data(name),
		   (struct fill_options){ .marks = marks,
					  .tasks = marks,
					  .sample_tasks = marks,
					  .activities = marks,
					  .symbols = *symbols });
	join_tasks(&model);
	account_time(&model);
	calltree_init(&tree, &model, &plain);
	sample_walk_begin(&walk, &model.samples, marks ? UNTIL_EVENT : UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		if (marks)
			calltree_add_time(&tree, &sample, (uint64_t)sample.weight);
		else if (sample_is_cpu(&sample))
			calltree_add(&tree, &sample, (uint64_t)sample.weight);
	}
	sample_walk_end(&walk);
	task_walk_begin(&tasks, &model.tasks);
	while (task_walk_next(&tasks, &task)) {
		sample = task_as_sample(&task);
		if (sample.weight > 0)
			calltree_add_time(&tree, &sample, (uint64_t)sample.weight);
	}
	task_walk_end(&tasks);
	calltree_finish(&tree);
	rows = call_rows_by_name(&tree, CALL_EXCLUSIVE);
	for (size_t i = 0; i < rows.count; i++) {
		struct total *total = total_of(&totals, tree.names[rows.rows[i].name].full);

		total->inclusive = rows.rows[i].inclusive.weight;
		total->exclusive = rows.rows[i].exclusive.weight;
	}
	call_rows_release(&rows);
	calltree_release(&tree);
	model_release(&model);
	return totals;
}

struct text {
	char *bytes;
	size_t size;
};

static void keep(void *to, const void *bytes, size_t size)
{
	struct text *text = to;

	text->bytes = xrealloc(text->bytes, text->size + size + 1, 1);
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = 0;
}

static void check_format(const struct reader *reader, const char *name,
			 const struct export_query *query, struct totals *wanted)
{
	struct pp_error err = { 0 };
	const struct export_format *format = export_format_find(reader->format, &err);
	struct export_source *source = read_trace(name, query, format);
	struct totals totals = { 0 };
	struct text text = { 0 };
	struct output_buffer out = { .write = keep, .to = &text };

	format->write(source, &out);
	assert_int_equal(output_buffer_end(&out, &err), 0);
	buffer_release(&out.bytes);
	if (reader->strict) {
		const char *problem = reader->strict(text.bytes, text.size, add_found, &totals);

		assert_string_equal(problem ? problem : "", "");
	}
	if (reader->read)
		reader->read(text.bytes, text.size, &totals);
	assert_true(wanted->count > 12);
	for (size_t i = 0; i < wanted->count; i++) {
		const struct total *have = total_of(&totals, wanted->list[i].name);

		if (have->inclusive != wanted->list[i].inclusive ||
		    have->exclusive != wanted->list[i].exclusive)
			fail_msg("%s: %s has %llu and %llu, wanted %llu and %llu", reader->format,
				 have->name, (unsigned long long)have->inclusive,
				 (unsigned long long)have->exclusive,
				 (unsigned long long)wanted->list[i].inclusive,
				 (unsigned long long)wanted->list[i].exclusive);
	}
	for (size_t i = 0; i < totals.count; i++)
		assert_int_equal(total_of(wanted, totals.list[i].name)->inclusive,
				 totals.list[i].inclusive);
	totals_release(&totals);
	xfree(text.bytes);
	export_source_free(source);
}

static void check_named(const char *name, const char *view, const struct fill_symbols *symbols)
{
	struct pp_error err = { 0 };
	struct export_query query = { .view = export_view_find(view, &err),
				      .samples = { .events = EVENT_QUERY_ALL },
				      .symbols = *symbols,
				      .exporter = "test" };
	struct totals wanted = wanted_totals(name, view, symbols);

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		query.json = readers[i].json;
		check_format(&readers[i], name, &query, &wanted);
	}
	totals_release(&wanted);
}

static void check_view(const char *name, const char *view)
{
	check_named(name, view, &(const struct fill_symbols){ 0 });
}

#ifdef HAVE_ELFUTILS
static void every_format_has_native_names_and_inlined_calls(void **state)
{
	char folder[4096];
	const char *const folders[] = { folder };
	const struct fill_symbols symbols = { .wanted = true,
					      .no_cache = true,
					      .no_network = true,
					      .folders = folders,
					      .folder_count = 1 };

	(void)state;
	snprintf(folder, sizeof(folder), "%s", place_of_data("native"));
	check_named("native.nettrace", "cpu", &symbols);
}
#endif

static void every_format_has_the_cpu_time_of_the_report(void **state)
{
	(void)state;
	check_view("orders.nettrace.gz", "cpu");
}

static void every_format_has_the_thread_time_of_the_report(void **state)
{
	(void)state;
	check_view("orders.nettrace.gz", "threadtime");
}

static void every_format_has_the_tasks_and_awaits_of_the_report(void **state)
{
	(void)state;
	check_view("awaits.nettrace.zst", "threadtime");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_has_the_cpu_time_of_the_report),
		cmocka_unit_test(every_format_has_the_thread_time_of_the_report),
		cmocka_unit_test(every_format_has_the_tasks_and_awaits_of_the_report),
#ifdef HAVE_ELFUTILS
		cmocka_unit_test(every_format_has_native_names_and_inlined_calls),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
