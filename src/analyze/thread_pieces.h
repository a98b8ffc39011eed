/* SPDX-License-Identifier: MIT */
/*
 * thread_pieces.h - the time of a thread in pieces, cut at samples, stops and any other time.
 *
 *	piece_walk_begin(&walk, &rules, thread);
 *	while (piece_walk_next(&walk, reading_ns, &piece)) {
 *		use(walk.sample, piece);
 *		piece_walk_pass(&walk);
 *	}
 *	piece_walk_end(&walk);
 */
#ifndef ANALYZE_THREAD_PIECES_H
#define ANALYZE_THREAD_PIECES_H

#include "model/model.h"

/* In this order classes get the time that a thread was running or ready. */
enum piece_class {
	PIECE_RUNS,	/* in managed code */
	PIECE_COLLECTS, /* garbage, or waits for others that do */
	PIECE_MAY_RUN,	/* in native code, where it may wait */
	PIECE_WAITS,	/* in a method that waits */
	PIECE_STOPPED,	/* by a garbage collection */
	PIECE_CLASSES,
};

struct piece_rules {
	const struct model *model;
	const uint8_t *roles; /* by stack: see stack_roles.h */
	bool marked;	      /* the sampler's marks of managed code can be believed */
};

/* The part of a sample between two boundaries. */
struct piece {
	int64_t from_ns;
	int64_t length_ns;
	enum piece_class of;
	bool first; /* of its sample */
};

/* Where a walk over the pieces of a thread is. */
struct piece_walk {
	const struct piece_rules *rules;
	uint32_t process; /* of the thread */
	struct sample_walk samples;
	struct model_sample sample; /* by the sampler, or a mark after one; if there is one */
	bool has_sample;
	bool sampled;	/* there was one by the sampler, */
	uint8_t state;	/* and this is its kind */
	int64_t at_ns;	/* what comes next begins here */
	int64_t end_ns; /* of the sample */
	size_t stop;	/* the first one that does not end before `at_ns` */
};

void piece_walk_begin(struct piece_walk *walk, const struct piece_rules *rules, uint32_t thread);

/* The next piece that begins before `to_ns`, and ends there at the latest. */
bool piece_walk_next(struct piece_walk *walk, int64_t to_ns, struct piece *piece);

/* After a piece: on to the next sample, if this one is over. */
void piece_walk_pass(struct piece_walk *walk);

void piece_walk_end(struct piece_walk *walk);

#endif
