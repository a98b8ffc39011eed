/* SPDX-License-Identifier: MIT */
/*
 * read_bytes - counts the events of a trace that the program reads itself, with libc only.
 *
 *	cc read_bytes.c $(pkg-config --cflags --libs perfpipe) -o read_bytes
 *	read_bytes app.nettrace
 */
#include <perfpipe/nettrace.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Feeds the reader more bytes, or signals the end. */
static void feed(struct pp_nettrace *trace, int fd)
{
	size_t room;
	void *bytes = pp_nettrace_room(trace, &room);
	const ssize_t size = read(fd, bytes, room);

	if (size > 0)
		pp_nettrace_filled(trace, (size_t)size);
	else
		pp_nettrace_end(trace);
}

static enum pp_next read_all(struct pp_nettrace *trace, int fd, struct pp_error *err)
{
	const struct pp_event *event;
	enum pp_next next;

	while ((next = pp_nettrace_next(trace, &event, err)) > PP_NEXT_END) {
		if (next == PP_NEXT_MORE)
			feed(trace, fd);
		/* else: `event` is the next one in order of time */
	}
	return next;
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &err);
	const int fd = trace && argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct pp_trace_totals totals;

	if (fd < 0) {
		fprintf(stderr, "%s\n", err.code ? err.text : "usage: read_bytes FILE");
		pp_nettrace_free(trace);
		return 1;
	}
	if (read_all(trace, fd, &err) == PP_NEXT_ERROR)
		fprintf(stderr, "%s: %s\n", argv[1], err.text);
	totals = pp_nettrace_totals(trace);
	printf("%llu events, %llu lost, %s\n", (unsigned long long)totals.events,
	       (unsigned long long)totals.lost, totals.complete ? "complete" : "cut short");
	pp_nettrace_free(trace);
	close(fd);
	return err.code != PP_ERROR_NONE;
}
