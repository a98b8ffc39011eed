/* SPDX-License-Identifier: MIT */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

int output_open(struct output *output, const char *path, struct pp_error *err)
{
	const bool to_stdout = !path || !strcmp(path, "-");

	*output = (struct output){ .fd = STDOUT_FILENO, .path = to_stdout ? "the output" : path };
	if (to_stdout)
		return 0;
	output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return output->fd < 0 ? error_errno(err, "cannot write %s", path) : 0;
}

void output_write(struct output *output, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size && !output->failed.code) {
		const ssize_t written = write(output->fd, at, size);

		if (written < 0 && errno != EINTR)
			error_errno(&output->failed, "cannot write %s", output->path);
		if (written > 0) {
			at += written;
			size -= (size_t)written;
		}
	}
}

int output_close(struct output *output, struct pp_error *err)
{
	if (output->fd > STDOUT_FILENO && close(output->fd))
		error_errno(&output->failed, "cannot write %s", output->path);
	output->fd = -1;
	if (output->failed.code)
		return error_set(err, output->failed.code, "%s", output->failed.text);
	return 0;
}
