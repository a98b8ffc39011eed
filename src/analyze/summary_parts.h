/* SPDX-License-Identifier: MIT */
/*
 * summary_parts.h - the parts of summary_figures_of() that have files of their own.
 */
#ifndef ANALYZE_SUMMARY_PARTS_H
#define ANALYZE_SUMMARY_PARTS_H

#include "analyze/summary.h"

/* The innermost method that is not the runtime's own code for throws and waits; or NULL. */
const char *summary_own_method(const struct model *model, uint32_t stack);

void summary_add_stuck(struct summary_stuck *stuck, int64_t lasts_ns, const char *method);

/* Of samples: how workers and processors were used, and which threads are stuck. */
void summary_add_samples(struct summary_figures *figures, const struct model *model,
			 const struct sample_query *query);

void summary_add_requests(struct summary_figures *figures, const struct requests *requests);

#endif
