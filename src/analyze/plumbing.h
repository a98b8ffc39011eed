/* SPDX-License-Identifier: MIT */
/*
 * plumbing.h - frames that say how code came to run, not what it does: how threads start, async
 * builders, execution contexts, stubs. Trees and flame graphs fold them into their callers.
 *
 * A folded frame's time is its caller's. The outermost frame of a stack is never folded (see
 * calltree.c), so a thread's root stays, and no sample disappears.
 *
 *	pattern_list_append(&query.fold, plumbing_frames, &err);
 */
#ifndef ANALYZE_PLUMBING_H
#define ANALYZE_PLUMBING_H

#include "analyze/pattern_list.h"
#include "model/model.h"

/* A list of patterns. */
extern const char plumbing_frames[];

/* Code without a name, of no known module. */
bool plumbing_is_unknown(const struct model *model, uint32_t frame);

/*
 * What to call such code: "[native call]" or, where names of other code are missing, too,
 * "[unknown]".
 */
const char *plumbing_unknown_name(const struct model *model);

/*
 * The program's own code: modules that are neither part of .NET nor native nor the kernel, as
 * --group just-my-code has them.
 *
 *	struct own_code own;
 *	own_code_init(&own);
 *	if (own_code_has(&own, name->module)) ...
 *	own_code_release(&own);
 */
struct own_code {
	struct grouping others;
};

void own_code_init(struct own_code *own);
void own_code_release(struct own_code *own);

/* Of the module's name; NULL, of what is not code: false. */
bool own_code_has(const struct own_code *own, const char *module);

#endif
