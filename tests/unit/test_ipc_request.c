/* SPDX-License-Identifier: MIT */
/* The encoding of requests with arguments, and the handling of their answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_server.h"
#include "ipc/message.h"
#include "ipc/refusal.h"
#include "perfpipe/client.h"

#define MAGIC "DOTNET_IPC_V1\0"

static void assert_request(const struct fake_answer *answer, const char *bytes, size_t size)
{
	assert_int_equal(answer->request.size, size);
	assert_memory_equal(answer->request.bytes, bytes, size);
}

#define assert_bytes(answer, text) assert_request((answer), (text), sizeof(text) - 1)

static const uint8_t guid[16] = "0123456789abcdef";

static void lays_out_requests_as_the_protocol_requires(void **state)
{
	const struct pp_profiler profiler = { guid, "/p" };
	const struct pp_profiler_attach attach = {
		.size = sizeof(attach), profiler, 10, "data", 4
	};
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const struct fake_answer *answer = server->answers;
	struct pp_error err = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++)
		fake_server_ok(server, "\0\0\0", 4);
	fake_server_start(server);
	assert_int_equal(pp_client_enable_perf_map(client, PP_PERF_MAP_MAP, &err), 0);
	assert_int_equal(pp_client_disable_perf_map(client, &err), 0);
	assert_int_equal(pp_client_resume(client, &err), 0);
	assert_int_equal(pp_client_set_variable(client, "A", "b", &err), 0);
	assert_int_equal(pp_client_set_variable(client, "A", NULL, &err), 0);
	assert_int_equal(pp_client_apply_startup_hook(client, "/h", &err), 0);
	assert_int_equal(pp_client_set_startup_profiler(client, &profiler, &err), 0);
	assert_int_equal(pp_client_attach_profiler(client, &attach, &err), 0);
	fake_server_stop(server);
	assert_bytes(answer++, MAGIC "\x18\0\x04\x05\0\0\x03\0\0\0");
	assert_bytes(answer++, MAGIC "\x14\0\x04\x06\0\0");
	assert_bytes(answer++, MAGIC "\x14\0\x04\x01\0\0");
	assert_bytes(answer++, MAGIC "\x24\0\x04\x03\0\0\2\0\0\0A\0\0\0\2\0\0\0b\0\0\0");
	assert_bytes(answer++, MAGIC "\x20\0\x04\x03\0\0\2\0\0\0A\0\0\0\0\0\0\0");
	assert_bytes(answer++, MAGIC "\x1e\0\x04\x07\0\0\3\0\0\0/\0h\0\0\0");
	assert_bytes(answer++, MAGIC "\x2e\0\x03\x02\0\0"
				     "0123456789abcdef\3\0\0\0/\0p\0\0\0");
	assert_bytes(answer, MAGIC "\x3a\0\x03\x01\0\0\x0a\0\0\0"
				   "0123456789abcdef\3\0\0\0/\0p\0\0\0\4\0\0\0data");
	pp_client_free(client);
	fake_server_free(server);
}

static void lays_out_dumps_of_all_versions(void **state)
{
	const struct pp_dump_options options = {
		.size = sizeof(options), "/d", PP_DUMP_FULL, PP_DUMP_LOG
	};
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const struct fake_answer *answer = server->answers;
	struct pp_error err = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++)
		fake_server_error(server, HRESULT_UNKNOWN_COMMAND);
	fake_server_ok(server, "\0\0\0", 4);
	fake_server_start(server);
	assert_int_equal(pp_client_dump(client, &options, &err), 0);
	fake_server_stop(server);
	assert_bytes(answer++, MAGIC "\x26\0\x01\x03\0\0\3\0\0\0/\0d\0\0\0\4\0\0\0\1\0\0\0");
	assert_bytes(answer++, MAGIC "\x26\0\x01\x02\0\0\3\0\0\0/\0d\0\0\0\4\0\0\0\1\0\0\0");
	assert_bytes(answer, MAGIC "\x26\0\x01\x01\0\0\3\0\0\0/\0d\0\0\0\4\0\0\0\1\0\0\0");
	pp_client_free(client);
	fake_server_free(server);
}

static void passes_on_all_flags_of_a_dump(void **state)
{
	const unsigned flags = PP_DUMP_LOG | PP_DUMP_CRASH_REPORT;
	const struct pp_dump_options options = {
		.size = sizeof(options), "/d", PP_DUMP_FULL, flags
	};
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	fake_server_ok(server, "\0\0\0", 4);
	fake_server_start(server);
	assert_int_equal(pp_client_dump(client, &options, &err), 0);
	fake_server_stop(server);
	assert_bytes(&server->answers[0],
		     MAGIC "\x26\0\x01\x03\0\0\3\0\0\0/\0d\0\0\0\4\0\0\0\5\0\0\0");
	pp_client_free(client);
	fake_server_free(server);
}

/* A server that rejects newer dump commands with UNKNOWN_COMMAND and accepts `known`. */
static int dump(int known, unsigned flags, struct pp_error *err)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const struct pp_dump_options options = {
		.size = sizeof(options), "/d", PP_DUMP_MINI, flags
	};
	int asked = 0, result;

	for (int command = 3; command > known; command--)
		fake_server_error(server, HRESULT_UNKNOWN_COMMAND);
	for (int more = 0; more < 3; more++) /* no second one may be sent */
		fake_server_ok(server, "\0\0\0", 4);
	fake_server_start(server);
	result = pp_client_dump(client, &options, err);
	fake_server_stop(server);
	while (asked < 6 && server->answers[asked].asked)
		asked++;
	if (result == 0)
		assert_int_equal(asked, 4 - known);
	pp_client_free(client);
	fake_server_free(server);
	return result;
}

