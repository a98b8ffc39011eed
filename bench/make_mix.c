/* SPDX-License-Identifier: MIT */
/*
 * make_mix EVENTS [PROCESSES [spans | tasks]] - writes a trace of events that the analyses use to
 * standard output: samples, allocations, garbage collections, lock contention, exceptions and
 * pool threads, all with stacks, of one process or alternating between several. With `spans` it
 * has what a timeline shows besides samples instead, all of them distinct: tasks, requests,
 * compilations, waits, exceptions, counter readings and many GCs; with `tasks`, samples in tasks,
 * awaits and requests, each of them another one. The same arguments give the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "perfpipe/nettrace_writer.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define TASKS	"System.Threading.Tasks.TplEventSource"
#define DEPTH	12
#define THREADS 4 /* per process */

/* The kinds, in the versions that current runtimes write. */
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
	TASK_MADE,
	TASK_BEGAN,
	TASK_ENDED,
	AWAIT,
	AWAIT_STOP,
	CONTINUED,
	REQUEST,
	REQUEST_STOP,
	COMPILE,
	COMPILED,
	READING,
	KINDS
};

#define TEXT(field)                                                                                \
	{                                                                                          \
		.name = (field), .type = {.code = PP_TYPE_UTF16Z }                                 \
	}

static const struct pp_field reading_fields[] = { TEXT("meterName"), TEXT("instrumentName"),
						  TEXT("unit"), TEXT("lastValue") };

static const struct {
	const char *provider;
	uint32_t id;
	uint32_t version;
	const char *name; /* NULL: "" */
	struct pp_fields fields;
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
	[TASK_MADE] = { TASKS, 7, 1 },
	[TASK_BEGAN] = { TASKS, 8, 1 },
	[TASK_ENDED] = { TASKS, 9, 1 },
	[AWAIT] = { TASKS, 10, 3 },
	[AWAIT_STOP] = { TASKS, 11, 0 },
	[CONTINUED] = { TASKS, 13, 0 },
	[REQUEST] = { "Shop.Requests", 1, 0, "RequestStart" },
	[REQUEST_STOP] = { "Shop.Requests", 2, 0, "RequestStop" },
	[COMPILE] = { RUNTIME, 145, 1 },
	[COMPILED] = { RUNTIME, 143, 2 },
	[READING] = { "System.Diagnostics.Metrics",
		      5,
		      0,
		      "GaugeValuePublished",
		      { reading_fields, ARRAY_COUNT(reading_fields) } },
};

/* The repeated events; a GC comes now and then. */
static const enum what round_of[] = { SAMPLE, TICK,	 TICK,	SAMPLE, LOCK_START,
				      TICK,   LOCK_STOP, THROW, CATCH,	CATCH_STOP,
				      TICK,   SAMPLE,	 TICK,	WORKER };
static const enum what span_round[] = { TASK_MADE,  TASK_BEGAN, REQUEST,      THROW,
					LOCK_START, LOCK_STOP,	COMPILE,      COMPILED,
					READING,    THROW,	REQUEST_STOP, TASK_ENDED };
static const enum what task_round[] = {
	TASK_MADE,  TASK_BEGAN, REQUEST,   SAMPLE,	 AWAIT,
	AWAIT_STOP, SAMPLE,	CONTINUED, REQUEST_STOP, TASK_ENDED
};
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
	uint64_t round;
	bool spans;
	bool tasks;
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

#define METHODS 5000

static void put_method(struct mix *mix, bool compiled)
{
	const uint64_t method = mix->round % METHODS;
	struct buffer *out = &mix->payload;

	buffer_u64(out, 0x10000 + method);
	buffer_u64(out, 0x2000);
	if (compiled) {
		buffer_u64(out, 0x70000000 + 256 * method);
		buffer_u32(out, 200);
	}
	buffer_u32(out, 0x6000000 + (uint32_t)method);
	buffer_u32(out, compiled ? 8 : 50); /* flags, IL size */
	put_text(out, "Shop.Parts.Part%u", method % 100);
	put_text(out, "Handle%u", method);
	buffer_utf16z(out, "void  ()");
	buffer_u16(out, 0);
	if (compiled)
		buffer_u64(out, 0);
}

