/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/program.h"
#include "cli/unfinished.h"

/* Files are mapped, and this is how the kernel reports one that was truncated meanwhile. */
static void say_file_shrank(int number)
{
	static const char text[] = "perfpipe: the file became shorter while it was being read\n";
	const ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)number;
	(void)written;
	unfinished_discard(); /* NOLINT(bugprone-signal-handler): it only calls stat and unlink */
	_exit(EXIT_OTHER);
}

/* Else the next file that is opened would get what is printed. */
static void fill_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0) /* using it stays an error */
			open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	fill_descriptors();
	signal(SIGBUS, say_file_shrank);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow any more is an error like any other */
	signal(SIGPIPE, SIG_DFL); /* `| head` ends us quietly, whatever our parent ignores */
	return (int)program_run(argc, argv);
}
