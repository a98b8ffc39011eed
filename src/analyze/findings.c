/* SPDX-License-Identifier: MIT */
#include "analyze/findings.h"

#include "analyze/finding_tests.h"

static void add(struct finding *finding, const struct evidence *evidence)
{
	if (finding->evidence_count < EVIDENCE_MOST)
		finding->evidence[finding->evidence_count++] = *evidence;
}

void evidence_count(struct finding *finding, const char *key, const char *title, uint64_t count)
{
	add(finding, &(struct evidence){ key, title, EVIDENCE_COUNT, .number = count });
}

void evidence_time(struct finding *finding, const char *key, const char *title, uint64_t time_ns)
{
	add(finding, &(struct evidence){ key, title, EVIDENCE_TIME, .number = time_ns });
}

void evidence_size(struct finding *finding, const char *key, const char *title, uint64_t bytes)
{
	add(finding, &(struct evidence){ key, title, EVIDENCE_SIZE, .number = bytes });
}

void evidence_real(struct finding *finding, const char *key, const char *title, double real)
{
	add(finding, &(struct evidence){ key, title, EVIDENCE_REAL, .real = real });
}

void evidence_text(struct finding *finding, const char *key, const char *title, const char *text)
{
	if (text && *text)
		add(finding, &(struct evidence){ key, title, EVIDENCE_TEXT, .text = text });
}

bool finding_applies(finding_test *test, const struct summary_figures *f)
{
	struct finding unused = { 0 };

	return test(f, &unused);
}

double figures_per_second(const struct summary_figures *f, uint64_t count)
{
	return f->seconds > 0 ? (double)count / f->seconds : 0;
}

double figures_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

double figures_percent_of_time(const struct summary_figures *f, double time_ns)
{
	return figures_percent(time_ns, f->seconds * 1e9);
}

/* The first of each severity may be raised by one without leaving the order. */
const struct finding_row finding_rows[] = {
	{ "failed-requests",
	  FINDING_CRITICAL,
	  "Failed requests",
	  "many requests end with an error",
	  { "requests", NULL },
	  finding_failed_requests },
	{ "deadlock",
	  FINDING_CRITICAL,
	  "Deadlock",
	  "threads wait for each other's locks",
	  { "contention", NULL },
	  finding_deadlock },
	{ "stuck-threads",
	  FINDING_CRITICAL,
	  "Stuck threads",
	  "they wait for a lock all the time, in a deadlock or for an owner that keeps it",
	  { "threadtime", "--tree" },
	  finding_stuck_threads },
	{ "threadpool-starvation",
	  FINDING_CRITICAL,
	  "Thread pool starvation",
	  "work waits and no worker is free",
	  { "threadpool", NULL },
	  finding_pool_starvation },
	{ "lock-convoy",
	  FINDING_CRITICAL,
	  "Lock convoy",
	  "threads queue up for one lock",
	  { "contention", NULL },
	  finding_lock_convoy },
	{ "event-loss",
	  FINDING_WARNING,
	  "Event loss",
	  "events were lost, so all figures are too low",
	  { NULL, "--buffersize 1024" },
	  finding_event_loss },
	{ "cpu-saturation",
	  FINDING_WARNING,
	  "CPU saturation",
	  "threads are ready to run and wait for a processor",
	  { "threadtime", NULL },
	  finding_cpu_saturation },
	{ "slow-path",
	  FINDING_WARNING,
	  "Slow path",
	  "requests of one path take far longer than all others",
	  { "requests", NULL },
	  finding_slow_path },
	{ "sync-over-async",
	  FINDING_WARNING,
	  "Sync over async",
	  "thread pool workers block in waits instead of awaiting",
	  { "threadpool", NULL },
	  finding_sync_over_async },
	{ "threadpool-growth",
	  FINDING_WARNING,
	  "Thread pool growth",
	  "the pool adds workers because others are blocked",
	  { "threadpool", NULL },
	  finding_pool_growth },
	{ "native-cpu",
	  FINDING_WARNING,
	  "CPU time in native code",
	  "libraries or the runtime use it, not the program's own methods",
	  { "cpu", NULL },
	  finding_native_cpu },
	{ "jit-cpu",
	  FINDING_WARNING,
	  "CPU time in the JIT compiler",
	  "methods are compiled long after the start",
	  { "jit", NULL },
	  finding_jit_cpu },
	{ "gc-pressure",
	  FINDING_WARNING,
	  "GC pressure",
	  "garbage collections take much of the time",
	  { "alloc", NULL },
	  finding_gc_pressure },
	{ "gc-pauses",
	  FINDING_WARNING,
	  "GC pauses",
	  "garbage collections pause the program for long",
	  { "gc", "--over 25ms" },
	  finding_gc_pauses },
	{ "loh-churn",
	  FINDING_WARNING,
	  "LOH churn",
	  "large objects are allocated all the time",
	  { "alloc", NULL },
	  finding_loh_churn },
	{ "exceptions-control-flow",
	  FINDING_WARNING,
	  "Exceptions as control flow",
	  "exceptions are thrown all the time",
	  { "exceptions", NULL },
	  finding_exceptions_control_flow },
	{ "jit-storm",
	  FINDING_WARNING,
	  "JIT storm",
	  "many methods are compiled while the program waits",
	  { "jit", NULL },
	  finding_jit_storm },
	{ "tiering-off",
	  FINDING_WARNING,
	  "Tiering off",
	  "methods are optimized before they first run",
	  { "jit", NULL },
	  finding_tiering_off },
	{ "gc-induced",
	  FINDING_INFO,
	  "Induced GC",
	  "the program itself requests collections",
	  { "gc", NULL },
	  finding_gc_induced },
	{ 0 },
};

size_t findings_of(const struct summary_figures *figures, struct finding found[FINDINGS_MOST])
{
	size_t count = 0;

	for (const struct finding_row *row = finding_rows; row->id && count < FINDINGS_MOST;
	     row++) {
		found[count] = (struct finding){ .row = row,
						 .severity = row->severity,
						 .next = row->next };
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
