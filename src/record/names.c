/* SPDX-License-Identifier: MIT */
#include "record/names.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/temp_file.h"
#include "base/time.h"

#define SECOND_NS   INT64_C(1000000000)
#define EVERY_NS    (60 * SECOND_NS)
#define QUICK_NS    (SECOND_NS / 10) /* a list that takes longer disturbs: once is enough */
#define YOUNG_NS    SECOND_NS	     /* the same while a process starts, and its first pause */
#define PATIENCE_NS (60 * SECOND_NS) /* for one list */
#define ANSWER_MS   2000	     /* for its session to start */

/* One provider must be named; at this level it has nothing to say. */
static const struct pp_session_provider nothing = {
	.name = "Microsoft-Windows-DotNETRuntime",
	.level = 1,
};

static const struct pp_session_options only_names = {
	.providers = &nothing,
	.provider_count = 1,
	.rundown = PP_RUNDOWN_DEFAULT,
};

void names_begin(struct names *names, int64_t now_ns, bool young)
{
	*names = (struct names){
		.due_ns = young ? now_ns + YOUNG_NS : now_ns,
		.pause_ns = young ? 2 * YOUNG_NS : EVERY_NS,
	};
}

/* On the disk, where there is room for any number of methods; else in memory. */
static int unnamed_file(void)
{
	const int fd = temp_file_open();

	return fd >= 0 ? fd : memfd_create("perfpipe-names", MFD_CLOEXEC);
}

static void forget(int *fd)
{
	if (*fd > 0)
		close(*fd);
	*fd = 0;
}

static void begin_list(struct names *names, const struct pp_client *client, int64_t now_ns)
{
	struct pp_client *patient = pp_client_copy(client);
	struct recording_setup setup = { .client = patient,
					 .session = &only_names,
					 .unnamed_fd = unnamed_file() };
	struct pp_error ignored = { 0 }; /* the recording itself goes on without */

	pp_client_set_timeout(patient, ANSWER_MS);
	names->due_ns = 0;
	names->begun_ns = now_ns;
	names->taking_fd = setup.unnamed_fd;
	if (setup.unnamed_fd > 0)
		names->starting = beginning_new(&setup, &ignored);
	if (!names->starting)
		forget(&names->taking_fd);
	pp_client_free(patient);
}

/* It has begun, and is to end at once; or there is none. */
static void take_start(struct names *names)
{
	struct pp_error ignored = { 0 };

	names->taking = beginning_take(names->starting, &ignored);
	names->starting = NULL;
	if (names->taking)
		recording_stop(names->taking, STOP_DURATION);
	else
		forget(&names->taking_fd);
}

static void end_list(struct names *names, int64_t now_ns)
{
	const bool whole = names->taking->complete && !names->taking->err.code;

	recording_free(names->taking);
	names->taking = NULL;
	if (!whole) {
		forget(&names->taking_fd);
		return;
	}
	forget(&names->fd);
	names->fd = names->taking_fd;
	names->taking_fd = 0;
	names->taken_ns = now_ns;
	if (now_ns - names->begun_ns >= (names->pause_ns < EVERY_NS ? YOUNG_NS : QUICK_NS))
		return;
	names->due_ns = names->begun_ns + names->pause_ns;
	names->pause_ns = names->pause_ns < EVERY_NS / 2 ? 2 * names->pause_ns : EVERY_NS;
}

void names_tick(struct names *names, const struct pp_client *client, int64_t now_ns)
{
	if (names->due_ns && now_ns >= names->due_ns)
		begin_list(names, client, now_ns);
	if (names->starting && beginning_is_done(names->starting))
		take_start(names);
	if (names->taking)
		recording_tick(names->taking, now_ns);
	if (names->taking && now_ns - names->begun_ns > PATIENCE_NS)
		recording_give_up(names->taking);
	if (names->taking && names->taking->state == RECORDING_ENDED)
		end_list(names, now_ns);
}

int64_t names_deadline_ns(const struct names *names)
{
	if (names->starting)
		return time_monotonic_ns() + BEGINNING_LOOK_NS;
	if (names->taking)
		return names->taking->asked ? names->begun_ns + PATIENCE_NS
					    : time_monotonic_ns() + RECORDING_ASK_NS;
	return names->due_ns ? names->due_ns : INT64_MAX;
}

void names_stop(struct names *names)
{
	names->due_ns = 0;
}

void names_release(struct names *names)
{
	if (names->starting)
		take_start(names);
	recording_free(names->taking);
	forget(&names->taking_fd);
	forget(&names->fd);
	*names = (struct names){ 0 };
}
