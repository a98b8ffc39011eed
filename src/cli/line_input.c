/* SPDX-License-Identifier: MIT */
#include "cli/line_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

static const char *end_of_line(const struct line_input *in)
{
	return in->size ? memchr(in->bytes + in->from, '\n', in->size) : NULL;
}

bool line_input_is_ready(const struct line_input *in)
{
	return end_of_line(in);
}

/* Room for a NUL is left after the last byte. */
static int read_more(struct line_input *in, struct pp_error *err)
{
	ssize_t got;

	if (!in->bytes)
		in->bytes = xcalloc(1, LINE_MOST + 1);
	if (in->size)
		memmove(in->bytes, in->bytes + in->from, in->size);
	in->from = 0;
	do
		got = read(in->fd, in->bytes + in->size, LINE_MOST - in->size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_errno(err, "cannot read the standard input");
	in->size += (size_t)got;
	in->ended = !got;
	return 0;
}

/* The size of the first piece of a line that is too long: up to its last blank. */
static size_t piece_size(const struct line_input *in)
{
	const char *text = in->bytes + in->from;
	size_t size = in->size;

	while (size && text[size - 1] != ' ' && text[size - 1] != '\t')
		size--;
	return size ? size : in->size;
}

/* A piece is followed by the next one, so its NUL needs a place of its own. */
static void take(struct line_input *in, size_t size, bool whole, struct input_line *line)
{
	const size_t used = size + whole;

	*line = (struct input_line){ in->bytes + in->from, size, whole };
	if (whole || size == in->size) {
		in->bytes[in->from + size] = '\0';
	} else {
		memmove(in->bytes + size + 1, in->bytes + size, in->size - size);
		in->bytes[size] = '\0';
		in->from = 1;
	}
	in->from += used;
	in->size -= used;
}

bool line_input_next(struct line_input *in, struct input_line *line, struct pp_error *err)
{
	const char *end;

	*line = (struct input_line){ 0 };
	while (!(end = end_of_line(in)) && in->size < LINE_MOST && !in->ended)
		if (read_more(in, err))
			return false;
	if (end)
		take(in, (size_t)(end - in->bytes) - in->from, true, line);
	else if (in->size)
		take(in, in->ended ? in->size : piece_size(in), false, line);
	return line->text;
}

void line_input_release(struct line_input *in)
{
	xfree(in->bytes);
}
