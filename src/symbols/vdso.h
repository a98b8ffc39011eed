/* SPDX-License-Identifier: MIT */
/*
 * vdso.h - the ELF image of the vDSO, which is in the memory of processes and in no file.
 */
#ifndef SYMBOLS_VDSO_H
#define SYMBOLS_VDSO_H

#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/*
 * The bytes of [start, end), which is "[vdso]" of /proc/PID/maps, for elf_file_over(); xfree().
 * Where the memory of the process may not be read, they are those of our own if that is the same
 * image. NULL with an error.
 */
void *vdso_image(int64_t pid, uint64_t start, uint64_t end, size_t *size, struct pp_error *err);

/* Our own; NULL if the kernel provides none. */
void *vdso_own_image(size_t *size);

#endif
