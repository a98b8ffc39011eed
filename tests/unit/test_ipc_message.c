/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ipc/message.h"

#define MAGIC "DOTNET_IPC_V1\0"

static void assert_message(const struct buffer *message, const char *bytes, size_t size)
{
	assert_int_equal(message->size, size);
	assert_memory_equal(message->bytes, bytes, size);
}

#define assert_bytes(message, text) assert_message((message), (text), sizeof(text) - 1)

static void ends_a_request_with_its_size(void **state)
{
	struct buffer message = { 0 };
	struct pp_error err = { 0 };

	(void)state;
	message_begin(&message, COMMAND_RESUME);
	assert_int_equal(message_end(&message, &err), 0);
	assert_bytes(&message, MAGIC "\x14\0\x04\x01\0\0");
	buffer_release(&message);
}

static void puts_texts_as_counted_utf16(void **state)
{
	struct buffer message = { 0 };

	(void)state;
	message_put_text(&message, "a\xc3\xa9");
	message_put_text(&message, "");
	message_put_text(&message, NULL);
	assert_bytes(&message, "\x03\0\0\0a\0\xe9\0\0\0"
			       "\x01\0\0\0\0\0"
			       "\0\0\0\0");
	buffer_release(&message);
}

static void rejects_a_request_of_more_than_65535_bytes(void **state)
{
	struct buffer message = { 0 };
	struct pp_error err = { 0 };

	(void)state;
	message_begin(&message, COMMAND_ATTACH_PROFILER);
	assert_non_null(buffer_take(&message, MESSAGE_MOST - MESSAGE_HEADER_SIZE));
	assert_int_equal(message_end(&message, &err), 0);
	assert_memory_equal(message.bytes + 14, "\xff\xff", 2);

	buffer_u8(&message, 0);
	assert_int_equal(message_end(&message, &err), -1);
	assert_int_equal(err.code, PP_ERROR_LIMIT);
	assert_string_equal(err.text, "the request has 65536 bytes; the protocol allows 65535");
	buffer_release(&message);
}

static enum message_parse parse(const char *bytes, struct message_header *header)
{
	return message_parse_header((const uint8_t *)bytes, header);
}

static void reads_headers(void **state)
{
	struct message_header header;

	(void)state;
	assert_int_equal(parse(MAGIC "\x18\0\xff\xff\0\0", &header), MESSAGE_FINE);
	assert_int_equal(header.size, 24);
	assert_int_equal(header.code, REPLY_ERROR);
	assert_int_equal(parse(MAGIC "\xff\xff\xff\0\0\0", &header), MESSAGE_FINE);
	assert_int_equal(header.size, 65535);
	assert_int_equal(header.code, REPLY_OK);
}

static void distinguishes_a_wrong_magic_from_a_wrong_size(void **state)
{
	struct message_header header;

	(void)state;
	assert_int_equal(parse("DOTNET_IPC_V2\0\x14\0\xff\0\0\0", &header), MESSAGE_WRONG_MAGIC);
	assert_int_equal(parse("DOTNET_IPC_V1x\x14\0\xff\0\0\0", &header), MESSAGE_WRONG_MAGIC);
	assert_int_equal(parse(MAGIC "\x13\0\xff\0\0\0", &header), MESSAGE_MALFORMED);
	assert_int_equal(parse(MAGIC "\0\0\xff\0\0\0", &header), MESSAGE_MALFORMED);
}

#define OVER(text) cursor_over((text), sizeof(text) - 1)

static void reads_texts_back(void **state)
{
	struct cursor c = OVER("\x03\0\0\0a\0\xe9\0\0\0"
			       "\x01\0\0\0\0\0"
			       "\0\0\0\0");
	struct arena arena = { 0 };

	(void)state;
	assert_string_equal(message_text(&c, &arena), "a\xc3\xa9");
	assert_string_equal(message_text(&c, &arena), "");
	assert_null(message_text(&c, &arena));
	assert_false(c.failed);
	assert_int_equal(cursor_left(&c), 0);
	arena_release(&arena);
}

static void fails_on_a_text_that_does_not_end(void **state)
{
	struct cursor open = OVER("\x02\0\0\0a\0b\0");
	struct cursor cut = OVER("\x02\0\0\0a\0\0");
	struct cursor huge = OVER("\xff\xff\xff\xff"
				  "a\0\0\0");
	struct arena arena = { 0 };

	(void)state;
	assert_null(message_text(&open, &arena));
	assert_true(open.failed);
	assert_null(message_text(&cut, &arena));
	assert_true(cut.failed);
	assert_null(message_text(&huge, &arena));
	assert_true(huge.failed);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_a_request_with_its_size),
		cmocka_unit_test(puts_texts_as_counted_utf16),
		cmocka_unit_test(rejects_a_request_of_more_than_65535_bytes),
		cmocka_unit_test(reads_headers),
		cmocka_unit_test(distinguishes_a_wrong_magic_from_a_wrong_size),
		cmocka_unit_test(reads_texts_back),
		cmocka_unit_test(fails_on_a_text_that_does_not_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
