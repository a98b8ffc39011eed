/* SPDX-License-Identifier: MIT */
#include "unwind/registers.h"

#include <elf.h>

const struct unwind_machine unwind_x86_64 = {
	.elf_machine = EM_X86_64,
	.pc = X86_64_RIP,
	.sp = X86_64_RSP,
	.return_address = X86_64_RIP,
	.saved = { X86_64_RIP, X86_64_RBP, X86_64_RBX, X86_64_R12, X86_64_R13, X86_64_R14,
		   X86_64_R15 },
	.saved_count = 7,
	.call_pushes = true,
	.address_mask = UINT64_MAX,
};

/* User addresses have 48 bits at most; pointer authentication signs in those above. */
const struct unwind_machine unwind_aarch64 = {
	.elf_machine = EM_AARCH64,
	.pc = AARCH64_PC,
	.sp = AARCH64_SP,
	.return_address = AARCH64_LR,
	.saved = { AARCH64_LR, AARCH64_FP, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28 },
	.saved_count = 12,
	.call_pushes = false,
	.address_mask = (UINT64_C(1) << 48) - 1,
};

const struct unwind_machine *unwind_machine_find(uint16_t elf_machine)
{
	static const struct unwind_machine *const machines[] = { &unwind_x86_64, &unwind_aarch64 };

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->elf_machine == elf_machine)
			return machines[i];
	return NULL;
}
