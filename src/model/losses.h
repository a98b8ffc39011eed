/* SPDX-License-Identifier: MIT */
/*
 * losses.h - what is missing from a trace, and why.
 */
#ifndef MODEL_LOSSES_H
#define MODEL_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

/* Why events are missing. */
enum loss_cause {
	LOSS_GAP,  /* missing numbers of a thread's events: the process's buffers were full */
	LOSS_RING, /* the kernel counted them: its ring buffer was full */
	LOSS_CAUSES,
};

struct model_losses {
	uint64_t events; /* of all causes */
	uint64_t by_cause[LOSS_CAUSES];
	bool events_at_least;		   /* a lower bound */
	uint64_t frames_unresolved;	   /* distinct addresses */
	uint64_t frames_unresolved_native; /* of those, in mapped files */
	uint64_t samples_unresolved;	   /* with an unresolved frame in the stack */
	uint64_t samples;
	bool cut;		/* no end mark, a recorded premature end, or the next */
	bool damaged;		/* the trace has its end mark, but its file is not whole */
	const char *stopped_by; /* cause of the premature end, or NULL */
};

/* Events are missing; the number may be a lower bound. */
void losses_add(struct model_losses *losses, enum loss_cause cause, uint64_t events, bool at_least);

/* Adds the events that another trace lacks. */
void losses_add_all(struct model_losses *losses, const struct model_losses *others);

/* The trace was stopped before its end; the cause is NULL if it is not known. */
void losses_stopped_by(struct model_losses *losses, const char *cause);

#endif
