/* SPDX-License-Identifier: MIT */
/*
 * Traces that are valid, but only just:
 *
 *	hostile_traces FOLDER COUNT
 *
 * writes FOLDER/1.nettrace and so on, always the same. Names have any bytes and lengths, times are
 * before the start and far in the future, weights range from zero to more than the duration, stacks
 * are up to 500 deep, threads of two processes have the same ids, and some threads no samples.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfpipe/nettrace_payload.h"
#include "perfpipe/nettrace_universal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SYMBOLS	    24
#define SYMBOL_SIZE 0x100u
#define CODE	    UINT64_C(0x7f0000000000)
#define DEEPEST	    500
#define LONG_NAME   5000
#define START_TICKS (INT64_C(1) << 40)

static char long_name[LONG_NAME + 1];

static const char *const names[] = {
	"Plain.Name(int)",
	"",
	" ",
	"a;b;c",
	";",
	"</script><script>window.harmed=1</script>",
	"<img src=x onerror=window.harmed=1>",
	"]]>",
	"<![CDATA[",
	"<!-- ",
	"-->",
	"&amp;&lt;&#0;&nothing;",
	"one \"quoted\" and 'another'",
	"back\\slash\\",
	"\\u0000",
	"two\nlines",
	"carriage\rreturn\ttab",
	"\x01\x02\x1b[31mred\x7f",
	"not \xFF\xFE UTF-8 \x80",
	"half a surrogate \xED\xA0\x80",
	"beyond \xF4\x90\x80\x80 all",
	"too long \xC0\x80 \xE0\x80\x80",
	"cut \xE2\x82",
	"no character \xEF\xBF\xBE\xEF\xBF\xBF",
	"\xEF\xBB\xBFmark",
	"\xF0\x9F\x98\x80 \xE5\xAE\xB6 \xC3\xA9",
	"line \xE2\x80\xA8 and \xC2\x85 and paragraph \xE2\x80\xA9",
	"\xE2\x80\xAEright to left",
	"%s%n%d",
	"=1+1",
	"a,b,\"c\",,",
	"(parentheses) [brackets] {braces} 100",
	"12345",
	"-1",
	"__proto__",
	"constructor",
	"!",
	"a!b!c",
	"../../etc/passwd",
	"C:\\Windows\\x.dll",
	long_name,
};

struct random {
	uint64_t state;
};

/* xorshift64: the same on every machine. */
static uint64_t any(struct random *random)
{
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return random->state;
}

static size_t below(struct random *random, size_t limit)
{
	return (size_t)((any(random) >> 11) % limit);
}

static const char *any_name(struct random *random)
{
	return names[below(random, COUNT(names))];
}

enum times {
	TIMES_USUAL,
	TIMES_ALL_THE_SAME,
	TIMES_BEFORE_THE_START,
	TIMES_FAR_AWAY,
	TIMES_ANY,
	TIMES_KINDS,
};

struct hostile {
	struct pp_writer *writer;
	struct pp_payload *payload;
	struct random random;
	enum times times;
	int64_t now;
	uint64_t threads[16];
	size_t thread_count;
	uint64_t stack[DEEPEST];
};

static int64_t next_time(struct hostile *h)
{
	switch (h->times) {
	case TIMES_ALL_THE_SAME:
		return START_TICKS;
	case TIMES_BEFORE_THE_START:
		return h->now += (int64_t)below(&h->random, 1000000);
	case TIMES_FAR_AWAY:
		return h->now += (int64_t)(any(&h->random) >> 10);
	case TIMES_ANY:
		return (int64_t)(any(&h->random) >> (1 + below(&h->random, 60)));
	default:
		return h->now += (int64_t)below(&h->random, 20000000);
	}
}

/* All but the last have samples. */
static void add_threads(struct hostile *h)
{
	static const int64_t processes[] = { 4711, 1, 0, INT32_MAX, INT64_C(1) << 40 };
	const size_t first = below(&h->random, COUNT(processes));
	const size_t count = 1 + below(&h->random, 3);

	for (size_t i = 0; i < count; i++)
		for (int64_t id = 0; id < 4; id++) {
			const struct pp_thread thread = {
				.process_id = processes[(first + i) % COUNT(processes)],
				.id = id == 3 ? (int64_t)below(&h->random, SIZE_MAX) >> 2 : id,
				.name = id == 1 ? NULL : any_name(&h->random),
			};

			h->threads[h->thread_count++] = pp_writer_thread(h->writer, &thread, NULL);
		}
}

