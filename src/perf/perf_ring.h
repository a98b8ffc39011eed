/* SPDX-License-Identifier: MIT */
/*
 * perf_ring.h - the memory through which the kernel hands over records of an event.
 *
 * One thread reads. A record is valid until the next call, which gives its space back to the
 *kernel; what the kernel had no space for is counted.
 *
 *	struct perf_ring ring = { 0 };
 *
 *	if (perf_ring_open(&ring, fd, 256, &err))
 *		return -1;
 *	while (perf_ring_next(&ring, &bytes, &size))
 *		...
 *	perf_ring_close(&ring);
 */
#ifndef PERF_RING_H
#define PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* Zero is one that is closed. */
struct perf_ring {
	struct perf_event_mmap_page *page; /* data_head is the kernel's, data_tail ours */
	const uint8_t *data;
	size_t size; /* a power of 2 */
	uint64_t tail, head;
	size_t mapped_size;
	uint8_t *copy;	/* of a record that wraps */
	uint64_t lost;	/* records and samples, as records of the kernel say */
	bool is_broken; /* the contents are no records: there is no way on */
};

/* `pages` of data, a power of 2. */
int perf_ring_open(struct perf_ring *ring, int fd, size_t pages, struct pp_error *err);
void perf_ring_close(struct perf_ring *ring);

/* Over memory of the caller, for tests. */
struct perf_ring perf_ring_over(struct perf_event_mmap_page *page, const void *data, size_t size);

/* False: there is none now, or no more at all if `is_broken`. */
bool perf_ring_next(struct perf_ring *ring, const void **bytes, size_t *size);

#endif
