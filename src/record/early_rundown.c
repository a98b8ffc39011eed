/* SPDX-License-Identifier: MIT */
#include "record/early_rundown.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/time.h"

#define SECOND_NS   INT64_C(1000000000)
#define EVERY_NS    (60 * SECOND_NS)
#define QUICK_NS    (SECOND_NS / 10) /* a slower list disturbs the process: once is enough */
#define YOUNG_NS    SECOND_NS	     /* the same while a process starts, and the first pause */
#define PATIENCE_NS (60 * SECOND_NS) /* for one list */
#define ANSWER_MS   2000	     /* for its session to start */

/* A session needs a provider; at this level this one writes nothing. */
static const struct pp_session_provider nothing = {
	.name = "Microsoft-Windows-DotNETRuntime",
	.level = 1,
};

static const struct pp_session_options only_names = {
	.size = sizeof(only_names),
	.providers = &nothing,
	.provider_count = 1,
	.rundown = PP_RUNDOWN_DEFAULT,
};

void early_rundown_begin(struct early_rundown *early, int64_t now_ns, bool young)
{
	*early = (struct early_rundown){
		.due_ns = young ? now_ns + YOUNG_NS : now_ns,
		.pause_ns = young ? 2 * YOUNG_NS : EVERY_NS,
	};
}

/* On disk, where there is room for any number of methods; else in memory. */
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

/* The session is stopped at once, for its rundown. */
static void take_start(void *context)
{
	struct early_rundown *early = context;
	struct pp_error ignored = { 0 }; /* the recording goes on without it */

	early->taking = segment_start_take(&early->starting, &ignored);
	if (early->taking)
		segment_stop(early->taking, STOP_DURATION);
	else
		forget(&early->taking_fd);
}

static void begin_list(struct early_rundown *early, struct async_starts *starts,
		       const struct pp_client *client, int64_t now_ns)
{
	struct pp_error ignored = { 0 }; /* there is none, as if the process had refused */
	struct pp_client *patient = pp_client_copy(client, &ignored);

	early->due_ns = 0;
	early->begun_ns = now_ns;
	if (!patient)
		return;
	pp_client_set_timeout(patient, ANSWER_MS);
	early->taking_fd = unnamed_file();
	early->starting = (struct segment_start){
		.setup = { .client = patient,
			   .session = &only_names,
			   .unnamed_fd = early->taking_fd },
		.done = take_start,
		.context = early,
	};
	if (early->taking_fd > 0)
		segment_start_begin(&early->starting, starts);
	pp_client_free(patient);
}

static void end_list(struct early_rundown *early, int64_t now_ns)
{
	const bool whole = early->taking->complete && !early->taking->err.code;

	segment_free(early->taking);
	early->taking = NULL;
	if (!whole) {
		forget(&early->taking_fd);
		return;
	}
	forget(&early->fd);
	early->fd = early->taking_fd;
	early->taking_fd = 0;
	early->taken_ns = now_ns;
	if (!early->pause_ns ||
	    now_ns - early->begun_ns >= (early->pause_ns < EVERY_NS ? YOUNG_NS : QUICK_NS))
		return;
	early->due_ns = early->begun_ns + early->pause_ns;
	early->pause_ns = early->pause_ns < EVERY_NS / 2 ? 2 * early->pause_ns : EVERY_NS;
}

void early_rundown_tick(struct early_rundown *early, struct async_starts *starts,
			const struct pp_client *client, int64_t now_ns)
{
	if (early->due_ns && now_ns >= early->due_ns)
		begin_list(early, starts, client, now_ns);
	if (early->taking)
		segment_tick(early->taking, now_ns);
	if (early->taking && now_ns - early->begun_ns > PATIENCE_NS)
		segment_give_up(early->taking);
	if (early->taking && early->taking->state == RECORDING_ENDED)
		end_list(early, now_ns);
}

void early_rundown_watch(struct early_rundown *early, struct poll_set *set)
{
	if (early->taking) {
		segment_watch(early->taking, set);
		poll_set_wake(set, early->begun_ns + PATIENCE_NS);
	} else if (early->due_ns) {
		poll_set_wake(set, early->due_ns);
	}
}

void early_rundown_stop(struct early_rundown *early)
{
	early->due_ns = early->pause_ns = 0;
}

void early_rundown_release(struct early_rundown *early)
{
	if (async_start_is_pending(&early->starting.async))
		take_start(early);
	segment_free(early->taking);
	forget(&early->taking_fd);
	forget(&early->fd);
	*early = (struct early_rundown){ 0 };
}
