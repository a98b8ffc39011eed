/* SPDX-License-Identifier: MIT */
/* PerfView's stacks: one file of XML in a zip archive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "format_readers.h"

#define DEEPEST	   4096
#define MOST_TIMES 1100 /* of compressible data */
#define HEADER	   30

struct xml_stack {
	int64_t caller;
	int64_t frame;
};

struct perfview_file {
	char **frames;
	size_t frame_count, frame_capacity;
	struct xml_stack *stacks;
	size_t stack_count, stack_capacity;
	size_t samples;
	stack_found *found;
	void *to;
	const char *problem;
};

static bool check(struct perfview_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

/* The only file of the archive, after a header with the length of its name; NULL if invalid. */
static char *unpack(const uint8_t *packed, size_t size, size_t *unpacked)
{
	const size_t header = size > HEADER ? HEADER + (size_t)packed[26] : size;
	const size_t most = MOST_TIMES * size;
	char *text = xcalloc(1, most + 1);
	z_stream stream = { .next_in = (Bytef *)packed + header,
			    .avail_in = (uInt)(size - header),
			    .next_out = (Bytef *)text,
			    .avail_out = (uInt)most };
	int result = Z_DATA_ERROR;

	if (size > HEADER && !memcmp(packed, "PK\3\4", 4) && inflateInit2(&stream, -15) == Z_OK) {
		result = inflate(&stream, Z_FINISH);
		inflateEnd(&stream);
	}
	*unpacked = stream.total_out;
	if (result == Z_STREAM_END)
		return text;
	xfree(text);
	return NULL;
}

/* NAME="NUMBER" of the element. */
static double attribute(struct perfview_file *file, const char *element, const char *name)
{
	const char *at = strstr(element, name);
	char *end = NULL;
	double number = 0;

	if (at)
		number = strtod(at + strlen(name), &end);
	check(file, at && end > at + strlen(name) && *end == '"', "an element lacks a number");
	return number;
}

/* Characters that XML must escape. */
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

static void add_frame(struct perfview_file *file, const char *line)
{
	const char *name = strchr(line, '>');
	const char *end = strstr(line, "</Frame>");

	if (!check(file,
		   name && end && attribute(file, line, " ID=\"") == (double)file->frame_count,
		   "a frame is out of place"))
		return;
	file->frames = xgrow(file->frames, file->frame_count, &file->frame_capacity,
			     sizeof(*file->frames));
	file->frames[file->frame_count++] = plain_text(name + 1, end);
}

static void add_stack(struct perfview_file *file, const char *line)
{
	const struct xml_stack stack = { (int64_t)attribute(file, line, " CallerID=\""),
					 (int64_t)attribute(file, line, " FrameID=\"") };

	check(file, attribute(file, line, " ID=\"") == (double)file->stack_count,
	      "a stack is not in its place");
	check(file, stack.caller >= -1 && stack.caller < (int64_t)file->stack_count,
	      "a caller is not there");
	check(file, stack.frame >= 0 && stack.frame < (int64_t)file->frame_count,
	      "a frame is not there");
	file->stacks = xgrow(file->stacks, file->stack_count, &file->stack_capacity,
			     sizeof(*file->stacks));
	file->stacks[file->stack_count++] = stack;
}

static void add_sample(struct perfview_file *file, const char *line)
{
	const char *names[DEEPEST];
	size_t first = DEEPEST;
	int64_t at = (int64_t)attribute(file, line, " StackID=\"");
	const double weight = attribute(file, line, " Metric=\"");

	attribute(file, line, " Time=\"");
	check(file, attribute(file, line, " ID=\"") == (double)file->samples++,
	      "a sample is not in its place");
	check(file, at >= 0 && at < (int64_t)file->stack_count && weight >= 0,
	      "a stack is not there");
	for (; !file->problem && at >= 0 && first; at = file->stacks[at].caller)
		names[--first] = file->frames[file->stacks[at].frame];
	first += 2; /* process and thread */
	if (!file->problem && check(file, first <= DEEPEST, "a stack has no process and thread") &&
	    file->found)
		file->found(file->to, names + first, DEEPEST - first,
			    (uint64_t)llround(weight * 1e6));
}

/* Each line is an element: frames, then stacks, then samples. Weights are in milliseconds. */
const char *read_perfview(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct perfview_file file = { .found = found, .to = to };
	size_t unpacked = 0;
	char *text = unpack(bytes, size, &unpacked);
	char *lines = text;
	char *line;

	if (check(&file, text, "it is not an archive"))
		file.problem = read_xml(text, unpacked, NULL, NULL);
	while (!file.problem && (line = strsep(&lines, "\n"))) {
		if (!strncmp(line, "  <Frame ", 9))
			add_frame(&file, line);
		else if (!strncmp(line, "  <Stack ", 9))
			add_stack(&file, line);
		else if (!strncmp(line, "  <Sample ", 10))
			add_sample(&file, line);
	}
	while (file.frame_count)
		xfree(file.frames[--file.frame_count]);
	xfree(file.frames);
	xfree(file.stacks);
	xfree(text);
	return file.problem;
}
