/* SPDX-License-Identifier: MIT */
/*
 * exit_code.h - exit codes of the program.
 *
 * These are interface: scripts branch on them, so a number keeps its meaning.
 */
#ifndef CLI_EXIT_CODE_H
#define CLI_EXIT_CODE_H

#include "perfpipe/error.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_SESSION = 1,     /* the session could not be started */
	EXIT_TRACING = 2,     /* tracing failed on the way */
	EXIT_USAGE = 3,	      /* wrong arguments */
	EXIT_UNSUPPORTED = 4, /* not supported here */
	EXIT_OTHER = 5,	      /* anything else, such as a file that is not a trace */
	EXIT_CONDITION = 6,   /* a --fail-if condition is true */
};

/* The usual code for a failure. */
static inline enum exit_code exit_code_for(const struct pp_error *err)
{
	return err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_OTHER;
}

#endif
