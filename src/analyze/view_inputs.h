/* SPDX-License-Identifier: MIT */
/*
 * view_inputs.h - which views a trace has the events for.
 */
#ifndef ANALYZE_VIEW_INPUTS_H
#define ANALYZE_VIEW_INPUTS_H

#include <stdbool.h>

#include "analyze/inventory.h"

/* The names of all views in the order of the help; NULL ends them. */
extern const char *const view_names[];

/* Whether the trace has at least one event that the view is made from. */
bool view_is_fed(const char *view, const struct inventory *inventory);

#endif
