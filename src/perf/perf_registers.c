/* SPDX-License-Identifier: MIT */
#include "perf/perf_registers.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <stddef.h>

/*
 * The order of enum perf_event_x86_regs: AX BX CX DX SI DI BP SP IP, flags and segments (9 to 15),
 * R8 to R15.
 */
const struct perf_machine perf_x86_64 = {
	.elf_machine = EM_X86_64,
	.mask = 0xff01ff,
	.count = 17,
	.pc = 8,
	.sp = 7,
	.code_abi = PERF_SAMPLE_REGS_ABI_64,
	.dwarf = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15 },
};

/* The order of enum perf_event_arm_regs: X0 to X29, LR, SP, PC. */
const struct perf_machine perf_aarch64 = {
	.elf_machine = EM_AARCH64,
	.mask = 0x1ffffffff,
	.count = 33,
	.pc = 32,
	.sp = 31,
	.code_abi = PERF_SAMPLE_REGS_ABI_64,
	.dwarf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
		   17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 },
};

const struct perf_machine *perf_machine_find(uint16_t elf_machine)
{
	static const struct perf_machine *const machines[] = { &perf_x86_64, &perf_aarch64 };

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->elf_machine == elf_machine)
			return machines[i];
	return NULL;
}

const struct perf_machine *perf_machine_here(void)
{
#if defined(__x86_64__)
	return &perf_x86_64;
#elif defined(__aarch64__)
	return &perf_aarch64;
#else
	return NULL;
#endif
}
