/* SPDX-License-Identifier: MIT */
/* Requests with any strings and numbers, read back as a runtime does. */
#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"
#include "ipc/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(holds)                                                                                \
	do {                                                                                       \
		if (!(holds))                                                                      \
			abort();                                                                   \
	} while (0)

/* A string from the input: the bytes up to a NUL, at most 255. */
static char *take_text(struct cursor *c, struct arena *arena)
{
	const size_t wanted = cursor_u8(c);
	const size_t size = wanted < cursor_left(c) ? wanted : cursor_left(c);
	const uint8_t *bytes = cursor_bytes(c, size);

	return bytes ? arena_text(arena, (const char *)bytes, size) : arena_text(arena, "", 0);
}

/* The string, as valid UTF-8, must be read back. */
static void expect_text(struct cursor *c, const char *text, struct arena *arena)
{
	const char *got = message_text(c, arena);

	MUST(!c->failed && got);
	MUST(!strcmp(got, utf8_text(arena, (const uint8_t *)text, strlen(text))));
}

/* The payload of the request; a failed cursor if it is too large. */
static struct cursor finish(struct buffer *message, uint16_t code)
{
	struct message_header header;
	struct pp_error err = { 0 };

	if (message_end(message, &err)) {
		MUST(message->size > MESSAGE_MOST && err.text[0]);
		return (struct cursor){ .failed = true };
	}
	MUST(message_parse_header(message->bytes, &header) == MESSAGE_FINE);
	MUST(header.size == message->size && header.code == code);
	return cursor_over(message->bytes + MESSAGE_HEADER_SIZE,
			   message->size - MESSAGE_HEADER_SIZE);
}

#define PROVIDERS 8
#define IDS	  16

struct asked {
	struct pp_session_provider providers[PROVIDERS];
	uint32_t ids[PROVIDERS][IDS];
	struct pp_session_options options;
};

static void take_provider(struct cursor *c, struct asked *asked, size_t i, struct arena *arena)
{
	struct pp_session_provider *provider = &asked->providers[i];

	provider->name = take_text(c, arena);
	provider->arguments = take_text(c, arena);
	provider->keywords = cursor_u64(c);
	provider->level = cursor_u8(c) % 7;
	provider->filter = (enum pp_event_filter)(cursor_u8(c) % 3);
	provider->event_id_count = cursor_u8(c) % IDS;
	for (size_t j = 0; j < provider->event_id_count; j++)
		asked->ids[i][j] = cursor_u16(c);
	provider->event_ids = asked->ids[i];
}

static void take_options(struct cursor *c, struct asked *asked, struct arena *arena)
{
	const uint8_t flags = cursor_u8(c);

	asked->options = (struct pp_session_options){
		.size = sizeof(asked->options),
		.providers = asked->providers,
		.provider_count = cursor_u8(c) % PROVIDERS,
		.buffer_mb = cursor_u16(c),
		.rundown = cursor_u64(c),
		.without_stacks = flags & 1,
		.wait_when_full = flags & 2,
	};
	for (size_t i = 0; i < asked->options.provider_count; i++)
		take_provider(c, asked, i, arena);
}

static void expect_filter(struct cursor *c, const struct pp_session_provider *provider)
{
	const bool none = provider->filter == PP_FILTER_NONE;
	const size_t count = none ? 0 : provider->event_id_count;

	MUST(cursor_u8(c) == (provider->filter == PP_FILTER_ONLY));
	MUST(cursor_u32(c) == count);
	for (size_t i = 0; i < count; i++)
		MUST(cursor_u32(c) == provider->event_ids[i]);
}

static void expect_session(struct cursor *c, const struct collect_plan *plan,
			   const struct pp_session_options *options, struct arena *arena)
{
	if (plan->command >= 5)
		MUST(cursor_u32(c) == 0);
	MUST(cursor_u32(c) == (options->buffer_mb ? options->buffer_mb : 256));
	MUST(cursor_u32(c) == 1);
	if (plan->command >= 4)
		MUST(cursor_u64(c) == plan->rundown);
	else if (plan->command >= 2)
		MUST(cursor_u8(c) == (plan->rundown != 0));
	if (plan->command >= 3)
		MUST(cursor_u8(c) == !plan->without_stacks);
	MUST(cursor_u32(c) == options->provider_count);
	for (size_t i = 0; i < options->provider_count; i++) {
		MUST(cursor_u64(c) == options->providers[i].keywords);
		MUST(cursor_u32(c) == options->providers[i].level);
		expect_text(c, options->providers[i].name, arena);
		expect_text(c, options->providers[i].arguments, arena);
		if (plan->command >= 5)
			expect_filter(c, &options->providers[i]);
	}
	if (plan->command >= 6)
		MUST(cursor_u32(c) == options->wait_when_full);
	MUST(!c->failed && cursor_left(c) == 0);
}

/* Tries the chosen command and all older ones it falls back to. */
static void try_sessions(struct cursor *input, struct arena *arena)
{
	struct asked asked = { 0 };
	struct collect_plan plan;
	struct pp_error err = { 0 };

	take_options(input, &asked, arena);
	if (collect_check(&asked.options, &err))
		return;
	plan = collect_first(&asked.options);
	do {
		struct buffer message = { 0 };
		struct cursor c;

		collect_request(&message, &plan, &asked.options);
		c = finish(&message, (uint16_t)(COMMAND_COLLECT_TRACING + plan.command - 1));
		if (!c.failed)
			expect_session(&c, &plan, &asked.options, arena);
		buffer_release(&message);
	} while (collect_older(&plan));
}

/* Strings, as in most other requests. */
static void try_texts(struct cursor *input, struct arena *arena)
{
	const char *name = take_text(input, arena);
	const char *value = take_text(input, arena);
	const uint32_t number = cursor_u32(input);
	struct buffer message = { 0 };
	struct cursor c;

	message_begin(&message, COMMAND_SET_VARIABLE);
	message_put_text(&message, name);
	buffer_u32(&message, number);
	message_put_text(&message, value);
	c = finish(&message, COMMAND_SET_VARIABLE);
	expect_text(&c, name, arena);
	MUST(cursor_u32(&c) == number);
	expect_text(&c, value, arena);
	MUST(cursor_left(&c) == 0);
	buffer_release(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor input = cursor_over(data, size);
	struct arena arena = { 0 };

	if (cursor_u8(&input) % 2)
		try_texts(&input, &arena);
	else
		try_sessions(&input, &arena);
	arena_release(&arena);
	return 0;
}
