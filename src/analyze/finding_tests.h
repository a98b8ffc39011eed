/* SPDX-License-Identifier: MIT */
/*
 * finding_tests.h - the conditions of findings, and how they add evidence.
 *
 * A test adds its figures first and returns whether the finding applies. The limits were chosen so
 * that programs with one known problem get that finding alone, and a healthy service gets none;
 * perfpipe-report(1) lists them.
 */
#ifndef ANALYZE_FINDING_TESTS_H
#define ANALYZE_FINDING_TESTS_H

#include "analyze/findings.h"

typedef bool finding_test(const struct summary_figures *f, struct finding *finding);

finding_test finding_failed_requests, finding_slow_path;
finding_test finding_pool_starvation, finding_pool_growth, finding_sync_over_async;
finding_test finding_lock_convoy, finding_deadlock, finding_stuck_threads;
finding_test finding_cpu_saturation, finding_native_cpu, finding_jit_cpu;
finding_test finding_gc_pressure, finding_gc_pauses, finding_gc_induced, finding_loh_churn;
finding_test finding_exceptions_control_flow, finding_jit_storm, finding_tiering_off;
finding_test finding_event_loss;

/* The key is the one of JSON, and the title has a %s for the figure: "%s collections". */
void evidence_count(struct finding *finding, const char *key, const char *title, uint64_t count);
void evidence_time(struct finding *finding, const char *key, const char *title, uint64_t time_ns);
void evidence_size(struct finding *finding, const char *key, const char *title, uint64_t bytes);
void evidence_real(struct finding *finding, const char *key, const char *title, double real);
void evidence_text(struct finding *finding, const char *key, const char *title, const char *text);

/* Whether another finding applies, for one that says the same with less evidence. */
bool finding_applies(finding_test *test, const struct summary_figures *f);

double figures_per_second(const struct summary_figures *f, uint64_t count);
double figures_percent(double part, double whole);
double figures_percent_of_time(const struct summary_figures *f, double time_ns);

#endif
