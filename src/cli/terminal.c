/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void text_put(FILE *out, const char *text)
{
	struct arena scratch = { 0 };

	fputs(text_safe(&scratch, text), out);
	arena_release(&scratch);
}

void terminal_say(const char *format, ...)
{
	struct arena scratch = { 0 };
	va_list args;

	va_start(args, format);
	fprintf(stderr, "perfpipe: %s\n",
		text_safe(&scratch, arena_vprintf(&scratch, format, args)));
	va_end(args);
	arena_release(&scratch);
}

size_t terminal_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	const long wanted = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (wanted > 0 && wanted < INT_MAX)
		return (size_t)wanted;
	return ioctl(fileno(out), TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void terminal_guard(int fd, struct buffer *output)
{
	struct buffer safe = { 0 };

	if (output->failed || !isatty(fd))
		return;
	text_put_lines(&safe, output->bytes, output->size);
	buffer_release(output);
	*output = safe;
}

/* https://no-color.org: any value but the empty one switches colour off. */
bool terminal_wants_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !(no_color && *no_color) && term && strcmp(term, "dumb") && isatty(fileno(out));
}
