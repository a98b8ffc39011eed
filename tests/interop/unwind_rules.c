/* SPDX-License-Identifier: MIT */
/*
 * unwind_rules FILE... - compares our unwind table of an ELF file with what libdw says at the same
 * addresses: at the first and the last byte of each row of ours, for each register.
 *
 * Prints "FILE: N addresses, N differ" and the first differences. Exits with 1 if any does.
 */
#include <elfutils/libdw.h>
#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind/elf_frames.h"

#define SHOWN 5

struct comparison {
	const char *name;
	const struct unwind_table *table;
	Dwarf_CFI *cfi;
	size_t addresses, differ;
};

static void differs(struct comparison *now, uint64_t address, const char *what)
{
	if (now->differ++ < SHOWN)
		printf("%s: %#lx: %s\n", now->name, (unsigned long)address, what);
}

/* Offsets from the CFA are one operation, or none. False: it is something else. */
static bool offset_from_cfa(const Dwarf_Op *ops, size_t count, int64_t *offset)
{
	if (!count || ops[0].atom != DW_OP_call_frame_cfa || count > 2)
		return false;
	*offset = 0;
	if (count == 2 && ops[1].atom != DW_OP_plus_uconst)
		return false;
	if (count == 2)
		*offset = (int64_t)ops[1].number;
	return true;
}

static void compare_saved(struct comparison *now, Dwarf_Frame *frame, uint64_t address,
			  const struct unwind_rule *rule)
{
	const struct unwind_machine *machine = now->table->machine;

	for (unsigned i = 0; i < machine->saved_count; i++) {
		const int16_t saved = rule->saved[i];
		Dwarf_Op memory[3], *ops;
		size_t count;
		int64_t offset;
		char what[64];

		snprintf(what, sizeof(what), "register %u", machine->saved[i]);
		if (dwarf_frame_register(frame, machine->saved[i], memory, &ops, &count))
			differs(now, address, "libdw fails");
		else if (!count) { /* untouched, or undefined: libdw tells few of them apart */
			if (saved != SAVED_SAME && saved != SAVED_UNDEFINED)
				differs(now, address, what);
		} else if (saved != SAVED_ELSEWHERE &&
			   (!offset_from_cfa(ops, count, &offset) || offset != 8 * saved))
			differs(now, address, what);
	}
}

static void compare_cfa(struct comparison *now, Dwarf_Frame *frame, uint64_t address,
			const struct unwind_rule *rule)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count)) {
		differs(now, address, "libdw has no CFA");
		return;
	}
	if (rule->kind == UNWIND_BY_EXPRESSION)
		return;
	if (count != 1 ||
	    (ops[0].atom == DW_OP_bregx ? ops[0].number != rule->cfa_register ||
						  (int64_t)ops[0].number2 != rule->cfa_offset
					: ops[0].atom != DW_OP_breg0 + rule->cfa_register ||
						  (int64_t)ops[0].number != rule->cfa_offset))
		differs(now, address, "the CFA");
}

static void compare_at(struct comparison *now, uint64_t address)
{
	const struct unwind_rule *rule = unwind_table_find(now->table, address);
	Dwarf_Frame *frame = NULL;
	bool is_signal;
	const int failed = dwarf_cfi_addrframe(now->cfi, address, &frame);

	now->addresses++;
	if (failed || rule->kind == UNWIND_NO_RULE) {
		if (!failed != (rule->kind != UNWIND_NO_RULE))
			differs(now, address,
				failed ? "only we have a rule" : "only libdw has one");
	} else if (rule->kind != UNWIND_OUTERMOST) {
		dwarf_frame_info(frame, NULL, NULL, &is_signal);
		if (is_signal != (rule->flags & UNWIND_SIGNAL_FRAME))
			differs(now, address, "whether it is the frame of a signal");
		compare_cfa(now, frame, address, rule);
		compare_saved(now, frame, address, rule);
	}
	free(frame);
}

static void compare_rows(struct comparison *now)
{
	const struct unwind_table *table = now->table;

	for (size_t block = 0; block < table->block_count; block++)
		for (size_t row = table->blocks[block]; row < table->blocks[block + 1]; row++) {
			const uint64_t start = table->start +
					       ((uint64_t)block << UNWIND_BLOCK_BITS) +
					       table->rows[row].offset;

			if (start > table->start)
				compare_at(now, start - 1);
			compare_at(now, start);
		}
	printf("%s: %zu addresses, %zu differ\n", now->name, now->addresses, now->differ);
}

static int compare_file(const char *path)
{
	struct unwind_module *module = unwind_module_new(path);
	struct comparison now = { .name = path, .table = &module->table };
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pp_error err = { 0 };
	struct stat status;
	void *bytes;
	Elf *elf;

	if (fd < 0 || fstat(fd, &status))
		return -1;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	now.cfi = elf ? dwarf_getcfi_elf(elf) : NULL;
	if (bytes == MAP_FAILED || !now.cfi ||
	    elf_frames_read(bytes, (size_t)status.st_size, module, &err))
		now.differ = 1;
	else
		compare_rows(&now);
	if (now.cfi)
		dwarf_cfi_end(now.cfi);
	elf_end(elf);
	munmap(bytes, (size_t)status.st_size);
	close(fd);
	unwind_module_unref(module);
	return now.differ ? -1 : 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	elf_version(EV_CURRENT);
	for (int i = 1; i < argc; i++)
		failed |= compare_file(argv[i]);
	return failed ? 1 : 0;
}
