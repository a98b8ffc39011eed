/* SPDX-License-Identifier: MIT */
/*
 * figures.h - the figures of a view, by name, so that those of two traces can be compared.
 *
 * They are read from the view's own JSON, so that every view has them. A number is a figure of
 * the view, called by its path: "client.p95_ns". A row of an array is called by
 * what identifies it, a method by name and module, and has figures of its own; rows that are single
 * happenings, such as one collection, have nothing to be compared with and are left out.
 * Rows of one name are summed up.
 *
 *	struct figures figures = { 0 };
 *
 *	figures_read(&figures, json.bytes, json.size);
 *	row = figures_find(&figures, "types", "System.Byte[]");
 *	figures_release(&figures);
 */
#ifndef ANALYZE_FIGURES_H
#define ANALYZE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"

enum figure_unit {
	FIGURE_COUNT,
	FIGURE_TIME, /* ns */
	FIGURE_SIZE, /* bytes */
	FIGURE_PERCENT,
	FIGURE_REAL,
};

struct figure {
	const char *name;
	double value;
};

struct figure_row {
	const char *table; /* the array; "" for the view's own figures */
	const char *name;  /* what it is called by first, such as a method without its module */
	const char *label; /* with all that identifies it */
	struct figure *list;
	size_t count, capacity;
	struct figure_row *next; /* of equal hash */
};

struct figures {
	struct arena arena;
	struct figure_row **rows; /* in the order of the view, its own figures first */
	size_t row_count, row_capacity;
	struct map by_label; /* chained by hash */
	bool available;
	bool complete;
	uint64_t lost;
	const char *missing; /* if it is not available, and the command that helps; or NULL */
	const char *remedy;
};

/* Texts live as long as the figures. -1 if it is no JSON of a view. */
int figures_read(struct figures *figures, const void *json, size_t size);
void figures_release(struct figures *figures);

/* NULL if there is none. */
const struct figure_row *figures_find(const struct figures *figures, const char *table,
				      const char *label);
const struct figure *figure_of(const struct figure_row *row, const char *name);

/* The figure by which rows of a table are compared first; NULL if they have none. */
const char *figure_main(const struct figure_row *row);

/* Most views have their figures in an object "summary", which need not be said. */
const char *figure_short_name(const char *path);

enum figure_unit figure_unit_of(const char *name);

/* Whether figures of several rows make a sum; of others, such as percentiles, the largest counts.
 */
bool figure_is_sum(const char *name);

#endif
