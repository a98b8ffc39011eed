/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "perf/perf_registers.h"
#include "perf/perf_sampler.h"

static struct pp_error err;

static int set_up(void **state)
{
	(void)state;
	err = (struct pp_error){ 0 };
	return 0;
}

static const char *refusal(const struct perf_options *options, int number, int paranoid)
{
	err = (struct pp_error){ 0 };
	assert_int_equal(perf_event_refused(options, number, paranoid, &err), -1);
	return err.text;
}

static void a_refusal_says_what_to_do(void **state)
{
	const struct perf_options own = { .pid = 42 };
	const struct perf_options kernel = { .pid = 42, .with_kernel = true };
	const struct perf_options cycles = { .pid = 42, .source = PERF_CYCLES };

	(void)state;
	assert_string_equal(refusal(&own, EACCES, 4),
			    "the kernel does not allow sampling process 42: set "
			    "/proc/sys/kernel/perf_event_paranoid, which is 4, to 2, or give "
			    "CAP_PERFMON to this program");
	assert_non_null(strstr(refusal(&kernel, EACCES, 2), "which is 2, to 1"));
	assert_non_null(strstr(refusal(&own, EPERM, 2), "another user"));
	assert_non_null(strstr(refusal(&own, EMFILE, 2), "ulimit -n"));
	assert_non_null(strstr(refusal(&own, ENFILE, 2), "file-max"));
	assert_string_equal(refusal(&cycles, ENOENT, 2),
			    "this machine does not count cycles: use the CPU clock");
	assert_string_equal(refusal(&own, ESRCH, 2), "there is no process 42");
	assert_non_null(strstr(refusal(&own, ENOSYS, 2), "no perf events"));
	assert_non_null(strstr(refusal(&own, EINVAL, 2), "Linux 5.12"));
	assert_string_equal(refusal(&own, EIO, 2), "perf_event_open(): Input/output error");
}

static void a_stack_the_kernel_would_refuse_is_refused(void **state)
{
	(void)state;
	assert_int_equal(perf_event_new(&(struct perf_options){ .stack_size = 100 }, &err), -1);
	assert_string_equal(
		err.text, "100 bytes of stack cannot be sampled: use a multiple of 8 up to 65528");
}

static void the_layout_is_that_of_the_options(void **state)
{
	const struct perf_layout bare = perf_event_layout(&(struct perf_options){ .pid = 1 });
	const struct perf_layout full =
		perf_event_layout(&(struct perf_options){ .stack_size = 512 });

	(void)state;
	assert_int_equal(bare.register_count, 0);
	assert_false(bare.sample_type & PERF_SAMPLE_STACK_USER);
	assert_true(bare.sample_id_all);
	if (perf_machine_here())
		assert_int_equal(full.register_count, perf_machine_here()->count);
	assert_true(full.sample_type & PERF_SAMPLE_STACK_USER);
}

/* A child that uses CPU time once it is told to, and starts another one that does, too. */
static pid_t start_child(int go[2])
{
	pid_t pid;

	assert_int_equal(pipe(go), 0);
	pid = fork();
	if (!pid) {
		char byte;
		volatile unsigned spent = 0;

		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(2);
		if (fork())
			wait(NULL);
		while (spent < 100000000)
			spent++;
		_exit(0);
	}
	assert_true(pid > 0);
	close(go[0]);
	return pid;
}

struct seen {
	unsigned samples, forks, exits;
	pid_t other; /* the last process of a sample that is not the first one */
};

static void take(const struct perf_record *record, pid_t pid, struct seen *seen)
{
	const struct perf_sample *sample = &record->sample;

	/* of processes: threads have these records as well, and a sanitizer has threads of its own
	 */
	seen->forks += record->type == PERF_RECORD_FORK && record->pid != record->parent.pid;
	seen->exits += record->type == PERF_RECORD_EXIT && record->pid == record->tid;
	if (record->type != PERF_RECORD_SAMPLE)
		return;
	seen->samples++;
	if ((pid_t)record->pid != pid)
		seen->other = (pid_t)record->pid;
	assert_true(record->time_ns > 0);
	assert_int_equal(sample->register_count, perf_machine_here()->count);
	assert_int_equal(perf_sample_register(sample, perf_machine_here()->pc), sample->ip);
	assert_true(sample->stack_size > 0 && sample->stack_size <= 4096);
}

static void drain(struct perf_sampler *sampler, pid_t pid, struct seen *seen)
{
	struct perf_record record;
	int got;

	while ((got = perf_sampler_next(sampler, &record, &err)) > 0)
		take(&record, pid, seen);
	assert_int_equal(got, 0);
}

static void a_process_and_its_children_are_sampled(void **state)
{
	int go[2];
	const pid_t pid = start_child(go);
	const struct perf_options options = { .pid = pid, .frequency = 999, .stack_size = 4096 };
	struct perf_sampler *sampler = perf_sampler_open(&options, 64, &err);
	struct seen seen = { 0 };

	(void)state;
	if (!sampler) {
		close(go[1]);
		waitpid(pid, NULL, 0);
		if (!getenv("EMULATED")) /* which knows no perf_event_open() */
			printf("skipped: needs perf rights: %s\n", err.text);
		skip();
	}
	assert_int_equal(perf_sampler_enable(sampler, &err), 0);
	assert_int_equal(write(go[1], "x", 1), 1);
	close(go[1]);
	while (perf_sampler_wait(sampler, -1))
		drain(sampler, pid, &seen);
	drain(sampler, pid, &seen);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	perf_sampler_close(sampler);
	assert_true(seen.samples > 10);
	assert_true(seen.other > 0);
	assert_int_equal(seen.forks, 1);
	assert_int_equal(seen.exits, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_refusal_says_what_to_do, set_up),
		cmocka_unit_test_setup(a_stack_the_kernel_would_refuse_is_refused, set_up),
		cmocka_unit_test_setup(the_layout_is_that_of_the_options, set_up),
		cmocka_unit_test_setup(a_process_and_its_children_are_sampled, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
