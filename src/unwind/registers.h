/* SPDX-License-Identifier: MIT */
/*
 * registers.h - the registers of a frame, and which of them a machine keeps across calls.
 *
 * Registers have the numbers of DWARF, with the program counter as one more. A sample knows all
 * of them; further up only those are known that functions save, and the others are not guessed.
 */
#ifndef UNWIND_REGISTERS_H
#define UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNWIND_REGISTERS 33
#define UNWIND_SAVED	 12 /* most that a machine keeps across calls */

enum {
	X86_64_RAX,
	X86_64_RDX,
	X86_64_RCX,
	X86_64_RBX,
	X86_64_RSI,
	X86_64_RDI,
	X86_64_RBP,
	X86_64_RSP,
	X86_64_R8,
	X86_64_R12 = 12,
	X86_64_R13,
	X86_64_R14,
	X86_64_R15,
	X86_64_RIP,
};

enum {
	AARCH64_X19 = 19,
	AARCH64_FP = 29,
	AARCH64_LR,
	AARCH64_SP,
	AARCH64_PC,
};

struct unwind_registers {
	uint64_t value[UNWIND_REGISTERS];
	uint64_t known; /* bit n: value[n] is that of this frame */
};

/* How a machine calls functions. */
struct unwind_machine {
	uint16_t elf_machine;
	uint8_t pc, sp;
	uint8_t return_address;	     /* the register of DWARF that stands for it */
	uint8_t saved[UNWIND_SAVED]; /* the return address, the frame pointer, the rest */
	uint8_t saved_count;
	bool call_pushes;      /* the return address, so that a leaf has it on its stack */
	uint64_t address_mask; /* without the bits that sign return addresses */
};

extern const struct unwind_machine unwind_x86_64, unwind_aarch64;

/* NULL: another machine. */
const struct unwind_machine *unwind_machine_find(uint16_t elf_machine);

static inline bool register_known(const struct unwind_registers *registers, unsigned number)
{
	return number < UNWIND_REGISTERS && registers->known >> number & 1;
}

static inline void register_set(struct unwind_registers *registers, unsigned number, uint64_t value)
{
	registers->value[number] = value;
	registers->known |= UINT64_C(1) << number;
}

#endif
