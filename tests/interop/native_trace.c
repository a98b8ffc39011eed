/* SPDX-License-Identifier: MIT */
/*
 * native_trace FILE [SECONDS] < LINES - writes a trace of native code. Lines are:
 *
 *	process PID PATH
 *	mapping START END OFFSET PATH [build-id]
 *	sample ADDRESS...		leaf first, a millisecond each
 *
 * Numbers but the PID are hexadecimal. The trace starts at this Unix time, or else when 2026 did.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfpipe/nettrace_universal.h"

#define START_S	 INT64_C(1767225600)
#define FRAMES	 64
#define INTERVAL 1000000

static struct {
	struct pp_writer *writer;
	struct pp_error err;
	uint64_t thread;
	uint64_t mappings;
	int64_t ticks;
} trace;

static int write_bytes(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static struct pp_new_event now(void)
{
	return (struct pp_new_event){ .thread = trace.thread, .ticks = trace.ticks, .cpu = -1 };
}

static int add_process(char *words)
{
	const long pid = strtol(words, &words, 10);
	const struct pp_thread thread = { .process_id = pid, .id = pid };
	struct pp_new_event at;

	trace.thread = pp_writer_thread(trace.writer, &thread, &trace.err);
	at = now();
	return pp_writer_process(trace.writer, &at, PP_PROCESS_EXISTING,
				 &(const struct pp_new_process){ .name = strtok(words, " ") },
				 &trace.err);
}

static int add_build_id(uint64_t id, const char *build_id)
{
	const struct pp_new_event at = now();
	char json[256];

	snprintf(json, sizeof(json), "{\"type\":\"ELF\",\"build_id\":\"%s\"}", build_id);
	return pp_writer_mapping_metadata(
		trace.writer, &at,
		&(const struct pp_new_mapping_metadata){ .id = id, .symbols = json }, &trace.err);
}

static int add_mapping(char *words)
{
	struct pp_new_mapping mapping = { .id = ++trace.mappings };
	const struct pp_new_event at = now();
	const char *build_id;

	mapping.start = strtoull(words, &words, 16);
	mapping.end = strtoull(words, &words, 16);
	mapping.file_offset = strtoull(words, &words, 16);
	mapping.file_name = strtok(words, " ");
	build_id = strtok(NULL, " ");
	if (build_id && add_build_id(mapping.id, build_id))
		return -1;
	mapping.metadata_id = build_id ? mapping.id : 0;
	return pp_writer_mapping(trace.writer, &at, &mapping, &trace.err);
}

static int add_sample(char *words)
{
	uint64_t stack[FRAMES];
	struct pp_new_event at;

	trace.ticks += INTERVAL;
	at = now();
	at.stack = stack;
	for (char *word = strtok(words, " "); word && at.stack_count < FRAMES;
	     word = strtok(NULL, " "))
		stack[at.stack_count++] = strtoull(word, NULL, 16);
	return pp_writer_cpu(trace.writer, &at, 1, &trace.err);
}

static int add_line(char *line)
{
	static const struct {
		const char *word;
		int (*add)(char *words);
	} kinds[] = { { "process ", add_process },
		      { "mapping ", add_mapping },
		      { "sample ", add_sample } };

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(line, kinds[i].word, strlen(kinds[i].word)))
			return kinds[i].add(line + strlen(kinds[i].word));
	fprintf(stderr, "native_trace: what is '%s'?\n", line);
	return -1;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 || argc == 3 ? fopen(argv[1], "wb") : NULL;
	const int64_t start_s = argc == 3 ? strtoll(argv[2], NULL, 10) : START_S;
	char line[4096];
	int failed = 0;

	if (!file)
		return fputs("usage: native_trace FILE [SECONDS] < LINES\n", stderr), 2;
	trace.writer = pp_writer_new(
		&(const struct pp_writer_options){ .size = sizeof(struct pp_writer_options),
						   .sink = { write_bytes, file },
						   .start_ns = start_s * 1000000000,
						   .start_ticks = 0,
						   .ticks_per_second = 1000000000 },
		&trace.err);
	while (!failed && fgets(line, sizeof(line), stdin))
		failed = add_line(line);
	failed |= pp_writer_close(trace.writer, &trace.err) | fclose(file);
	if (failed)
		fprintf(stderr, "native_trace: %s\n", trace.err.text);
	return failed ? 1 : 0;
}
