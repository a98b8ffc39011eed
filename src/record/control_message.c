/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/partial_file.h"
#include "record/control.h"

/* A pid at the start of the text, followed by a blank or the end; 0 if there is none. */
static long pid_at(const char *text, const char **end)
{
	char *after;
	long pid;

	if (*text < '1' || *text > '9')
		return 0;
	errno = 0;
	pid = strtol(text, &after, 10);
	*end = after;
	return errno || (*after && *after != ' ') ? 0 : pid;
}

int control_parse_request(const char *text, struct control_request *request)
{
	const char *end = "";

	*request = (struct control_request){ 0 };
	if (strncmp(text, "stop ", 5) != 0)
		return -1;
	text += 5;
	if (*text == '/') {
		request->path = text;
		return 0;
	}
	request->all = !strcmp(text, "all");
	request->process_id = request->all ? 0 : pid_at(text, &end);
	return request->all || (request->process_id && !*end) ? 0 : -1;
}

int control_parse_answer(const char *text, struct control_found *recording)
{
	const char *end = "";

	recording->process_id = pid_at(text, &end);
	if (!recording->process_id || *end != ' ' || !end[1])
		return -1;
	recording->path = end + 1;
	return 0;
}

void control_strip_partial(char *path)
{
	const size_t suffix = strlen(PARTIAL_FILE_SUFFIX);
	const size_t length = strlen(path);

	if (length > suffix && !strcmp(path + length - suffix, PARTIAL_FILE_SUFFIX))
		path[length - suffix] = 0;
}
