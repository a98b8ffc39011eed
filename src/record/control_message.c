/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/control.h"

/* A pid at the start of the text, with a blank or the end behind it; 0 if there is none. */
static long pid_at(const char *text, const char **end)
{
	char *behind;
	long pid;

	if (*text < '1' || *text > '9')
		return 0;
	errno = 0;
	pid = strtol(text, &behind, 10);
	*end = behind;
	return errno || (*behind && *behind != ' ') ? 0 : pid;
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

int control_parse_answer(const char *text, long *process_id, const char **path)
{
	const char *end = "";

	*process_id = pid_at(text, &end);
	if (!*process_id || *end != ' ' || !end[1])
		return -1;
	*path = end + 1;
	return 0;
}
