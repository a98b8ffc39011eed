/* SPDX-License-Identifier: MIT */
/*
 * bench_times THREADS SECONDS: reads the times of a process's threads at the pace of a recording.
 * One thread in ten works for a moment fifty times a second; the others wait. Prints the CPU time
 * that the readings took, and how many there were, as JSON.
 */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "record/proc_times.h"

#define SECOND_NS INT64_C(1000000000)
#define PAUSE_US  20000
#define WORK	  20000

static void *wait_for_ever(void *none)
{
	for (;;)
		pause();
	return none;
}

static void *work_now_and_then(void *none)
{
	for (;;) {
		for (volatile int i = 0; i < WORK; i++)
			;
		usleep(PAUSE_US);
	}
	return none;
}

/* Tells through the pipe that all threads are there. */
static void be_a_process(int threads, int ready)
{
	pthread_attr_t small;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, (size_t)64 * 1024);
	for (int i = 1; i < threads; i++)
		if (pthread_create(&thread, &small, i % 10 ? wait_for_ever : work_now_and_then,
				   NULL))
			exit(1);
	if (write(ready, "", 1) != 1)
		exit(1);
	wait_for_ever(NULL);
}

static void drop(void *count, const struct buffer *payload)
{
	*(uint64_t *)count += payload->size;
}

static int read_for(pid_t process, int64_t seconds)
{
	struct proc_times *times = proc_times_open(process);
	const int64_t end_ns = time_monotonic_ns() + seconds * SECOND_NS;
	struct timespec used;
	uint64_t bytes = 0, readings = 0;

	if (!times)
		return 1;
	for (int64_t now_ns = 0; now_ns < end_ns; now_ns = time_monotonic_ns()) {
		const int64_t left_ns = proc_times_due_ns(times) - now_ns;

		if (now_ns && left_ns > 0)
			poll(NULL, 0, (int)(left_ns / 1000000) + 1);
		proc_times_read(times, drop, &bytes);
		readings++;
	}
	proc_times_close(times);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	printf("{\"cpu_s\":%.6f,\"readings\":%" PRIu64 ",\"bytes\":%" PRIu64 "}\n",
	       (double)used.tv_sec + (double)used.tv_nsec / 1e9, readings, bytes);
	return 0;
}

int main(int argc, char **argv)
{
	int ends[2];
	char byte;
	pid_t child;
	int result = 1;

	if (argc != 3 || pipe(ends))
		return 2;
	child = fork();
	if (!child)
		be_a_process(atoi(argv[1]), ends[1]);
	close(ends[1]);
	if (child > 0 && read(ends[0], &byte, 1) == 1)
		result = read_for(child, atoi(argv[2]));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return result;
}
