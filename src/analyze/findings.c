/* SPDX-License-Identifier: MIT */
/*
 * The limits were chosen so that programs with one known problem get that finding, and a healthy
 * service gets none; perfpipe-report(1) lists them.
 */
#include "analyze/findings.h"

static void add(struct finding *finding, const struct evidence *evidence)
{
	if (finding->evidence_count < EVIDENCE_MOST)
		finding->evidence[finding->evidence_count++] = *evidence;
}

static void add_number(struct finding *finding, enum evidence_kind kind, const char *key,
		       const char *title, uint64_t number)
{
	add(finding, &(struct evidence){ key, title, kind, .number = number });
}

static void add_real(struct finding *finding, const char *key, const char *title, double real)
{
	add(finding, &(struct evidence){ key, title, EVIDENCE_REAL, .real = real });
}

static void add_text(struct finding *finding, const char *key, const char *title, const char *text)
{
	if (text && *text)
		add(finding, &(struct evidence){ key, title, EVIDENCE_TEXT, .text = text });
}

static double per_second(const struct summary_figures *figures, uint64_t count)
{
	return figures->seconds > 0 ? (double)count / figures->seconds : 0;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* Threads were added because work waited: several times, or once after a long wait. */
static bool pool_starvation(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "starved", "%s times", f->starved);
	if (f->queue_count)
		add_number(finding, EVIDENCE_TIME, "queue_max_ns", "work waited up to %s",
			   f->queue_max_ns);
	add_number(finding, EVIDENCE_COUNT, "workers_max", "up to %s workers", f->workers_most);
	return f->starved >= 3 || (f->starved && f->queue_max_ns >= 500 * 1000 * 1000);
}

/* Workers were blocked for half of the time that they had work, by samples or waits. */
static bool sync_over_async(const struct summary_figures *f, struct finding *finding)
{
	const bool by_samples = f->pool_blocked_ns >= 1000 * 1000 * 1000 &&
				f->pool_blocked_ns * 2 >= f->pool_busy_ns;
	const bool by_waits =
		f->task_waits >= 10 && (double)f->task_waits_ns / 1e9 >= f->seconds / 10;

	if (f->pool_blocked_ns) {
		add_number(finding, EVIDENCE_TIME, "blocked_ns", "workers blocked for %s",
			   f->pool_blocked_ns);
		add_number(finding, EVIDENCE_TIME, "busy_ns", "of %s in which they had work",
			   f->pool_busy_ns);
	}
	if (f->task_waits) {
		add_number(finding, EVIDENCE_COUNT, "task_waits", "%s waits for tasks",
			   f->task_waits);
		if (f->task_waits_ns)
			add_number(finding, EVIDENCE_TIME, "task_waits_ns", "%s in total",
				   f->task_waits_ns);
	}
	if (f->cooperative)
		add_number(finding, EVIDENCE_COUNT, "cooperative_blocking",
			   "%s workers added because others were blocked", f->cooperative);
	add_text(finding, "method", "in %s", f->blocked_in);
	if (f->pool_blocked_ns) /* there are samples to show */
		finding->next = "perfpipe report FILE threadtime";
	return by_samples || by_waits || f->cooperative >= 3;
}

/* Several threads at once waited for one lock repeatedly, for a fifth of the time. */
static bool lock_convoy(const struct summary_figures *f, struct finding *finding)
{
	const double waited = (double)f->lock.total_ns / 1e9;

	add_number(finding, EVIDENCE_COUNT, "count", "%s waits for one lock", f->lock.count);
	add_number(finding, EVIDENCE_TIME, "total_ns", "%s in total", f->lock.total_ns);
	add_number(finding, EVIDENCE_TIME, "max_ns", "longest %s", f->lock.max_ns);
	add_number(finding, EVIDENCE_COUNT, "waiting_max", "up to %s threads at once",
		   f->lock_waiting_most);
	add_text(finding, "method", "in %s", f->waited_in);
	return f->lock.count >= 50 && f->lock_waiting_most >= 2 && waited > 0 &&
	       waited >= f->seconds / 5;
}

static bool gc_pressure(const struct summary_figures *f, struct finding *finding)
{
	add_real(finding, "pause_percent", "paused %s % of the time", f->pause_percent);
	add_number(finding, EVIDENCE_COUNT, "count", "%s collections", f->gc.all.count);
	if (f->seconds > 0 && (f->alloc_bytes || f->gc.all.allocated > 0))
		add_number(finding, EVIDENCE_SIZE, "allocated_per_second_bytes",
			   "%s allocated per second",
			   summary_rate(f, f->alloc_bytes ? f->alloc_bytes
							  : (uint64_t)f->gc.all.allocated));
	return f->gc.all.count >= 5 && f->pause_percent >= 3;
}

/* A few milliseconds are harmless, and so is a single pause in a long time. */
static bool gc_pauses(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_TIME, "pause_max_ns", "longest %s",
		   (uint64_t)f->gc.all.pause_max_ns);
	add_number(finding, EVIDENCE_COUNT, "count", "%s pauses of 25 ms or more", f->pauses_long);
	add_number(finding, EVIDENCE_TIME, "total_ns", "%s in total", (uint64_t)f->pauses_long_ns);
	return f->gc.all.pause_max_ns >= 200 * 1000 * 1000 ||
	       (f->pauses_long && (double)f->pauses_long_ns / 1e7 >= f->seconds / 2);
}

static bool gc_induced(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "induced", "%s induced", f->gc.all.induced);
	add_number(finding, EVIDENCE_COUNT, "count", "of %s collections", f->gc.all.count);
	return f->gc.all.induced >= 3 && f->gc.all.induced * 10 >= f->gc.all.count;
}

