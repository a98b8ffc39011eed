/* SPDX-License-Identifier: MIT */
/*
 * x86_instruction.h - where the instructions of x86-64 code begin and end.
 *
 * Knows lengths and nothing else: all of the opcode maps up to AVX-512, since compilers at run time
 * use what the machine has.
 */
#ifndef UNWIND_X86_INSTRUCTION_H
#define UNWIND_X86_INSTRUCTION_H

#include "base/cursor.h"

/* In bytes, of the instruction at the cursor, which does not move; 0 if it is cut short or not
 * known. */
size_t x86_length(struct cursor code);

/* The instruction is not one after which the next one runs: a return, a jump, a trap. */
bool x86_ends_flow(const uint8_t *instruction, size_t length);

/* The bytes before a return address are those of a call. */
bool x86_follows_call(const uint8_t *before, size_t size);

#endif
