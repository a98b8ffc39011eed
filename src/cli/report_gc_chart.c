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

/* What the heap was at most in each column: before and after collections. */
struct timeline {
	uint64_t sizes[STEP];
	bool known[STEP];
	uint64_t largest;
};

static void set_point(struct timeline *line, const struct gc_chosen *chosen, int64_t time_ns,
		      uint64_t size)
{
	const double all = (double)watch_ns_between(chosen->from_ns, chosen->to_ns);
	const double part =
		(double)watch_ns_between(chosen->from_ns, time_ns) / (all > 0 ? all : 1);
	const size_t at = !(part > 0) ? 0 : part < 1 ? (size_t)(part * STEP) : STEP - 1;

	line->known[at] = true;
	if (size > line->sizes[at])
		line->sizes[at] = size;
	if (size > line->largest)
		line->largest = size;
}

/* Between two collections it grows from what one left to what the next found. */
static void fill_gaps(struct timeline *line)
{
	size_t before = STEP;

	for (size_t i = 0; i < STEP; i++) {
		if (!line->known[i])
			continue;
		for (size_t j = before + 1; before < STEP && j < i; j++)
			line->sizes[j] =
				(uint64_t)((double)line->sizes[before] +
					   ((double)line->sizes[i] - (double)line->sizes[before]) *
						   (double)(j - before) / (double)(i - before));
		before = i;
	}
}

static void print_line(FILE *out, const struct timeline *line, const struct gc_chosen *chosen)
{
	for (uint64_t row = ROWS; row > 0; row--) {
		char text[STEP + 1];
		size_t size = 0;

		for (size_t i = 0; i < STEP; i++) {
			const double height = (double)line->sizes[i] / (double)line->largest * ROWS;

			text[i] = height > (double)row - 0.5 ? '#' : ' ';
			size = text[i] == '#' ? i + 1 : size;
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

		if (!gc->has_stats)
			continue;
		set_point(&line, chosen, gc->start_ns, gc->heap_before);
		set_point(&line, chosen,
			  gc->duration_ns < 0 ? gc->start_ns
					      : watch_ns_plus(gc->start_ns, gc->duration_ns),
			  gc->heap_after);
	}
	if (!line.largest)
		return;
	fill_gaps(&line);
	fputs("\nHeap\n", report->out);
	print_line(report->out, &line, chosen);
}