static bool loh_churn(const struct summary_figures *f, struct finding *finding)
{
	const double share = percent((double)f->large_bytes, (double)f->alloc_bytes);

	add_number(finding, EVIDENCE_SIZE, "large_bytes", "%s of large objects", f->large_bytes);
	add_number(finding, EVIDENCE_SIZE, "large_per_second_bytes", "%s per second",
		   summary_rate(f, f->large_bytes));
	add_real(finding, "percent", "%s % of what was allocated", share);
	add_number(finding, EVIDENCE_COUNT, "gen2_count", "%s collections of generation 2",
		   f->gc.generations[2].count);
	add_text(finding, "type", "mostly %s", f->large_type);
	return share >= 3 && per_second(f, f->large_bytes) >= 2e6;
}

static bool exceptions_control_flow(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "count", "%s exceptions", f->exceptions);
	add_real(finding, "per_second", "%s per second", per_second(f, f->exceptions));
	if (f->catches_recorded)
		add_number(finding, EVIDENCE_COUNT, "caught", "%s of them caught",
			   f->exceptions_caught);
	add_text(finding, "type", "mostly %s", f->exception_type);
	add_text(finding, "method", "in %s", f->thrown_in);
	return f->exceptions >= 100 && per_second(f, f->exceptions) >= 100;
}

/* The program waits for the compiler, or generates methods all the time. */
static bool jit_storm(const struct summary_figures *f, struct finding *finding)
{
	const struct jit_sum *waited = &f->jit.triggers[JIT_FOREGROUND];
	const double share = percent((double)waited->time_ns, f->seconds * 1e9);

	add_number(finding, EVIDENCE_COUNT, "count", "%s methods compiled while the program waited",
		   waited->count);
	add_number(finding, EVIDENCE_TIME, "total_ns", "for %s", (uint64_t)waited->time_ns);
	add_real(finding, "percent", "%s % of the time", share);
	add_number(finding, EVIDENCE_COUNT, "dynamic", "%s of them generated by the program itself",
		   f->jit_dynamic);
	return (share >= 20 && waited->time_ns >= 500 * 1000 * 1000) ||
	       (f->jit_dynamic >= 40 && f->jit_dynamic * 5 >= waited->count);
}

/* No quick or repeated compilation: all methods were optimized before they ran once. */
static bool tiering_off(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "optimized_at_once", "%s methods optimized at once",
		   f->jit_at_once);
	add_number(finding, EVIDENCE_COUNT, "quick", "%s compiled quickly", f->jit_quick);
	add_number(finding, EVIDENCE_TIME, "total_ns", "%s of compiling",
		   (uint64_t)f->jit.all.time_ns);
	return f->jit_at_once >= 30 && !f->jit_quick && !f->jit.rejits;
}

static bool event_loss(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "events_lost", "at least %s events lost", f->lost);
	add_real(finding, "percent", "at least %s % of all",
		 percent((double)f->lost, (double)f->lost + (double)f->events));
	return f->lost > 0;
}

const struct finding_row finding_rows[] = {
	{ "threadpool-starvation", FINDING_CRITICAL, "Thread pool starvation",
	  "work waits and no worker is free", "perfpipe report FILE threadpool", pool_starvation },
	{ "lock-convoy", FINDING_CRITICAL, "Lock convoy", "threads queue up for one lock",
	  "perfpipe report FILE contention", lock_convoy },
	{ "event-loss", FINDING_WARNING, "Event loss",
	  "events were lost, so all figures are too low",
	  "perfpipe collect -p PID --buffersize 1024", event_loss },
	{ "sync-over-async", FINDING_WARNING, "Sync over async",
	  "thread pool workers block in waits instead of awaiting",
	  "perfpipe report FILE threadpool", sync_over_async },
	{ "gc-pressure", FINDING_WARNING, "GC pressure",
	  "garbage collections take much of the time", "perfpipe report FILE alloc", gc_pressure },
	{ "gc-pauses", FINDING_WARNING, "GC pauses",
	  "garbage collections pause the program for long", "perfpipe report FILE gc --over 25ms",
	  gc_pauses },
	{ "loh-churn", FINDING_WARNING, "LOH churn", "large objects are allocated all the time",
	  "perfpipe report FILE alloc", loh_churn },
	{ "exceptions-control-flow", FINDING_WARNING, "Exceptions as control flow",
	  "exceptions are thrown all the time", "perfpipe report FILE exceptions",
	  exceptions_control_flow },
	{ "jit-storm", FINDING_WARNING, "JIT storm",
	  "many methods are compiled while the program waits", "perfpipe report FILE jit",
	  jit_storm },
	{ "tiering-off", FINDING_WARNING, "Tiering off",
	  "methods are optimized before they first run", "perfpipe report FILE jit", tiering_off },
	{ "gc-induced", FINDING_INFO, "Induced GC", "the program itself requests collections",
	  "perfpipe report FILE gc", gc_induced },
	{ 0 },
};

size_t findings_of(const struct summary_figures *figures, struct finding found[FINDINGS_MOST])
{
	size_t count = 0;

	for (const struct finding_row *row = finding_rows; row->id && count < FINDINGS_MOST;
	     row++) {
		found[count] = (struct finding){ .row = row, .next = row->next };
		if (row->test(figures, &found[count]))
			count++;
	}
	return count;
}

const char *finding_severity_name(enum finding_severity severity)
{
	static const char *const names[] = {
		[FINDING_INFO] = "info",
		[FINDING_WARNING] = "warning",
		[FINDING_CRITICAL] = "critical",
	};

	return names[severity];
}
