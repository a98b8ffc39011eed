/* SPDX-License-Identifier: MIT */
/* How the client handles good and bad answers of a scripted server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "ipc/message.h"
#include "ipc/answers.h"
#include "ipc/refusal.h"
#include "perfpipe/client.h"

#define UNKNOWN_COMMAND 0x80131385u

static double seconds_since(struct timespec start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

/* The payload of ProcessInfo 1, 2 or 3. */
static struct buffer info_payload(int command)
{
	struct buffer payload = { 0 };

	if (command == 3)
		buffer_u32(&payload, 1);
	buffer_u64(&payload, 17);
	buffer_bytes(&payload, "0123456789abcdef", 16);
	message_put_text(&payload, "shop");
	message_put_text(&payload, "Linux");
	message_put_text(&payload, "x64");
	if (command >= 2) {
		message_put_text(&payload, "shop");
		message_put_text(&payload, "10.0.0");
	}
	if (command == 3)
		message_put_text(&payload, "linux-x64");
	return payload;
}

static void add_info(struct fake_server *server, int command)
{
	struct buffer payload = info_payload(command);

	fake_server_ok(server, payload.bytes, payload.size);
	buffer_release(&payload);
}

static void falls_back_to_what_the_runtime_knows(void **state)
{
	static const uint8_t ids[] = { 0x08, 0x04, 0x00 };

	(void)state;
	for (int known = 3; known >= 1; known--) {
		struct fake_server *server = fake_server_new();
		struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
		struct pp_process_info *info;
		struct pp_error err = { 0 };

		for (int command = 3; command > known; command--)
			fake_server_error(server, UNKNOWN_COMMAND);
		add_info(server, known);
		fake_server_start(server);
		info = pp_client_process_info(client, &err);
		assert_non_null(info);
		assert_int_equal(info->command, known);
		assert_int_equal(info->process_id, 17);
		assert_string_equal(info->command_line, "shop");
		assert_int_equal(info->runtime_version != NULL, known >= 2);
		assert_int_equal(info->portable_rid != NULL, known >= 3);
		assert_int_equal(pp_client_failure(client), PP_FAILURE_NONE);
		assert_int_equal(err.code, PP_ERROR_NONE);
		fake_server_stop(server);
		for (int i = 0; i <= 3 - known; i++)
			assert_int_equal(server->answers[i].request.bytes[17], ids[i]);
		pp_process_info_free(info);
		pp_client_free(client);
		fake_server_free(server);
	}
}

static void says_that_a_runtime_is_too_old(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	for (int i = 0; i < 3; i++)
		fake_server_error(server, UNKNOWN_COMMAND);
	fake_server_start(server);
	assert_null(pp_client_process_info(client, &err));
	assert_string_equal(err.text, "the runtime is too old: ProcessInfo needs .NET 5");
	assert_int_equal(pp_client_failure(client), PP_FAILURE_UNSUPPORTED);
	assert_int_equal(pp_client_hresult(client), UNKNOWN_COMMAND);
	pp_client_free(client);
	fake_server_free(server);
}

/* Sends a command to a server with this single answer, and expects the failure and the sentence. */
static void expect(struct fake_server *server, enum pp_failure failure, const char *sentence)
{
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	fake_server_start(server);
	pp_client_set_timeout(client, 5000);
	assert_null(pp_client_process_info(client, &err));
	assert_string_equal(err.text, sentence);
	assert_int_equal(pp_client_failure(client), failure);
	pp_client_free(client);
	fake_server_free(server);
}

static void expect_raw(const void *bytes, size_t size, enum pp_failure failure,
		       const char *sentence)
{
	struct fake_server *server = fake_server_new();

	fake_server_raw(server, bytes, size);
	expect(server, failure, sentence);
}

#define RAW(text) (text), sizeof(text) - 1

static void distinguishes_bad_answers(void **state)
{
	(void)state;
	expect_raw(RAW("HTTP/1.1 400 Bad Request\r\n\r\n"), PP_FAILURE_WRONG_MAGIC,
		   "what answered does not speak the diagnostics protocol of .NET");
	expect_raw(RAW(""), PP_FAILURE_CUT, "the process closed the connection without an answer");
	expect_raw(RAW("DOTNET_IPC_V1\0\x18\0\xff"), PP_FAILURE_CUT,
		   "the process closed the connection in the middle of its answer");
	expect_raw(RAW("DOTNET_IPC_V1\0\x18\0\xff\0\0\0\1\2"), PP_FAILURE_CUT,
		   "the process closed the connection in the middle of its answer");
	expect_raw(RAW("DOTNET_IPC_V1\0\x05\0\xff\0\0\0"), PP_FAILURE_MALFORMED,
		   "the answer claims a size of 5 bytes, less than its header");
	expect_raw(RAW("DOTNET_IPC_V1\0\x14\0\x04\x08\0\0"), PP_FAILURE_MALFORMED,
		   "the answer has the unknown kind 0x0408");
	expect_raw(RAW("DOTNET_IPC_V1\0\x16\0\xff\xff\0\0\x85\x13"), PP_FAILURE_MALFORMED,
		   "the runtime refuses ProcessInfo3 and its error is cut short");
	expect_raw(RAW("DOTNET_IPC_V1\0\x18\0\xff\0\0\0\1\0\0\0"), PP_FAILURE_MALFORMED,
		   "the description of the process contradicts the protocol");
}

