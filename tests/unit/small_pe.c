/* SPDX-License-Identifier: MIT */
#include "small_pe.h"

#include <string.h>

#define HEADER	 0x40u
#define OPTIONAL (HEADER + 24)
#define SECTION	 (OPTIONAL + 0xF0)

static void put16(struct small_pe *pe, size_t at, uint16_t value)
{
	memcpy(pe->bytes + at, &value, sizeof(value));
}

static void put32(struct small_pe *pe, size_t at, uint32_t value)
{
	memcpy(pe->bytes + at, &value, sizeof(value));
}

struct small_pe small_pe(void)
{
	struct small_pe pe = { { 0 }, 0, 0, 0 };

	memcpy(pe.bytes, "MZ", 2);
	put32(&pe, 0x3C, HEADER);
	memcpy(pe.bytes + HEADER, "PE\0", 4);
	put16(&pe, HEADER + 4, 0xFD1D); /* x64, Linux */
	put16(&pe, HEADER + 6, 1);
	put16(&pe, HEADER + 20, 0xF0);
	put16(&pe, OPTIONAL, 0x20B);
	put32(&pe, OPTIONAL + 136, SMALL_PE_FUNCTIONS);
	memcpy(pe.bytes + SECTION, ".text", 5);
	put32(&pe, SECTION + 8, 0x600);
	put32(&pe, SECTION + 12, 0x1200);
	put32(&pe, SECTION + 16, 0x600);
	put32(&pe, SECTION + 20, 0x200);
	put32(&pe, SECTION + 36, 0x60000020);
	return pe;
}

uint32_t small_pe_code(struct small_pe *pe, const void *code, size_t size)
{
	const uint32_t rva = SMALL_PE_CODE + pe->code_size;

	memcpy(pe->bytes + (rva - 0x1000), code, size);
	pe->code_size += (unsigned)size;
	return rva;
}

uint32_t small_pe_unwind(struct small_pe *pe, const void *bytes, size_t size)
{
	const uint32_t rva = SMALL_PE_UNWIND + pe->unwind_size;

	memcpy(pe->bytes + (rva - 0x1000), bytes, size);
	pe->unwind_size += (unsigned)(size + 3) & ~3u;
	return rva;
}

void small_pe_function(struct small_pe *pe, uint32_t start, uint32_t end, uint32_t unwind)
{
	const size_t at = SMALL_PE_FUNCTIONS - 0x1000 + 12 * pe->function_count++;

	put32(pe, at, start);
	put32(pe, at + 4, end);
	put32(pe, at + 8, unwind);
	put32(pe, OPTIONAL + 140, 12 * pe->function_count);
}
