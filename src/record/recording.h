/* SPDX-License-Identifier: MIT */
/*
 * recording.h - the recording of one process, from its first file to its last.
 *
 * It is one segment or, if it rolls, a series of them. The session of the next segment is started
 * before the current one is stopped, so that no event falls between them; events of the moment when
 * both run are in both. Each file has its own method names at its end.
 *
 *	struct recording recording = { .options = &options, .client = client, .process_id = pid,
 *				       .name = "orders" };
 *
 *	engine_add(&engine, &recording);
 *	if (!recording_start(&recording, &err))
 *		engine_run(&engine);
 *	recording_release(&recording);
 */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "record/early_rundown.h"
#include "record/name_sessions.h"
#include "record/poll_set.h"
#include "record/segment.h"

/* Early names cost more than a short recording is worth. */
enum early_rundown_choice {
	EARLY_RUNDOWN_OFF,
	EARLY_RUNDOWN_ON,
	EARLY_RUNDOWN_IF_LONG, /* unless the duration is a few seconds */
};

/* The same for all processes of a run. Zero means no limit. */
struct recording_options {
	const struct pp_session_options *session;
	bool no_file;
	const char *output; /* pattern of file_name.h */
	struct replace_choice replace;
	const struct compressor *compressor;
	int64_t duration_ns;
	uint64_t most_bytes;
	uint64_t most_events;
	uint64_t roll_bytes;
	int64_t roll_ns;
	unsigned keep;		       /* newest files of a series; 0: all */
	const struct live_pass *live;  /* of each segment; or NULL */
	const struct live_pass *names; /* of method names, which come before events; or NULL */
	enum early_rundown_choice early_rundown;
	bool no_thread_times;

	/* Whether what is made of a file later can be written next to it; or NULL. */
	int (*check_file)(const void *context, const char *path, struct pp_error *err);
	const void *check_context;
};

struct recording {
	/* for the caller to set */
	const struct recording_options *options;
	struct pp_client *client; /* taken */
	long process_id;	  /* as we see it */
	const char *name;	  /* borrowed */
	bool young;		  /* the process has just started */

	/* set by engine_set_up() */
	int give_up_fd; /* readable: a full pipe is not waited for */
	int gave_up_fd; /* the same, from recording_give_up() on */
	int stop_fd;	/* readable: nothing is waited for while starting */
	struct async_starts *starts;
	struct reserve *reserve;

	enum recording_state state;
	enum stop_reason reason;      /* STOP_NOT while it runs */
	struct segment *segments;     /* newest first; all but the first are stopping */
	struct segment_start rolling; /* to the next one */
	unsigned segment_count;	      /* so far */
	char **files;		      /* finished and kept, oldest first */
	struct stat *made; /* the same number of them: what each was when it was finished */
	size_t file_count;
	size_t file_capacity;
	size_t made_capacity;
	int64_t start_ns;
	int64_t stop_ns; /* when it was asked to stop, or ended; 0: it runs */
	uint64_t bytes;	 /* of segments that have ended, as the next two */
	uint64_t events;
	uint64_t lost;
	bool given_up;	     /* nobody waits for names any more */
	bool incomplete;     /* an end mark is missing */
	bool unreadable;     /* events could not be counted to the end */
	struct pp_error err; /* what went wrong */
	int process_fd;	     /* pidfd; -1: unknown */
	uint64_t cpu_ticks;  /* of the process, when last looked at */
	struct early_rundown early;
	struct name_sessions names;
};

/* Sums over all segments, including those that run. */
struct recording_totals {
	uint64_t bytes;
	uint64_t events;
	uint64_t lost;
	bool lost_at_least;
	int64_t elapsed_ns; /* until it was asked to stop, or ended */
};

/* Starts the first session. */
int recording_start(struct recording *r, struct pp_error *err);

/* Waits for a session that is still being started. */
void recording_release(struct recording *r);

struct recording_totals recording_totals(const struct recording *r);

void recording_stop(struct recording *r, enum stop_reason reason);
void recording_give_up(struct recording *r); /* stops without waiting for method names */

/* Before each wait of the loop: sockets to read from, and when the next tick is due. */
void recording_watch(struct recording *r, struct poll_set *set);

/* After each wait: limits, the next file of a series, segments that have ended. */
void recording_tick(struct recording *r, int64_t now_ns);

#endif
