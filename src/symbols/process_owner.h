/* SPDX-License-Identifier: MIT */
/* process_owner.h - which files in /tmp a process can have written: by its user, since it runs. */
#ifndef SYMBOLS_PROCESS_OWNER_H
#define SYMBOLS_PROCESS_OWNER_H

#include <stdbool.h>
#include <stdint.h>

struct process_owner {
	int64_t pid;	 /* in the innermost namespace; the one asked for, if it is not known */
	uint32_t user;	 /* effective; UINT32_MAX: not known */
	int64_t start_s; /* Unix time; 0: not known */
};

struct process_owner process_owner_read(int64_t pid);

/* A file of its user, or of root, which is not left from an older process with the same id. */
bool process_owner_wrote(const struct process_owner *owner, int fd);

#endif
