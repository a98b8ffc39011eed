/* SPDX-License-Identifier: MIT */
/*
 * elf_file.h - an ELF file: a program, a library, or a file of debug information.
 *
 * Any bytes are safe. Files are mapped by the program and read by the library, like traces: see
 * guard_is_on().
 */
#ifndef SYMBOLS_ELF_FILE_H
#define SYMBOLS_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "perfpipe/error.h"
#include "symbols/symbol_table.h"

struct elf_file;
typedef struct Elf Elf; /* of libelf, whose header a build may not have */

/* Takes the descriptor. `name` is for sentences, and copied. NULL with an error. */
struct elf_file *elf_file_open(int fd, const char *name, struct pp_error *err);
/* An image in memory, such as the vDSO; takes the bytes, which xfree() frees. */
struct elf_file *elf_file_over(void *bytes, size_t size, const char *name, struct pp_error *err);
/* The same file once more, for somebody who takes it; NULL: an image cannot be opened again. */
struct elf_file *elf_file_reopen(const struct elf_file *file);
/* Closes the file itself: from now on it has a name, a build id and addresses, and nothing else. */
void elf_file_settle(struct elf_file *file);
void elf_file_close(struct elf_file *file); /* accepts NULL */

const char *elf_file_name(const struct elf_file *file);
const char *elf_file_build_id(const struct elf_file *file); /* hexadecimal, or NULL */

/* As linked: of an offset in the file, by its program headers. False: it is not loaded. */
bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address);

/* Of a debug file, which has no bytes of code, and of its binary the addresses as linked are equal.
 */
bool elf_file_has_code(const struct elf_file *file);
bool elf_file_has_symtab(const struct elf_file *file);
bool elf_file_has_lines(
	const struct elf_file *file); /* .debug_info and .debug_line, maybe compressed */

/* .gnu_debuglink and .gnu_debugaltlink: a file name, and what identifies the file. */
struct elf_link {
	const char *name;
	uint32_t crc;	      /* of .gnu_debuglink */
	const char *build_id; /* of .gnu_debugaltlink, hexadecimal; else NULL */
};

bool elf_file_debug_link(const struct elf_file *file, struct elf_link *link);
bool elf_file_alt_link(const struct elf_file *file, struct elf_link *link);
/* The CRC of the whole file, as .gnu_debuglink has it. */
bool elf_file_crc(const struct elf_file *file, uint32_t *crc);

/* Functions of .symtab, .dynsym, the PLT and MiniDebugInfo; sets `whole`. */
void elf_file_list_symbols(struct elf_file *file, struct symbol_list *list);

Elf *elf_file_handle(struct elf_file *file); /* for libdw */

#endif
