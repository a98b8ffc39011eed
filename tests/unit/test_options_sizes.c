/* SPDX-License-Identifier: MIT */
/* Every public call with options reads them by their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/array.h"
#include "perfpipe/nettrace_writer.h"
#include "perfpipe/processes.h"
#include "perfpipe/symbols.h"
#include "perfpipe/user_events.h"

static void read_trace(const void *options, struct pp_error *err)
{
	pp_nettrace_free(pp_nettrace_new(options, err));
}

static void write_trace(const void *options, struct pp_error *err)
{
	assert_null(pp_writer_new(options, err)); /* it has no sink */
}

static void find_processes(const void *options, struct pp_error *err)
{
	struct pp_processes found;

	pp_processes_find(options, &found, err);
	pp_processes_release(&found);
}

/* Of a client that has nobody to talk to. */
static struct pp_client *client;

static void start_session(const void *options, struct pp_error *err)
{
	assert_null(pp_session_start(client, options, err));
}

static void start_user_events(const void *options, struct pp_error *err)
{
	assert_null(pp_session_start_user_events(client, options, err));
}

static void dump(const void *options, struct pp_error *err)
{
	assert_int_equal(pp_client_dump(client, options, err), -1);
}

static void attach_profiler(const void *options, struct pp_error *err)
{
	assert_int_equal(pp_client_attach_profiler(client, options, err), -1);
}

static void open_symbols(const void *options, struct pp_error *err)
{
	pp_symbols_close(pp_symbols_open(options, err));
}

static const struct {
	size_t size;
	void (*call)(const void *options, struct pp_error *err);
} calls[] = {
	{ sizeof(struct pp_nettrace_options), read_trace },
	{ sizeof(struct pp_writer_options), write_trace },
	{ sizeof(struct pp_process_query), find_processes },
	{ sizeof(struct pp_session_options), start_session },
	{ sizeof(struct pp_user_events_options), start_user_events },
	{ sizeof(struct pp_dump_options), dump },
	{ sizeof(struct pp_profiler_attach), attach_profiler },
	{ sizeof(struct pp_symbols_options), open_symbols },
};

/* Options that are all 0, and how the call with them ends. */
static struct pp_error call_with(size_t i, size_t size, uint8_t last)
{
	_Alignas(max_align_t) uint8_t options[256] = { 0 };
	struct pp_error err = { 0 };

	assert_true(calls[i].size + 8 <= sizeof(options));
	memcpy(options, &size, sizeof(size));
	options[calls[i].size + 7] = last;
	calls[i].call(options, &err);
	return err;
}

static void takes_the_options_of_another_version(void **state)
{
	(void)state;
	client = pp_client_new("/nowhere/socket", &(struct pp_error){ 0 });
	for (size_t i = 0; i < ARRAY_COUNT(calls); i++) {
		const struct pp_error usual = call_with(i, calls[i].size, 0);

		assert_string_equal(call_with(i, calls[i].size, 1).text, usual.text);
		assert_string_equal(call_with(i, calls[i].size + 8, 0).text, usual.text);
		assert_string_equal(call_with(i, sizeof(size_t), 0).text, usual.text);
		assert_int_equal(call_with(i, calls[i].size + 8, 1).code, PP_ERROR_UNSUPPORTED);
		assert_int_equal(call_with(i, 0, 0).code, PP_ERROR_USAGE);
		assert_non_null(strstr(call_with(i, 0, 0).text, "size of a struct of options"));
	}
	pp_client_free(client);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_options_of_another_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
