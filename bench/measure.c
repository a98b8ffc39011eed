/* SPDX-License-Identifier: MIT */
/*
 * measure RUNS COMMAND [ARG...] - wall time, CPU time and peak memory of a whole process.
 *
 * Runs the command RUNS times with its output discarded and prints one line of JSON. Wall time
 * is from before the process is created until it has been waited for.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MAX_RUNS = 1000 };

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Wall time of a run in seconds; negative, with a message, if it could not run or failed. */
static double run_once(char **command, struct rusage *usage)
{
	posix_spawn_file_actions_t actions;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);

	const double start = now_seconds();
	const int error = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error) {
		fprintf(stderr, "measure: %s: %s\n", command[0], strerror(error));
		return -1;
	}
	if (wait4(pid, &status, 0, usage) < 0) {
		perror("measure: wait4");
		return -1;
	}
	const double seconds = now_seconds() - start;

	if (WIFSIGNALED(status)) {
		fprintf(stderr, "measure: %s: killed by signal %d\n", command[0], WTERMSIG(status));
		return -1;
	}
	if (WEXITSTATUS(status) != 0) {
		fprintf(stderr, "measure: %s: exit code %d\n", command[0], WEXITSTATUS(status));
		return -1;
	}
	return seconds;
}

static double cpu_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static int compare_seconds(const void *left, const void *right)
{
	const double a = *(const double *)left;
	const double b = *(const double *)right;

	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	static double seconds[MAX_RUNS];
	const int runs = argc > 2 ? atoi(argv[1]) : 0;
	double cpu_seconds = 1e9; /* of the best run */
	long peak_rss_kb = 0;

	if (runs < 1 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: measure RUNS COMMAND [ARG...]   (at most %d runs)\n",
			MAX_RUNS);
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		struct rusage usage;

		seconds[i] = run_once(argv + 2, &usage);
		if (seconds[i] < 0)
			return 1;
		if (cpu_of(&usage) < cpu_seconds)
			cpu_seconds = cpu_of(&usage);
		if (usage.ru_maxrss > peak_rss_kb)
			peak_rss_kb = usage.ru_maxrss;
	}
	qsort(seconds, (size_t)runs, sizeof(seconds[0]), compare_seconds);
	printf("{\"best_seconds\":%.6f,\"median_seconds\":%.6f,\"cpu_seconds\":%.6f,"
	       "\"peak_rss_kb\":%ld}\n",
	       seconds[0], seconds[runs / 2], cpu_seconds, peak_rss_kb);
	return 0;
}
