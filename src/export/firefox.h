/* SPDX-License-Identifier: MIT */
/*
 * firefox.h - tables of the Firefox Profiler's format, and what its files share.
 *
 * A table is an object of columns, so its rows are walked once for each column.
 */
#ifndef EXPORT_FIREFOX_H
#define EXPORT_FIREFOX_H

#include "base/json.h"
#include "export/stack_table.h"
#include "export/format.h"
#include "export/string_table.h"
#include "export/tracks.h"

enum firefox_category {
	CATEGORY_OTHER,
	CATEGORY_DOTNET,
	CATEGORY_NATIVE,
	CATEGORY_KERNEL,
	CATEGORY_IDLE,
	CATEGORY_GC,
	CATEGORY_JIT,
	CATEGORY_EXCEPTION,
	CATEGORY_LOCK,
	CATEGORY_ACTIVITY,
};

struct firefox {
	struct export_source *source;
	struct output_buffer *out;
	struct json json;
	struct tracks tracks;
	struct stack_table all;
	struct string_table strings;
	struct string_table modules; /* numbers + 1 of libraries and resources: 0 is none */
	uint32_t *module_frames;     /* by number: a frame in it */
	struct string_table sources; /* numbers + 1 of their files */

	/* of the table that is being written */
	size_t row, length;
	const struct track *track;
	struct export_walk samples;
	struct export_sample sample, sample_before;
	struct track_reader spans;
	const struct export_span *span;
	const struct export_counter *counter;
	struct point_reader points;
	struct export_point point, point_before;
};

/* `put` appends the value of the current row, or all rows have the same one. */
struct firefox_column {
	const char *key; /* NULL ends the table */
	void (*put)(struct firefox *f);
	const char *constant;
};

/*
 * The columns, and the length of a table that the caller opens and closes. `next` goes to the row
 * with the number `f->row`, one after the other from 0 on; false after the last.
 */
void firefox_put_columns(struct firefox *f, const struct firefox_column *column,
			 bool (*next)(struct firefox *f), size_t length);

/* Milliseconds, to the nanosecond. */
void firefox_put_ms(struct buffer *out, int64_t ns);

void firefox_put_empty(struct firefox *f, const char *key);

/* A table without rows; the last column is NULL. */
void firefox_put_empty_table(struct firefox *f, const char *key, const char *const *column);

void firefox_put_meta(struct firefox *f);
void firefox_put_markers(struct firefox *f);   /* of the track */
void firefox_put_shared(struct firefox *f);    /* stacks, frames, functions, texts: last */
void firefox_put_libraries(struct firefox *f); /* after that */

#endif
