/* SPDX-License-Identifier: MIT */
/*
 * found_processes.h - what is found in a fake /proc, one for each test.
 *
 *	cmocka_unit_test_setup_teardown(finds_it, begin, end)
 */
#ifndef FOUND_PROCESSES_H
#define FOUND_PROCESSES_H

#include <string.h>

#include "fake_proc.h"
#include "perfpipe/processes.h"

/* Answers come at once, but on a busy machine that can take a while. */
#define PATIENCE_MS 10000

static struct fake_proc *proc;
static struct pp_processes found;
static unsigned patience_ms = PATIENCE_MS;

static int begin(void **state)
{
	(void)state;
	proc = fake_proc_new();
	found = (struct pp_processes){ 0 };
	return 0;
}

static int end(void **state)
{
	(void)state;
	pp_processes_release(&found);
	fake_proc_free(proc);
	patience_ms = PATIENCE_MS;
	return 0;
}

static void find(void)
{
	const struct pp_process_query query = { .size = sizeof(query),
						.proc = proc->path,
						.timeout_ms = patience_ms };
	struct pp_error err = { 0 };

	pp_processes_release(&found);
	assert_int_equal(pp_processes_find(&query, &found, &err), 0);
}

/* The only process found. */
static const struct pp_process *only(void)
{
	find();
	assert_int_equal(found.count, 1);
	return found.items;
}

static inline void expect_problem(enum pp_process_problem problem, const char *part_of_reason)
{
	const struct pp_process *p = only();

	assert_int_equal(p->problem, problem);
	assert_false(p->traceable);
	assert_non_null(p->reason);
	if (!strstr(p->reason, part_of_reason))
		fail_msg("\"%s\" does not say \"%s\"", p->reason, part_of_reason);
}

#endif
