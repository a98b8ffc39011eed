/* SPDX-License-Identifier: MIT */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"

static void wait_for_reader(struct output *output)
{
	struct pollfd fds[] = { { .fd = output->fd, .events = POLLOUT },
				{ .fd = output->give_up_fd, .events = POLLIN } };

	poll(fds, output->give_up_fd > 0 ? 2 : 1, -1);
	if (output->give_up_fd > 0 && fds[1].revents && !fds[0].revents)
		error_set(&output->failed, PP_ERROR_SYSTEM,
			  "the output is a pipe that is full and not being read");
}

void output_write(struct output *output, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size && !output->failed.code) {
		const ssize_t written = write(output->fd, at, size);

		if (written > 0) {
			at += written;
			size -= (size_t)written;
			output->size += (size_t)written;
		} else if (written < 0 && errno == EAGAIN) {
			wait_for_reader(output);
		} else if (written < 0 && errno != EINTR) {
			error_errno(&output->failed, "cannot write %s", output->path);
		}
	}
}

void output_write_lines(struct output *output, const void *bytes, size_t size)
{
	struct buffer safe = { 0 };

	if (!isatty(output->fd)) {
		output_write(output, bytes, size);
		return;
	}
	text_put_lines(&safe, bytes, size);
	output_write(output, safe.bytes, safe.size);
	buffer_release(&safe);
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

/* /tmp may be a tmpfs, so /var/tmp comes first. */
int temp_file_open(void)
{
	const char *const directories[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < ARRAY_COUNT(directories) && fd < 0; i++)
		if (directories[i])
			fd = open(directories[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd;
}
