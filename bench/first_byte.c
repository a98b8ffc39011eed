/* SPDX-License-Identifier: MIT */
/*
 * first_byte FILE COMMAND [ARG...] - how long a recorder takes until its file has bytes in it.
 *
 * Checks FILE and FILE.partial every 0.1 ms, prints one line of JSON, then ends the command
 * with SIGINT and removes both.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_LOOKS = 200000 };

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool has_bytes(const char *path)
{
	struct stat status;

	return !stat(path, &status) && status.st_size > 0;
}

static pid_t start(char **command)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, command[0], &actions, NULL, command, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

int main(int argc, char **argv)
{
	char partial[4096];
	double began;
	int looks = 0;
	pid_t pid;

	if (argc < 3) {
		fputs("usage: first_byte FILE COMMAND [ARG...]\n", stderr);
		return 2;
	}
	snprintf(partial, sizeof(partial), "%s.partial", argv[1]);
	began = now_seconds();
	pid = start(argv + 2);
	if (pid < 0)
		return 1;
	while (!has_bytes(argv[1]) && !has_bytes(partial) && looks++ < MOST_LOOKS)
		usleep(100);
	printf("{\"best_seconds\":%.6f}\n", now_seconds() - began);
	kill(pid, SIGINT);
	waitpid(pid, NULL, 0);
	unlink(argv[1]);
	unlink(partial);
	return looks > MOST_LOOKS;
}
