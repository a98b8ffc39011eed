/* SPDX-License-Identifier: MIT */
/*
 * jitdump.h - jit-PID.dump: code of a JIT compiler by address and time.
 *
 * Code loaded over older code replaces it from its timestamp on: a byte belongs to the last code
 * that was loaded or moved over it until then.
 *
 *	struct jitdump *dump = jitdump_read(fd, &totals, &err);
 *	struct jit_code code;
 *
 *	if (dump && jitdump_find(dump, pc, sample_time_ns, &code))
 *		puts(code.name);
 *	jitdump_free(dump);
 */
#ifndef SYMBOLS_JITDUMP_H
#define SYMBOLS_JITDUMP_H

#include <stdbool.h>

#include "perfpipe/error.h"
#include "symbols/map_totals.h"

struct jitdump;

struct jit_code {
	uint64_t start, size;
	int64_t from_ns, to_ns; /* CLOCK_MONOTONIC; INT64_MAX: not replaced */
	const char *name;
	const char *file; /* of the source at the address asked about, or NULL */
	uint32_t line;	  /* 0: unknown */
};

/* Reads the file, which it leaves open; NULL with an error if it is not a jitdump. */
struct jitdump *jitdump_read(int fd, struct map_totals *totals, struct pp_error *err);
void jitdump_free(struct jitdump *dump); /* accepts NULL */

/*
 * The code at an address; INT64_MAX: the last one. The time does not matter if the file has those
 * of a processor's counter: then it is always the last one. Texts live as long as the jitdump.
 */
bool jitdump_find(const struct jitdump *dump, uint64_t address, int64_t time_ns,
		  struct jit_code *code);

#endif
