/* SPDX-License-Identifier: MIT */
/*
 * spans_kept.h - spans and counters as they are stored while a trace is read: small records on the
 * source's spool, with the numbers and the clock of their part. Stacks, and texts that differ for
 * each span, are made when a span is read. Memory grows with distinct names and messages.
 */
#ifndef EXPORT_SPANS_KEPT_H
#define EXPORT_SPANS_KEPT_H

#include "analyze/counters.h"
#include "export/source.h"

struct kept_span {
	int64_t start_ns;
	int64_t end_ns;
	uint64_t order; /* of those of equal kind and times */
	uint32_t who;	/* a thread of the model; for a collection and its pause, a process */
	struct recorded_stack stack;
	uint32_t part;
	uint8_t kind; /* an enum export_span_kind */
	bool unfinished;
	union {
		struct {
			uint64_t promoted;
			uint64_t heap_after;
			uint32_t number;
			uint32_t generation;
			uint32_t reason;
			uint32_t type;
		} gc; /* also of its pause */
		struct {
			const char *name;
			uint32_t il_size;
			uint32_t native_size;
			uint8_t tier;
		} jit;
		struct {
			const char *name;
			const char *text; /* the message, the provider */
			uint8_t activity[16];
		} other;
	};
};

/* Processes in the order in which a kind of span came across them. */
struct met_processes {
	uint32_t *list;
	size_t count, capacity;
	bool *met; /* by process of the model */
	size_t met_count;
};

struct export_spans {
	struct export_source *source;
	struct export_part *part;
	uint32_t part_number;
	const struct counter_stats *counter_stats; /* of the pass */
	uint64_t order;

	struct external_sort kept;	  /* struct kept_span */
	struct external_sort collections; /* struct collection, until the end */
	struct met_processes compiling, reporting;

	/* `process` is the model's, until the end */
	struct export_counter *counters;
	size_t counter_count, counter_capacity;
	uint32_t *by_number; /* by number of the analysis: its number here + 1 */
	size_t by_number_count;
};

/* Stores it if the query wants it. */
void spans_keep(struct export_spans *spans, const struct kept_span *span);
void spans_meet(struct met_processes *processes, uint32_t process);

/* By the part's clock; with those of equal times in the order of their kinds. */
int spans_by_time(const void *left, const void *right);

/* As formats see it. */
void spans_show(const struct export_source *source, const struct kept_span *kept,
		struct shown_span *shown);

/* span_counters.c */
void spans_take_reading(void *spans, const void *counter_reading);
void spans_add_heap_size(struct export_source *source, uint32_t process, int64_t time_ns,
			 uint64_t size);
void spans_end_counters(struct export_spans *spans);
void spans_free_counters(struct export_spans *spans);

#endif
