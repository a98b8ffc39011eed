/* SPDX-License-Identifier: MIT */
/*
 * clr_frame.h - the frame of a function that the CLR compiled for x86-64: what its prologue does,
 * and the rows that follow from it.
 *
 * The prologue says all of it: an epilogue frees what was allocated, pops what was pushed, and
 * returns or jumps, so that it is recognised in the code.
 *
 *	struct clr_frame frame = { 0 };
 *
 *	clr_frame_add(&frame, &(struct clr_step){ 1, CLR_PUSH, X86_64_RBP, 0 });
 *	clr_frame_add(&frame, &(struct clr_step){ 5, CLR_ALLOCATE, 0, 0x20 });
 *	clr_frame_rows(&frame, code, &rows);
 */
#ifndef UNWIND_CLR_FRAME_H
#define UNWIND_CLR_FRAME_H

#include "base/cursor.h"
#include "unwind/method_frames.h"

#define CLR_STEPS_MOST 40
#define CLR_FRAME_MOST (1 << 28) /* bytes */

enum clr_step_kind {
	CLR_PUSH,      /* of a register */
	CLR_ALLOCATE,  /* `value` bytes */
	CLR_SET_FRAME, /* the register becomes the stack pointer plus `value` */
	CLR_SAVE,      /* of a register at the stack pointer after the prologue plus `value` */
};

struct clr_step {
	uint32_t offset; /* of the end of its instruction */
	uint8_t kind;
	uint8_t number; /* a register */
	int32_t value;
};

/* Zero is a function without a frame. */
struct clr_frame {
	struct clr_step steps[CLR_STEPS_MOST]; /* in the order of the prologue */
	unsigned count;
	bool failed;   /* more than we take, or impossible: there is no rule */
	bool fixed_sp; /* after the prologue the stack pointer does not move: use no frame register
			*/
};

/* Where rows go: into a table, or to the method that was begun last. */
struct clr_rows {
	struct table_builder *builder; /* or NULL */
	struct method_frames *methods;
	uint64_t start; /* of the function, in the table or the method */
};

void clr_frame_add(struct clr_frame *frame, const struct clr_step *step);

/* Over the code of one function, from its start. None if the frame has failed. */
void clr_frame_rows(const struct clr_frame *frame, struct cursor code, struct clr_rows *to);

/* The pushed registers in order; how many there are. */
unsigned clr_frame_pushes(const struct clr_frame *frame, uint8_t *numbers);
int32_t clr_frame_allocated(const struct clr_frame *frame);

/* An epilogue of any frame. Pops come in the order of the instructions. */
struct clr_epilogue {
	uint8_t lengths[CLR_STEPS_MOST]; /* of instructions but the last: one that frees, and pops
					  */
	uint8_t pops[CLR_STEPS_MOST];
	unsigned pop_count;
	bool has_free;	     /* the first instruction moves the stack pointer, */
	bool frees_to_frame; /* to the frame register and a displacement, */
	int32_t freed;	     /* or by this many bytes */
	size_t size;
};

/* False: the code is not an epilogue. */
bool clr_epilogue_read(struct cursor code, struct clr_epilogue *epilogue);

/* The number that DWARF has for a register of an instruction. */
uint8_t clr_register(unsigned number);

/* A push or pop of a register, as an opcode of 0x50 or 0x58 and less than 8. Its length, or 0. */
size_t clr_read_push(struct cursor code, uint8_t opcode, uint8_t *number);

#endif