static void reads_the_largest_answer(void **state)
{
	struct fake_server *server = fake_server_new();
	struct buffer payload = info_payload(3);
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_process_info *info;
	struct pp_error err = { 0 };
	uint8_t *rest;

	(void)state;
	rest = buffer_take(&payload, 65535 - 20 - payload.size);
	memset(rest, 0xee, (size_t)(payload.bytes + payload.size - rest));
	fake_server_ok(server, payload.bytes, payload.size);
	fake_server_start(server);
	info = pp_client_process_info(client, &err);
	assert_non_null(info);
	assert_string_equal(info->portable_rid, "linux-x64");
	pp_process_info_free(info);
	pp_client_free(client);
	buffer_release(&payload);
	fake_server_free(server);
}

static void names_every_error_code(void **state)
{
	static const struct {
		uint32_t code;
		const char *sentence;
	} rows[] = {
		{ 0x80131384, "the runtime refuses ProcessInfo3: it cannot read the request, or a "
			      "value in it is unknown (0x80131384)" },
		{ 0x80131386, "the runtime refuses ProcessInfo3: it does not know this protocol "
			      "(0x80131386)" },
		{ 0x80131387, "the runtime refuses ProcessInfo3: an unknown error occurred in it "
			      "(0x80131387)" },
		{ 0x80131515, "the runtime refuses ProcessInfo3: it does not support this here "
			      "(0x80131515)" },
		{ 0x80004005, "the runtime refuses ProcessInfo3: it failed without giving a reason "
			      "(0x80004005)" },
		{ 0x8013135B, "the runtime refuses ProcessInfo3: it is not ready for this yet; try "
			      "again when it has started (0x8013135B)" },
		{ 0x80131371, "the runtime refuses ProcessInfo3: it has not started yet; resume it "
			      "first (0x80131371)" },
		{ 0x80070057, "the runtime refuses ProcessInfo3: an argument is not valid, or "
			      "comes too late for a running process (0x80070057)" },
		{ 0x8007007E, "the runtime refuses ProcessInfo3: it cannot find the library, or "
			      "its dependencies (0x8007007E)" },
		{ 0x8007007A, "the runtime refuses ProcessInfo3: the text is too long for it "
			      "(0x8007007A)" },
		{ 0x800000CB, "the runtime refuses ProcessInfo3: it has no environment variable of "
			      "that name (0x800000CB)" },
		{ 0x8013136A, "the runtime refuses ProcessInfo3: another profiler is already "
			      "active (0x8013136A)" },
		{ 0x12345678, "the runtime refuses ProcessInfo3: unknown error "
			      "(0x12345678)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake_server *server = fake_server_new();

		fake_server_error(server, rows[i].code);
		expect(server,
		       rows[i].code == HRESULT_NOT_SUPPORTED ? PP_FAILURE_UNSUPPORTED
							     : PP_FAILURE_REFUSED,
		       rows[i].sentence);
	}
}

/* The single answer comes too late in some way: the client gives up in time. */
static void expect_timeout(struct fake_server *server)
{
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	struct timespec start;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &start);
	pp_client_set_timeout(client, 150);
	assert_null(pp_client_process_info(client, &err));
	seconds = seconds_since(start);
	assert_true(seconds >= 0.149 && seconds < 2);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_TIMEOUT);
	assert_string_equal(
		err.text, "the process did not answer within 150 ms: it is stopped, hung or busy");
	pp_client_free(client);
	fake_server_free(server);
}

static void gives_up_on_a_server_that_does_not_answer(void **state)
{
	struct fake_server *server = fake_server_new();

	(void)state;
	fake_server_raw(server, "", 0)->keep_open = true;
	fake_server_start(server);
	expect_timeout(server);
	expect_timeout(fake_server_new()); /* not even accepted, as by a stopped process */
}

