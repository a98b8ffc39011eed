/* SPDX-License-Identifier: MIT */
/*
 * profile_list.h - the profiles that can be recorded, and the providers of a session.
 */
#ifndef RECORD_PROFILE_LIST_H
#define RECORD_PROFILE_LIST_H

#include "record/provider_set.h"
#include "report/result.h"

extern const struct result_kind profile_list_kind;

struct result profile_list_result(struct arena *arena);

/* For people, before a recording: Provider Name, Keywords, Level and Enabled By. */
struct result provider_set_result(const struct provider_set *set, struct arena *arena);

#endif
