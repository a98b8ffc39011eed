/* SPDX-License-Identifier: MIT */
/*
 * asking_symbols.h - questions about addresses of a process, and copies of files to ask about.
 */
#ifndef ASKING_SYMBOLS_H
#define ASKING_SYMBOLS_H

#include <fcntl.h>
#include <unistd.h>

#include "symbols/symbols.h"

static struct symbol_answer answer; /* of the last question */

static struct symbols *new_symbols(void)
{
	return symbols_new(&(struct symbols_options){ .no_network = true });
}

static bool ask(struct symbols *symbols, int64_t pid, uint64_t address)
{
	return symbols_find(symbols, &(struct code_address){ .pid = pid, .address = address },
			    &answer);
}

static void copy_to(int to, const char *from)
{
	const int fd = open(from, O_RDONLY | O_CLOEXEC);
	char block[65536];
	ssize_t got;

	assert_true(fd >= 0 && to >= 0);
	while ((got = read(fd, block, sizeof(block))) > 0)
		assert_int_equal(write(to, block, (size_t)got), got);
	close(fd);
}

static void copy(const char *from, const char *to)
{
	const int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	copy_to(fd, from);
	close(fd);
}

#endif
