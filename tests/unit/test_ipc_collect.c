/* SPDX-License-Identifier: MIT */
/* The encoding of CollectTracing 1 to 6, and which of them is chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ipc/collect.h"

static const struct pp_session_provider sampler = {
	.name = "Microsoft-DotNETCore-SampleProfiler",
	.keywords = 0xF00000000000,
	.level = 4,
};

/* One provider, and no option that the oldest command lacks. */
static const struct pp_session_options plain = {
	.size = sizeof(plain),
	.providers = &sampler,
	.provider_count = 1,
	.rundown = PP_RUNDOWN_DEFAULT,
};

static struct buffer request(const struct pp_session_options *options, int command)
{
	struct collect_plan plan = collect_first(options);
	struct buffer message = { 0 };
	struct pp_error err = { 0 };

	assert_int_equal(plan.command, command);
	collect_request(&message, &plan, options);
	assert_int_equal(message_end(&message, &err), 0);
	return message;
}

static uint32_t u32_at(const struct buffer *message, size_t at)
{
	struct cursor c = cursor_over(message->bytes + at, message->size - at);

	return cursor_u32(&c);
}

static uint64_t u64_at(const struct buffer *message, size_t at)
{
	struct cursor c = cursor_over(message->bytes + at, message->size - at);

	return cursor_u64(&c);
}

static void lays_out_the_second_command_in_127_bytes(void **state)
{
	struct buffer message = request(&plain, 2);

	(void)state;
	assert_int_equal(message.size, 127);
	assert_memory_equal(message.bytes, "DOTNET_IPC_V1\0\x7f\0\x02\x03\0\0", 20);
	assert_int_equal(u32_at(&message, 20), 256);
	assert_int_equal(u32_at(&message, 24), 1);
	assert_int_equal(message.bytes[28], 1);
	assert_int_equal(u32_at(&message, 29), 1);
	assert_int_equal(u64_at(&message, 33), 0xF00000000000);
	assert_int_equal(u32_at(&message, 41), 4);
	assert_int_equal(u32_at(&message, 45), 36);
	assert_memory_equal(message.bytes + 49, "M\0i\0c\0", 6);
	assert_memory_equal(message.bytes + 117, "r\0\0\0", 4);
	assert_int_equal(u32_at(&message, 121), 1);
	assert_memory_equal(message.bytes + 125, "\0", 2);
	buffer_release(&message);
}

static void asks_for_no_rundown_and_another_buffer(void **state)
{
	struct pp_session_options options = plain;
	struct buffer message;

	(void)state;
	options.rundown = 0;
	options.buffer_mb = 17;
	message = request(&options, 2);
	assert_int_equal(u32_at(&message, 20), 17);
	assert_int_equal(message.bytes[28], 0);
	buffer_release(&message);
}

static void uses_the_third_command_for_events_without_stacks(void **state)
{
	struct pp_session_options options = plain;
	struct buffer message;

	(void)state;
	options.without_stacks = true;
	message = request(&options, 3);
	assert_int_equal(message.size, 128);
	assert_int_equal(message.bytes[17], 0x04);
	assert_memory_equal(message.bytes + 28, "\1\0\1\0\0\0", 6);
	buffer_release(&message);
}

static void uses_the_fourth_command_for_an_unusual_rundown(void **state)
{
	struct pp_session_options options = plain;
	struct buffer message;

	(void)state;
	options.rundown = 1;
	message = request(&options, 4);
	assert_int_equal(message.size, 135);
	assert_int_equal(message.bytes[17], 0x05);
	assert_int_equal(u64_at(&message, 28), 1);
	assert_memory_equal(message.bytes + 36, "\1\1\0\0\0", 5);
	buffer_release(&message);
}

