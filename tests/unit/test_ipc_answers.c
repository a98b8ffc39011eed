/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ipc/answers.h"

static void asks_with_the_bytes_of_the_protocol(void **state)
{
	static const uint8_t ids[] = { 0x00, 0x04, 0x08 };

	(void)state;
	for (int command = PROCESS_INFO_OLDEST; command <= PROCESS_INFO_NEWEST; command++) {
		struct buffer message = { 0 };
		struct pp_error err = { 0 };

		process_info_request(&message, command);
		assert_int_equal(message_end(&message, &err), 0);
		assert_int_equal(message.size, 20);
		assert_memory_equal(message.bytes, "DOTNET_IPC_V1\0\x14\0\x04", 17);
		assert_int_equal(message.bytes[17], ids[command - 1]);
		assert_memory_equal(message.bytes + 18, "\0\0", 2);
		buffer_release(&message);
	}
}

/* An answer to ProcessInfo 1, 2 or 3, the last with the version given. */
static struct buffer answer(int command, uint32_t version)
{
	struct buffer payload = { 0 };

	if (command == 3)
		buffer_u32(&payload, version);
	buffer_u64(&payload, 4711);
	buffer_bytes(&payload, "0123456789abcdef", 16);
	message_put_text(&payload, "dotnet shop.dll --fast");
	message_put_text(&payload, "Linux");
	message_put_text(&payload, "arm64");
	if (command >= 2) {
		message_put_text(&payload, "shop");
		message_put_text(&payload, "10.0.1");
	}
	if (version >= 1)
		message_put_text(&payload, "linux-arm64");
	if (version >= 2)
		buffer_u64(&payload, 7); /* fields that a newer runtime may add */
	return payload;
}

static void assert_answer(int command, uint32_t version)
{
	struct buffer payload = answer(command, version);
	struct cursor c = cursor_over(payload.bytes, payload.size);
	struct arena arena = { 0 };
	struct pp_process_info info;

	assert_int_equal(process_info_parse(&c, command, &arena, &info), 0);
	assert_int_equal(info.command, command);
	assert_int_equal(info.process_id, 4711);
	assert_memory_equal(info.cookie, "0123456789abcdef", 16);
	assert_string_equal(info.command_line, "dotnet shop.dll --fast");
	assert_string_equal(info.os, "Linux");
	assert_string_equal(info.architecture, "arm64");
	if (command >= 2) {
		assert_string_equal(info.entrypoint, "shop");
		assert_string_equal(info.runtime_version, "10.0.1");
	} else {
		assert_null(info.entrypoint);
		assert_null(info.runtime_version);
	}
	if (version >= 1)
		assert_string_equal(info.portable_rid, "linux-arm64");
	else
		assert_null(info.portable_rid);
	arena_release(&arena);
	buffer_release(&payload);
}

static void reads_the_answers_of_all_versions(void **state)
{
	(void)state;
	assert_answer(1, 0);
	assert_answer(2, 0);
	assert_answer(3, 0);
	assert_answer(3, 1);
	assert_answer(3, 2);
}

static void rejects_every_truncated_answer(void **state)
{
	struct buffer payload = answer(3, 1);

	(void)state;
	for (size_t size = 0; size < payload.size; size++) {
		struct cursor c = cursor_over(payload.bytes, size);
		struct arena arena = { 0 };
		struct pp_process_info info;

		assert_int_equal(process_info_parse(&c, 3, &arena, &info), -1);
		arena_release(&arena);
	}
	buffer_release(&payload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_with_the_bytes_of_the_protocol),
		cmocka_unit_test(reads_the_answers_of_all_versions),
		cmocka_unit_test(rejects_every_truncated_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
