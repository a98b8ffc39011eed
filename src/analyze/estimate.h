/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - numbers with their errors: of one run, by counting, or of several, by their spread.
 *
 *	struct estimate before = estimate_of_runs(values, count);
 *	struct estimate change = estimate_difference(&after, &before, 1);
 *
 *	if (estimate_is_noise(&change, ESTIMATE_ALARMS)) ...	(it may as well be 0)
 */
#ifndef ANALYZE_ESTIMATE_H
#define ANALYZE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#define ESTIMATE_ALARMS 0.05 /* how often noise may pass for a change: intervals are of 95 % */

struct estimate {
	double value;
	double error;	/* standard error of the value */
	double freedom; /* degrees of freedom of the error; INFINITY if it follows from counting */
	bool known;	/* whether the error is */
};

/* The mean of several runs, and its error by their spread; of one run the error is not known. */
struct estimate estimate_of_runs(const double *values, size_t count);

/* a - factor * b, with the error and the degrees of freedom of Welch's t-test. */
struct estimate estimate_difference(const struct estimate *a, const struct estimate *b,
				    double factor);

/* Noise exceeds this many standard errors, in either direction, at the rate `alarms`. */
double estimate_limit(double freedom, double alarms);

/* Half of the interval around the value, which noise leaves at the rate `alarms`. */
double estimate_noise(const struct estimate *estimate, double alarms);

/* The error is known, and 0 is within the interval. A value without any error is never noise. */
bool estimate_is_noise(const struct estimate *estimate, double alarms);

#endif