static void uses_the_fifth_command_for_filters(void **state)
{
	static const uint32_t ids[] = { 7, 0x10000 };
	struct pp_session_provider providers[3] = { sampler, sampler, sampler };
	const struct pp_session_options options = { .size = sizeof(options),
						    .providers = providers,
						    .provider_count = 3 };
	struct buffer message;

	(void)state;
	for (int i = 0; i < 3; i++)
		providers[i].name = "P";
	providers[0].filter = PP_FILTER_ONLY;
	providers[0].event_ids = ids;
	providers[0].event_id_count = 2;
	providers[1].filter = PP_FILTER_EXCEPT;
	providers[1].event_ids = ids;
	providers[1].event_id_count = 1;
	providers[2].event_ids = ids; /* meaningless without a filter */
	providers[2].event_id_count = 2;
	message = request(&options, 5);
	assert_int_equal(message.bytes[17], 0x06);
	assert_int_equal(u32_at(&message, 20), 0);
	assert_int_equal(u32_at(&message, 24), 256);
	assert_int_equal(u64_at(&message, 32), 0);
	assert_memory_equal(message.bytes + 40, "\1\3\0\0\0", 5);
	/* keywords, level, "P" and "" are 26 bytes */
	assert_memory_equal(message.bytes + 71, "\1\2\0\0\0\7\0\0\0\0\0\1\0", 13);
	assert_memory_equal(message.bytes + 84 + 26, "\0\1\0\0\0\7\0\0\0", 9);
	assert_memory_equal(message.bytes + 119 + 26, "\0\0\0\0\0", 5);
	assert_int_equal(message.size, 150);
	buffer_release(&message);
}

static void uses_the_sixth_command_to_block_when_full(void **state)
{
	struct pp_session_options options = plain;
	struct buffer message;

	(void)state;
	options.wait_when_full = true;
	message = request(&options, 6);
	assert_int_equal(message.bytes[17], 0x07);
	assert_int_equal(message.size, 20 + 4 + 4 + 4 + 8 + 1 + 4 + 94 + 5 + 4);
	assert_int_equal(u64_at(&message, 32), PP_RUNDOWN_DEFAULT);
	assert_int_equal(u32_at(&message, message.size - 4), 1);
	buffer_release(&message);
}

static void lays_out_a_session_of_tracepoints_in_145_bytes(void **state)
{
	static const struct pp_session_provider runtime = {
		.name = "Microsoft-Windows-DotNETRuntime",
		.keywords = 1,
		.level = 4,
	};
	static const uint32_t ids[] = { 1, 2 };
	static const struct pp_tracepoint_set set = { "gc", ids, 2 };
	struct pp_tracepoints tracepoints = { .others = "my_tp" };
	const struct pp_user_events_options options = {
		.size = sizeof(options), &runtime, &tracepoints, 1, -1
	};
	struct buffer message = { 0 };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(collect_check_user_events(&options, &err), 0);
	collect_user_events_request(&message, &options);
	assert_int_equal(message_end(&message, &err), 0);
	assert_int_equal(message.size, 145);
	assert_memory_equal(message.bytes + 14, "\x91\0\x02\x06\0\0\1\0\0\0", 10);
	assert_memory_equal(message.bytes + 120, "\0\0\0\0\0\6\0\0\0m\0y\0_\0t\0p\0\0\0\0\0\0\0",
			    25);
	buffer_release(&message);

	tracepoints = (struct pp_tracepoints){ .sets = &set, .set_count = 1 };
	assert_int_equal(collect_check_user_events(&options, &err), 0);
	message = (struct buffer){ 0 };
	collect_user_events_request(&message, &options);
	assert_memory_equal(message.bytes + 125,
			    "\0\0\0\0\1\0\0\0\3\0\0\0g\0c\0\0\0\2\0\0\0\1\0\0\0\2\0\0\0", 30);
	buffer_release(&message);

	tracepoints = (struct pp_tracepoints){ 0 };
	assert_int_equal(collect_check_user_events(&options, &err), -1);
}

static void expect_older(struct collect_plan plan, struct collect_plan older)
{
	assert_true(collect_older(&plan));
	assert_int_equal(plan.command, older.command);
	assert_int_equal(plan.rundown, older.rundown);
	assert_int_equal(plan.without_stacks, older.without_stacks);
	assert_int_equal(plan.given_up, older.given_up);
}

