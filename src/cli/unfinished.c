/* SPDX-License-Identifier: MIT */
#include "cli/unfinished.h"

#include <signal.h>

#include "base/array.h"

static struct partial_file *volatile unfinished;

void unfinished_discard(void)
{
	if (unfinished)
		partial_file_discard(unfinished);
}

static void end_by_signal(int number)
{
	unfinished_discard();
	signal(number, SIG_DFL);
	raise(number);
}

void unfinished_watch(struct partial_file *file)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	unfinished = file;
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		struct sigaction action = { .sa_handler = file ? end_by_signal : SIG_DFL };
		struct sigaction before;

		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}
