/* SPDX-License-Identifier: MIT */
#include "record/names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SECOND_NS   INT64_C(1000000000)
#define EVERY_NS    (60 * SECOND_NS)
#define QUICK_NS    (SECOND_NS / 10) /* a list that takes longer disturbs: once is enough */
#define YOUNG_NS    SECOND_NS	     /* the same while a process starts, and its first pause */
#define PATIENCE_NS (60 * SECOND_NS) /* for one list */
#define ANSWER_MS   2000	     /* for its session to start: others wait meanwhile */
#define USUAL_MS    10000

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
	const int fd = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : memfd_create("perfpipe-names", MFD_CLOEXEC);
}

static void begin_list(struct names *names, struct pp_client *client, int64_t now_ns)
{
	struct recording_setup setup = { .client = client, .session = &only_names };
	struct pp_error ignored = { 0 }; /* the recording itself goes on without */

	names->due_ns = 0;
	names->begun_ns = now_ns;
	setup.unnamed_fd = unnamed_file();
	if (setup.unnamed_fd <= 0)
		return;
	pp_client_set_timeout(client, ANSWER_MS);
	names->taking = recording_new(&setup, &ignored);
	pp_client_set_timeout(client, USUAL_MS);
	if (names->taking) {
		names->taking_fd = setup.unnamed_fd;
		recording_stop(names->taking, STOP_DURATION);
	} else {
		close(setup.unnamed_fd);
	}
}

static void forget(int *fd)
{
	if (*fd > 0)
		close(*fd);
	*fd = 0;
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

void names_tick(struct names *names, struct pp_client *client, int64_t now_ns)
{
	if (names->due_ns && now_ns >= names->due_ns)
		begin_list(names, client, now_ns);
	if (names->taking && now_ns - names->begun_ns > PATIENCE_NS)
		recording_give_up(names->taking);
	if (names->taking && names->taking->state == RECORDING_ENDED)
		end_list(names, now_ns);
}

int64_t names_deadline_ns(const struct names *names)
{
	if (names->taking)
		return names->begun_ns + PATIENCE_NS;
	return names->due_ns ? names->due_ns : INT64_MAX;
}

void names_stop(struct names *names)
{
	names->due_ns = 0;
}

void names_release(struct names *names)
{
	recording_free(names->taking);
	forget(&names->taking_fd);
	forget(&names->fd);
	*names = (struct names){ 0 };
}