static void gives_up_what_an_older_command_lacks(void **state)
{
	const uint64_t usual = PP_RUNDOWN_DEFAULT;

	(void)state;
	expect_older(
		(struct collect_plan){ .command = 6, .rundown = usual, .wait_when_full = true },
		(struct collect_plan){
			.command = 2, .rundown = usual, .given_up = PP_GAVE_UP_WAITING });
	expect_older((struct collect_plan){ .command = 5, .filters = true, .without_stacks = true },
		     (struct collect_plan){ .command = 3,
					    .rundown = 0,
					    .without_stacks = true,
					    .given_up = PP_GAVE_UP_FILTERS });
	expect_older((struct collect_plan){ .command = 4, .rundown = 1 },
		     (struct collect_plan){ .command = 2, .given_up = PP_GAVE_UP_RUNDOWN });
	expect_older((struct collect_plan){ .command = 4, .rundown = usual | 2 },
		     (struct collect_plan){ .command = 2,
					    .rundown = usual,
					    .given_up = PP_GAVE_UP_RUNDOWN_DETAIL });
	expect_older((struct collect_plan){ .command = 4, .rundown = 1, .without_stacks = true },
		     (struct collect_plan){ .command = 3,
					    .rundown = 0,
					    .without_stacks = true,
					    .given_up = PP_GAVE_UP_RUNDOWN });
	expect_older(
		(struct collect_plan){ .command = 3, .rundown = usual, .without_stacks = true },
		(struct collect_plan){
			.command = 2, .rundown = usual, .given_up = PP_GAVE_UP_STACKS_OFF });
	expect_older((struct collect_plan){ .command = 2, .rundown = usual },
		     (struct collect_plan){ .command = 1, .rundown = usual });
	expect_older((struct collect_plan){ .command = 2, .rundown = 0 },
		     (struct collect_plan){
			     .command = 1, .rundown = usual, .given_up = PP_GAVE_UP_RUNDOWN_OFF });
	expect_older(
		(struct collect_plan){ .command = 2, .rundown = 0, .given_up = PP_GAVE_UP_RUNDOWN },
		(struct collect_plan){
			.command = 1, .rundown = usual, .given_up = PP_GAVE_UP_RUNDOWN_DETAIL });
	assert_false(collect_older(&(struct collect_plan){ .command = 1 }));
}

static void leaves_out_of_the_first_command_what_it_does_not_know(void **state)
{
	struct collect_plan plan = collect_first(&plain);
	struct buffer message = { 0 };
	struct pp_error err = { 0 };

	(void)state;
	assert_true(collect_older(&plan));
	collect_request(&message, &plan, &plain);
	assert_int_equal(message_end(&message, &err), 0);
	assert_int_equal(message.size, 126);
	assert_memory_equal(message.bytes + 16, "\x02\x02", 2);
	assert_int_equal(u32_at(&message, 24), 1); /* format */
	assert_int_equal(u32_at(&message, 28), 1); /* providers */
	assert_int_equal(u64_at(&message, 32), 0xF00000000000);
	buffer_release(&message);
}

static void expect_refusal(const struct pp_session_options *options, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(collect_check(options, &err), -1);
	assert_string_equal(err.text, sentence);
}

static void rejects_what_the_runtime_would_not_understand(void **state)
{
	struct pp_session_provider provider = { .name = "" };
	struct pp_session_options options = { .size = sizeof(options),
					      .providers = &provider,
					      .provider_count = 1 };

	(void)state;
	expect_refusal(&options, "a provider has no name");
	provider = (struct pp_session_provider){ .name = "P", .level = 6 };
	expect_refusal(&options, "P: level 6 is too high; the most verbose one is 5");
	options.provider_count = 0;
	expect_refusal(&options, "a session needs a provider");
	options.provider_count = 1001;
	expect_refusal(&options, "a session takes 1000 providers, not 1001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lays_out_the_second_command_in_127_bytes),
		cmocka_unit_test(asks_for_no_rundown_and_another_buffer),
		cmocka_unit_test(uses_the_third_command_for_events_without_stacks),
		cmocka_unit_test(uses_the_fourth_command_for_an_unusual_rundown),
		cmocka_unit_test(uses_the_fifth_command_for_filters),
		cmocka_unit_test(uses_the_sixth_command_to_block_when_full),
		cmocka_unit_test(lays_out_a_session_of_tracepoints_in_145_bytes),
		cmocka_unit_test(gives_up_what_an_older_command_lacks),
		cmocka_unit_test(leaves_out_of_the_first_command_what_it_does_not_know),
		cmocka_unit_test(rejects_what_the_runtime_would_not_understand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
