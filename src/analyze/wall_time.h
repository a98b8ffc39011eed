/* SPDX-License-Identifier: MIT */
/*
 * wall_time.h - time on stacks as in dotnet-trace's `report topN`, which includes waiting and
 * awaits, but not a thread's last sample.
 *
 * That tool adds milliseconds of single precision, each when its interval ends, to every node from
 * the leaf to the root. That shows in the second decimal, so the same is done here.
 *
 *	struct wall_time wall = wall_time_of(&tree, &model, tasks, &query);
 *
 *	percent = wall.total > 0 ? 100 * wall.inclusive[name] / wall.total : 0;
 *	wall_time_release(&wall);
 */
#ifndef ANALYZE_WALL_TIME_H
#define ANALYZE_WALL_TIME_H

#include "analyze/calltree.h"
#include "analyze/sample_query.h"
#include "analyze/wall_tasks.h"

struct wall_time {
	float *inclusive; /* by name of the tree, milliseconds */
	float *exclusive;
	float total;
};

/*
 * The model must have marks and notes, and its tasks be joined. The tree is filled with all samples
 * and waits, and finished.
 */
struct wall_time wall_time_of(struct calltree *tree, const struct model *model,
			      const struct wall_tasks *tasks, const struct sample_query *query);
void wall_time_release(struct wall_time *wall);

#endif
