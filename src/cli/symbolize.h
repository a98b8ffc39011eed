/* SPDX-License-Identifier: MIT */
/*
 * symbolize.h - one run of `perfpipe symbolize`: addresses in, names out.
 *
 * An address as an argument, or alone on a line, gets lines of its own; in any other text the names
 * are inserted after the addresses. Output is written whenever more input has to be waited for.
 */
#ifndef CLI_SYMBOLIZE_H
#define CLI_SYMBOLIZE_H

#include "base/json.h"
#include "report/symbol_text.h"
#include "report/symbolized.h"
#include "symbols/process_maps.h"

struct symbolize {
	/* what addresses belong to; one of them, or none: then a text has to name modules */
	int64_t pid;
	const char *module;
	bool kernel;

	bool inlines;
	bool json;
	struct symbol_text_style style;
	struct symbols_options options;

	struct symbols *symbols;
	struct process_maps maps; /* of the process */
	struct buffer out;
	struct json writer;
	struct symbolized_totals totals;
	struct arena arena; /* of one line */
};

/* Fails if there is no such process or file. */
int symbolize_begin(struct symbolize *run, struct pp_error *err);
int symbolize_words(struct symbolize *run, char **words, int count, struct pp_error *err);
int symbolize_input(struct symbolize *run, int fd, struct pp_error *err);
void symbolize_end(struct symbolize *run); /* prints what is left, and notes on what has no name */
void symbolize_release(struct symbolize *run);

#endif
