/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "input/input.h"
#include "input/looks_like.h"

/* A few bytes can unpack to gigabytes, which takes time and is not a bug. */
#define MOST ((size_t)64 * 1024 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct summary {
	size_t size;
	uint64_t hash;
	int failed;
	bool truncated, wrong_checksum;
	uint64_t trailing;
};

static struct summary read_in_pieces(const uint8_t *data, size_t size, size_t piece)
{
	struct pp_error err = { 0 };
	struct input *in = input_open_memory(data, size, &err);
	struct summary summary = { .failed = -1 };
	uint8_t *buffer = malloc(piece);
	size_t got = in ? 1 : 0;

	while (got && summary.size < MOST) {
		summary.failed = input_read(in, buffer, piece, &got, &err);
		summary.size += got;
		for (size_t i = 0; i < got; i++)
			summary.hash = summary.hash * 31 + buffer[i];
	}
	summary.truncated = in && input_truncated(in);
	summary.wrong_checksum = in && input_wrong_checksum(in);
	summary.trailing = in ? input_trailing(in, MOST) : 0;
	input_close(in);
	free(buffer);
	return summary;
}

/* Any bytes must unpack or give an error, the same for every size of the pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct summary large = read_in_pieces(data, size, 65536);
	const struct summary small = read_in_pieces(data, size, 13);

	if (large.size < MOST &&
	    (small.size != large.size || small.hash != large.hash || small.failed != large.failed ||
	     small.truncated != large.truncated || small.wrong_checksum != large.wrong_checksum ||
	     small.trailing != large.trailing))
		abort();
	if (!looks_like(data, size))
		abort();
	return 0;
}
