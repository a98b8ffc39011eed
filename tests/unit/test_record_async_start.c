/* SPDX-License-Identifier: MIT */
/* Concurrent starts, also of segments of scripted processes, one of which never answers. */
#include "record/async_start.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time.h"
#include "fake_server.h"
#include "record/segment.h"

#define COUNT	  6
#define SILENT	  2 /* which of them never answers */
#define SILENT_MS 1500
#define ID	  "\x0d\0\xad\0\xbe\0\xef\0"

static const struct pp_session_provider provider = { .name = "P", .level = 4 };
static const struct pp_session_options session = { .size = sizeof(session),
						   .providers = &provider,
						   .provider_count = 1 };

/* A start that waits for a byte. */
struct waiter {
	struct async_start start;
	int pipe[2];
	char got;
	int done;
};

static void wait_for_byte(void *context)
{
	struct waiter *waiter = context;

	assert_int_equal(read(waiter->pipe[0], &waiter->got, 1), 1);
}

static void count_done(void *context)
{
	++*(int *)context;
}

static void waiter_done(void *context)
{
	count_done(&((struct waiter *)context)->done);
}

static void begin(struct waiter *waiter, struct async_starts *starts)
{
	*waiter = (struct waiter){ 0 };
	waiter->start = (struct async_start){ .run = wait_for_byte,
					      .done = waiter_done,
					      .context = waiter };
	assert_int_equal(pipe(waiter->pipe), 0);
	async_start_begin(&waiter->start, starts);
	assert_true(async_start_is_pending(&waiter->start));
}

static void let_go(struct waiter *waiter)
{
	assert_int_equal(write(waiter->pipe[1], "x", 1), 1);
}

static void end(struct waiter *waiter)
{
	close(waiter->pipe[0]);
	close(waiter->pipe[1]);
}

/* Waits until one has finished, for at most 10 seconds. */
static void take(struct async_starts *starts)
{
	struct pollfd fd = { .fd = async_starts_fd(starts), .events = POLLIN };

	assert_int_equal(poll(&fd, 1, 10000), 1);
	async_starts_take(starts);
}

static void a_finished_start_is_returned_once(void **state)
{
	struct pp_error err = { 0 };
	struct async_starts *starts = async_starts_new(&err);
	struct waiter first, second;

	(void)state;
	begin(&first, starts);
	begin(&second, starts);
	async_starts_take(starts);
	assert_int_equal(first.done + second.done, 0);
	let_go(&second);
	take(starts);
	assert_int_equal(second.done, 1);
	assert_int_equal(second.got, 'x');
	assert_false(async_start_is_pending(&second.start));
	assert_true(async_start_is_pending(&first.start));
	let_go(&first);
	take(starts);
	async_starts_take(starts);
	assert_int_equal(first.done, 1);
	assert_int_equal(second.done, 1);
	end(&first);
	end(&second);
	async_starts_free(starts);
}

static void a_start_can_be_waited_for(void **state)
{
	struct pp_error err = { 0 };
	struct async_starts *starts = async_starts_new(&err);
	struct waiter first, second;

	(void)state;
	begin(&first, starts);
	begin(&second, starts);
	let_go(&first);
	let_go(&second);
	async_start_wait(&first.start);
	async_start_wait(&first.start); /* returns at once */
	assert_int_equal(first.got, 'x');
	assert_false(async_start_is_pending(&first.start));
	async_start_wait(&second.start);
	async_starts_take(starts);
	assert_int_equal(first.done + second.done, 0);
	end(&first);
	end(&second);
	async_starts_free(starts);
}

static void a_start_outlives_its_owner(void **state)
{
	struct pp_error err = { 0 };
	struct async_starts *starts = async_starts_new(&err);
	struct waiter waiter;

	(void)state;
	begin(&waiter, starts);
	async_starts_free(starts);
	let_go(&waiter);
	async_start_wait(&waiter.start);
	assert_int_equal(waiter.got, 'x');
	end(&waiter);
}

/* A segment that is being started. */
struct one {
	struct fake_server *server;
	struct pp_client *client;
	struct segment_start start;
	struct segment *segment;
	struct pp_error err;
	int done;
};

static void take_segment(void *context)
{
	struct one *one = context;

	one->done++;
	one->segment = segment_start_take(&one->start, &one->err);
}

static void begin_one(struct one *one, struct async_starts *starts, bool answers)
{
	*one = (struct one){ .server = fake_server_new() };
	fake_server_ok(one->server, ID, 8)->keep_open = true;
	if (answers)
		fake_server_start(one->server);
	one->client = pp_client_new(one->server->path, &(struct pp_error){ 0 });
	pp_client_set_timeout(one->client, SILENT_MS);
	one->start = (struct segment_start){
		.setup = { .client = one->client, .session = &session },
		.done = take_segment,
		.context = one,
	};
	segment_start_begin(&one->start, starts);
	pp_client_free(one->client); /* the start has a copy */
}

static size_t done_of(const struct one *all)
{
	size_t done = 0;

	for (int i = 0; i < COUNT; i++)
		done += (size_t)all[i].done;
	return done;
}

static void a_silent_process_does_not_delay_the_others(void **state)
{
	const int64_t begun = time_monotonic_ns();
	struct pp_error err = { 0 };
	struct async_starts *starts = async_starts_new(&err);
	struct one all[COUNT];

	(void)state;
	for (int i = 0; i < COUNT; i++)
		begin_one(&all[i], starts, i != SILENT);
	while (done_of(all) < COUNT - 1)
		take(starts);
	assert_true(time_monotonic_ns() - begun < SILENT_MS * INT64_C(1000000));
	assert_int_equal(all[SILENT].done, 0);
	while (!all[SILENT].done) /* the loop may be woken once more for what was taken before */
		take(starts);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(all[i].err.code != PP_ERROR_NONE, i == SILENT);
		assert_int_equal(all[i].segment == NULL, i == SILENT);
		segment_free(all[i].segment);
		fake_server_free(all[i].server);
	}
	async_starts_free(starts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finished_start_is_returned_once),
		cmocka_unit_test(a_start_can_be_waited_for),
		cmocka_unit_test(a_start_outlives_its_owner),
		cmocka_unit_test(a_silent_process_does_not_delay_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
