/* SPDX-License-Identifier: MIT */
/*
 * bench_writer [EVENTS [PASSES [any]]] - writes small events: 32 bytes each, alternating
 * between two threads, to a sink that only counts. With "any" they are not in order. Prints one
 * line of JSON about the best pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perfpipe/nettrace_writer.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int count(void *context, const void *bytes, size_t size)
{
	(void)bytes;
	*(uint64_t *)context += size;
	return 0;
}

static void write_events(struct pp_writer *w, uint64_t events, bool any_order, struct pp_error *err)
{
	const struct pp_kind kind = { .provider = "Bench", .name = "Tick", .id = 1, .opcode = -1 };
	const struct pp_thread first = { .process_id = 1, .id = 1 };
	const struct pp_thread second = { .process_id = 1, .id = 2 };
	const uint64_t threads[] = { pp_writer_thread(w, &first, err),
				     pp_writer_thread(w, &second, err) };
	uint64_t payload[4] = { 0 };
	struct pp_new_event event = { .kind = pp_writer_kind(w, &kind, err),
				      .payload = payload,
				      .payload_size = sizeof(payload) };

	for (uint64_t i = 0; i < events; i++) {
		payload[0] = i;
		event.thread = threads[i % 2];
		event.ticks = (int64_t)(500 * (any_order ? i ^ 7 : i));
		pp_writer_event(w, &event, err);
	}
}

static int write_once(uint64_t events, bool any_order, uint64_t *bytes)
{
	struct pp_error err = { 0 };
	const struct pp_writer_options options = { .size = sizeof(options),
						   .sink = { count, bytes },
						   .ticks_per_second = 1000000000 };
	struct pp_writer *w = pp_writer_new(&options, &err);

	*bytes = 0;
	if (w)
		write_events(w, events, any_order, &err);
	if (!w || pp_writer_close(w, &err) || err.code)
		return fprintf(stderr, "bench_writer: %s\n", err.text), -1;
	return 0;
}

int main(int argc, char **argv)
{
	const uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000000;
	const int passes = argc > 2 ? atoi(argv[2]) : 7;
	const bool any_order = argc > 3 && !strcmp(argv[3], "any");
	uint64_t bytes = 0;
	double best = 1e9;

	for (int i = 0; i < passes; i++) {
		const double start = now();

		if (write_once(events, any_order, &bytes))
			return 5;
		best = now() - start < best ? now() - start : best;
	}
	printf("{\"events\":%llu,\"best_seconds\":%.6f,\"bytes\":%llu}\n",
	       (unsigned long long)events, best, (unsigned long long)bytes);
	return 0;
}
