/* SPDX-License-Identifier: MIT */
/*
 * make_mix EVENTS [PROCESSES] - writes a trace of events that analyses take to standard
 * output: samples, allocations, collections, waits for locks, exceptions and pool threads,
 * all with stacks, of one process or several in turn. The same numbers give the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "perfpipe/nettrace_writer.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define DEPTH	12
#define THREADS 4 /* of each process */

/* The kinds, and the versions that a runtime of today writes. */
enum what {
	SAMPLE,
	TICK,
	LOCK_START,
	LOCK_STOP,
	THROW,
	CATCH,
	CATCH_STOP,
	WORKER,
	SUSPEND,
	SUSPENDED,
	GC_START,
	GC_STOP,
	HEAP_STATS,
	RESTART,
	RESTARTED,
	KINDS
};

static const struct {
	const char *provider;
	uint32_t id;
	uint32_t version;
} kinds[KINDS] = {
	[SAMPLE] = { "Microsoft-DotNETCore-SampleProfiler", 0, 0 },
	[TICK] = { RUNTIME, 10, 4 },
	[LOCK_START] = { RUNTIME, 81, 2 },
	[LOCK_STOP] = { RUNTIME, 91, 1 },
	[THROW] = { RUNTIME, 80, 1 },
	[CATCH] = { RUNTIME, 250, 0 },
	[CATCH_STOP] = { RUNTIME, 251, 0 },
	[WORKER] = { RUNTIME, 57, 0 },
	[SUSPEND] = { RUNTIME, 9, 1 },
	[SUSPENDED] = { RUNTIME, 8, 1 },
	[GC_START] = { RUNTIME, 1, 2 },
	[GC_STOP] = { RUNTIME, 2, 1 },
	[HEAP_STATS] = { RUNTIME, 4, 2 },
	[RESTART] = { RUNTIME, 7, 1 },
	[RESTARTED] = { RUNTIME, 3, 1 },
};

/* What happens over and over; a collection comes now and then. */
static const enum what round_of[] = { SAMPLE, TICK,	 TICK,	SAMPLE, LOCK_START,
				      TICK,   LOCK_STOP, THROW, CATCH,	CATCH_STOP,
				      TICK,   SAMPLE,	 TICK,	WORKER };
static const enum what collection[] = { SUSPEND,    SUSPENDED, GC_START, GC_STOP,
					HEAP_STATS, RESTART,   RESTARTED };

struct mix {
	struct pp_writer *writer;
	uint32_t kinds[KINDS];
	uint64_t *threads;
	struct buffer payload;
	uint64_t left;
	uint64_t done;
	uint32_t collections;
	struct pp_error err;
};

static int to_file(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static void put_text(struct buffer *out, const char *format, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), format, (unsigned)number);
	buffer_utf16z(out, text);
}

static void put_real(struct buffer *out, double real)
{
	buffer_bytes(out, &real, sizeof(real));
}

static void put_payload(struct mix *mix, enum what what, uint64_t n)
{
	struct buffer *out = &mix->payload;

	buffer_rewind(out, 0);
	switch (what) {
	case SAMPLE:
		buffer_u32(out, 1 + (uint32_t)(n % 2));
		break;
	case TICK:
		buffer_u32(out, 106496);
		buffer_u32(out, n % 50 == 0);
		buffer_u16(out, 0);
		buffer_u64(out, 106496);
		buffer_u64(out, 1);
		put_text(out, "Shop.Types.Type%u", n % 97);
		buffer_u32(out, 0);
		buffer_u64(out, 0);
		buffer_u64(out, 24);
		break;
	case LOCK_START:
		buffer_u8(out, 0);
		buffer_u16(out, 0);
		buffer_u64(out, 0x1000 + n % 7);
		buffer_u64(out, 0x2000 + n % 7);
		buffer_u64(out, 10 + n % 3);
		break;
	case LOCK_STOP:
		buffer_u8(out, 0);
		buffer_u16(out, 0);
		put_real(out, 900);
		break;
	case THROW:
		put_text(out, "Shop.Trouble%u", n % 5);
		put_text(out, "order %u is too large", n % 1000);
		buffer_u64(out, 0);
		buffer_u32(out, 0);
		buffer_u16(out, 0x10);
		buffer_u16(out, 0);
		break;
	case CATCH:
		buffer_u64(out, 0);
		buffer_u64(out, 0);
		put_text(out, "void [shop] Shop.Orders::Serve%u(int32)", n % 11);
		buffer_u16(out, 0);
		break;
	case WORKER:
		buffer_u32(out, 2 + (uint32_t)(n % 6));
		buffer_u32(out, 0);
		buffer_u16(out, 0);
		break;
	case SUSPEND:
		buffer_u32(out, 1);
		buffer_u32(out, mix->collections);
		buffer_u16(out, 0);
		break;
	case GC_START:
		buffer_u32(out, mix->collections);
		buffer_u32(out, mix->collections % 3);
		buffer_u32(out, 0);
		buffer_u32(out, 0);
		buffer_u16(out, 0);
		buffer_u64(out, 0);
		break;
	case HEAP_STATS:
		for (uint64_t i = 0; i < 9; i++)
			buffer_u64(out, 1000000 + i);
		buffer_u64(out, 0);
		for (int i = 0; i < 3; i++)
			buffer_u32(out, 1);
		buffer_u16(out, 0);
		buffer_u64(out, 0);
		buffer_u64(out, 0);
		break;
	default:
		buffer_u32(out, mix->collections);
		buffer_u32(out, 0);
		buffer_u16(out, 0);
		break;
	}
}

