/* SPDX-License-Identifier: MIT */
/*
 * temp_file.h - a file without a name, which is gone when it is closed, however we end.
 */
#ifndef BASE_TEMP_FILE_H
#define BASE_TEMP_FILE_H

/* A descriptor to read and write, or -1. In $TMPDIR, else where there is room: on the disk. */
int temp_file_open(void);

#endif
