/* SPDX-License-Identifier: MIT */
/*
 * advertise.h - the first message of a runtime on each connection that it makes to us.
 */
#ifndef IPC_ADVERTISE_H
#define IPC_ADVERTISE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"

#define ADVERTISE_SIZE 34

struct advertise {
	uint8_t cookie[16];
	uint64_t process_id; /* in its own pid namespace */
};

/* False: it is not a runtime. */
bool advertise_parse(struct advertise *advertise, struct cursor bytes);

#endif
