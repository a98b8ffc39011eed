/* SPDX-License-Identifier: MIT */
/*
 * provider_table.h - the providers of a session, for people.
 */
#ifndef CLI_PROVIDER_TABLE_H
#define CLI_PROVIDER_TABLE_H

#include <stdio.h>

#include "record/provider_set.h"

/* Provider Name, Keywords, Level and Enabled By, one row for each provider. */
void provider_table_print(const struct provider_set *set, FILE *out);

#endif
