/* SPDX-License-Identifier: MIT */
/* Line formats: collapsed stacks, and the output of perf script. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"
#include "format_readers.h"

#define DEEPEST 4096
#define DIGITS	"0123456789"

/* Valid UTF-8 that ends with a newline, without other line breaks. */
static const char *check_text(const char *text, size_t size)
{
	const char *at = text;

	if (!size)
		return NULL;
	if (text[size - 1] != '\n')
		return "the last line does not end";
	if (!text_is_utf8(text, size))
		return "it is not UTF-8";
	while (at < text + size) {
		const uint32_t code = utf8_decode(&at, text + size);

		if ((code < ' ' && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
		    code == 0x2028 || code == 0x2029)
			return "a line contains a line break";
	}
	return NULL;
}

/* A decimal number and nothing else. */
static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end;
}

/* One line per stack: frames separated by ;, a space, and the weight. */
static const char *read_folded_line(char *line, stack_found *found, void *to)
{
	const char *stack[DEEPEST];
	char *blank = strrchr(line, ' ');
	size_t depth = 0;
	uint64_t weight;

	if (!blank || !read_number(blank + 1, &weight))
		return "a line has no weight";
	*blank = 0;
	while (line && depth < DEEPEST)
		stack[depth++] = strsep(&line, ";");
	if (line)
		return "a stack is too deep";
	if (found)
		found(to, stack, depth, weight);
	return NULL;
}

const char *read_folded(const void *bytes, size_t size, stack_found *found, void *to)
{
	const char *problem = check_text(bytes, size);
	char *copy = size ? strndup(bytes, size) : NULL;
	char *lines = copy;
	char *line;

	while (!problem && (line = strsep(&lines, "\n")) && lines)
		problem = read_folded_line(line, found, to);
	free(copy);
	return problem;
}

struct script {
	char *names[DEEPEST]; /* leaf first */
	size_t depth;
	uint64_t weight;
	bool head; /* a header was read */
};

/* "PROCESS PID/TID [CPU] TIME: WEIGHT EVENT:" */
static const char *read_head(struct script *script, char *line)
{
	long long process, thread;
	unsigned cpu, nanoseconds;
	unsigned long long seconds;
	char *blank = strchr(line, ' ');
	int used = 0;

	if (script->head || !blank || blank == line)
		return "a header is out of place";
	if (sscanf(blank, " %lld/%lld [%3u] %llu.%9u: %n", &process, &thread, &cpu, &seconds,
		   &nanoseconds, &used) != 5 ||
	    !used)
		return "a header has no numbers";
	line = blank + used;
	blank = strchr(line, ' ');
	if (!blank || blank[strlen(blank) - 1] != ':')
		return "a header has no event";
	*blank = 0;
	script->head = true;
	return read_number(line, &script->weight) ? NULL : "a head has no weight";
}

/* "\tADDRESS NAME (MODULE)" */
static const char *read_frame(struct script *script, char *line)
{
	char *name = strchr(line, ' ');
	char *module = strrchr(line, '(');

	if (!script->head || script->depth == DEEPEST)
		return "a frame is out of place";
	if (!name || name - line != 17 || strspn(line + 1, DIGITS "abcdef") != 16 || !module ||
	    module < name + 3 || module[-1] != ' ' || module[strcspn(module, ")")] != ')' ||
	    module[strcspn(module, ")") + 1])
		return "a frame has no address, name or module";
	module[-1] = module[strlen(module) - 1] = 0;
	if (asprintf(&script->names[script->depth], "%s%s%s",
		     strcmp(module, "(perfpipe") ? module + 1 : "",
		     strcmp(module, "(perfpipe") ? "!" : "", name + 1) < 0)
		return "out of memory";
	script->depth++;
	return NULL;
}

static void end_sample(struct script *script, stack_found *found, void *to)
{
	const char *stack[DEEPEST];

	for (size_t i = 0; i < script->depth; i++)
		stack[script->depth - 1 - i] = script->names[i];
	if (found && script->head)
		found(to, stack, script->depth, script->weight);
	while (script->depth)
		free(script->names[--script->depth]);
	script->head = false;
}

const char *read_perf_script(const void *bytes, size_t size, stack_found *found, void *to)
{
	const char *problem = check_text(bytes, size);
	struct script *script = calloc(1, sizeof(*script));
	char *copy = size ? strndup(bytes, size) : NULL;
	char *lines = copy;
	char *line;

	while (!problem && (line = strsep(&lines, "\n")) && lines) {
		if (*line == '\t')
			problem = read_frame(script, line);
		else if (*line)
			problem = read_head(script, line);
		else
			end_sample(script, found, to);
	}
	if (!problem && script->head)
		problem = "the last sample is not complete";
	end_sample(script, NULL, NULL);
	free(script);
	free(copy);
	return problem;
}
