/* SPDX-License-Identifier: MIT */
/*
 * job.h - job control for a launched program, as a shell would do it.
 *
 * Keys that end or stop the program reach us first, so that a recording can end while the program
 * still runs. There are two ways:
 *
 *	relay	it has a terminal of its own, which looks like ours: see relay.h
 *	group	where that is impossible, in a pipeline or with redirected input, it is a process
 *		group in the background of our terminal. It gets the foreground when it first
 *		wants to read, and from then on keys reach it alone.
 *
 * The owner of a job must block SIGTSTP, SIGCONT and SIGWINCH in all threads and pass them to
 * job_hear().
 *
 *	if (job_start(&job, &options, &err))
 *		return -1;
 *	while (job_mind(&job) == LAUNCH_RUNNING)
 *		if (job_typed(&job))
 *			job_pass(&job, SIGINT);
 *	job_end(&job);
 */
#ifndef RECORD_JOB_H
#define RECORD_JOB_H

#include "record/launch.h"
#include "record/relay.h"

struct job {
	struct launch launch;
	struct relay *relay; /* NULL: it is a group */
	int terminal;	     /* of a group; -1: none */
	bool given;	     /* the group has the foreground */
	int typed;	     /* signal of the key that waits in the relay; 0: none */
};

int job_start(struct job *job, const struct launch_options *options, struct pp_error *err);

/* To be called now and then: gives it the terminal if it wants it. Exit code or LAUNCH_RUNNING. */
int job_mind(struct job *job);

/*
 * SIGINT or SIGQUIT if such a key was pressed and is held back; 0: none. To be called when
 * job_fd() is readable. That is -1 for a group, where the key comes as a signal.
 */
int job_typed(struct job *job);
int job_fd(const struct job *job);

/* Sends the key that is held back, or else the signal, to the foreground of its terminal. */
void job_pass(struct job *job, int number);

/* SIGTSTP, SIGCONT or SIGWINCH; false for any other. */
bool job_hear(struct job *job, int number);

/* Restores the terminal. The program goes on if it still runs. */
void job_leave(struct job *job);

/* The same, and releases everything. */
void job_end(struct job *job);

#endif