static void gives_up_on_a_server_that_sends_a_byte_at_a_time(void **state)
{
	struct fake_server *server = fake_server_new();

	(void)state;
	fake_server_ok(server, "12345678", 8)->pause_ms = 20;
	fake_server_start(server);
	expect_timeout(server);
}

static void counts_all_fallbacks_into_one_deadline(void **state)
{
	struct fake_server *server = fake_server_new();

	(void)state;
	/* 24 bytes of 4 ms each: one answer fits into the time, two do not */
	for (int i = 0; i < 3; i++)
		fake_server_error(server, UNKNOWN_COMMAND)->pause_ms = 4;
	fake_server_start(server);
	expect_timeout(server);
}

static void takes_a_slow_answer_within_the_deadline(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	fake_server_ok(server, "\0\0\0", 4)->pause_ms = 1;
	fake_server_start(server);
	assert_int_equal(pp_client_resume(client, &err), 0);
	pp_client_free(client);
	fake_server_free(server);
}

/* A server that rejects a long request may answer before it has read it. */
static void reads_an_answer_sent_before_the_request_is_read(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	char *value = malloc(30001);

	(void)state;
	memset(value, 'x', 30000);
	value[30000] = '\0';
	fake_server_error(server, 0x80131384)->ignore_request = true;
	fake_server_start(server);
	assert_int_equal(pp_client_set_variable(client, "NAME", value, &err), -1);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_REFUSED);
	assert_int_equal(pp_client_hresult(client), 0x80131384u);
	free(value);
	pp_client_free(client);
	fake_server_free(server);
}

static void reads_the_environment_after_the_answer(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct buffer block = { 0 };
	struct fake_answer *answer;
	struct pp_environment *environment;
	struct pp_error err = { 0 };
	uint8_t payload[6] = { 0 };
	uint32_t size;

	(void)state;
	buffer_u32(&block, 1002);
	message_put_text(&block, "PATH=/bin");
	for (int i = 0; i < 1000; i++)
		message_put_text(&block, "LONG=0123456789012345678901234567890123456789");
	message_put_text(&block, "W\xc3\xb6rt=\xe2\x82\xac");
	size = (uint32_t)block.size;
	memcpy(payload, &size, sizeof(size));
	answer = fake_server_ok(server, payload, sizeof(payload));
	buffer_bytes(&answer->bytes, block.bytes, block.size);
	fake_server_start(server);
	environment = pp_client_environment(client, &err);
	assert_non_null(environment);
	assert_int_equal(environment->count, 1002);
	assert_string_equal(environment->variables[0], "PATH=/bin");
	assert_string_equal(environment->variables[1001], "W\xc3\xb6rt=\xe2\x82\xac");
	pp_environment_free(environment);
	buffer_release(&block);
	pp_client_free(client);
	fake_server_free(server);
}

static void expect_bad_environment(const char *promised, const char *block, size_t size,
				   enum pp_failure failure)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct fake_answer *answer = fake_server_ok(server, promised, 6);
	struct pp_error err = { 0 };

	buffer_bytes(&answer->bytes, block, size);
	fake_server_start(server);
	assert_null(pp_client_environment(client, &err));
	assert_int_equal(pp_client_failure(client), failure);
	pp_client_free(client);
	fake_server_free(server);
}

static void rejects_an_environment_size_that_is_not_there(void **state)
{
	(void)state;
	expect_bad_environment("\xff\xff\xff\xff\0", RAW(""), PP_FAILURE_MALFORMED);
	expect_bad_environment("\x0c\0\0\0\0", RAW("\1\0\0\0"), PP_FAILURE_CUT);
	expect_bad_environment("\x0c\0\0\0\0", RAW("\xff\xff\xff\xff\1\0\0\0\0\0\0\0"),
			       PP_FAILURE_MALFORMED);
	expect_bad_environment("\x0c\0\0\0\0", RAW("\1\0\0\0\2\0\0\0a\0b\0"), PP_FAILURE_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(falls_back_to_what_the_runtime_knows),
		cmocka_unit_test(says_that_a_runtime_is_too_old),
		cmocka_unit_test(distinguishes_bad_answers),
		cmocka_unit_test(reads_the_largest_answer),
		cmocka_unit_test(names_every_error_code),
		cmocka_unit_test(gives_up_on_a_server_that_does_not_answer),
		cmocka_unit_test(gives_up_on_a_server_that_sends_a_byte_at_a_time),
		cmocka_unit_test(counts_all_fallbacks_into_one_deadline),
		cmocka_unit_test(takes_a_slow_answer_within_the_deadline),
		cmocka_unit_test(reads_an_answer_sent_before_the_request_is_read),
		cmocka_unit_test(reads_the_environment_after_the_answer),
		cmocka_unit_test(rejects_an_environment_size_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
