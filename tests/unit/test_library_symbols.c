/* SPDX-License-Identifier: MIT */
/* perfpipe/symbols.h: names of a file, of this process, and what happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "perfpipe/symbols.h"
#include "places.h"

/* Addresses of libnative.so; nm(1) shows them. */
#define NATIVE_FIRST UINT64_C(0x1050)
#define COUNT	     UINT64_C(0x10a0)

/* Asked by AddressSanitizer, which would otherwise end the program itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static struct pp_code_address linked(const char *path, uint64_t address)
{
	return (struct pp_code_address){ .size = sizeof(struct pp_code_address),
					 .space = PP_CODE_AS_LINKED,
					 .path = path,
					 .address = address };
}

static const struct pp_symbol *ask(struct pp_symbols *symbols, struct pp_code_address at)
{
	struct pp_error err = { 0 };
	const struct pp_symbol *symbol = pp_symbols_find(symbols, &at, &err);

	if (!symbol)
		fail_msg("%s", err.text);
	return symbol;
}

static struct pp_symbols *open_symbols(const struct pp_symbols_options *options)
{
	struct pp_error err = { 0 };
	struct pp_symbols *symbols = pp_symbols_open(options, &err);

	assert_non_null(symbols);
	return symbols;
}

static void names_an_address_of_a_file(void **state)
{
	struct pp_symbols *symbols = open_symbols(NULL);
	const char *path = place_of_data("libnative.so");
	const struct pp_symbol *symbol = ask(symbols, linked(path, NATIVE_FIRST + 5));

	(void)state;
	assert_int_equal(symbol->size, sizeof(*symbol));
	assert_string_equal(symbol->frame->function, "native_first");
	assert_int_equal(symbol->frame->size, sizeof(*symbol->frame));
	assert_null(symbol->frame->caller);
	assert_false(symbol->frame->inlined);
	assert_string_equal(symbol->module_path, path);
	assert_int_equal(strlen(symbol->build_id), 40);
	assert_int_equal(symbol->state, PP_SYMBOLS_WHOLE);
	assert_int_equal(symbol->offset, NATIVE_FIRST + 5);
	assert_int_equal(symbol->function_start, NATIVE_FIRST);
	assert_null(symbol->nearest);
	pp_symbols_close(symbols);
}

static void a_stripped_file_has_a_nearest_function_only(void **state)
{
	struct pp_symbols *symbols = open_symbols(NULL);
	const char *path = place_of_data("libnative-stripped.so");
	const struct pp_symbol *symbol = ask(symbols, linked(path, COUNT + 5));

	(void)state;
	assert_null(symbol->frame);
	assert_int_equal(symbol->state, PP_SYMBOLS_EXPORTED);
	assert_string_equal(symbol->nearest, "native_last");
	assert_int_equal(symbol->nearest_offset, 0x45);
	pp_symbols_close(symbols);
}

static void names_an_address_of_this_process(void **state)
{
	struct pp_symbols *symbols = open_symbols(NULL);
	const struct pp_code_address at = {
		.size = sizeof(at),
		.process_id = getpid(),
		.address = (uint64_t)(uintptr_t)names_an_address_of_this_process,
	};

	(void)state;
	assert_string_equal(ask(symbols, at)->frame->function, "names_an_address_of_this_process");
	pp_symbols_close(symbols);
}

static void a_file_that_is_not_there_is_an_answer(void **state)
{
	struct pp_symbols *symbols = open_symbols(NULL);
	const struct pp_symbol *symbol = ask(symbols, linked("/nowhere/app", 1));

	(void)state;
	assert_null(symbol->frame);
	assert_int_equal(symbol->state, PP_SYMBOLS_NO_FILE);
	pp_symbols_close(symbols);
}

static void refuses_questions_that_make_no_sense(void **state)
{
	struct pp_symbols *symbols = open_symbols(NULL);
	struct pp_code_address at = linked(NULL, 1);
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_symbols_find(symbols, &at, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	at.space = PP_CODE_OF_PROCESS;
	err = (struct pp_error){ 0 };
	assert_null(pp_symbols_find(symbols, &at, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	at.space = (enum pp_code_space)99;
	err = (struct pp_error){ 0 };
	assert_null(pp_symbols_find(symbols, &at, &err));
	assert_int_equal(err.code, PP_ERROR_UNSUPPORTED);
	at.size = 0;
	err = (struct pp_error){ 0 };
	assert_null(pp_symbols_find(symbols, &at, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	pp_symbols_close(symbols);
	pp_symbols_close(NULL);
}

static int ask_all(void *context, struct pp_error *err)
{
	const struct pp_symbols_options options = { .size = sizeof(options), .lines = true };
	struct pp_symbols *symbols = pp_symbols_open(&options, err);
	const struct pp_code_address *at = context;
	const bool failed = !symbols || !pp_symbols_find(symbols, at, err);

	pp_symbols_close(symbols);
	return failed ? -1 : 0;
}

static void fails_at_each_allocation_and_leaks_nothing(void **state)
{
	struct pp_code_address at = linked(place_of_data("libnative.so"), 0x1039);
	struct pp_code_address own = { .size = sizeof(own), .process_id = getpid() };
	const int open_before = count_open_files();

	(void)state;
	assert_true(fails_at_each_allocation(ask_all, &at) > 5);
	own.address = (uint64_t)(uintptr_t)ask_all;
	assert_true(fails_at_each_allocation(ask_all, &own) > 5);
	assert_int_equal(count_open_files(), open_before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_an_address_of_a_file),
		cmocka_unit_test(a_stripped_file_has_a_nearest_function_only),
		cmocka_unit_test(names_an_address_of_this_process),
		cmocka_unit_test(a_file_that_is_not_there_is_an_answer),
		cmocka_unit_test(refuses_questions_that_make_no_sense),
		cmocka_unit_test(fails_at_each_allocation_and_leaks_nothing),
	};

#ifndef HAVE_ELFUTILS
	puts("skipped: this build reads no ELF files");
	return 77;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
