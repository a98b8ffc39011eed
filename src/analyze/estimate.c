/* SPDX-License-Identifier: MIT */
#include "analyze/estimate.h"

#include <math.h>

#define STEPS	 200	/* of a continued fraction, or of a bisection */
#define NORMAL	 1e6	/* from this many degrees of freedom on, Student's is the normal one */
#define FARTHEST 1e18	/* standard errors */
#define SMALLEST 1e-300 /* instead of 0 in a denominator */
#define CLOSE	 1e-14

struct estimate estimate_of_runs(const double *values, size_t count)
{
	struct estimate made = { .known = count > 1, .freedom = (double)count - 1 };
	double squares = 0;

	for (size_t i = 0; i < count; i++)
		made.value += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - made.value) * (values[i] - made.value);
	if (made.known)
		made.error = sqrt(squares / made.freedom / (double)count);
	return made;
}

static double part_of_freedom(double variance, double freedom)
{
	return isinf(freedom) ? 0 : variance * variance / freedom;
}

struct estimate estimate_difference(const struct estimate *a, const struct estimate *b,
				    double factor)
{
	const double of_a = a->error * a->error;
	const double of_b = factor * factor * b->error * b->error;
	const double parts = part_of_freedom(of_a, a->freedom) + part_of_freedom(of_b, b->freedom);

	return (struct estimate){
		.value = a->value - factor * b->value,
		.error = sqrt(of_a + of_b),
		.freedom = parts > 0 ? (of_a + of_b) * (of_a + of_b) / parts : INFINITY,
		.known = a->known && b->known,
	};
}

static double not_zero(double number)
{
	return fabs(number) < SMALLEST ? SMALLEST : number;
}

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1;
	double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double sum = d;

	for (int step = 1; step < STEPS; step++) {
		const double m = step;
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		sum *= c * d;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		sum *= c * d;
		if (fabs(c * d - 1) < CLOSE)
			break;
	}
	return sum;
}

/* Regularized, of a and b at x; the fraction converges quickly on one side of the mean only. */
static double incomplete_beta(double a, double b, double x)
{
	const double front =
		x > 0 && x < 1
			? exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
			: 0;

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* How often noise is farther from 0 than `distance` standard errors, by Student's distribution. */
static double chance_beyond(double distance, double freedom)
{
	if (freedom >= NORMAL)
		return erfc(distance / sqrt(2));
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + distance * distance));
}

double estimate_limit(double freedom, double alarms)
{
	double low = 0;
	double high = 1;

	while (high < FARTHEST && chance_beyond(high, freedom) > alarms)
		high *= 2;
	for (int i = 0; i < STEPS && high - low > CLOSE * high; i++) {
		const double middle = (low + high) / 2;

		if (chance_beyond(middle, freedom) > alarms)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double estimate_noise(const struct estimate *estimate, double alarms)
{
	return estimate->error > 0 ? estimate->error * estimate_limit(estimate->freedom, alarms)
				   : 0;
}

bool estimate_is_noise(const struct estimate *estimate, double alarms)
{
	return estimate->known && estimate->error > 0 &&
	       fabs(estimate->value) <= estimate_noise(estimate, alarms);
}
