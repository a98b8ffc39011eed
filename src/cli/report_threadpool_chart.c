/* SPDX-License-Identifier: MIT */
/*
 * The workers of a pool over time, of letters that every terminal has.
 */
#include "cli/report_threadpool.h"
#include "cli/text.h"

#define COLUMNS 60
#define ROWS	8

struct column {
	uint32_t workers;
	bool starved;
};

/* What is not told goes on as it was. */
static uint32_t make_columns(const struct pool *pool, struct column columns[static COLUMNS])
{
	uint32_t most = 0;
	uint32_t last = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		const size_t from = i * pool->line_count / COLUMNS;
		const size_t to = (i + 1) * pool->line_count / COLUMNS;
		struct column *column = &columns[i];

		*column = (struct column){ .workers = last };
		for (size_t at = from; at < (to > from ? to : from + 1); at++) {
			const struct pool_step *step = &pool->line[at];

			if (step->told && step->workers_most > column->workers)
				column->workers = step->workers_most;
			last = step->told ? step->workers_last : last;
			column->starved |= step->starved > 0;
		}
		most = column->workers > most ? column->workers : most;
	}
	return most;
}

static void print_row(FILE *out, const char *title, const char *text)
{
	size_t size = COLUMNS;

	while (size && text[size - 1] == ' ')
		size--;
	fprintf(out, "%12s  |%.*s\n", title, (int)size, text);
}

static void print_axis(FILE *out, const struct pool *pool)
{
	const int64_t start_ns = pool->line_start_ns;
	const int64_t length_ns = (int64_t)pool->line_count * pool->line_step_ns;
	const int64_t end_ns = ns_plus(start_ns, length_ns);

	fprintf(out, "%12s  +", "");
	for (size_t i = 0; i < COLUMNS; i++)
		putc('-', out);
	fprintf(out, "\n%14s %-*s", "", COLUMNS / 2,
		text_duration((uint64_t)(start_ns > 0 ? start_ns : 0)).text);
	fprintf(out, "%*s\n", COLUMNS / 2, text_duration((uint64_t)(end_ns > 0 ? end_ns : 0)).text);
}

void report_pool_chart(struct report *report, const struct pool *pool)
{
	struct column columns[COLUMNS];
	const uint32_t most = make_columns(pool, columns);
	const uint32_t rows = most < ROWS ? most : ROWS;
	char text[COLUMNS];
	bool starved = false;

	if (!most)
		return;
	fputs("\nWorkers\n", report->out);
	for (uint32_t row = rows; row > 0; row--) {
		for (size_t i = 0; i < COLUMNS; i++)
			text[i] = (uint64_t)columns[i].workers * rows >= (uint64_t)row * most ? '#'
											      : ' ';
		print_row(report->out, row == rows ? text_count(most).text : "", text);
	}
	for (size_t i = 0; i < COLUMNS; i++) {
		text[i] = columns[i].starved ? 'S' : ' ';
		starved |= columns[i].starved;
	}
	if (starved)
		print_row(report->out, "starved", text);
	print_axis(report->out, pool);
}
