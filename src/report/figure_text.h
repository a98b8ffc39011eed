/* SPDX-License-Identifier: MIT */
/*
 * figure_text.h - values of results as people read them, and lines made of them. All texts are in
 * the arena, or static.
 *
 *	figure_number_text(UNIT_TIME, 1.5e6, &arena)		"1.5 ms"
 *	line_text(shape, data, "{count|wait|waits}", &arena)	"3 waits"
 */
#ifndef REPORT_FIGURE_TEXT_H
#define REPORT_FIGURE_TEXT_H

#include "base/buffer.h"
#include "report/result.h"

struct model_losses;

/* "1.2 ms", "1,234", a safe text; "" if it is not known. In the arena. */
const char *figure_text(const struct result_field *field, const struct result_value *value,
			struct arena *arena);

/* The same of a row's field. */
const char *figure_text_of(const struct result_field *field, const void *row, struct arena *arena);

/* "+1.2 ms" of a change; the value is known. */
const char *figure_change_text(enum result_unit unit, double change, struct arena *arena);

/* "1.5 ms" of a number that has lost its type. */
const char *figure_number_text(enum result_unit unit, double number, struct arena *arena);

/*
 * "0 events"; "at least 5 events", since a thread of which no event arrived is not known; "not
 * recorded" by a trace that does not number its events.
 */
const char *events_lost_text(uint64_t lost, bool at_least, struct arena *arena);

/* The same with causes: "at least 5 events, of which 2 did not fit into the kernel's buffers". */
const char *losses_text(const struct model_losses *losses, struct arena *arena);

/*
 * What a line's template comes to; NULL if the line is left out. See struct result_line.
 */
const char *line_text(const struct result_shape *shape, const void *data, const char *template,
		      struct arena *arena);

/* Whether its `when` lets the line be shown. */
bool line_is_shown(const struct result_shape *shape, const void *data,
		   const struct result_line *line);

#endif
