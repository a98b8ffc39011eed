/* SPDX-License-Identifier: MIT */
#include "perf/perf_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "perf/perf_record.h"

static int not_mapped(size_t size, struct pp_error *err)
{
	if (errno == EPERM || errno == ENOMEM)
		return error_set(err, PP_ERROR_LIMIT,
				 "a ring of %zu KiB for perf events is more than may be locked: "
				 "raise /proc/sys/kernel/perf_event_mlock_kb or the limit of "
				 "ulimit -l",
				 size / 1024);
	return error_errno(err, "cannot map a ring of %zu KiB for perf events", size / 1024);
}

int perf_ring_open(struct perf_ring *ring, int fd, size_t pages, struct pp_error *err)
{
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	const size_t size = (pages + 1) * page_size;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return not_mapped(size, err);
	*ring = perf_ring_over(memory, (const uint8_t *)memory + page_size, pages * page_size);
	ring->mapped_size = size;
	return 0;
}

struct perf_ring perf_ring_over(struct perf_event_mmap_page *page, const void *data, size_t size)
{
	return (struct perf_ring){ .page = page,
				   .data = data,
				   .size = size,
				   .tail = page->data_tail,
				   .head = page->data_tail };
}

void perf_ring_close(struct perf_ring *ring)
{
	if (ring->mapped_size)
		munmap(ring->page, ring->mapped_size);
	xfree(ring->copy);
	*ring = (struct perf_ring){ 0 };
}

/* `size` is at most what lies between tail and head. */
static const void *record_at_tail(struct perf_ring *ring, size_t size)
{
	const size_t at = (size_t)(ring->tail & (ring->size - 1));
	const size_t first = ring->size - at;

	if (size <= first)
		return ring->data + at;
	if (!ring->copy)
		ring->copy = xcalloc(1, PERF_RECORD_LARGEST);
	memcpy(ring->copy, ring->data + at, first);
	memcpy(ring->copy + first, ring->data, size - first);
	return ring->copy;
}

static void count_lost(struct perf_ring *ring, const void *bytes, size_t size)
{
	const struct perf_layout only_body = { 0 };
	struct pp_error ignored = { 0 };
	struct perf_record record;

	if (!perf_record_read(&only_body, bytes, size, &record, &ignored))
		ring->lost += record.lost;
}

/* All that the kernel has written up to now; its stores are ordered before that of data_head. */
static bool refill(struct perf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ring->is_broken = ring->head - ring->tail > ring->size;
	return ring->head != ring->tail && !ring->is_broken;
}

bool perf_ring_next(struct perf_ring *ring, const void **bytes, size_t *size)
{
	struct perf_event_header header;

	/* what was read is no longer used: our loads are ordered before this store */
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	if (ring->is_broken || (ring->tail == ring->head && !refill(ring)))
		return false;
	if (ring->head - ring->tail < sizeof(header)) {
		ring->is_broken = true;
		return false;
	}
	memcpy(&header, record_at_tail(ring, sizeof(header)), sizeof(header));
	if (header.size < sizeof(header) || header.size > ring->head - ring->tail) {
		ring->is_broken = true;
		return false;
	}
	*bytes = record_at_tail(ring, header.size);
	*size = header.size;
	ring->tail += header.size;
	if (header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_LOST_SAMPLES)
		count_lost(ring, *bytes, *size);
	return true;
}
