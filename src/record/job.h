/* SPDX-License-Identifier: MIT */
/*
 * job.h - a launched program at the terminal, as a shell would have it.
 *
 * What is typed to end or stop the program reaches us first, so that a recording can end
 * while the program still runs. There are two ways to that:
 *
 *	relay	it has a terminal of its own, which looks like ours: relay.h
 *	group	where that cannot be, in a pipeline or with input from elsewhere, it is a
 *		process group in the background of our terminal. It gets the foreground
 *		when it first wants to read; from then on keys reach it alone.
 *
 * Whoever has a job must block SIGTSTP, SIGCONT and SIGWINCH in all threads and hand
 * them to job_hear().
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
	int terminal;	     /* a group's; -1: there is none */
	bool given;	     /* to the group */
	int typed;	     /* the key that waits in the relay */
};

int job_start(struct job *job, const struct launch_options *options, struct pp_error *err);

/* Now and then: its exit code or LAUNCH_RUNNING; sees to it that it has the terminal it wants. */
int job_mind(struct job *job);

/* SIGINT or SIGQUIT when such a key was pressed, and waits; 0: none was. To be asked when job_fd()
 * can be read, which is -1 for a group: there the key comes as a signal. */
int job_typed(struct job *job);
int job_fd(const struct job *job);

/* A signal of the terminal's, or the key that waits, for all that are in its foreground. */
void job_pass(struct job *job, int number);

/* SIGTSTP, SIGCONT, SIGWINCH; false: it was another. */
bool job_hear(struct job *job, int number);

/* The terminal is as it was before. The program goes on, if it still runs. */
void job_leave(struct job *job);

/* The same, and all else. */
void job_end(struct job *job);

#endif
