/* SPDX-License-Identifier: MIT */
#include "stack_reading.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "trace_reading.h"

#define DEEPEST 2000

/* "PROCESS PID/TID [CPU] TIME: WEIGHT EVENT:", then a frame a line, the innermost first. */
void read_perf_script(const char *text, size_t size, stack_read *add, void *to)
{
	char *copy = strndup(text, size);
	char *lines = copy;
	const char *stack[DEEPEST];
	char *names[DEEPEST];
	size_t depth = 0;
	uint64_t weight = 0;
	char *line;

	while ((line = strsep(&lines, "\n"))) {
		if (*line == '\t') {
			char *module = strrchr(line, '(');

			assert_true(depth < DEEPEST);
			module[-1] = module[strlen(module) - 1] = 0;
			assert_true(asprintf(&names[depth++], "%s%s%s",
					     strcmp(module, "(perfpipe") ? module + 1 : "",
					     strcmp(module, "(perfpipe") ? "!" : "",
					     strchr(line, ' ') + 1) > 0);
		} else if (*line) {
			weight = strtoull(strstr(line, ": ") + 2, NULL, 10);
		} else {
			for (size_t i = 0; i < depth; i++)
				stack[depth - 1 - i] = names[i];
			add(to, stack, depth, weight);
			while (depth)
				free(names[--depth]);
		}
	}
	free(copy);
}

static uint64_t attribute(const char *element, const char *name)
{
	const char *at = strstr(element, name);

	assert_non_null(at);
	return (uint64_t)llround(strtod(at + strlen(name) + 2, NULL) *
				 (strcmp(name, "Metric") ? 1 : 1e6));
}

/* What XML has to replace. */
static char *plain_text(const char *from, const char *end)
{
	static const char *const entities[][2] = {
		{ "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }
	};
	char *text = xcalloc(1, (size_t)(end - from) + 1);
	char *to = text;

	while (from < end) {
		size_t found = 4;

		for (size_t i = 0; i < 4; i++)
			if (!strncmp(from, entities[i][0], strlen(entities[i][0])))
				found = i;
		*to++ = found < 4 ? *entities[found][1] : *from;
		from += found < 4 ? strlen(entities[found][0]) : 1;
	}
	return text;
}

/* The one file of the archive, behind a header with the length of its name. */
static char *unpack(const char *packed, size_t size)
{
	const size_t header = 30 + (size_t)(uint8_t)packed[26];
	const size_t most = 64 * size;
	char *text = xcalloc(1, most + 1);
	z_stream stream = { .next_in = (Bytef *)packed + header,
			    .avail_in = (uInt)(size - header),
			    .next_out = (Bytef *)text,
			    .avail_out = (uInt)most };

	assert_int_equal(inflateInit2(&stream, -15), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	return text;
}

struct xml_stack {
	uint64_t caller;
	uint64_t frame;
};

/* A line is an element: frames, then stacks, then samples. */
void read_perfview(const char *packed, size_t size, stack_read *add, void *to)
{
	char *text = unpack(packed, size);
	char *lines = text;
	char **frames = NULL;
	struct xml_stack *stacks = NULL;
	size_t frame_count = 0, frame_capacity = 0, stack_count = 0, stack_capacity = 0;
	char *line;

	while ((line = strsep(&lines, "\n"))) {
		if (strstr(line, "<Frame ID")) {
			frames = xgrow(frames, frame_count, &frame_capacity, sizeof(*frames));
			assert_int_equal(attribute(line, "ID"), frame_count);
			frames[frame_count++] =
				plain_text(strchr(line, '>') + 1, strstr(line, "</Frame>"));
		} else if (strstr(line, "<Stack ID")) {
			stacks = xgrow(stacks, stack_count, &stack_capacity, sizeof(*stacks));
			stacks[stack_count++] = (struct xml_stack){ attribute(line, "CallerID"),
								    attribute(line, "FrameID") };
		} else if (strstr(line, "<Sample ID")) {
			const char *stack[DEEPEST];
			size_t first = DEEPEST;

			for (uint64_t at = attribute(line, "StackID"); at < stack_count;
			     at = stacks[at].caller)
				stack[--first] = frames[stacks[at].frame];
			first += 2; /* process and thread */
			add(to, stack + first, DEEPEST - first, attribute(line, "Metric"));
		}
	}
	while (frame_count)
		free(frames[--frame_count]);
	free(frames);
	free(stacks);
	free(text);
}