static void asks_for_a_dump_with_what_the_runtime_knows(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	for (int known = 3; known >= 1; known--)
		assert_int_equal(dump(known, PP_DUMP_LOG, &err), 0);
	assert_int_equal(dump(2, PP_DUMP_CRASH_REPORT, &err), 0);
	assert_int_equal(err.code, PP_ERROR_NONE);
}

static void never_drops_a_dump_flag_silently(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(dump(1, PP_DUMP_CRASH_REPORT, &err), -1);
	assert_string_equal(err.text, "the runtime is too old: GenerateCoreDump2 needs .NET 6");
}

/* A dump fails, and the runtime reports why. */
static void expect_reason(const char *reason, const char *sentence)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const struct pp_dump_options options = { .size = sizeof(options), "/d", PP_DUMP_MINI, 0 };
	struct pp_error err = { 0 };
	struct fake_answer *answer = fake_server_error(server, 0x80004005);
	uint16_t size;

	message_put_text(&answer->bytes, reason);
	size = (uint16_t)answer->bytes.size;
	buffer_patch(&answer->bytes, 14, &size, sizeof(size));
	fake_server_start(server);
	assert_int_equal(pp_client_dump(client, &options, &err), -1);
	assert_string_equal(err.text, sentence);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_REFUSED);
	pp_client_free(client);
	fake_server_free(server);
}

#define REFUSED "the runtime refuses GenerateCoreDump3: "

static void passes_on_the_reason_of_a_failed_dump(void **state)
{
	char reason[302], sentence[256];

	(void)state;
	expect_reason("no\x1b[31m space\xc2\x9b"
		      "2J\x7f\n\n",
		      REFUSED "no [31m space  2J (0x80004005)");
	expect_reason("", REFUSED "it failed without giving a reason (0x80004005)");
	expect_reason(NULL, REFUSED "it failed without giving a reason (0x80004005)");

	/* a long text is cut between two characters */
	reason[0] = 'x';
	for (size_t i = 1; i < 301; i += 2)
		memcpy(reason + i, "\xc3\xa9", 2);
	reason[301] = '\0';
	snprintf(sentence, sizeof(sentence), REFUSED "%.149s (0x80004005)", reason);
	expect_reason(reason, sentence);
}

static void finds_a_failure_in_an_answer_that_is_ok(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	fake_server_ok(server, "\x6a\x13\x13\x80", 4);
	fake_server_start(server);
	assert_int_equal(pp_client_enable_perf_map(client, PP_PERF_MAP_ALL, &err), -1);
	assert_string_equal(err.text, "the runtime refuses EnablePerfMap: another profiler is "
				      "already active (0x8013136A)");
	assert_int_equal(pp_client_hresult(client), 0x8013136Au);
	pp_client_free(client);
	fake_server_free(server);
}

static void sends_no_request_that_is_too_large(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const struct pp_profiler_attach attach = {
		.size = sizeof(attach),
		.profiler = { guid, "/p" },
		.client_data = calloc(1, 70000),
		.client_data_size = 70000,
	};
	struct pp_error err = { 0 };

	(void)state;
	fake_server_ok(server, "", 0);
	fake_server_start(server);
	assert_int_equal(pp_client_attach_profiler(client, &attach, &err), -1);
	assert_string_equal(err.text, "the request has 70054 bytes; the protocol allows 65535");
	assert_int_equal(pp_client_failure(client), PP_FAILURE_REQUEST);
	fake_server_stop(server);
	assert_false(server->answers[0].asked);
	free((void *)attach.client_data);
	pp_client_free(client);
	fake_server_free(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lays_out_requests_as_the_protocol_requires),
		cmocka_unit_test(lays_out_dumps_of_all_versions),
		cmocka_unit_test(passes_on_all_flags_of_a_dump),
		cmocka_unit_test(asks_for_a_dump_with_what_the_runtime_knows),
		cmocka_unit_test(never_drops_a_dump_flag_silently),
		cmocka_unit_test(passes_on_the_reason_of_a_failed_dump),
		cmocka_unit_test(finds_a_failure_in_an_answer_that_is_ok),
		cmocka_unit_test(sends_no_request_that_is_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
