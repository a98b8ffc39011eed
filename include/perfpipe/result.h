/* SPDX-License-Identifier: MIT */
/*
 * result.h - walking a result, and printing it.
 *
 * A result is an object; its fields have the keys of the JSON that perfpipe-report(1) documents. A
 * field is a value, another object, or a list of objects, called rows.
 *
 *	struct pp_object all = pp_result_object(result);
 *	struct pp_rows gcs = pp_object_rows(all, "gcs");
 *
 *	for (size_t i = 0; i < gcs.count; i++) {
 *		const struct pp_object gc = pp_row(gcs, i);
 *
 *		if (pp_object_number(gc, "pause_ns", 0) > 10000000)
 *			printf("GC %" PRId64 "\n", pp_object_number(gc, "number", -1));
 *	}
 *
 * Objects and rows are small and passed by value. They, and texts, are valid as long as the report.
 *
 * Some texts and lists are made when they are asked for. If there is no memory for that, they are
 * not known, and the next call with an error fails with PP_ERROR_MEMORY.
 */
#ifndef PERFPIPE_RESULT_H
#define PERFPIPE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_result;

struct pp_object {
	const struct pp_result *result; /* NULL: there is no such object, and it has no fields */
	const void *shape;
	const void *data;
};

struct pp_rows {
	size_t count;
	size_t total;	       /* of which these are the first */
	struct pp_object list; /* these three are for pp_row() */
	const void *first;
	size_t stride;
};

enum pp_unit {
	PP_UNIT_TEXT,
	PP_UNIT_COUNT, /* of things */
	PP_UNIT_ID,    /* a number that counts nothing */
	PP_UNIT_TIME,  /* nanoseconds */
	PP_UNIT_SIZE,  /* bytes */
	PP_UNIT_PERCENT,
	PP_UNIT_RATE, /* per second */
	PP_UNIT_REAL,
	PP_UNIT_FLAG,	/* `number` is 0 or 1 */
	PP_UNIT_ENUM,	/* `number`, and its name is `text`, or NULL; KEY_id is the number alone */
	PP_UNIT_OBJECT, /* `object` */
	PP_UNIT_MAP,	/* `object`, whose keys are names that the trace has */
	PP_UNIT_ROWS,	/* `rows`, of objects */
	PP_UNIT_TEXTS,	/* `rows`, which pp_row_text() reads */
	PP_UNIT_REALS,	/* `rows`, which pp_row_real() reads */
};

/* A field of an object. */
struct pp_datum {
	const char *key;
	const char *title; /* for people; NULL: it is for programs */
	enum pp_unit unit;
	bool known;	/* else nothing below is set; JSON has null */
	int64_t number; /* rounded, if it is a real */
	double real;	/* of any number */
	const char *text;
	struct pp_object object;
	struct pp_rows rows;
};

/* NULL: the trace has an answer. Else what was not recorded, and the command that records it. */
PP_API const char *pp_result_missing(const struct pp_result *result);
PP_API const char *pp_result_remedy(const struct pp_result *result); /* or NULL */

/* What to know of filters that match nothing: a sentence for people, or NULL past the last. */
PP_API const char *pp_result_note(const struct pp_result *result, size_t index);

PP_API struct pp_object pp_result_object(const struct pp_result *result);

/* A field by its key; "all.count" is one of an object in it. False if there is none. */
PP_API bool pp_object_get(struct pp_object object, const char *key, struct pp_datum *datum);

/* All fields: the one at `index`, or false past the last. */
PP_API bool pp_object_field(struct pp_object object, size_t index, struct pp_datum *datum);

/* Short forms, which return `otherwise`, NaN, NULL or nothing for what is not known. */
PP_API int64_t pp_object_number(struct pp_object object, const char *key, int64_t otherwise);
PP_API double pp_object_real(struct pp_object object, const char *key);
PP_API const char *pp_object_text(struct pp_object object, const char *key);
PP_API struct pp_rows pp_object_rows(struct pp_object object, const char *key);

/* The row at `index`: of lists of objects, of texts (or NULL) and of reals (or NaN). */
PP_API struct pp_object pp_row(struct pp_rows rows, size_t index);
PP_API const char *pp_row_text(struct pp_rows rows, size_t index);
PP_API double pp_row_real(struct pp_rows rows, size_t index);

/*
 * The result as "text", "json", "csv", "markdown" or "html", as `perfpipe report` prints it;
 * NUL-terminated, freed by the next call. `size`, which may be NULL, is without the NUL.
 */
PP_API char *pp_result_render(const struct pp_result *result, const char *format, size_t *size,
			      struct pp_error *err);
PP_API void pp_text_free(char *text); /* accepts NULL */

#ifdef __cplusplus
}
#endif

#endif
