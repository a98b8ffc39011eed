/* SPDX-License-Identifier: MIT */
/*
 * result_display.h - how people see an object: lines made of its fields, and lists as charts.
 *
 *	static const struct result_shape cpu_shape = {
 *		cpu_fields, ONE_LINE("CPU", "{cpu_ns} in {samples|sample|samples}")
 *	};
 */
#ifndef REPORT_RESULT_DISPLAY_H
#define REPORT_RESULT_DISPLAY_H

#include <stdbool.h>

/*
 * A line for people, made of an object's fields: {key} is the value, {key|one|many} the value and
 * a noun, and what stands in [brackets] is left out where one of its values is unknown or 0. A
 * line is left out where a value outside of brackets is not known, or `when` is unknown or 0.
 * Title and text may both have values.
 */
struct result_line {
	const char *title; /* NULL ends the lines */
	const char *text;
	const char *when; /* key of a field; or NULL */
	bool last;	  /* stands after all tables */
};

#define LINES(...)		((const struct result_line[]){ __VA_ARGS__, { 0 } })
#define ONE_LINE(title_, text_) LINES({ title_, text_, NULL, false })

enum chart_kind {
	CHART_BARS,	/* a label and a count each */
	CHART_TIMELINE, /* series over time */
};

#define CHART_SERIES 2

struct result_chart {
	enum chart_kind kind;
	const char *title;
	const char *label; /* key of the label, or of the time */
	struct {
		const char *key;
		const char *title;
		char letter;	/* that draws it as text */
	} series[CHART_SERIES]; /* what is drawn last lies on top; a key of NULL ends them */
	const char *marks;	/* key of a count: where it is not 0 there is a mark; or NULL */
	const char *marks_title;
};

#endif
