/* SPDX-License-Identifier: MIT */
/*
 * cfi_program.h - runs the call frame instructions of a function, and keeps the rows they make.
 */
#ifndef UNWIND_CFI_PROGRAM_H
#define UNWIND_CFI_PROGRAM_H

#include "unwind/cfi_section.h"
#include "unwind/table_builder.h"

/* Functions in ascending order of addresses. From an instruction that is not known on, there is no
 * rule. */
void cfi_compile(struct table_builder *builder, const struct cfi_section *section,
		 const struct cfi_fde *fde);

#endif
