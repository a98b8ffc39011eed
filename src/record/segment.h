/* SPDX-License-Identifier: MIT */
/*
 * segment.h - one session on its way into one file.
 *
 * Bytes go from the session's socket into the memory of a reader and from there to
 * the sink, so that what is counted is what is written. A recording that the reader
 * cannot follow is written all the same. The states:
 *
 *	RUNS      bytes come and are written
 *	STOPPING  the runtime is asked to stop, as soon as it can be; it sends what it has left
 *		  and the names of methods, which may take a while: all is read on
 *	ENDED     the stream is over, or was given up; the file has its name
 */
#ifndef RECORD_SEGMENT_H
#define RECORD_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "perfpipe/nettrace.h"
#include "perfpipe/session.h"
#include "record/async_start.h"
#include "record/sink.h"

enum stop_reason {
	STOP_NOT, /* it runs */
	STOP_DURATION,
	STOP_SIGNAL,
	STOP_ENTER,
	STOP_SIZE,
	STOP_EVENTS,
	STOP_EVENT,
	STOP_ASKED, /* by `perfpipe stop` */
	STOP_TARGET_EXIT,
	STOP_TARGET_KILLED,
	STOP_CHILD_EXIT,
	STOP_ROLL,    /* the next file of a row goes on */
	STOP_FAILURE, /* the disk is full, or the like */
};

/* As --json has it: "target exit". */
const char *stop_reason_text(enum stop_reason reason);

/*
 * Whoever looks at the events as they come. Each recording has a state of its own,
 * since kinds are numbered by the reader.
 */
struct recording_observer {
	void *(*begin)(const void *config);
	bool (*take)(void *state, const struct pp_nettrace *trace,
		     const struct pp_event *event); /* true: stop */
	void (*drained)(void *state);		    /* all that had come was shown; or NULL */
	void (*end)(void *state);
	const void *config;
	bool in_order; /* of time, instead of as they come */
};

enum recording_state {
	RECORDING_RUNS,
	RECORDING_STOPPING,
	RECORDING_ENDED,
};

struct segment {
	enum recording_state state;
	enum stop_reason reason;
	struct pp_client *client; /* its own */
	struct pp_session *session;
	bool asked;	   /* to stop, and the runtime has that */
	int64_t asking_ns; /* when that was tried last */

	char *path;	  /* of the file; NULL: none is written */
	struct sink sink; /* unless `path` is NULL */
	struct pp_nettrace *trace;
	bool read_out;	 /* the reader wants no more: the end mark came, or what it cannot read */
	bool unreadable; /* that is why */
	const struct recording_observer *observer; /* or NULL */
	void *observing;
	uint64_t bytes; /* of the stream */
	int64_t start_ns;
	int64_t stop_ns;    /* when it was asked to stop; 0: not yet */
	int64_t heard_ns;   /* when bytes last came, or it was asked to stop */
	int64_t waited_ns;  /* when it was last decided to wait longer */
	int64_t flushed_ns; /* when the sink was last flushed */
	bool given_up;	    /* before the stream had ended */
	bool complete;	    /* the end mark came */
	bool unfinished;    /* it did not, and the sink may be given an end before it is closed */

	struct pp_error err;
	struct segment *next; /* for its recording */
};

#define SEGMENT_ASK_NS INT64_C(50000000) /* how often to ask again */

/* What the session needs, and where it goes; `path` is taken, also on failure. */
struct segment_setup {
	const struct pp_client *client;
	const struct pp_session_options *session;
	char *path;	/* NULL: nowhere */
	int unnamed_fd; /* a file without a name instead; 0: none */
	bool force;
	const struct compressor *compressor;
	int give_up_fd;
	const struct recording_observer *observer;
};

/* NULL, with nothing left behind, if the file cannot be made or the session is refused. */
struct segment *segment_new(const struct segment_setup *setup, struct pp_error *err);
void segment_free(struct segment *s); /* takes NULL */

/*
 * The same on a thread of its own. The client is copied, and what else the setup points to must
 * live until it has finished.
 */
struct segment_start {
	struct segment_setup setup;
	void (*done)(void *context); /* by async_starts_take(): segment_start_take() has it */
	void *context;

	struct async_start async;
	struct pp_client *client;
	struct segment *made;
	struct pp_error err;
};

void segment_start_begin(struct segment_start *start, struct async_starts *starts);

/* NULL: it failed. Waits where it is still under way. */
struct segment *segment_start_take(struct segment_start *start, struct pp_error *err);

/* To poll for reading; -1 once it has ended. */
int segment_fd(const struct segment *s);

/* What has come, without waiting; sees the end of the stream. */
void segment_read(struct segment *s);

/* Ask the runtime to stop; does nothing if that was done. Does not wait. */
void segment_stop(struct segment *s, enum stop_reason reason);

/* Ask again, if it could not be asked: one that connects to us is busy with another command. */
void segment_tick(struct segment *s, int64_t now_ns);

/* Wait no longer: what came is the recording. */
void segment_give_up(struct segment *s);

/* The file gets its name, if it has ended `unfinished`. */
void segment_finish(struct segment *s);

/* Bytes in the file, or of the stream where none is written. */
uint64_t segment_size(const struct segment *s);

#endif
