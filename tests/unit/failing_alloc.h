/* SPDX-License-Identifier: MIT */
/*
 * failing_alloc.h - an allocator whose n-th call fails, for tests of what happens then.
 *
 * `run` makes objects, uses and frees them; it returns whether one of its calls failed. It is run
 * with memory for no call at all, for one, for two and so on, until it succeeds; and each time also
 * with memory for all but the next one. Each time all memory must have been freed, and the error
 * must be PP_ERROR_MEMORY.
 *
 *	static int run(void *context, struct pp_error *err)
 *	{
 *		struct pp_client *client = pp_client_new("/tmp/socket", err);
 *		const int failed = client ? pp_client_resume(client, err) : -1;
 *
 *		pp_client_free(client);
 *		return failed;
 *	}
 *
 *	assert_true(fails_at_each_allocation(run, NULL) > 5);
 */
#ifndef FAILING_ALLOC_H
#define FAILING_ALLOC_H

#include "perfpipe/error.h"

/* How many allocations a run makes: as often it failed. Asserts by cmocka. */
long fails_at_each_allocation(int (*run)(void *context, struct pp_error *err), void *context);

/* The parts of it. Only `calls` allocations succeed from now on; the rest fails. */
void failing_alloc_begin(long calls);
long failing_alloc_in_use(void); /* blocks that were not freed since */
long failing_alloc_refused(void);
long failing_alloc_left(void); /* how many more succeed */
void failing_alloc_end(void);  /* malloc() again */

/* Around what a run needs but is not tested, such as a server: it has all memory. */
void failing_alloc_pause(void);
void failing_alloc_resume(void);

/* Descriptors of this process that are open. */
int count_open_files(void);

#endif
