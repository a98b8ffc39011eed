/* SPDX-License-Identifier: MIT */
/*
 * symbol_lines.c - the functions and lines at addresses of a file, as llvm-symbolizer prints them.
 *
 *	symbol_lines [--alt FILE] FILE [ADDRESS...]
 *
 * Addresses are read from stdin if none is given. The other file is that of .gnu_debugaltlink.
 * For each address, the innermost function first: its name and FILE:LINE:COLUMN on lines of their
 * own, then an empty line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf_lines.h"

static struct elf_file *open_file(const char *path, struct pp_error *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		return elf_file_open(fd, path, err);
	perror(path);
	return NULL;
}

static void print_frames(const struct symbol_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		printf("%s\n%s:%u:%u\n", frames[i].function ? frames[i].function : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line, frames[i].column);
	puts(count ? "" : "??\n??:0:0\n");
}

static void answer(struct dwarf_lines *lines, const char *text)
{
	static struct symbol_frame frames[SYMBOL_FRAMES];

	print_frames(frames, dwarf_lines_find(lines, strtoull(text, NULL, 16), frames));
}

static void answer_all(struct dwarf_lines *lines, char *const *addresses)
{
	char text[64];

	if (!*addresses)
		while (fgets(text, sizeof(text), stdin))
			answer(lines, text);
	for (; *addresses; addresses++)
		answer(lines, *addresses);
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	const bool has_alt = argc > 2 && !strcmp(argv[1], "--alt");
	struct elf_file *alt = has_alt ? open_file(argv[2], &err) : NULL;
	char **rest = argv + (has_alt ? 3 : 1);
	struct elf_file *file = *rest ? open_file(*rest, &err) : NULL;
	struct dwarf_lines *lines = file ? dwarf_lines_open(file, alt, &err) : NULL;

	if (!lines) {
		fprintf(stderr, "symbol_lines: %s\n", *rest ? err.text : "no file");
		return 1;
	}
	answer_all(lines, rest + 1);
	dwarf_lines_close(lines);
	return 0;
}
