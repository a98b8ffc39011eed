/* SPDX-License-Identifier: MIT */
/*
 * activity_path.h - activity ids that encode a path.
 *
 * .NET encodes the path from the outermost activity to the innermost in the id itself, with a
 * checksum: //1/2/1/ is the first activity in the second of the first, and /#14791/1/2/1/ the same
 * with the process id. An activity's path begins with the paths of those around it.
 */
#ifndef CLR_ACTIVITY_PATH_H
#define CLR_ACTIVITY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#define ACTIVITY_PATH_SIZE 160

/* False if the id is not a path; `process_id` is the traced process, or negative if unknown. */
bool activity_path(const uint8_t id[static 16], int64_t process_id,
		   char text[static ACTIVITY_PATH_SIZE]);

#endif
