/* SPDX-License-Identifier: MIT */
/*
 * Limits are such that programs made to show one problem show that one, and a service in order
 * none; perfpipe-report(1) lists them.
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

/* Threads were added since work waited: several times, or once while it waited for long. */
static bool pool_starves(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "starvations", "%s times", f->starved);
	if (f->queue_count)
		add_number(finding, EVIDENCE_TIME, "queue_max_ns", "work waited up to %s",
			   f->queue_max_ns);
	add_number(finding, EVIDENCE_COUNT, "workers_max", "up to %s workers", f->workers_most);
	return f->starved >= 3 || (f->starved && f->queue_max_ns >= 500 * 1000 * 1000);
}

/* Half of the time that workers had work they stood still in it, as far as samples tell. */
static bool pool_blocks(const struct summary_figures *f, struct finding *finding)
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
			add_number(finding, EVIDENCE_TIME, "task_waits_ns", "of %s in total",
				   f->task_waits_ns);
	}
	if (f->cooperative)
		add_number(finding, EVIDENCE_COUNT, "cooperative_blocking",
			   "%s workers added for it", f->cooperative);
	add_text(finding, "method", "in %s", f->blocked_in);
	if (f->pool_blocked_ns) /* there are samples to look at */
		finding->next = "perfpipe report FILE threadtime";
	return by_samples || by_waits || f->cooperative >= 3;
}

/* One lock was waited for a fifth of the time, again and again, by several threads at once. */
static bool lock_has_a_queue(const struct summary_figures *f, struct finding *finding)
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

static bool collections_take_time(const struct summary_figures *f, struct finding *finding)
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

/* A few milliseconds are no matter; nor is one pause in a long time. */
static bool pauses_are_long(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_TIME, "pause_max_ns", "longest %s",
		   (uint64_t)f->gc.all.pause_max_ns);
	add_number(finding, EVIDENCE_COUNT, "count", "%s of 25 ms and more", f->pauses_long);
	add_number(finding, EVIDENCE_TIME, "total_ns", "%s in total", (uint64_t)f->pauses_long_ns);
	return f->gc.all.pause_max_ns >= 200 * 1000 * 1000 ||
	       (f->pauses_long && (double)f->pauses_long_ns / 1e7 >= f->seconds / 2);
}

static bool program_collects(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "induced", "%s induced", f->gc.all.induced);
	add_number(finding, EVIDENCE_COUNT, "count", "of %s collections", f->gc.all.count);
	return f->gc.all.induced >= 3 && f->gc.all.induced * 10 >= f->gc.all.count;
}

static bool large_objects_come_and_go(const struct summary_figures *f, struct finding *finding)
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

static bool exceptions_steer(const struct summary_figures *f, struct finding *finding)
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

/* The program waits for the compiler, or makes methods that are soon forgotten. */
static bool compiler_is_busy(const struct summary_figures *f, struct finding *finding)
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

/* Nothing was compiled quickly or again: all methods were optimized before they ran once. */
static bool tiering_is_off(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "optimized_at_once", "%s methods optimized at once",
		   f->jit_at_once);
	add_number(finding, EVIDENCE_COUNT, "quick", "%s compiled quickly", f->jit_quick);
	add_number(finding, EVIDENCE_TIME, "total_ns", "%s of compiling",
		   (uint64_t)f->jit.all.time_ns);
	return f->jit_at_once >= 30 && !f->jit_quick && !f->jit.rejits;
}

static bool events_are_missing(const struct summary_figures *f, struct finding *finding)
{
	add_number(finding, EVIDENCE_COUNT, "events_lost", "%s events lost", f->lost);
	add_real(finding, "percent", "%s % of all",
		 percent((double)f->lost, (double)f->lost + (double)f->events));
	return f->lost > 0;
}

const struct finding_row finding_rows[] = {
	{ "threadpool-starvation", FINDING_CRITICAL, "Thread pool starvation",
	  "work waits and no worker is free", "perfpipe report FILE threadpool", pool_starves },
	{ "lock-convoy", FINDING_CRITICAL, "Lock convoy", "threads queue up for one lock",
	  "perfpipe report FILE contention", lock_has_a_queue },
	{ "event-loss", FINDING_WARNING, "Event loss", "all figures are too low",
	  "perfpipe collect -p PID --buffersize 1024", events_are_missing },
	{ "sync-over-async", FINDING_WARNING, "Sync over async",
	  "thread pool workers block in waits instead of awaiting",
	  "perfpipe report FILE threadpool", pool_blocks },
	{ "gc-pressure", FINDING_WARNING, "GC pressure", "collections take much of the time",
	  "perfpipe report FILE alloc", collections_take_time },
	{ "gc-pauses", FINDING_WARNING, "GC pauses", "collections stop the program for long",
	  "perfpipe report FILE gc --over 25ms", pauses_are_long },
	{ "loh-churn", FINDING_WARNING, "LOH churn", "large objects are allocated all the time",
	  "perfpipe report FILE alloc", large_objects_come_and_go },
	{ "exceptions-control-flow", FINDING_WARNING, "Exceptions as control flow",
	  "exceptions are thrown all the time", "perfpipe report FILE exceptions",
	  exceptions_steer },
	{ "jit-storm", FINDING_WARNING, "JIT storm",
	  "many methods are compiled while the program waits", "perfpipe report FILE jit",
	  compiler_is_busy },
	{ "tiering-off", FINDING_WARNING, "Tiering off",
	  "methods are optimized before they first run", "perfpipe report FILE jit",
	  tiering_is_off },
	{ "gc-induced", FINDING_INFO, "Induced GC", "the program asks for collections itself",
	  "perfpipe report FILE gc", program_collects },
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
