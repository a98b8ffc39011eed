/* SPDX-License-Identifier: MIT */
/*
 * report_state.h - the state of a public report (perfpipe/report.h) and its result.
 */
#ifndef LIBRARY_REPORT_STATE_H
#define LIBRARY_REPORT_STATE_H

#include "base/heap.h"
#include "library/result_made.h"
#include "perfpipe/nettrace.h"
#include "perfpipe/report.h"
#include "report/report_files.h"

/* What JSON has before and after the head of a result. */
struct result_frame {
	char schema[RESULT_KEY_MOST];
	const char *perfpipe_version;
	bool available;
	const char *missing, *remedy, *nothing_matches; /* the last two or NULL */
};

/* A struct whose fields are members of the result itself. */
struct result_part {
	const struct result_shape *shape;
	const void *data;
};

struct pp_result {
	struct heap *heap;
	const struct result *result;
	struct result_made *made; /* in the heap */
	struct result_frame frame;
	struct result_part parts[4];
	size_t part_count;
};

/* Of a result that lives as long; in the heap, as is what it makes. */
void pp_result_init(struct pp_result *init, struct heap *heap, const struct result *result,
		    struct result_made *made);

enum report_stage {
	REPORT_EMPTY,
	REPORT_FILES,
	REPORT_STREAM,
	REPORT_BUILT,
};

struct pp_report {
	struct heap *heap; /* of all that follows */
	struct arena arena;
	struct report report;
	enum report_stage stage;

	bool several;
	struct report_files files;
	const char **paths; /* of these, and of those that could not be opened */
	size_t path_count, path_capacity;

	struct pp_nettrace *stream;
	enum pp_next stream_next; /* what it returned last */
	struct pp_error stream_failed;

	struct result_made made;
	struct pp_result result;
};

#endif
