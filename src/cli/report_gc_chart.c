/* SPDX-License-Identifier: MIT */
/*
 * Pauses as a histogram, and the heap as a time line, of letters that every terminal has.
 */
#include <string.h>

#include "cli/report_gc.h"
#include "cli/text.h"

#define BAR  40 /* the longest, in characters */
#define STEP 60 /* columns of the time line */
#define ROWS 8

/* A pause belongs to the first that it is shorter than. */
static const int64_t limits_ns[] = {
	100 * 1000,	    200 * 1000,	       500 * 1000,	  1000 * 1000,
	2 * 1000 * 1000,    5 * 1000 * 1000,   10 * 1000 * 1000,  20 * 1000 * 1000,
	50 * 1000 * 1000,   100 * 1000 * 1000, 200 * 1000 * 1000, 500 * 1000 * 1000,
	1000 * 1000 * 1000, INT64_MAX,
};
static const char *const labels[] = {
	"under 0.1 ms", "0.1 - 0.2 ms", "0.2 - 0.5 ms", "0.5 - 1 ms",	"1 - 2 ms",
	"2 - 5 ms",	"5 - 10 ms",	"10 - 20 ms",	"20 - 50 ms",	"50 - 100 ms",
	"100 - 200 ms", "200 - 500 ms", "0.5 - 1 s",	"1 s and more",
};

#define BUCKETS (sizeof(limits_ns) / sizeof(limits_ns[0]))

static void put_bar(FILE *out, uint64_t count, uint64_t most)
{
	/* what is there is seen, however small */
	const uint64_t size = count ? (count * BAR + most - 1) / most : 0;

	fputs(size ? "  " : "", out);
	for (uint64_t i = 0; i < size; i++)
		putc('#', out);
	putc('\n', out);
}

void report_gc_histogram(struct report *report, const struct gc_chosen *chosen)
{
	uint64_t counts[BUCKETS] = { 0 };
	size_t first = BUCKETS;
	size_t last = 0;
	uint64_t most = 1;

	for (size_t i = 0; i < chosen->count; i++) {
		size_t bucket = 0;

		if (chosen->list[i]->pause_ns < 0)
			continue;
		while (chosen->list[i]->pause_ns >= limits_ns[bucket] && bucket < BUCKETS - 1)
			bucket++;
		counts[bucket]++;
		most = counts[bucket] > most ? counts[bucket] : most;
		first = bucket < first ? bucket : first;
		last = bucket > last ? bucket : last;
	}
	if (first == BUCKETS)
		return;
	fputs("\nPauses\n", report->out);
	for (size_t i = first; i <= last; i++) {
		fprintf(report->out, "%12s  %6s", labels[i], text_count(counts[i]).text);
		put_bar(report->out, counts[i], most);
	}
}

/* What collections found at most in each column, and what they left. */
struct series {
	uint64_t sizes[STEP];
	bool known[STEP];
};

struct timeline {
	struct series before;
	struct series after;
	uint64_t largest;
};

static size_t column_at(const struct gc_chosen *chosen, int64_t time_ns)
{
	const double all = (double)ns_between(chosen->from_ns, chosen->to_ns);
	const double part = (double)ns_between(chosen->from_ns, time_ns) / (all > 0 ? all : 1);

	return !(part > 0) ? 0 : part < 1 ? (size_t)(part * STEP) : STEP - 1;
}

static void set_point(struct series *series, size_t column, uint64_t size)
{
	series->known[column] = true;
	if (size > series->sizes[column])
		series->sizes[column] = size;
}

/* A straight line between two collections. */
static void fill_gaps(struct series *series)
{
	size_t from = STEP;

	for (size_t to = 0; to < STEP; to++) {
		if (!series->known[to])
			continue;
		for (size_t i = from + 1; from < STEP && i < to; i++) {
			const double part = (double)(i - from) / (double)(to - from);

			series->sizes[i] = (uint64_t)((double)series->sizes[from] * (1 - part) +
						      (double)series->sizes[to] * part);
		}
		from = to;
	}
}

static char letter_at(const struct timeline *line, size_t column, double level)
{
	const double scale = (double)ROWS / (double)line->largest;

	if ((double)line->after.sizes[column] * scale > level)
		return '#';
	return (double)line->before.sizes[column] * scale > level ? '.' : ' ';
}

static void print_line(FILE *out, const struct timeline *line, const struct gc_chosen *chosen)
{
	for (int row = ROWS; row > 0; row--) {
		char text[STEP + 1];
		size_t size = 0;

		for (size_t i = 0; i < STEP; i++) {
			text[i] = letter_at(line, i, row - 0.5);
			size = text[i] == ' ' ? size : i + 1;
		}
		text[size] = 0;
		fprintf(out, "%12s  |%s\n", row == ROWS ? text_size(line->largest).text : "", text);
	}
	fprintf(out, "%12s  +", "");
	for (size_t i = 0; i < STEP; i++)
		putc('-', out);
	fprintf(out, "\n%14s %-*s", "", STEP / 2,
		text_duration((uint64_t)(chosen->from_ns > 0 ? chosen->from_ns : 0)).text);
	fprintf(out, "%*s\n", STEP / 2,
		text_duration((uint64_t)(chosen->to_ns > 0 ? chosen->to_ns : 0)).text);
}

void report_gc_timeline(struct report *report, const struct gc_chosen *chosen)
{
	struct timeline line = { .largest = 0 };

	for (size_t i = 0; i < chosen->count; i++) {
		const struct gc *gc = chosen->list[i];
		const size_t column = column_at(chosen, gc->start_ns);
		const uint64_t larger =
			gc->heap_before > gc->heap_after ? gc->heap_before : gc->heap_after;

		if (!gc->has_stats)
			continue;
		set_point(&line.before, column, gc->heap_before);
		set_point(&line.after, column, gc->heap_after);
		line.largest = larger > line.largest ? larger : line.largest;
	}
	if (!line.largest)
		return;
	fill_gaps(&line.before);
	fill_gaps(&line.after);
	fputs("\nHeap: # after collections, . before them\n", report->out);
	print_line(report->out, &line, chosen);
}
