/* SPDX-License-Identifier: MIT */
/*
 * perf_registers.h - which registers samples have, by machine, in the numbers of DWARF.
 *
 * A sample has its registers in the order of the kernel's numbers, of which there are others on
 * each machine: the one at `i` is number dwarf[i] of DWARF. The program counter, which DWARF
 * may lack, comes after the others, so that x86-64 has it at 16 and aarch64 at 32.
 *
 *	for (unsigned i = 0; i < machine->count; i++)
 *		value[machine->dwarf[i]] = perf_sample_register(sample, i);
 */
#ifndef PERF_REGISTERS_H
#define PERF_REGISTERS_H

#include <stdint.h>

#define PERF_REGISTERS_MOST 33

struct perf_machine {
	uint16_t elf_machine;
	uint64_t mask;	   /* attr.sample_regs_user: all general registers */
	unsigned count;	   /* bits in it */
	unsigned pc, sp;   /* where a sample has them */
	uint64_t code_abi; /* a sample's register_abi, unless it is of 32-bit code */
	uint8_t dwarf[PERF_REGISTERS_MOST];
};

extern const struct perf_machine perf_x86_64, perf_aarch64;

/* The machine that we run on; NULL: none of these. */
const struct perf_machine *perf_machine_here(void);

/* NULL: another machine. */
const struct perf_machine *perf_machine_find(uint16_t elf_machine);

#endif
