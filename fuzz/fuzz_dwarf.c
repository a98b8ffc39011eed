/* SPDX-License-Identifier: MIT */
/*
 * The bytes are an ELF file with debug information. Lines of addresses, some of them around its
 * entry point, must be found without a crash, and be the same when asked for again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "symbols/dwarf_lines.h"

#define SIZE	     512u /* bytes of code to ask about */
#define ENTRY_OFFSET 24u  /* in the header of a 64-bit file */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_frames(const struct symbol_frame *frames, size_t count)
{
	if (count > SYMBOL_FRAMES)
		abort();
	for (size_t i = 0; i < count; i++) {
		/* reads them to their ends, in which the sanitizer takes an interest */
		if (frames[i].function && strlen(frames[i].function) > SIZE_MAX / 2)
			abort();
		if (frames[i].file && !*frames[i].file)
			abort();
		if (frames[i].inlined && i + 1 == SYMBOL_FRAMES)
			abort();
	}
}

static void ask(struct dwarf_lines *lines, uint64_t address)
{
	static struct symbol_frame frames[SYMBOL_FRAMES], again[SYMBOL_FRAMES];
	const size_t count = dwarf_lines_find(lines, address, frames);

	check_frames(frames, count);
	if (dwarf_lines_find(lines, address, again) != count)
		abort();
	for (size_t i = 0; i < count; i++)
		if (frames[i].function != again[i].function || frames[i].file != again[i].file ||
		    frames[i].line != again[i].line)
			abort();
}

static void ask_region(struct dwarf_lines *lines, uint64_t start)
{
	for (uint64_t i = 0; i < SIZE; i += 4)
		ask(lines, start + i);
}

static struct dwarf_lines *open_lines(const uint8_t *data, size_t size, uint64_t *entry)
{
	struct pp_error err = { 0 };
	uint8_t *copy = xcalloc(1, size + 1);
	struct elf_file *file;

	memcpy(copy, data, size);
	if (size >= ENTRY_OFFSET + sizeof(*entry))
		memcpy(entry, data + ENTRY_OFFSET, sizeof(*entry));
	file = elf_file_over(copy, size, "input", &err);
	return file ? dwarf_lines_open(file, NULL, &err) : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t entry = 0;
	struct dwarf_lines *lines = size ? open_lines(data, size, &entry) : NULL;

	if (!lines)
		return 0;
	ask_region(lines, entry - SIZE / 2);
	ask_region(lines, 0x400080); /* where the code of the corpus is */
	ask_region(lines, 0x8048060);
	ask(lines, 0);
	ask(lines, UINT64_MAX);
	dwarf_lines_close(lines);
	return 0;
}
