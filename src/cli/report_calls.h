/* SPDX-License-Identifier: MIT */
/*
 * report_calls.h - rows of methods, as several views have them.
 */
#ifndef CLI_REPORT_CALLS_H
#define CLI_REPORT_CALLS_H

#include "analyze/call_rows.h"
#include "cli/report.h"

/* "Shop.Orders.Place(int) [shop]", or "shop!Shop.Orders.Place(int32)" for raw names. In the arena.
 */
const char *report_call_text(const struct report *report, const struct call_name *name,
			     struct arena *arena);

/* Adds the sheet `key` of rows, at most `most` of them, to the report. */
void report_call_rows(struct report *report, const struct calltree *tree,
		      const struct call_rows *rows, const char *key, size_t most);

/* The call tree, callers first, the largest first among those with one caller. */
void report_call_tree(struct report *report, struct calltree *tree);

/* Those of a stack as an array "frames", leaf first, as the options group and fold them. */
void report_call_frames(struct json *json, const struct calltree *tree, uint32_t stack);

double report_percent(uint64_t part, uint64_t whole);

/* What the view goes by: time or samples. */
static inline uint64_t report_call_size(const struct report *report, const struct call_sum *sum)
{
	return report->view && report->view->by_time ? sum->ns : sum->count;
}

double report_call_percent(const struct report *report, const struct call_sum *part,
			   const struct call_sum *whole);

#endif
