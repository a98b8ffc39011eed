/* SPDX-License-Identifier: MIT */
/*
 * The input is a layout (u64 sample_type, u8 registers, u8 sample_id_all) and the contents of a
 * ring, which begins somewhere in its memory, so that records wrap.
 */
#include <stdlib.h>
#include <string.h>

#include "input_file.h"
#include "perf/perf_record.h"
#include "perf/perf_ring.h"

#define RING_SIZE 4096u
#define HEAD	  10u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned touch(const uint8_t *bytes, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	return sum;
}

/* Every byte that is promised, so that a sanitizer sees one that is not there. */
static unsigned use(const struct perf_record *record)
{
	const struct perf_sample *sample = &record->sample;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		return touch(sample->registers, sample->register_count * 8) +
		       touch(sample->stack, sample->stack_size) +
		       touch(sample->chain, sample->chain_count * 8) +
		       touch(sample->raw, sample->raw_size);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return (unsigned)strlen(record->mapping.path) +
		       touch(record->mapping.build_id, record->mapping.build_id_size);
	case PERF_RECORD_COMM:
		return (unsigned)strlen(record->name);
	default:
		return 0;
	}
}

static void read_one(const struct perf_layout *layout, const void *bytes, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);
	struct perf_record record;
	struct pp_error err = { 0 };
	volatile unsigned sum = 0;

	check(exact != NULL);
	memcpy(exact, bytes, size);
	if (perf_record_read(layout, exact, size, &record, &err))
		check(err.text[0] != '\0');
	else
		sum += use(&record);
	free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_mmap_page page = { 0 };
	struct perf_layout layout = { 0 };
	uint8_t memory[RING_SIZE];
	struct perf_ring ring;
	const void *bytes;
	size_t record_size, total = 0;

	if (size < HEAD)
		return 0;
	memcpy(&layout.sample_type, data, sizeof(layout.sample_type));
	layout.sample_type &= PERF_LAYOUT_KNOWN;
	layout.register_count = data[8];
	layout.sample_id_all = data[9] & 1;
	data += HEAD;
	size = size - HEAD < RING_SIZE ? size - HEAD : RING_SIZE;
	page.data_tail = RING_SIZE - 40;
	for (size_t i = 0; i < size; i++)
		memory[(page.data_tail + i) % RING_SIZE] = data[i];
	page.data_head = page.data_tail + size;
	ring = perf_ring_over(&page, memory, RING_SIZE);
	while (perf_ring_next(&ring, &bytes, &record_size)) {
		read_one(&layout, bytes, record_size);
		total += record_size;
	}
	check(total == size || (ring.is_broken && total < size));
	perf_ring_close(&ring);
	return 0;
}
