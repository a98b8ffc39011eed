/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "ipc/discover.h"

/* Of all its threads, also those that have ended; the ticks in /proc are too coarse for this. */
static int64_t cpu_clock_ns(int32_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return -1;
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void since_start(struct candidate *c)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	struct timespec up;
	int64_t age_ns;

	clock_gettime(CLOCK_BOOTTIME, &up);
	age_ns = (int64_t)up.tv_sec * 1000000000 + up.tv_nsec -
		 (int64_t)c->stat.start_ticks * tick_ns;
	c->process.cpu_ns = (int64_t)c->stat.cpu_ticks * tick_ns;
	c->process.cpu_interval_ns = age_ns > tick_ns ? age_ns : tick_ns;
}

void discover_load_begin(struct discovery *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct candidate *c = &d->candidates[i];

		c->process.threads = c->stat.threads;
		c->load_cpu_ns = d->cpu_interval_ms ? cpu_clock_ns(c->process.pid) : -1;
		c->load_at_ns = time_monotonic_ns();
		since_start(c);
	}
}

/* The processes were asked meanwhile. */
static void wait_for_the_rest(const struct discovery *d)
{
	const struct candidate *last = &d->candidates[d->count - 1];
	const int64_t end_ns = last->load_at_ns + (int64_t)d->cpu_interval_ms * 1000000;
	const struct timespec end = { .tv_sec = end_ns / 1000000000,
				      .tv_nsec = end_ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
}

void discover_load_end(struct discovery *d)
{
	if (!d->cpu_interval_ms || !d->count)
		return;
	wait_for_the_rest(d);
	for (size_t i = 0; i < d->count; i++) {
		struct candidate *c = &d->candidates[i];
		const int64_t cpu_ns = cpu_clock_ns(c->process.pid);

		if (cpu_ns < c->load_cpu_ns || c->load_cpu_ns < 0)
			continue;
		c->process.cpu_ns = cpu_ns - c->load_cpu_ns;
		c->process.cpu_interval_ns = time_monotonic_ns() - c->load_at_ns;
	}
}