/* False if it is not one of these. */
static bool put_span_payload(struct mix *mix, enum what what)
{
	struct buffer *out = &mix->payload;

	switch (what) {
	case TASK_MADE:
	case TASK_BEGAN:
	case TASK_ENDED:
		buffer_u64(out, 0);
		buffer_u32(out, (uint32_t)mix->round + 1);
		buffer_u64(out, 0);
		return true;
	case AWAIT: /* of a method, for something else */
		buffer_u64(out, 0);
		buffer_u32(out, 0x40000000 + (uint32_t)mix->round);
		buffer_u32(out, 2);
		buffer_u32(out, 0x20000000 + (uint32_t)mix->round);
		return true;
	case AWAIT_STOP:
		buffer_u64(out, 0);
		buffer_u32(out, 0x40000000 + (uint32_t)mix->round);
		return true;
	case CONTINUED:
		buffer_u32(out, 0x40000000 + (uint32_t)mix->round);
		return true;
	case REQUEST:
	case REQUEST_STOP:
		return true;
	case COMPILE:
	case COMPILED:
		put_method(mix, what == COMPILED);
		return true;
	case READING:
		buffer_utf16z(out, "Shop.Orders");
		buffer_utf16z(out, "waiting");
		buffer_utf16z(out, "orders");
		put_text(out, "%u", mix->round % 1000);
		return true;
	default:
		return false;
	}
}

static void put_payload(struct mix *mix, enum what what, uint64_t n)
{
	struct buffer *out = &mix->payload;

	buffer_rewind(out, 0);
	if (put_span_payload(mix, what))
		return;
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
	struct pp_labels labels = { .present = PP_LABEL_ACTIVITY };

	if (!mix->left)
		return;
	mix->left--;
	for (unsigned i = 0; i < DEPTH; i++)
		stack[DEPTH - 1 - i] = 0x400000 + 256 * (i + (i > DEPTH / 2 ? n % 13 : 0));
	put_payload(mix, what, n);
	memcpy(labels.activity_id, &mix->round, sizeof(mix->round));
	pp_writer_event(mix->writer,
			&(struct pp_new_event){
				.kind = mix->kinds[what],
				.cpu = -1,
				.thread = mix->threads[thread],
				.ticks = (int64_t)(1000 * n),
				.stack = stack,
				.stack_count = DEPTH,
				.labels = what == REQUEST || what == REQUEST_STOP ? &labels : NULL,
				.payload = mix->payload.bytes,
				.payload_size = mix->payload.size },
			&mix->err);
}

static void write_row(struct mix *mix, const enum what *row, size_t count, uint64_t thread)
{
	for (size_t i = 0; i < count; i++)
		write_event(mix, row[i], thread);
}

#define WRITE(mix, row, thread) write_row(mix, row, ARRAY_COUNT(row), thread)

static void write_all(struct mix *mix, uint64_t processes)
{
	const uint64_t between = mix->spans && !mix->tasks ? 10 : 200; /* events between two GCs */

	for (; mix->left; mix->round++) {
		const uint64_t thread = mix->round % (processes * THREADS);

		if (mix->tasks)
			WRITE(mix, task_round, thread);
		else if (mix->spans)
			WRITE(mix, span_round, thread);
		else
			WRITE(mix, round_of, thread);
		if (mix->round % between != 7)
			continue;
		WRITE(mix, collection, thread);
		mix->collections++;
	}
}

int main(int argc, char **argv)
{
	const uint64_t processes = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct mix mix = { .left = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000000 };
	const struct pp_writer_options options = { .size = sizeof(options),
						   .sink = { to_file, stdout },
						   .start_ns = INT64_C(1790000000000000000),
						   .ticks_per_second = 1000000000 };

	mix.tasks = argc > 3 && !strcmp(argv[3], "tasks");
	mix.spans = mix.tasks || (argc > 3 && !strcmp(argv[3], "spans"));
	if (!processes || processes > 1000 || !(mix.writer = pp_writer_new(&options, &mix.err)))
		return fprintf(stderr, "usage: make_mix EVENTS [PROCESSES [spans | tasks]]\n"), 3;
	for (int i = 0; i < (mix.spans ? KINDS : TASK_MADE); i++)
		mix.kinds[i] = pp_writer_kind(
			mix.writer,
			&(struct pp_kind){ .provider = kinds[i].provider,
					   .name = kinds[i].name ? kinds[i].name : "",
					   .fields = kinds[i].fields,
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
