/* SPDX-License-Identifier: MIT */
/*
 * program.h - all of perfpipe but main() and its signals, so that tests and fuzz targets can run it
 * again and again.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/exit_code.h"
#include "cli/option.h"

/* What stands before any command, besides --help. */
extern const struct option_spec program_options[];

enum exit_code program_run(int argc, char **argv);

#endif
