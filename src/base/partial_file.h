/* SPDX-License-Identifier: MIT */
/*
 * partial_file.h - a file that gets its name once it is complete.
 *
 * It is called NAME.partial until partial_file_commit(), can be read meanwhile, and never
 * replaces another file unless asked to. Two writers cannot share one: the second one fails. A
 * path to a device or a named pipe, and standard output, have no other name and are written to
 * directly. The first write that fails is remembered in `output.failed`.
 *
 *	struct partial_file file = { .path = "app.json", .what = "conversion" };
 *
 *	if (!partial_file_open(&file, &err)) {
 *		output_write(&file.output, bytes, size);
 *		partial_file_commit(&file, &err);
 *	}
 *	partial_file_close(&file);
 */
#ifndef BASE_PARTIAL_FILE_H
#define BASE_PARTIAL_FILE_H

#include <stdbool.h>

#include "base/output.h"

#define PARTIAL_FILE_SUFFIX ".partial"

/* Whether an existing file may be replaced. */
struct replace_choice {
	bool force;
	const char *hint; /* for the error if not: " or replace it with --force"; or NULL */
};

struct partial_file {
	/* the caller's, borrowed */
	const char *path; /* "-": standard output */
	const char *what; /* noun for errors: "conversion" */
	struct replace_choice replace;
	bool keep; /* a partial result is useful: keep it, under the final name if that is free */
	int give_up_fd; /* see output_open_stdout() */

	struct output output;
	char *partial;	  /* name until the commit; NULL: written directly */
	bool uncommitted; /* the file exists under that name */
};

int partial_file_open(struct partial_file *file, struct pp_error *err);

/*
 * Gives the file its name. If a write has failed or the name is taken, the file is removed;
 * with `keep` it gets its name after a failed write too, and stays NAME.partial otherwise.
 */
int partial_file_commit(struct partial_file *file, struct pp_error *err);

/* Removes the file, unless it was committed. */
void partial_file_discard(struct partial_file *file);

/* The same, unless `keep` is set, and releases everything. Call it after a failure too. */
void partial_file_close(struct partial_file *file);

#endif