static void add_code(struct hostile *h)
{
	struct pp_new_event at = { .ticks = START_TICKS, .cpu = -1 };

	for (size_t i = 0; i < h->thread_count; i += 4) {
		const struct pp_new_process process = { .name = any_name(&h->random),
							.namespace_name = any_name(&h->random) };
		const struct pp_new_mapping_metadata metadata = {
			.id = i + 1,
			.symbols = i ? any_name(&h->random)
				     : "{\"type\":\"ELF\",\"build_id\":\"00ff\"}",
			.version = any_name(&h->random),
		};
		const struct pp_new_mapping mapping = { .id = i + 1,
							.start = CODE,
							.end = CODE +
							       (uint64_t)SYMBOLS * SYMBOL_SIZE,
							.file_name = any_name(&h->random),
							.metadata_id = i + 1 };

		at.thread = h->threads[i];
		pp_writer_process(h->writer, &at, PP_PROCESS_EXISTING, &process, NULL);
		pp_writer_mapping_metadata(h->writer, &at, &metadata, NULL);
		pp_writer_mapping(h->writer, &at, &mapping, NULL);
		for (size_t j = 0; j + 2 < SYMBOLS; j++) /* the last two are unknown */
			pp_writer_symbol(h->writer, &at,
					 &(const struct pp_new_symbol){
						 .id = j + 1,
						 .mapping_id = i + 1,
						 .start = CODE + j * SYMBOL_SIZE,
						 .end = CODE + (j + 1) * SYMBOL_SIZE - 1,
						 .name = any_name(&h->random) },
					 NULL);
	}
}

static struct pp_new_event new_event(struct hostile *h, uint32_t kind)
{
	const size_t depth = below(&h->random, 16) ? below(&h->random, 20) : DEEPEST;
	struct pp_new_event event = { .kind = kind,
				      .thread = h->threads[below(&h->random, h->thread_count - 1)],
				      .ticks = next_time(h),
				      .cpu = (int32_t)below(&h->random, 3) - 1,
				      .stack = h->stack,
				      .stack_count = depth };

	for (size_t i = 0; i < depth; i++)
		h->stack[i] = CODE + below(&h->random, (size_t)SYMBOLS * SYMBOL_SIZE + 10);
	return event;
}

static void add_samples(struct hostile *h)
{
	static const uint64_t weights[] = { 0, 1, 1, 1, 10, UINT32_MAX, INT64_MAX, UINT64_MAX };
	const size_t count = 1 + below(&h->random, 60);

	for (size_t i = 0; i < count; i++) {
		const struct pp_new_event at = new_event(h, 0);
		const uint64_t weight = weights[below(&h->random, COUNT(weights))];

		if (below(&h->random, 4))
			pp_writer_cpu(h->writer, &at, weight, NULL);
		else
			pp_writer_cswitch(h->writer, &at, weight, NULL);
	}
}

static void write_payload(struct hostile *h, struct pp_new_event *event)
{
	event->payload = pp_payload_bytes(h->payload, &event->payload_size);
	if (event->payload)
		pp_writer_event(h->writer, event, NULL);
	pp_payload_clear(h->payload);
}

/* A lone surrogate, which is not a character, then a string. */
static void put_text(struct hostile *h, const char *text)
{
	if (!below(&h->random, 4))
		pp_payload_u16(h->payload, 0xD83D);
	pp_payload_utf16z(h->payload, text);
}

static void add_exceptions(struct hostile *h)
{
	const struct pp_kind kind = { .provider = "Microsoft-Windows-DotNETRuntime",
				      .name = "",
				      .id = 80,
				      .version = 1,
				      .opcode = -1 };
	const uint32_t thrown = pp_writer_kind(h->writer, &kind, NULL);

	for (size_t i = below(&h->random, 5); i; i--) {
		struct pp_new_event event = new_event(h, thrown);

		put_text(h, any_name(&h->random));
		put_text(h, any_name(&h->random));
		pp_payload_u64(h->payload, any(&h->random));
		pp_payload_u32(h->payload, 0x80131500);
		pp_payload_u32(h->payload, 0);
		write_payload(h, &event);
	}
}

