/* SPDX-License-Identifier: MIT */
/*
 * debuginfod.h - files of the servers in DEBUGINFOD_URLS, through libdebuginfod.
 *
 * The library is loaded when it is first needed, and writes nothing to the terminal. Files are kept
 * in its own cache, as those of gdb and perf are.
 */
#ifndef SYMBOLS_DEBUGINFOD_H
#define SYMBOLS_DEBUGINFOD_H

enum debuginfod_kind {
	DEBUGINFOD_DEBUG_FILE,
	DEBUGINFOD_BINARY,
};

/*
 * A descriptor; -1: no server has it, or there is none. Waits as long as bytes arrive, but at most
 * a few seconds for the first one and between two.
 */
int debuginfod_open(const char *build_id, enum debuginfod_kind kind);

#endif
