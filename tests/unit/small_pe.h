/* SPDX-License-Identifier: MIT */
/*
 * small_pe.h - a PE file with one section of code, for tests: functions, their unwind information
 * and their code.
 *
 * The section is at 0x200 in the file and has the RVA 0x1200: functions begin at RVA 0x1200, unwind
 * information is at 0x1400, code at 0x1600.
 */
#ifndef UNIT_SMALL_PE_H
#define UNIT_SMALL_PE_H

#include <stddef.h>
#include <stdint.h>

#define SMALL_PE_FUNCTIONS 0x1200u
#define SMALL_PE_UNWIND	   0x1400u
#define SMALL_PE_CODE	   0x1600u
#define SMALL_PE_SIZE	   0x800u

struct small_pe {
	uint8_t bytes[SMALL_PE_SIZE];
	unsigned function_count;
	unsigned unwind_size, code_size; /* so far */
};

struct small_pe small_pe(void);

/* Adds code; its RVA. */
uint32_t small_pe_code(struct small_pe *pe, const void *code, size_t size);
/* Adds unwind information; its RVA. */
uint32_t small_pe_unwind(struct small_pe *pe, const void *bytes, size_t size);
void small_pe_function(struct small_pe *pe, uint32_t start, uint32_t end, uint32_t unwind);

/* A literal and its size, without the NUL. */
#define BYTES(literal) (literal), (sizeof(literal) - 1)

#endif
