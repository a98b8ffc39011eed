/* SPDX-License-Identifier: MIT */
#include "record/job.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t only(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static bool in_foreground(const struct job *job)
{
	return job->terminal >= 0 && tcgetpgrp(job->terminal) == getpgrp();
}

/* From the background, too, which SIGTTOU would prevent. */
static void set_foreground(const struct job *job, pid_t group)
{
	const sigset_t blocked = only(SIGTTOU);
	sigset_t before;

	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	tcsetpgrp(job->terminal, group);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int job_start(struct job *job, const struct launch_options *options, struct pp_error *err)
{
	struct launch_options with = *options;

	*job = (struct job){ .launch = { .fd = -1 }, .terminal = -1 };
	job->relay = options->hide_output ? NULL : relay_open();
	if (job->relay && relay_begin(job->relay)) {
		relay_close(job->relay);
		job->relay = NULL;
	}
	if (job->relay) {
		with.terminal = relay_terminal(job->relay);
		with.ours = relay_modes(job->relay);
	} else {
		job->terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	}
	if (!launch_start(&job->launch, &with, err))
		return 0;
	job_end(job);
	return -1;
}

void job_leave(struct job *job)
{
	if (job->given && tcgetpgrp(job->terminal) == job->launch.pid)
		set_foreground(job, getpgrp());
	job->given = false;
	relay_close(job->relay);
	job->relay = NULL;
}

void job_end(struct job *job)
{
	job_leave(job);
	if (job->terminal >= 0)
		close(job->terminal);
	job->terminal = -1;
	launch_release(&job->launch);
}

/* To the foreground of its terminal, or to its group. */
static void send_signal(const struct job *job, int number)
{
	const pid_t group = job->relay ? relay_foreground(job->relay) : job->launch.pid;

	if (job->launch.pid)
		kill(group > 0 ? -group : -job->launch.pid, number);
}

static void go_on(struct job *job)
{
	if (job->relay)
		relay_return(job->relay);
	job->given = job->given && in_foreground(job);
	if (job->given)
		set_foreground(job, job->launch.pid);
	send_signal(job, SIGCONT);
}

/*
 * The signal goes to our whole process group. It is blocked in every thread, and stops us at the
 * moment when this one unblocks it. Where nobody could continue us, the kernel drops it.
 */
static void stop_ourselves(void)
{
	const sigset_t stop = only(SIGTSTP);
	sigset_t before;

	kill(0, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void be_stopped(struct job *job)
{
	if (job->relay)
		relay_leave(job->relay);
	if (job->given)
		set_foreground(job, getpgrp());
	stop_ourselves();
	go_on(job);
}

bool job_hear(struct job *job, int number)
{
	switch (number) {
	case SIGTSTP:
		send_signal(job, SIGTSTP);
		be_stopped(job);
		return true;
	case SIGCONT:
		go_on(job);
		return true;
	case SIGWINCH:
		if (job->relay)
			relay_resize(job->relay);
		else
			send_signal(job, SIGWINCH);
		return true;
	default:
		return false;
	}
}

/* It was stopped by the terminal: it gets the foreground if that is ours, or we stop, too. */
static void mind_stop(struct job *job, int number)
{
	if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
		return;
	if (number != SIGTSTP && in_foreground(job)) {
		job->given = true;
		set_foreground(job, job->launch.pid);
		send_signal(job, SIGCONT);
	} else if (job->relay || job->terminal >= 0) {
		be_stopped(job);
	}
}

int job_mind(struct job *job)
{
	const int code = launch_exit_code(&job->launch);
	const int stopped = job->launch.stopped;

	job->launch.stopped = 0;
	if (job->relay)
		relay_look(job->relay);
	if (code == LAUNCH_RUNNING)
		mind_stop(job, stopped);
	return code;
}

int job_fd(const struct job *job)
{
	return job->relay ? relay_fd(job->relay) : -1;
}

int job_typed(struct job *job)
{
	const int number = job->relay ? relay_typed(job->relay) : 0;

	if (number)
		job->typed = number;
	return number;
}

/* As the kernel would, for our process group, too: a script that runs us must end as well. */
void job_pass(struct job *job, int number)
{
	if (!job->typed) {
		send_signal(job, number);
		return;
	}
	relay_pass(job->relay);
	kill(0, job->typed);
	job->typed = 0;
}
