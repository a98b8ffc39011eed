/* SPDX-License-Identifier: MIT */
/*
 * findings.h - likely problems, by the figures of a summary.
 *
 * A finding is a row of a table with its name, severity, explanation, where to look next, and a
 * function that checks the figures and adds its evidence (finding_tests.h). To add a finding, add a
 * row and its function. A healthy program has none.
 *
 *	struct finding found[FINDINGS_MOST];
 *	const size_t count = findings_of(&figures, found);
 */
#ifndef ANALYZE_FINDINGS_H
#define ANALYZE_FINDINGS_H

#include "analyze/summary.h"

#define FINDINGS_MOST 24
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
	const char *key;   /* in JSON */
	const char *title; /* around the figure: "%s starvations" */
	enum evidence_kind kind;
	uint64_t number;
	double real;
	const char *text;
};

/* What shows more; who prints it knows how commands are spelled. */
struct finding_next {
	const char *view;    /* of perfpipe report; NULL: to be recorded again, with the options */
	const char *options; /* or NULL */
};

struct finding {
	const struct finding_row *row;
	enum finding_severity severity; /* this and the next are the row's, unless the evidence */
	struct finding_next next;	/* suggests another */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
};

struct finding_row {
	const char *id;
	enum finding_severity severity;
	const char *title;	 /* its common name */
	const char *explanation; /* part of a sentence, no capital */
	struct finding_next next;
	bool (*test)(const struct summary_figures *figures, struct finding *finding);
};

extern const struct finding_row finding_rows[]; /* worst first; an id of NULL ends them */

/* Those that apply, in the order of the table; returns how many. */
size_t findings_of(const struct summary_figures *figures, struct finding found[FINDINGS_MOST]);

const char *finding_severity_name(enum finding_severity severity);

#endif
