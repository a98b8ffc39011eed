/* SPDX-License-Identifier: MIT */
/*
 * temp_file.h - an unnamed file, which vanishes when it is closed, however the program ends.
 */
#ifndef BASE_TEMP_FILE_H
#define BASE_TEMP_FILE_H

/* Open for reading and writing, or -1. In $TMPDIR, else on a disk: /var/tmp, then /tmp. */
int temp_file_open(void);

#endif
