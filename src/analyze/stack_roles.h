/* SPDX-License-Identifier: MIT */
/*
 * stack_roles.h - what a stack tells about its thread, by the methods on it.
 *
 *	struct stack_roles roles = stack_roles_of(&model);
 *
 *	if (roles.list[sample.stack] == ROLE_WAITS)
 *		...
 *	stack_roles_release(&roles);
 */
#ifndef ANALYZE_STACK_ROLES_H
#define ANALYZE_STACK_ROLES_H

#include "model/model.h"

enum stack_role {
	ROLE_PLAIN,
	ROLE_WAITS, /* its innermost method is one that waits */
	ROLE_POLLS, /* one at which threads are stopped for the sampler or a collection */
	ROLE_IDLE,  /* a worker of the thread pool that has no work: it spins, or waits for some */
	ROLE_TRACING, /* it is busy with events of a recording */
};

struct stack_roles {
	uint8_t *list; /* by stack: an enum stack_role */
};

struct stack_roles stack_roles_of(const struct model *model);
void stack_roles_release(struct stack_roles *roles);

#endif
