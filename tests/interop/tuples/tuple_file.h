/* SPDX-License-Identifier: MIT */
/*
 * tuple_file.h - samples of registers and stack, and what was mapped meanwhile, in a file.
 *
 * Little-endian, everything at a multiple of 8 bytes:
 *
 *	"PPTUPLE1"
 *	u32 ELF machine, u32 registers in a sample, u64 size of the vDSO, its bytes
 *	items: u32 kind, u32 process, u64 time in ns, u64 size of what follows
 *	  1 a mapping: u64 start, u64 size, u64 offset in the file, the path with a NUL
 *	  2 exec: the process has no mappings any more
 *	  3 fork: u64 the process whose mappings this one has, too
 *	  4 a sample: u32 thread, u32 1 if it was in the kernel, u64 registers by their numbers
 *	    of DWARF, the bytes of the stack from the stack pointer on
 *
 * Items of several processors are not in order; a reader sorts them by their times.
 *
 *	struct tuple_file *file = tuple_file_open(path, &err);
 *
 *	for (size_t i = 0; i < file->count; i++)
 *		use(&file->items[i]);
 *	tuple_file_close(file);
 */
#ifndef TUPLES_TUPLE_FILE_H
#define TUPLES_TUPLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "perf/perf_record.h"
#include "perf/perf_registers.h"
#include "unwind/captured_stack.h"
#include "unwind/registers.h"

enum tuple_kind { TUPLE_MAPPING = 1, TUPLE_EXEC, TUPLE_FORK, TUPLE_SAMPLE };

struct tuple_item {
	uint32_t kind, pid;
	uint64_t time_ns;
	size_t position; /* in the file: decides between equal times */
	union {
		struct {
			uint64_t start, size, offset;
			const char *path;
		} mapping;
		uint32_t parent;
		struct {
			uint32_t tid;
			bool in_kernel;
			const uint8_t *registers;
			const uint8_t *stack;
			size_t stack_size;
		} sample;
	};
};

struct tuple_file {
	const uint8_t *bytes;
	size_t size;
	uint32_t elf_machine, register_count;
	const uint8_t *vdso;
	size_t vdso_size;
	struct tuple_item *items; /* by time */
	size_t count, capacity;
	size_t samples;
};

struct tuple_file *tuple_file_open(const char *path, struct pp_error *err);
void tuple_file_close(struct tuple_file *file); /* accepts NULL */

/* What unwind_stack() wants. */
void tuple_item_state(const struct tuple_file *file, const struct tuple_item *item,
		      struct unwind_registers *registers, struct captured_stack *stack);

struct tuple_writer {
	FILE *file;
	const struct perf_machine *machine;
	size_t samples;
	size_t unusable; /* samples without registers or stack */
};

int tuple_writer_begin(struct tuple_writer *writer, struct pp_error *err);

/* False: the record is of no use here. */
bool tuple_writer_add(struct tuple_writer *writer, const struct perf_record *record);

#endif
