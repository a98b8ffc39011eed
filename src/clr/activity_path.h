/* SPDX-License-Identifier: MIT */
/*
 * activity_path.h - activity ids that say where they belong.
 *
 * .NET packs the way from the outermost activity to the innermost into the id itself,
 * with a checksum: //1/2/1/ is the first in the second of the first, and /#14791/1/2/1/ the same
 * in a process. An activity's path
 * begins with the paths of those around it.
 */
#ifndef CLR_ACTIVITY_PATH_H
#define CLR_ACTIVITY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#define ACTIVITY_PATH_SIZE 160

/* False if the id is no path; `process_id` is that of the program, or less than 0. */
bool activity_path(const uint8_t id[static 16], int64_t process_id,
		   char text[static ACTIVITY_PATH_SIZE]);

#endif
