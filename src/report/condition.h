/* SPDX-License-Identifier: MIT */
/*
 * condition.h - conditions on metrics of a view, as in 'gc.pause_total_ns > +20%'.
 *
 *	VIEW.METRIC OP VALUE	a metric of the view by its name, or the end of its path
 *	VIEW.PATTERN OP VALUE	rows whose name matches, of the view's main list if it has any,
 *				by what such rows are compared by: cpu.MyApp.* is the time of all
 *				its methods
 *	VIEW.PATTERN:METRIC OP VALUE	the same by another metric
 *
 * OP is >, >=, < or <=. VALUE with a sign is a change: +10% of what it was, +5ms, -3; without
 * one it is what the newer trace has. Units are %, ns, us, ms, s, min, B, kB, MB, GB.
 *
 * A condition that holds may hold by chance: within the error of the figures it is noise.
 *
 *	struct condition condition;
 *	struct condition_result result;
 *
 *	if (condition_parse(&condition, text, &arena, err) ||
 *	    condition_test(&condition, &before, &after, &result, err))
 *		return -1;
 */
#ifndef REPORT_CONDITION_H
#define REPORT_CONDITION_H

#include "report/metric_diff.h"
#include "perfpipe/error.h"

enum condition_operator {
	CONDITION_GREATER,
	CONDITION_AT_LEAST,
	CONDITION_LESS,
	CONDITION_AT_MOST,
};

enum condition_unit {
	CONDITION_PLAIN,
	CONDITION_PERCENT,
	CONDITION_TIME,
	CONDITION_SIZE,
};

struct condition {
	const char *text; /* as it was typed; borrowed */
	const char *view; /* in the arena, as the next */
	const char *what;
	enum condition_operator operator;
	enum condition_unit unit;
	bool is_change; /* the value has a sign */
	double value;	/* in ns or bytes where it has such a unit */
};

struct condition_result {
	bool holds;
	bool is_noise;	    /* it holds, but no further than noise reaches */
	double noise;	    /* that it must hold by, in the unit of the figures; NAN: not known */
	const char *metric; /* of the metrics' memory */
	enum result_unit unit;
	bool on_cpu;	/* see ON_CPU */
	bool by_length; /* a change of the largest of runs of different length: not comparable */
	size_t rows;	/* that matched; 0: it is a metric of the view */
	struct estimate before, after;
};

int condition_parse(struct condition *condition, const char *text, struct arena *arena,
		    struct pp_error *err);

/* -1 with an error that says what was perhaps meant, if nothing has that name. */
int condition_test(const struct condition *condition, const struct metric_side *before,
		   const struct metric_side *after, struct condition_result *result,
		   struct pp_error *err);

#endif
