/* SPDX-License-Identifier: MIT */
/* Findings about threads: the thread pool, locks, and the time of processors. */
#include "analyze/finding_tests.h"

/* Threads were added because work waited: several times, or once after a long wait. */
bool finding_pool_starvation(const struct summary_figures *f, struct finding *finding)
{
	evidence_count(finding, "starved", "%s times", f->starved);
	if (f->queue_count)
		evidence_time(finding, "queue_max_ns", "work waited up to %s", f->queue_max_ns);
	evidence_count(finding, "workers_max", "up to %s workers", f->workers_most);
	return f->starved >= 3 || (f->starved && f->queue_max_ns >= 500 * 1000 * 1000);
}

/* Workers were blocked for half of the time that they had work, by samples or waits. */
bool finding_sync_over_async(const struct summary_figures *f, struct finding *finding)
{
	const bool by_samples = f->pool_blocked_ns >= 1000 * 1000 * 1000 &&
				f->pool_blocked_ns * 2 >= f->pool_busy_ns;
	const bool by_waits =
		f->task_waits >= 10 && (double)f->task_waits_ns / 1e9 >= f->seconds / 10;

	if (f->pool_blocked_ns) {
		evidence_time(finding, "blocked_ns", "workers blocked for %s", f->pool_blocked_ns);
		evidence_time(finding, "busy_ns", "of %s in which they had work", f->pool_busy_ns);
	}
	if (f->task_waits) {
		evidence_count(finding, "task_waits", "%s waits for tasks", f->task_waits);
		if (f->task_waits_ns)
			evidence_time(finding, "task_waits_ns", "%s in total", f->task_waits_ns);
	}
	if (f->cooperative)
		evidence_count(finding, "cooperative_blocking",
			       "workers added because others were blocked: %s", f->cooperative);
	evidence_text(finding, "method", "in %s", f->blocked_in);
	if (f->pool_blocked_ns) /* there are samples to show */
		finding->next.view = "threadtime";
	return by_samples || by_waits;
}

/* Several threads at once waited for one lock repeatedly, for a fifth of the time. */
bool finding_lock_convoy(const struct summary_figures *f, struct finding *finding)
{
	const double waited = (double)f->lock.total_ns / 1e9;

	evidence_count(finding, "count", "%s waits for one lock", f->lock.count);
	evidence_time(finding, "total_ns", "%s in total", f->lock.total_ns);
	evidence_time(finding, "max_ns", "longest %s", f->lock.max_ns);
	evidence_count(finding, "waiting_max", "up to %s threads at once", f->lock_waiting_most);
	evidence_text(finding, "method", "in %s", f->waited_in);
	return f->lock.count >= 50 && f->lock_waiting_most >= 2 && waited > 0 &&
	       waited >= f->seconds / 5;
}

/* The pool's own account of it: where samples or tasks show who blocks, that says more. */
bool finding_pool_growth(const struct summary_figures *f, struct finding *finding)
{
	evidence_count(finding, "cooperative_blocking",
		       "workers added because others were blocked: %s", f->cooperative);
	if (f->starved)
		evidence_count(finding, "starved", "because work waited: %s", f->starved);
	evidence_count(finding, "workers_max", "up to %s workers", f->workers_most);
	if (f->workers_least)
		evidence_count(finding, "workers_min", "instead of %s", f->workers_least);
	return f->cooperative + f->starved >= 3 && f->workers_most > f->workers_least &&
	       !finding_applies(finding_pool_starvation, f) &&
	       !finding_applies(finding_sync_over_async, f);
}

bool finding_deadlock(const struct summary_figures *f, struct finding *finding)
{
	evidence_count(finding, "threads", "%s threads", f->deadlock.threads);
	evidence_time(finding, "max_ns", "for %s, until the end of the trace",
		      f->deadlock.longest_ns);
	evidence_text(finding, "method", "in %s", f->deadlock.method);
	return f->deadlock.threads >= 2;
}

/* Perhaps a deadlock of which the beginning was not recorded. */
bool finding_stuck_threads(const struct summary_figures *f, struct finding *finding)
{
	evidence_count(finding, "threads", "threads that wait: %s", f->stuck.threads);
	evidence_time(finding, "max_ns", "for %s, until the end of the trace", f->stuck.longest_ns);
	evidence_text(finding, "method", "in %s", f->stuck.method);
	if (f->contention_recorded)
		finding->next.view = "contention";
	return f->stuck.threads && !finding_applies(finding_deadlock, f);
}

/* Threads wait for a processor as long as they run, and half of the time at least one does. */
bool finding_cpu_saturation(const struct summary_figures *f, struct finding *finding)
{
	evidence_time(finding, "ready_ns", "threads waited %s for a processor", f->ready_ns);
	evidence_time(finding, "cpu_ns", "and ran for %s", f->cpu_ns);
	evidence_real(finding, "others_percent", "other processes took %s % of what they wanted",
		      100 * f->share_taken);
	return f->cpu_measured && f->ready_ns >= f->cpu_ns &&
	       (double)f->ready_ns / 1e9 >= f->seconds / 2;
}

/* The second half of the trace took a quarter of a processor: for less it does not matter what for.
 */
static bool uses_cpu(const struct summary_figures *f)
{
	return f->cpu_measured && f->late.cpu_ns && (double)f->late.cpu_ns / 1e9 >= f->seconds / 8;
}

bool finding_jit_cpu(const struct summary_figures *f, struct finding *finding)
{
	const double share = figures_percent((double)f->late.jit_ns, (double)f->late.cpu_ns);

	evidence_real(finding, "percent", "%s % of the CPU time", share);
	evidence_time(finding, "jit_ns", "%s in the second half of the trace", f->late.jit_ns);
	return uses_cpu(f) && share >= 30 && !finding_applies(finding_jit_storm, f);
}

/* Half of the CPU time is where samples show no more than the managed caller. */
bool finding_native_cpu(const struct summary_figures *f, struct finding *finding)
{
	const double native_ns = (double)f->late.native_ns - (double)f->late.jit_ns;
	const double share = figures_percent(native_ns, (double)f->late.cpu_ns);

	evidence_real(finding, "percent", "%s % of the CPU time", share);
	evidence_time(finding, "native_ns", "%s in the second half of the trace",
		      (uint64_t)native_ns);
	evidence_text(finding, "method", "mostly in %s", f->native_in);
	return uses_cpu(f) && share >= 50 && !finding_applies(finding_jit_storm, f);
}
