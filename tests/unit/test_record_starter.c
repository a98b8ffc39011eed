/* SPDX-License-Identifier: MIT */
/* Several starts side by side against scripted processes, of which one never answers. */
#include "record/starter.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time.h"
#include "fake_server.h"
#include "ipc/message.h"

#define COUNT	  6
#define SILENT	  2 /* which of them never answers */
#define SILENT_MS 1500
#define ID	  "\x0d\0\xad\0\xbe\0\xef\0"

static const struct pp_session_provider provider = { .name = "P", .level = 4 };
static const struct pp_session_options session = { .providers = &provider, .provider_count = 1 };
static const struct recording_options options = { .session = &session, .no_file = true };

/* Who chooses: all of them share it, and no lock but the starter's own guards it. */
struct choosing {
	atomic_int inside;
	int most_inside;
	int asked;
	int wanted_from; /* those before are refused */
};

struct one {
	struct fake_server *server;
	struct recording recording;
	struct start start;
};

static bool choose(struct start *start, const struct pp_process_info *info)
{
	struct choosing *choosing = start->context;
	const int inside = atomic_fetch_add(&choosing->inside, 1) + 1;

	if (inside > choosing->most_inside)
		choosing->most_inside = inside;
	usleep(5000);
	atomic_fetch_sub(&choosing->inside, 1);
	return !strcmp(info->command_line, "shop") && choosing->asked++ >= choosing->wanted_from;
}

static void add_info(struct fake_server *server)
{
	struct buffer payload = { 0 };

	buffer_u32(&payload, 1);
	buffer_u64(&payload, 17);
	buffer_bytes(&payload, "0123456789abcdef", 16);
	for (int i = 0; i < 6; i++)
		message_put_text(&payload, i ? "x" : "shop");
	fake_server_ok(server, payload.bytes, payload.size);
	buffer_release(&payload);
}

static void prepare(struct one *one, struct choosing *choosing)
{
	*one = (struct one){ .server = fake_server_new() };
	one->recording = (struct recording){ .options = &options,
					     .client = pp_client_new(one->server->path),
					     .process_id = getpid() };
	one->start = (struct start){ .recording = &one->recording,
				     .choose = choosing ? choose : NULL,
				     .context = choosing,
				     .resume = true };
	if (choosing)
		add_info(one->server);
	fake_server_ok(one->server, ID, 8)->keep_open = true;
	fake_server_ok(one->server, "\0\0\0\0", 4); /* goes on */
}

static void end_one(struct one *one)
{
	recording_release(&one->recording);
	pp_process_info_free(one->start.info);
	fake_server_free(one->server);
}

/* Until one has finished; NULL after 10 seconds. */
static struct start *next(struct starter *starter)
{
	struct pollfd fd = { .fd = starter_fd(starter), .events = POLLIN };
	struct start *start;

	while (!(start = starter_next(starter)))
		if (poll(&fd, 1, 10000) != 1)
			return NULL;
	return start;
}

static void one_that_never_answers_does_not_hold_up_the_others(void **state)
{
	const int64_t begun = time_monotonic_ns();
	struct pp_error err = { 0 };
	struct starter *starter = starter_new(&err);
	struct one all[COUNT];

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		prepare(&all[i], NULL);
		pp_client_set_timeout(all[i].recording.client, SILENT_MS);
		if (i != SILENT)
			fake_server_start(all[i].server);
		starter_begin(starter, &all[i].start);
	}
	for (int i = 0; i < COUNT - 1; i++) {
		struct start *start = next(starter);

		assert_non_null(start);
		assert_ptr_not_equal(start, &all[SILENT].start);
		assert_string_equal(start->err.text, "");
		assert_true(start->wanted);
		assert_non_null(start->recording->segments);
	}
	assert_true(time_monotonic_ns() - begun < SILENT_MS * INT64_C(1000000));
	assert_int_equal(starter_pending(starter), 1);
	assert_ptr_equal(next(starter), &all[SILENT].start);
	assert_int_not_equal(all[SILENT].start.err.code, PP_ERROR_NONE);
	assert_int_equal(starter_pending(starter), 0);
	assert_null(starter_next(starter));
	for (int i = 0; i < COUNT; i++)
		end_one(&all[i]);
	starter_free(starter);
}

static void choices_are_made_one_at_a_time(void **state)
{
	struct choosing choosing = { .wanted_from = 2 };
	struct pp_error err = { 0 };
	struct starter *starter = starter_new(&err);
	struct one all[COUNT];
	int wanted = 0;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		prepare(&all[i], &choosing);
		fake_server_start(all[i].server);
	}
	for (int i = 0; i < COUNT; i++)
		starter_begin(starter, &all[i].start);
	for (int i = 0; i < COUNT; i++) {
		struct start *start = next(starter);

		assert_non_null(start);
		assert_string_equal(start->err.text, "");
		assert_int_equal(start->wanted, start->recording->segments != NULL);
		wanted += start->wanted;
	}
	assert_int_equal(wanted, COUNT - 2);
	assert_int_equal(choosing.asked, COUNT);
	assert_int_equal(choosing.most_inside, 1);
	for (int i = 0; i < COUNT; i++) {
		fake_server_stop(all[i].server);
		/* those that are not wanted go on, too: info and resume */
		assert_true(all[i].server->answers[1].asked);
		end_one(&all[i]);
	}
	starter_free(starter);
}

/* The starter may go while a start is under way; its thread ends by itself. */
static void a_start_outlives_its_starter(void **state)
{
	struct pp_error err = { 0 };
	struct starter *starter = starter_new(&err);
	static struct one one; /* which the thread uses until it ends */

	(void)state;
	prepare(&one, NULL);
	pp_client_set_timeout(one.recording.client, 100);
	starter_begin(starter, &one.start);
	starter_free(starter);
	usleep(600000); /* for both its calls */
	fake_server_free(one.server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_never_answers_does_not_hold_up_the_others),
		cmocka_unit_test(choices_are_made_one_at_a_time),
		cmocka_unit_test(a_start_outlives_its_starter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
