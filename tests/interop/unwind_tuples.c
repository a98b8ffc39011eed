/* SPDX-License-Identifier: MIT */
/*
 * unwind_tuples -o FILE [--stack BYTES] [--most N] [--frequency HZ] -- COMMAND... - runs a command
 * and writes samples of the registers and stacks of it and what it starts, as tuples/tuple_file.h
 * describes. The command is ended when there are N. Exits with 77 where that is not allowed.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf/perf_sampler.h"
#include "tuples/tuple_file.h"

#define RING_PAGES 1024u /* 4 MB */

struct recording {
	const char *path;
	size_t most;
	struct perf_options options;
	struct tuple_writer writer;
	struct perf_sampler *sampler;
	struct pp_error err;
};

static int usage(void)
{
	fprintf(stderr, "unwind_tuples -o FILE [--stack BYTES] [--most N] [--frequency HZ] -- "
			"COMMAND...\n");
	return 2;
}

static int read_options(struct recording *r, int argc, char **argv)
{
	static const struct option options[] = {
		{ "stack", required_argument, NULL, 's' },
		{ "most", required_argument, NULL, 'm' },
		{ "frequency", required_argument, NULL, 'f' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "+o:", options, NULL)) != -1) {
		if (option == 'o')
			r->path = optarg;
		else if (option == 's')
			r->options.stack_size = (uint32_t)strtoul(optarg, NULL, 10);
		else if (option == 'm')
			r->most = strtoul(optarg, NULL, 10);
		else if (option == 'f')
			r->options.frequency = (uint32_t)strtoul(optarg, NULL, 10);
		else
			return usage();
	}
	return r->path && optind < argc ? 0 : usage();
}

/* A process in a group of its own that runs the command once the pipe is closed. */
static pid_t start(char **command, int *go)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		setpgid(0, 0);
		close(ends[1]);
		if (!read(ends[0], &byte, 1)) {
			close(ends[0]);
			execvp(command[0], command);
			perror(command[0]);
		}
		_exit(127);
	}
	setpgid(pid, pid);
	close(ends[0]);
	*go = ends[1];
	return pid;
}

static void open_sampler(struct recording *r)
{
	struct pp_error err = { 0 };

	r->options.with_kernel = true;
	r->sampler = perf_sampler_open(&r->options, RING_PAGES, &err);
	if (r->sampler)
		return;
	r->options.with_kernel = false; /* which needs fewer rights */
	r->sampler = perf_sampler_open(&r->options, RING_PAGES, &r->err);
}

/* False: an error, or all that was asked for is there. */
static bool drain(struct recording *r)
{
	struct perf_record record;
	int got;

	while ((got = perf_sampler_next(r->sampler, &record, &r->err)) > 0)
		if (record.type != PERF_RECORD_SAMPLE || r->writer.samples < r->most)
			tuple_writer_add(&r->writer, &record);
	return !got && r->writer.samples < r->most;
}

/* The command is done, or has to be: either way it is waited for. */
static void end(pid_t pid)
{
	kill(-pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int record(struct recording *r, pid_t pid, int go)
{
	if (tuple_writer_begin(&r->writer, &r->err)) {
		end(pid);
		return 1;
	}
	close(go);
	while (perf_sampler_wait(r->sampler, -1) && drain(r))
		;
	perf_sampler_disable(r->sampler, &r->err);
	drain(r);
	end(pid);
	drain(r);
	printf("%zu tuples, %llu records lost, %zu samples without a stack\n", r->writer.samples,
	       (unsigned long long)perf_sampler_lost(r->sampler), r->writer.unusable);
	return r->err.code ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct recording r = { .most = 10000,
			       .options = { .stack_size = 32768,
					    .frequency = 2000,
					    .enable_on_exec = true,
					    .wakeup_size = RING_PAGES * 1024 } };
	int go, failed;

	if (read_options(&r, argc, argv))
		return 2;
	r.options.pid = start(argv + optind, &go);
	if (r.options.pid < 0) {
		perror("unwind_tuples");
		return 1;
	}
	open_sampler(&r);
	if (!r.sampler) {
		end(r.options.pid);
		printf("skipped: needs perf rights: %s\n", r.err.text);
		return 77;
	}
	r.writer.file = fopen(r.path, "wb");
	if (!r.writer.file) {
		end(r.options.pid);
		perror(r.path);
		return 1;
	}
	failed = record(&r, r.options.pid, go);
	if (fclose(r.writer.file) || failed) {
		fprintf(stderr, "unwind_tuples: %s\n", r.err.code ? r.err.text : strerror(errno));
		return 1;
	}
	perf_sampler_close(r.sampler);
	return 0;
}
