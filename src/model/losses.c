/* SPDX-License-Identifier: MIT */
#include "model/losses.h"

/* Numbers of a hostile trace may exceed the type. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void losses_add(struct model_losses *losses, enum loss_cause cause, uint64_t events, bool at_least)
{
	losses->by_cause[cause] = sum_of(losses->by_cause[cause], events);
	losses->events = sum_of(losses->events, events);
	losses->events_at_least |= at_least;
}

void losses_add_all(struct model_losses *losses, const struct model_losses *others)
{
	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++)
		losses_add(losses, (enum loss_cause)cause, others->by_cause[cause],
			   others->events_at_least);
}

void losses_stopped_by(struct model_losses *losses, const char *cause)
{
	losses->cut = true;
	losses->stopped_by = cause;
}
