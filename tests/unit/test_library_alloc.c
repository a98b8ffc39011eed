/* SPDX-License-Identifier: MIT */
/*
 * All memory of the library comes from pp_set_alloc(), but for what alloc.h lists: contexts of
 * zstd, and what functions of libc take for as long as they run, or for compiled regular
 * expressions. For this the program has a malloc() of its own, which notes who calls it.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "perfpipe/alloc.h"
#include "perfpipe/fields.h"
#include "perfpipe/report.h"
#include "perfpipe/samples.h"
#include "places.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

int main(void)
{
	puts("skipped: malloc() is not the C library's");
	return 77;
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

#define CALLERS_MOST 4096

/* Those who called malloc() while the library was at work. */
static struct {
	bool noting;
	size_t count;
	void *list[CALLERS_MOST];
} callers;

static void note(void *caller)
{
	if (!callers.noting)
		return;
	callers.list[callers.count % CALLERS_MOST] = caller;
	callers.count++;
}

PP_API void *malloc(size_t size)
{
	note(__builtin_return_address(0));
	return __libc_malloc(size);
}

PP_API void *calloc(size_t count, size_t size)
{
	note(__builtin_return_address(0));
	return __libc_calloc(count, size);
}

PP_API void *realloc(void *memory, size_t size)
{
	note(__builtin_return_address(0));
	return __libc_realloc(memory, size);
}

static size_t allocations, releases;

static void *allocate(void *context, size_t size)
{
	(void)context;
	allocations++;
	return __libc_calloc(1, size);
}

static void *resize(void *context, void *memory, size_t size)
{
	(void)context;
	allocations += !memory;
	return __libc_realloc(memory, size);
}

static void release(void *context, void *memory)
{
	(void)context;
	releases++;
	free(memory);
}

static void begin(void)
{
	const struct pp_allocator counting = { sizeof(counting), allocate, resize, release, NULL };

	allocations = releases = callers.count = 0;
	pp_set_alloc(&counting);
	callers.noting = true;
}

/* Whether all of them were in libraries with this name; none is in the program itself. */
static void expect_callers(const char *first, const char *second)
{
	callers.noting = false;
	pp_set_alloc(NULL);
	assert_true(allocations > 10);
	assert_int_equal(allocations, releases);
	assert_true(callers.count < CALLERS_MOST);
	for (size_t i = 0; i < callers.count; i++) {
		Dl_info info = { 0 };

		assert_true(dladdr(callers.list[i], &info));
		if (!strstr(info.dli_fname, first) && !strstr(info.dli_fname, second))
			fail_msg("%s calls malloc() near %s", info.dli_fname,
				 info.dli_sname ? info.dli_sname : "?");
	}
}

static void read_events(const char *path)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(path, NULL, &err);
	const struct pp_event *event;
	struct pp_value value;

	while (trace && pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM) {
		pp_event_name(trace, event);
		pp_fields_begin(trace, event);
		while (pp_fields_next(trace, &value))
			;
	}
	pp_trace_close(trace);
	assert_string_equal(err.text, "");
}

static void ask(const char *view, const struct pp_report_option *option, const char *path)
{
	const struct pp_report_options options = { .size = sizeof(options),
						   .options = option,
						   .option_count = option ? 1 : 0 };
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new(view, &options, &err);
	const struct pp_result *result = NULL;
	char *text = NULL;
	size_t size;

	if (report && !pp_report_add_file(report, path, &err))
		result = pp_report_build(report, &err);
	if (result)
		text = pp_result_render(result, "html", &size, &err);
	pp_text_free(text);
	pp_report_free(report);
	assert_string_equal(err.text, "");
}

static void walk_samples(const char *path)
{
	struct pp_error err = { 0 };
	struct pp_samples *samples = pp_samples_open(path, NULL, &err);
	struct pp_sample sample;

	while (samples && pp_samples_next(samples, &sample, &err))
		;
	pp_samples_close(samples);
	assert_string_equal(err.text, "");
}

static void reading_needs_no_other_memory(void **state)
{
	(void)state;
	begin();
	read_events(place_of_data("orders.nettrace.gz"));
	read_events(place_of_data("orders.zip"));
	expect_callers("libz.", "libz.");
	assert_int_equal(callers.count, 0);
}

static void zstd_has_memory_of_its_own(void **state)
{
	(void)state;
	begin();
	read_events(place_of_data("trouble-throw.nettrace.zst"));
	expect_callers("libzstd.", "libzstd.");
	assert_true(callers.count > 0); /* or nobody is looked at */
}

/* Sorting, and regular expressions. */
static void libc_has_memory_of_its_own(void **state)
{
	const struct pp_report_option regex = { "exclude", "@Wait|Sleep" };
	struct pp_report_view view;

	(void)state;
	begin();
	for (size_t i = 0; pp_report_view(i, &view); i++)
		ask(view.name, NULL, place_of_data("two-processes.nettrace.zst"));
	ask("cpu", &regex, place_of_data("orders.nettrace.gz"));
	walk_samples(place_of_data("two-processes.nettrace.zst"));
	expect_callers("libzstd.", "libc.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_needs_no_other_memory),
		cmocka_unit_test(zstd_has_memory_of_its_own),
		cmocka_unit_test(libc_has_memory_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