static void add_counters(struct hostile *h)
{
	static const double values[] = { 0, -1, 1e308, -1e-308, 5e-324, NAN, INFINITY, -INFINITY };
	static const struct pp_field fields[] = { { "Name", { .code = PP_TYPE_UTF16Z } },
						  { "DisplayUnits", { .code = PP_TYPE_UTF16Z } },
						  { "Mean", { .code = PP_TYPE_F64 } } };
	const struct pp_kind kind = { .provider = any_name(&h->random),
				      .name = "EventCounters",
				      .id = 1,
				      .opcode = -1,
				      .fields = { fields, COUNT(fields) } };
	const uint32_t counter = pp_writer_kind(h->writer, &kind, NULL);

	for (size_t i = below(&h->random, 20); i; i--) {
		struct pp_new_event event = new_event(h, counter);

		put_text(h, names[i % 4 + below(&h->random, 2)]);
		put_text(h, any_name(&h->random));
		pp_payload_f64(h->payload, values[below(&h->random, COUNT(values))]);
		write_payload(h, &event);
	}
}

/* Activities that start and stop; names of providers, events and fields are random too. */
static void add_activities(struct hostile *h)
{
	const struct pp_field fields[] = { { any_name(&h->random), { .code = PP_TYPE_UTF16Z } },
					   { any_name(&h->random), { .code = PP_TYPE_F64 } } };
	struct pp_kind kind = { .provider = any_name(&h->random),
				.name = any_name(&h->random),
				.id = 1,
				.opcode = 1,
				.message = any_name(&h->random),
				.fields = { fields, COUNT(fields) } };
	uint32_t kinds[2];

	for (uint32_t i = 0; i < 2; i++) {
		kind.id = i + 1;
		kind.opcode = (int)i + 1;
		kinds[i] = pp_writer_kind(h->writer, &kind, NULL);
	}
	for (size_t i = below(&h->random, 16); i; i--) {
		struct pp_new_event event = new_event(h, kinds[below(&h->random, 2)]);

		put_text(h, any_name(&h->random));
		pp_payload_f64(h->payload, below(&h->random, 2) ? NAN : -INFINITY);
		write_payload(h, &event);
	}
}

static int to_file(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static int write_trace(const char *path, uint64_t number)
{
	FILE *file = fopen(path, "wb");
	const struct pp_writer_options options = { .size = sizeof(options),
						   .sink = { to_file, file },
						   .start_ns = INT64_C(1700000000000000000),
						   .start_ticks = START_TICKS,
						   .ticks_per_second = 1000000000 };
	struct hostile h = { .random = { number * UINT64_C(0x9E3779B97F4A7C15) },
			     .times = (enum times)(number % TIMES_KINDS),
			     .now = START_TICKS,
			     .payload = pp_payload_new(),
			     .writer = file ? pp_writer_new(&options, NULL) : NULL };
	struct pp_error err = { 0 };

	if (!h.writer)
		return -1;
	if (h.times == TIMES_BEFORE_THE_START)
		h.now /= 2;
	add_threads(&h);
	add_code(&h);
	add_samples(&h);
	add_exceptions(&h);
	add_counters(&h);
	add_activities(&h);
	pp_payload_free(h.payload);
	if (pp_writer_close(h.writer, &err))
		fprintf(stderr, "%s: %s\n", path, err.text);
	return fclose(file) || err.code ? -1 : 0;
}

int main(int argc, char **argv)
{
	const int count = argc == 3 ? atoi(argv[2]) : 0;
	char path[4096];

	memset(long_name, 'x', LONG_NAME);
	for (int i = 1; i <= count; i++) {
		snprintf(path, sizeof(path), "%s/%d.nettrace", argv[1], i);
		if (write_trace(path, (uint64_t)i))
			return 1;
	}
	return count ? 0 : 1;
}
