/* SPDX-License-Identifier: MIT */
/*
 * map_lines.h - the lines of a text file that names code, read in pieces.
 *
 *	struct map_lines lines = { .fd = fd };
 *	struct map_line line;
 *
 *	while ((got = map_lines_next(&lines, &line, err)) > 0)
 *		...
 *	map_lines_release(&lines);
 */
#ifndef SYMBOLS_MAP_LINES_H
#define SYMBOLS_MAP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "perfpipe/error.h"

#define MAP_LINE_MOST ((size_t)16 << 10) /* bytes of a line; what is more is cut */

struct map_lines {
	int fd;
	char *bytes;
	size_t at, filled;
};

/* Without its line end, "\n" or "\r\n"; valid until the next one. */
struct map_line {
	const char *at, *end;
};

/* 1: a line; 0: the end, before which an incomplete line is ignored; -1: an error. */
int map_lines_next(struct map_lines *lines, struct map_line *line, struct pp_error *err);
void map_lines_release(struct map_lines *lines);

/* What a line begins with, and the blanks after it. False, and the line is as it was: it does not.
 */
bool map_line_hex(struct map_line *line, uint64_t *number); /* with or without "0x" */
bool map_line_char(struct map_line *line, char *value);

/* The rest of it, as valid UTF-8 without a NUL in it; "" if nothing is left. */
char *map_line_text(const struct map_line *line, struct arena *arena);

#endif
