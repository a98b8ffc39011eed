/* SPDX-License-Identifier: MIT */
/*
 * sheet.h - rows of a report, filled in once and printed as text, JSON or CSV.
 *
 * Cells are given left to right, row by row; each column says what its cells are and
 * where they are shown. For people times are "1.2 ms" and counts "1,234"; as data they
 * are whole numbers, of ns and bytes.
 *
 *	static const struct sheet_column columns[] = {
 *		{ "exclusive", "Samples", SHEET_COUNT, 0 },
 *		{ "name", "Method", SHEET_TEXT, SHEET_WIDE },
 *		{ 0 },
 *	};
 *	struct sheet sheet = { .key = "methods", .columns = columns };
 *	sheet_count(&sheet, row->exclusive);
 *	sheet_text(&sheet, row->name);
 *	sheet_release(&sheet);
 */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"

enum sheet_kind {
	SHEET_TEXT,
	SHEET_COUNT,
	SHEET_ID,      /* a number that counts nothing: 28997 */
	SHEET_TIME,    /* ns; may be negative */
	SHEET_SIZE,    /* bytes */
	SHEET_PERCENT, /* a real; two digits behind the point */
	SHEET_REAL,    /* any number; four digits for people, all of them as data */

	SHEET_FLAG,
	SHEET_FIGURE, /* a text that stands where numbers do: "+1.5 ms" */
};

enum sheet_flags {
	SHEET_PEOPLE = 1,  /* not in data */
	SHEET_DATA = 2,	   /* not for people */
	SHEET_WIDE = 4,	   /* takes what room is left and is cut; stands last */
	SHEET_METHOD = 12, /* wide, and a method: its own name is what is kept longest */
	SHEET_PATH = 20,   /* wide, and a path: its end is what is kept longest */
};

struct sheet_column {
	const char *key;   /* in data; NULL ends the columns */
	const char *title; /* for people */
	enum sheet_kind kind;
	unsigned flags;
};

struct sheet_cell {
	bool known;
	union {
		const char *text; /* lives in the sheet */
		int64_t number;
		double real;
	};
};

struct sheet {
	const char *key;   /* of the array in JSON */
	const char *title; /* for people, above; or NULL */
	const struct sheet_column *columns;
	unsigned hidden; /* bits of columns that are not shown this time */
	struct sheet_cell *cells;
	size_t count, capacity;
	struct arena arena;
};

void sheet_text(struct sheet *sheet, const char *text); /* NULL is not known */
void sheet_count(struct sheet *sheet, uint64_t count);
void sheet_number(struct sheet *sheet, int64_t number); /* SHEET_ID */
void sheet_time(struct sheet *sheet, int64_t time_ns);
void sheet_percent(struct sheet *sheet, double percent);
void sheet_real(struct sheet *sheet, double real);

void sheet_flag(struct sheet *sheet, bool flag);
void sheet_unknown(struct sheet *sheet);
void sheet_release(struct sheet *sheet);

size_t sheet_rows(const struct sheet *sheet);

/* `width` is how many columns a line has; 0: any number. */
void sheet_print(const struct sheet *sheet, FILE *out, size_t width);
void sheet_put_json(const struct sheet *sheet, struct json *json);
void sheet_put_csv(const struct sheet *sheet, struct buffer *out);

#endif