static void write_event(struct mix *mix, enum what what, uint64_t thread)
{
	uint64_t stack[DEPTH];
	const uint64_t n = mix->done++;

	if (!mix->left)
		return;
	mix->left--;
	for (unsigned i = 0; i < DEPTH; i++)
		stack[DEPTH - 1 - i] = 0x400000 + 256 * (i + (i > DEPTH / 2 ? n % 13 : 0));
	put_payload(mix, what, n);
	pp_writer_event(mix->writer,
			&(struct pp_new_event){ .kind = mix->kinds[what],
						.cpu = -1,
						.thread = mix->threads[thread],
						.ticks = (int64_t)(1000 * n),
						.stack = stack,
						.stack_count = DEPTH,
						.payload = mix->payload.bytes,
						.payload_size = mix->payload.size },
			&mix->err);
}

static void write_all(struct mix *mix, uint64_t processes)
{
	for (uint64_t round = 0; mix->left; round++) {
		const uint64_t thread = round % (processes * THREADS);

		for (size_t i = 0; i < sizeof(round_of) / sizeof(round_of[0]); i++)
			write_event(mix, round_of[i], thread);
		if (round % 200 == 7)
			for (size_t i = 0; i < sizeof(collection) / sizeof(collection[0]); i++)
				write_event(mix, collection[i], thread);
		mix->collections += round % 200 == 7;
	}
}

int main(int argc, char **argv)
{
	const uint64_t processes = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct mix mix = { .left = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000000 };
	const struct pp_writer_options options = { .sink = { to_file, stdout },
						   .start_ns = INT64_C(1790000000000000000),
						   .ticks_per_second = 1000000000 };

	if (!processes || processes > 1000 || !(mix.writer = pp_writer_new(&options, &mix.err)))
		return fprintf(stderr, "usage: make_mix EVENTS [PROCESSES]\n"), 3;
	for (int i = 0; i < KINDS; i++)
		mix.kinds[i] = pp_writer_kind(mix.writer,
					      &(struct pp_kind){ .provider = kinds[i].provider,
								 .name = "",
								 .id = kinds[i].id,
								 .version = kinds[i].version,
								 .opcode = -1 },
					      &mix.err);
	mix.threads = calloc(processes * THREADS, sizeof(*mix.threads));
	for (uint64_t i = 0; mix.threads && i < processes * THREADS; i++)
		mix.threads[i] = pp_writer_thread(
			mix.writer,
			&(struct pp_thread){ .process_id = (int64_t)(100 + i / THREADS),
					     .id = (int64_t)(10 + i) },
			&mix.err);
	if (mix.threads)
		write_all(&mix, processes);
	if (pp_writer_close(mix.writer, &mix.err) || mix.err.code || fflush(stdout))
		return fprintf(stderr, "make_mix: %s\n", mix.err.text), 5;
	free(mix.threads);
	buffer_release(&mix.payload);
	return 0;
}
