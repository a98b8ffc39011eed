/* SPDX-License-Identifier: MIT */
#include "cli/output_kinds.h"

#include "base/array.h"
#include "export/event_format.h"
#include "record/process_list.h"
#include "record/profile_list.h"
#include "record/recording_list.h"
#include "record/trace_info.h"
#include "report/cache_contents.h"
#include "report/diff.h"
#include "report/symbolized.h"

/* All but the views of a report. */
static const struct result_kind *const others[] = {
	&process_list_kind, &profile_list_kind,	  &recording_list_kind, &stopped_list_kind,
	&trace_info_kind,   &event_line_kind,	  &diff_kind,		&manifest_kind,
	&symbolized_kind,   &cache_contents_kind,
};

bool output_kind_at(size_t index, struct result_kind *kind, struct arena *arena)
{
	if (index < ARRAY_COUNT(others)) {
		*kind = *others[index];
		return true;
	}
	index -= ARRAY_COUNT(others);
	for (size_t i = 0; report_views[i]; i++)
		if (i == index) {
			*kind = report_kind(report_views[i], arena);
			return true;
		}
	return false;
}
