/* SPDX-License-Identifier: MIT */
/*
 * temporary.h - a file without a name, which is gone when it is closed, however we end.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

/* A descriptor to read and write, or -1. In $TMPDIR, else where there is room: on the disk. */
int temporary_file(void);

#endif
