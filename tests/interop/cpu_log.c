/* SPDX-License-Identifier: MIT */
/*
 * The CPU time of a process as it goes on, from the kernel and nobody else. Two hundred times a
 * second a line, until the process ends:
 *
 *	monotonic clock, run time of all threads by schedstat, CPU clock of the process: all in ns
 *
 * A thread that has ended counts with what it was last seen to have used.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS     5000000
#define MOST_THREADS (1 << 22)

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time = { 0 };

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t used[MOST_THREADS]; /* by thread id */

static uint64_t run_time(int tasks, const char *thread)
{
	char path[300];
	char text[100] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/schedstat", thread);
	fd = openat(tasks, path, O_RDONLY);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	close(fd);
	return strtoull(text, NULL, 10);
}

static uint64_t sum(const char *path)
{
	static uint64_t all;
	DIR *tasks = opendir(path);
	const struct dirent *entry;

	while (tasks && (entry = readdir(tasks))) {
		const unsigned long id = strtoul(entry->d_name, NULL, 10);
		const uint64_t now =
			id && id < MOST_THREADS ? run_time(dirfd(tasks), entry->d_name) : 0;

		if (now > used[id % MOST_THREADS]) {
			all += now - used[id % MOST_THREADS];
			used[id % MOST_THREADS] = now;
		}
	}
	if (!tasks)
		return 0;
	closedir(tasks);
	return all;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	clockid_t clock;
	char path[64];

	if (argc != 2 || clock_getcpuclockid(atoi(argv[1]), &clock))
		return 1;
	snprintf(path, sizeof(path), "/proc/%d/task", atoi(argv[1]));
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (;;) {
		const uint64_t now = read_clock(CLOCK_MONOTONIC);
		const uint64_t threads = sum(path);
		const uint64_t process = read_clock(clock);

		if (!process || !threads)
			return 0;
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", now, threads, process);
		nanosleep(&pause, NULL);
	}
}
