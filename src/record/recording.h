/* SPDX-License-Identifier: MIT */
/*
 * recording.h - a process that is being recorded, from the first file to the last.
 *
 * Its recording is one file, or a row of files: then the session of the next file is
 * started before the one before is stopped, so that no event falls between them; those
 * of the moment when both run are in both. Each file has its own names at its end.
 */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "record/early_rundown.h"
#include "record/poll_set.h"
#include "record/segment.h"

/* Names of methods for the case that the process is killed; they cost more than a short recording.
 */
enum early_rundown_choice {
	EARLY_RUNDOWN_OFF,
	EARLY_RUNDOWN_ON,
	EARLY_RUNDOWN_IF_LONG, /* unless it is to end within seconds */
};

/* How to record; the same for all processes of a run. Zero means no limit. */
struct recording_options {
	const struct pp_session_options *session;
	bool no_file;
	const char *output; /* pattern of file_name.h */
	bool force;
	const struct compressor *compressor;
	int64_t duration_ns;
	uint64_t most_bytes;
	uint64_t most_events;
	uint64_t roll_bytes;
	int64_t roll_ns;
	unsigned keep; /* files of the row; 0: all */
	const struct recording_observer *observer;
	enum early_rundown_choice early_rundown;
};

struct recording {
	const struct recording_options *options;
	struct pp_client *client; /* owned */
	long process_id;	  /* as we see it */
	const char *name;	  /* borrowed */
	bool young;		  /* it has just started: names are taken more often at first */
	int give_up_fd;
	struct async_starts *starts; /* the engine's */

	enum recording_state state;
	enum stop_reason reason;      /* why it stopped, STOP_NOT while it runs */
	struct segment *segments;     /* newest first; all but the first are stopping */
	struct segment_start rolling; /* to the next one */
	unsigned segment_count;	      /* so far */
	char **files;		      /* that are finished and kept, oldest first */
	size_t file_count;
	size_t file_capacity;
	int64_t start_ns;
	int64_t stop_ns; /* when it was asked to stop or had ended; 0: it runs */
	uint64_t bytes;	 /* of the segments that have ended, as the three below */
	uint64_t events;
	uint64_t lost;
	bool given_up;	     /* no names are waited for */
	bool incomplete;     /* the end mark is missing */
	bool unreadable;     /* events could not be counted to the end */
	struct pp_error err; /* what went wrong, if something did */
	int process_fd;	     /* tells when it ends; -1: not known */
	uint64_t cpu_ticks;  /* it had used when we last looked */

	struct early_rundown early; /* of its methods, for a file that gets none at its end */
};

/* The sum over all segments, those that run included. */
struct recording_totals {
	uint64_t bytes;
	uint64_t events;
	uint64_t lost;
	int64_t elapsed_ns; /* until it was asked to stop, or ended */
};

/* Starts the first session. On failure `failure` of the client says why. */
int recording_start(struct recording *r, struct pp_error *err);
void recording_release(struct recording *r);

struct recording_totals recording_totals(const struct recording *r);

void recording_stop(struct recording *r, enum stop_reason reason);
void recording_give_up(struct recording *r); /* the names of methods too */

/* Before each wait: what it wants to read from. */
void recording_watch(struct recording *r, struct poll_set *set);

/* After reading: limits, the next file of a row, segments that ended. */
void recording_tick(struct recording *r, int64_t now_ns);

/* When the next tick is due at the latest. */
int64_t recording_deadline_ns(const struct recording *r);

#endif
