/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - from the registers and the stack of a sample to its call stack.
 *
 * Pure: no I/O, no memory of its own, and nothing is read but what it is given. It is bounded
 * by the number of frames asked for, and always says why a stack ends.
 *
 *	struct unwound_frame frames[256];
 *	struct unwind_end end;
 *	size_t count = unwind_stack(&space, &registers, &stack,
 *				    &(struct unwound){ frames, 256 }, &end);
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "unwind/address_space.h"
#include "unwind/captured_stack.h"

/* How a frame was found. */
enum unwound_by {
	UNWOUND_SAMPLE,	       /* it is the first one */
	UNWOUND_RULE,	       /* by unwind information */
	UNWOUND_FRAME_POINTER, /* of code without any */
	UNWOUND_LEAF,	       /* the return address on top of the stack, of a stub of the CLR */
	UNWOUND_GUESS,	       /* the next word on the stack that could be a return address */
};

struct unwound_frame {
	uint64_t ip; /* a return address, unless `exact` */
	enum unwound_by by;
	bool exact; /* the instruction that was interrupted */
};

enum unwind_reason {
	UNWIND_END_START,    /* the start of the thread: the stack is whole */
	UNWIND_END_CAPTURED, /* the captured bytes are used up */
	UNWIND_END_NO_RULE,  /* there is no unwind information in a module, and no frame pointer */
	UNWIND_END_NO_CODE,  /* an address that is in no module */
	UNWIND_END_CORRUPT,  /* the stack contradicts itself */
	UNWIND_END_MOST,     /* more frames than were asked for */
};

#define UNWIND_REASONS 6

struct unwind_end {
	enum unwind_reason reason;
	uint64_t address;		    /* of the last frame */
	const struct unwind_module *module; /* that it is in, or NULL */
};

/* For sentences: "the start of the thread". */
const char *unwind_reason_text(enum unwind_reason reason);

struct unwound {
	struct unwound_frame *frames;
	size_t most;
};

/* How many frames there are, innermost first: at least one. `most` is not 0. */
size_t unwind_stack(const struct address_space *space, const struct unwind_registers *registers,
		    const struct captured_stack *stack, const struct unwound *to,
		    struct unwind_end *end);

#endif
