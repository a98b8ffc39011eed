/* SPDX-License-Identifier: MIT */
/*
 * write_trace - writes a trace of a loop: when each iteration began, and its number.
 *
 *	cc write_trace.c $(pkg-config --cflags --libs perfpipe) -o write_trace
 *	write_trace loop.nettrace && perfpipe info loop.nettrace
 */
#include <perfpipe/nettrace_payload.h>
#include <perfpipe/nettrace_writer.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int to_file(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

/* An event with two fields; readers find them by these names. */
static uint32_t define_round(struct pp_writer *writer, struct pp_error *err)
{
	static const struct pp_field fields[] = {
		{ "number", { .code = PP_TYPE_U32 } },
		{ "text", { .code = PP_TYPE_UTF16Z } },
	};
	const struct pp_kind kind = {
		.provider = "Example-Loop",
		.name = "Round",
		.id = 1,
		.level = 4,
		.opcode = -1,
		.fields = { fields, 2 },
	};

	return pp_writer_kind(writer, &kind, err);
}

static void write_rounds(struct pp_writer *writer, struct pp_error *err)
{
	const struct pp_thread self = { .process_id = getpid(), .id = getpid(), .name = "main" };
	struct pp_payload *payload = pp_payload_new();
	struct pp_new_event event = {
		.kind = define_round(writer, err),
		.thread = pp_writer_thread(writer, &self, err),
		.cpu = -1,
	};

	for (uint32_t i = 0; i < 1000; i++) {
		pp_payload_clear(payload);
		pp_payload_u32(payload, i);
		pp_payload_utf16z(payload, i % 2 ? "odd" : "even");
		event.payload = pp_payload_bytes(payload, &event.payload_size);
		event.ticks = clock_ns(CLOCK_MONOTONIC);
		pp_writer_event(writer, &event, err);
	}
	pp_payload_free(payload);
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
	const struct pp_writer_options options = {
		.size = sizeof(options),
		.sink = { to_file, file },
		.start_ns = clock_ns(CLOCK_REALTIME),
		.start_ticks = clock_ns(CLOCK_MONOTONIC),
		.ticks_per_second = 1000000000,
	};
	struct pp_writer *writer;

	if (!file) {
		fprintf(stderr, "usage: write_trace FILE\n");
		return 1;
	}
	writer = pp_writer_new(&options, &err);
	if (writer)
		write_rounds(writer, &err);
	pp_writer_close(writer, &err);
	if (fclose(file) || err.code) {
		fprintf(stderr, "%s: %s\n", argv[1], err.code ? err.text : "cannot be written");
		return 1;
	}
	return 0;
}
