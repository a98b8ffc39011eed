/* SPDX-License-Identifier: MIT */
/*
 * cfi_section.h - .eh_frame and .debug_frame: which call frame instructions a function has.
 *
 * A section is a list of entries: common ones (CIE), and one for each function (FDE), which refers
 * to the common one it begins with. Any bytes are safe; what cannot be read is left out.
 *
 *	struct cfi_section section = { .machine = machine, .bytes = bytes, .size = size,
 *				       .address = address };
 *	struct cfi_fde fde;
 *	size_t offset = 0, at;
 *
 *	while (cfi_next(&section, &offset, &at))
 *		if (cfi_read_fde(&section, at, &fde)) ...
 */
#ifndef UNWIND_CFI_SECTION_H
#define UNWIND_CFI_SECTION_H

#include "base/cursor.h"
#include "unwind/registers.h"

struct cfi_section {
	const struct unwind_machine *machine;
	const uint8_t *bytes; /* borrowed */
	size_t size;
	uint64_t address;    /* of its first byte, as linked */
	uint64_t text, data; /* what some encodings are relative to */
	bool is_debug_frame;
};

struct cfi_cie {
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register;
	uint8_t encoding; /* of addresses in its FDEs */
	bool has_augmentation, is_signal_frame;
	struct cursor instructions;
};

struct cfi_fde {
	struct cfi_cie cie;
	uint64_t start, end;
	struct cursor instructions;
};

/* The next entry is at `*at`; `*offset` goes on after it. False at the end. */
bool cfi_next(const struct cfi_section *section, size_t *offset, size_t *at);

/* False: what is there is no FDE, or none that can be read. */
bool cfi_read_fde(const struct cfi_section *section, size_t at, struct cfi_fde *fde);

/* An address in the encoding of a CIE, at the cursor, which is over bytes of the section. */
uint64_t cfi_read_address(const struct cfi_section *section, struct cursor *c, uint8_t encoding);

#endif
