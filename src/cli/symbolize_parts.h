/* SPDX-License-Identifier: MIT */
/*
 * symbolize_parts.h - what the parts of symbolize.h share.
 */
#ifndef CLI_SYMBOLIZE_PARTS_H
#define CLI_SYMBOLIZE_PARTS_H

#include "cli/symbolize.h"

/* An address, and what a text says about it. */
struct asked_address {
	uint64_t address;
	const char *module; /* or NULL */
	const char *build_id;
	bool linked; /* as linked of that module */
};

/*
 * The path of that module: a name without a folder is that of a module of the process, and that of
 * --module is the file.
 */
const char *symbolize_path(struct symbolize *run, const struct asked_address *asked);

/* An option says what addresses belong to. */
bool symbolize_has_target(const struct symbolize *run);

/* False if nothing says what the address belongs to. */
bool symbolize_find(struct symbolize *run, const struct asked_address *asked,
		    struct symbol_answer *answer);

void symbolize_flush(struct symbolize *run);

#endif
