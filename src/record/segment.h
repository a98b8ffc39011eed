/* SPDX-License-Identifier: MIT */
/*
 * segment.h - one session on its way into one file.
 *
 * Bytes go from the session's socket into the memory of a reader and from there to the sink, so
 * that what is counted is what is written. A stream that the reader cannot follow ends there.
 * Between blocks of the stream, readings of thread times are put in. The states:
 *
 *	RUNS      bytes are read and written
 *	STOPPING  the runtime is asked to stop, as soon as it can be; it sends what it has left
 *		  and the method names, which may take a while: all of it is read
 *	ENDED     the stream is over, or was given up; the file has its name
 */
#ifndef RECORD_SEGMENT_H
#define RECORD_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "nettrace/write_splice.h"
#include "pass/pass.h"
#include "perfpipe/nettrace_append.h"
#include "perfpipe/session.h"
#include "record/async_start.h"
#include "record/poll_set.h"
#include "record/sink.h"
#include "record/proc_times.h"
#include "record/session_stop.h"

/* What a reader of the stream may keep, so that no process can make us use more than it is worth.
 */
#define SEGMENT_TABLES_MOST ((size_t)64 * 1024 * 1024)
#define SEGMENT_HELD_MOST   ((size_t)64 * 1024 * 1024)

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
	STOP_ROLL,    /* the next file of a series goes on */
	STOP_FAILURE, /* a full disk, or the like */
};

/* As in JSON: "target exit". */
const char *stop_reason_text(enum stop_reason reason);

/*
 * Who looks at the events as they come: each segment has a pass of its own, since kinds are
 * numbered by the reader, and `want` adds to it what it likes. Stopping the pass stops the
 * recording.
 */
struct live_pass {
	struct event_query query;
	void (*want)(void *context, struct pass *pass);
	void (*drained)(void *context); /* no more events for now; or NULL */
	void *context;
	bool in_order; /* of time, instead of as they come */
};

/* Of a segment, and of a recording. */
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
	struct session_stop stopping; /* once it is */

	char *path;	  /* of the file; NULL: none is written */
	struct sink sink; /* unless `path` is NULL */
	struct pp_nettrace *trace;
	bool read_out;	 /* the reader is done: by the end mark, or what it cannot read */
	bool unreadable; /* the latter */
	bool too_large;	 /* because its definitions need too much memory */
	const struct live_pass *live; /* or NULL */
	struct pass pass;	      /* if it is not */
	uint64_t bytes;		      /* of the stream, and ours between them */

	struct proc_times *times; /* or NULL */
	struct splice splice;
	struct buffer readings; /* waiting for the end of a block: a size and a payload each */
	uint64_t own_events;	/* readings in the stream; the reader counts them, too */
	int64_t start_ns;
	int64_t heard_ns;   /* when bytes last came, or it was asked to stop */
	int64_t waited_ns;  /* when it was last decided to wait longer */
	int64_t flushed_ns; /* when the sink was last flushed */
	bool given_up;	    /* before the stream had ended */
	bool complete;	    /* the end mark was read */
	bool unfinished;    /* it was not, and an end is written before the file is closed */

	struct pp_error err;
	struct segment *next; /* in its recording */
};

/* `path` is taken, also on failure. */
struct segment_setup {
	const struct pp_client *client;
	const struct pp_session_options *session;
	char *path;	/* NULL: no file */
	int unnamed_fd; /* a file without a name instead; 0: none */
	struct replace_choice replace;
	const struct compressor *compressor;
	int give_up_fd; /* see sink.h, as the next */
	int stop_fd;
	const struct live_pass *live; /* or NULL */
	long times_of;		      /* process whose threads' times are recorded, too; 0: none */
	struct reserve *reserve;      /* for stopping; or NULL */
};

/* NULL, with nothing left behind, if the file cannot be created or the session is refused. */
struct segment *segment_new(const struct segment_setup *setup, struct pp_error *err);
void segment_free(struct segment *s); /* takes NULL */

/*
 * The same on a thread of its own. The client is copied; what else the setup points to must live
 * until `done` is called.
 */
struct segment_start {
	struct segment_setup setup;
	void (*done)(void *context); /* by async_starts_take(); to call segment_start_take() */
	void *context;

	struct async_start async;
	struct pp_client *client;
	struct segment *made;
	struct pp_error err;
};

void segment_start_begin(struct segment_start *start, struct async_starts *starts);

/* NULL: it failed. Waits if it is still under way. */
struct segment *segment_start_take(struct segment_start *start, struct pp_error *err);

/* Before each wait: its socket, from which all that has come is read, and the next tick. */
void segment_watch(struct segment *s, struct poll_set *set);

/* What has come, without waiting, up to the end of the stream. */
void segment_read(struct segment *s);

/* Asks the runtime to stop, once. Does not wait. */
void segment_stop(struct segment *s, enum stop_reason reason);

/* Asks again where that failed. */
void segment_tick(struct segment *s, int64_t now_ns);

/* Waits no longer: what has come is all. */
void segment_give_up(struct segment *s);

/* Gives the file its name if it has ended `unfinished`. */
void segment_finish(struct segment *s);

/*
 * Cuts off a torn block, or what is not a trace, of a file that is `unfinished`; false if that
 * cannot be done, or no trace has come. Then the tail says where more can be appended.
 */
bool segment_cut(struct segment *s, struct pp_tail *tail);

/* Bytes in the file, or of the stream if none is written. */
uint64_t segment_size(const struct segment *s);

/* Events of the runtime, without our own. */
uint64_t segment_events(const struct segment *s);

/* When it was last heard of, or somebody decided to wait longer. */
static inline int64_t segment_quiet_since_ns(const struct segment *s)
{
	return s->heard_ns > s->waited_ns ? s->heard_ns : s->waited_ns;
}

#endif
