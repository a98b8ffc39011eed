/* SPDX-License-Identifier: MIT */
/*
 * exit_code.h - what the program's exit code tells a script.
 *
 * These are interface: scripts branch on them, so a number keeps its meaning.
 */
#ifndef CLI_EXIT_CODE_H
#define CLI_EXIT_CODE_H

#include "perfpipe/error.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_SESSION = 1,     /* the session could not be made */
	EXIT_TRACING = 2,     /* tracing failed on the way */
	EXIT_USAGE = 3,	      /* wrong arguments */
	EXIT_UNSUPPORTED = 4, /* not supported here */
	EXIT_OTHER = 5,	      /* anything else, a file that is no trace among it */
	EXIT_CONDITION = 6,   /* a condition that was asked for is true */
};

/* What a failure exits with unless its command knows better. */
static inline enum exit_code exit_code_for(const struct pp_error *err)
{
	return err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_OTHER;
}

#endif
