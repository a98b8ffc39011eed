/* SPDX-License-Identifier: MIT */
/*
 * table.h - the table that make_table.awk makes; events.h is how to use it.
 */
#ifndef CLR_TABLE_H
#define CLR_TABLE_H

#include <stddef.h>

#include "clr/events.h"

extern const struct clr_event clr_table[]; /* by provider, id and version */
extern const size_t clr_table_count;
extern const char clr_texts[]; /* a NUL behind each */

#endif
