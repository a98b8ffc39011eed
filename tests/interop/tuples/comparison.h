/* SPDX-License-Identifier: MIT */
/*
 * comparison.h - our unwinder and libdw's on all samples of a file.
 *
 * Both unwind the samples of an address space once before the time counts: then libdw has read what
 * it needs.
 *
 *	struct comparison c = { .peer_most = 1000 };
 *
 *	comparison_run(&c, file);
 *	printf("%zu of %zu are equal\n", c.equal, c.compared);
 *	comparison_release(&c);
 */
#ifndef TUPLES_COMPARISON_H
#define TUPLES_COMPARISON_H

#include "tuples/tuple_spaces.h"
#include "unwind/unwind.h"

enum difference_kind { OURS_IS_LONGER, PEER_IS_LONGER, ANOTHER_CALLER };

/* Stacks that are the same up to a function, and then not, for the same reason. */
struct stack_difference {
	enum difference_kind kind;
	char *module, *function;
	const char *step;	 /* how ours went on, or why it did not */
	const char *explanation; /* NULL: there is none */
	size_t count;
};

struct comparison {
	size_t peer_most;  /* samples that libdw gets */
	size_t fresh_most; /* samples that libdw gets once more, with all to be read again each time
			    */
	unsigned passes;   /* that are timed, and the best one counts; 0: one */
	size_t show;	   /* unexplained differences to print in full */

	size_t tuples, frames;
	size_t compared, equal, explained;
	size_t reasons[UNWIND_REASONS];
	size_t by[UNWOUND_GUESS + 1];
	struct stack_difference *differences;
	size_t difference_count, difference_capacity;
	size_t ours_frames, peer_frames, fresh_frames; /* in the time below */
	int64_t ours_ns, peer_ns, fresh_ns;
	size_t fresh;
	size_t table_size, text_size;
};

void comparison_run(struct comparison *c, const struct tuple_file *file);
void comparison_release(struct comparison *c);

const char *difference_text(enum difference_kind kind);

#endif
