/* SPDX-License-Identifier: MIT */
/*
 * firefox.h - what the files of the Firefox Profiler's format share.
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
	bool any;		     /* value in the column at hand */
};

/* Milliseconds, to the nanosecond. */
void firefox_put_ms(struct buffer *out, int64_t ns);

/* A column, value by value: next() comes before each. */
void firefox_open_column(struct firefox *f, const char *key);
void firefox_next(struct firefox *f);
void firefox_close_column(struct firefox *f);

void firefox_put_empty(struct firefox *f, const char *key);

/* A table without rows; the last column is NULL. */
void firefox_put_empty_table(struct firefox *f, const char *key, const char *const *column);

void firefox_put_meta(struct firefox *f);
void firefox_put_markers(struct firefox *f, const struct track *track);
void firefox_put_shared(struct firefox *f);    /* stacks, frames, functions, texts: last */
void firefox_put_libraries(struct firefox *f); /* behind that */

#endif
