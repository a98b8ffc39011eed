/* SPDX-License-Identifier: MIT */
/*
 * findings.h - likely problems, by the figures of a summary.
 *
 * A finding is a row of a table: what it is called, how bad it is, a sentence for people, what
 * to look at next, and a function that looks at the figures and says what it goes by. To add
 * one, add a row and its function. A healthy program has none.
 *
 *	struct finding found[FINDINGS_MOST];
 *	const size_t count = findings_of(&figures, found);
 */
#ifndef ANALYZE_FINDINGS_H
#define ANALYZE_FINDINGS_H

#include "analyze/summary.h"

#define FINDINGS_MOST 16
#define EVIDENCE_MOST 8

enum finding_severity {
	FINDING_INFO,
	FINDING_WARNING,
	FINDING_CRITICAL,
};

enum evidence_kind {
	EVIDENCE_COUNT,
	EVIDENCE_TIME, /* ns */
	EVIDENCE_SIZE, /* bytes */
	EVIDENCE_REAL, /* percent, or a rate */
	EVIDENCE_TEXT,
};

struct evidence {
	const char *key;   /* in data */
	const char *title; /* for people, around the figure: "%s starvations" */
	enum evidence_kind kind;
	uint64_t number;
	double real;
	const char *text;
};

struct finding {
	const struct finding_row *row;
	const char *next; /* the row's, unless the evidence leads elsewhere */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
};

struct finding_row {
	const char *id;
	enum finding_severity severity;
	const char *title;	 /* what people call it */
	const char *explanation; /* what it means: a sentence's part, no capital */
	const char *next;	 /* a command; FILE stands for the trace */
	bool (*test)(const struct summary_figures *figures, struct finding *finding);
};

extern const struct finding_row finding_rows[]; /* worst first; an id of NULL ends them */

/* Those that hold, in the order of the table; returns how many. */
size_t findings_of(const struct summary_figures *figures, struct finding found[FINDINGS_MOST]);

const char *finding_severity_name(enum finding_severity severity);

#endif
